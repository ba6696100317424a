"""Zones hold components, markers hold scalars; together with the open decisions they are a whole table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from sys import intern
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from boardkeeper.table.effects import Scalar
from boardkeeper.table.interned_contents import NOTHING, one_kind

V = TypeVar("V", bound=Scalar)


class Marker(Generic[V]):
    """A named scalar: a track position, a number of coins, the round, where a merchant stands."""

    __slots__ = ("id", "value", "visibility")

    def __init__(self, id: str, value: V, visibility: str) -> None:
        self.id = id
        self.value = value
        self.visibility = visibility


class Number(Marker[int]):
    """A marker whose value is an integer."""

    __slots__ = ()


class Word(Marker[str]):
    """A marker whose value is a string."""

    __slots__ = ()


AnyMarker: TypeAlias = Marker[Any]
"""A marker, whatever its value is."""


class Pile:
    """An unordered zone: how many components of each kind lie in it.

    ``items`` maps a component to its count and contains no zeros. Do not change it and do not store a reference to it:
    a later change of the pile may replace the dictionary, and piles with at most one kind of component
    :mod:`share theirs <boardkeeper.table.interned_contents>`. ``counter`` counts the random picks from the pile so far.
    """

    __slots__ = ("counter", "id", "items", "visibility")

    def __init__(self, id: str, visibility: str) -> None:
        self.id = id
        self.visibility = visibility
        self.items: dict[str, int] = NOTHING
        self.counter = 0

    def put(self, component: str, count: int) -> None:
        """Add ``count`` components of one kind."""
        if not count:
            return
        items = self.items
        there = items.get(component, 0)
        if len(items) > 1:
            items[intern(component)] = there + count  # games stay in memory long; what is decoded comes anew each time
        elif there or not items:
            self.items = one_kind(component, there + count)
        else:
            self.items = {**items, intern(component): count}

    def take(self, component: str, count: int) -> None:
        """Remove ``count`` components of one kind; raises ``ValueError`` if fewer lie here."""
        if not count:
            return
        items = self.items
        there = items.get(component, 0)
        if count > there or not there:
            raise ValueError(f"{self.id} does not hold {count} × {component}")
        if len(items) == 1:
            self.items = one_kind(component, there - count) if count < there else NOTHING
        elif count < there:
            items[component] = there - count
        else:
            del items[component]
            if len(items) == 1:
                self.hold(items)

    def hold(self, contents: Mapping[str, int]) -> None:
        """Have exactly these lie here, whatever did before."""
        if len(contents) > 1:
            self.items = dict(contents)
        elif contents:
            ((component, count),) = contents.items()
            self.items = one_kind(component, count)
        else:
            self.items = NOTHING

    def total(self) -> int:
        """How many components lie here."""
        return sum(self.items.values())

    def counts(self) -> dict[str, int]:
        """The contents as component → count."""
        return dict(self.items)


class Stack:
    """An ordered zone, bottom first; components come and go at its top."""

    __slots__ = ("counter", "id", "order", "visibility")

    def __init__(self, id: str, visibility: str) -> None:
        self.id = id
        self.visibility = visibility
        self.order: list[str] = []
        self.counter = 0

    def put(self, component: str, count: int) -> None:
        """Put ``count`` components of one kind on top."""
        self.order.extend([intern(component)] * count)

    def take(self, component: str, count: int) -> None:
        """Take ``count`` components of one kind off the top; raises ``ValueError`` if others lie there."""
        if self.order[-count:] != [component] * count:
            raise ValueError(f"{self.id} does not hold {count} × {component} on top")
        del self.order[-count:]

    def total(self) -> int:
        """How many components lie here."""
        return len(self.order)

    def counts(self) -> dict[str, int]:
        """The contents as component → count."""
        counts: dict[str, int] = {}
        for component in self.order:
            counts[component] = counts.get(component, 0) + 1
        return counts


Zone = Pile | Stack


class Space(Protocol):
    """A space of a board that holds components: a pile, or a title's own class around one."""

    @property
    def items(self) -> Mapping[str, int]:
        """The components on it."""


S = TypeVar("S", bound=Space)


def free_spaces(spaces: Iterable[S]) -> list[S]:
    """Return the spaces on which nothing lies, in their order: the first one is the next free space."""
    return [space for space in spaces if not space.items]
