"""Immutable values that tables share. Thousands of tables are in memory, and each has hundreds of zones."""

from __future__ import annotations

from functools import lru_cache
from sys import intern
from typing import Any, NoReturn
from weakref import WeakValueDictionary


class InternedContents(dict[str, int]):
    """Contents of piles, from component to count. Many piles share one instance, so it cannot be changed."""

    __slots__ = ()

    def _reject_change(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("change the contents of a pile by putting and taking components")

    __setitem__ = __delitem__ = __ior__ = _reject_change
    clear = pop = popitem = setdefault = update = _reject_change

    def __deepcopy__(self, _: object) -> InternedContents:
        return self

    def __reduce__(self) -> tuple[type[InternedContents], tuple[dict[str, int]]]:
        return InternedContents, (dict(self),)


EMPTY = InternedContents()
"""The contents of an empty pile."""


_MAX_CACHED = 1 << 13
"""The maximum number of cached entries. A game needs a few hundred; imported records may contain any number."""


@lru_cache(_MAX_CACHED)
def intern_contents(component: str, count: int) -> InternedContents:
    """Return the shared contents of a pile that has components of one kind only."""
    return InternedContents({intern(component): count})


class IdIndex(dict[str, int]):
    """The position of each id of a layout."""

    __slots__ = ("__weakref__",)


_indexes: WeakValueDictionary[tuple[str, ...], IdIndex] = WeakValueDictionary()


def id_index(ids: tuple[str, ...]) -> IdIndex:
    """Return the position of each id. Tables with the same ids share the result."""
    index = _indexes.get(ids)
    if index is None:
        index = IdIndex({id: position for position, id in enumerate(ids)})
        _indexes[ids] = index
    return index
