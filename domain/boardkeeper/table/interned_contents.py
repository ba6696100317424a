"""What lies in a pile with one kind of component or none, which most piles are: one for all such piles of all games.

A table has hundreds of piles, and thousands of tables are in memory at a time.
"""

from __future__ import annotations

from functools import lru_cache
from sys import intern
from typing import Any, NoReturn

_MOST = 1 << 13
"""A game has some hundreds; what somebody made up in a record goes again."""


class InternedContents(dict[str, int]):
    """Component → count, the same for many piles: it is read as any dictionary, and never changed."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("change the contents of a pile by putting and taking components")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __deepcopy__(self, _: object) -> InternedContents:
        return self

    def __reduce__(self) -> tuple[type[InternedContents], tuple[dict[str, int]]]:
        return InternedContents, (dict(self),)


NOTHING = InternedContents()
"""What lies in an empty pile."""


@lru_cache(_MOST)
def one_kind(component: str, count: int) -> InternedContents:
    """What lies in a pile with components of one kind only."""
    return InternedContents({intern(component): count})  # what is decoded comes anew each time
