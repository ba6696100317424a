"""Where each id of a layout is: one dictionary for all tables with the same ids, as long as there is such a table."""

from __future__ import annotations

from weakref import WeakValueDictionary


class IdIndex(dict[str, int]):
    """Id → where it is, which goes with the last table that has it: anybody may make layouts of his own."""

    __slots__ = ("__weakref__",)


_known: WeakValueDictionary[tuple[str, ...], IdIndex] = WeakValueDictionary()


def id_index(ids: tuple[str, ...]) -> IdIndex:
    """Where each of these ids is among them."""
    known = _known.get(ids)
    if known is None:
        known = IdIndex({id: at for at, id in enumerate(ids)})
        _known[ids] = known
    return known
