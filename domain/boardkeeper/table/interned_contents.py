"""What lies in a pile with one kind of component or none, which most piles are: one for all such piles of all games.

A table has hundreds of piles, and thousands of tables are in memory at a time.
"""

from __future__ import annotations

from functools import lru_cache
from sys import intern
from typing import Any, NoReturn

_MOST = 1 << 13
"""A game has some hundreds; what somebody made up in a record goes again."""


class Shared(dict[str, int]):
    """Component → count, the same for many piles: it is read as any dictionary, and never changed."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("change the contents of a pile by putting and taking components")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __deepcopy__(self, _: object) -> Shared:
        return self

    def __reduce__(self) -> tuple[type[Shared], tuple[dict[str, int]]]:
        return Shared, (dict(self),)


NOTHING = Shared()
"""What lies in an empty pile."""


@lru_cache(_MOST)
def alone(component: str, count: int) -> Shared:
    """What lies in a pile with components of one kind only."""
    return Shared({intern(component): count})  # what is decoded comes anew each time
