"""Zones and markers: a zone holds components, a marker holds an integer or a string."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from sys import intern
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from boardkeeper.table.effects import Scalar
from boardkeeper.table.interning import EMPTY, intern_contents

V = TypeVar("V", bound=Scalar)


class Marker(Generic[V]):
    """A named value, for example a position on a track, a number of coins, or the round."""

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
"""A number or a word."""


class FreeSpaces:
    """The empty piles of a group, as a bit mask that its piles keep up to date."""

    __slots__ = ("mask",)

    def __init__(self) -> None:
        self.mask = 0


class OrderKeeper(Protocol):
    """Stores the order of a pile's components while it can still be undone that the pile loses one."""

    def keep_order(self, pile: Pile) -> None:
        """Store the order of the components. The pile has several kinds and is about to lose one of them."""


class Pile:
    """An unordered zone.

    ``items`` maps components to their counts, without zeros. Do not change it and do not store a reference to it: a
    change of the pile may replace the dictionary, and piles with at most one kind of component share it
    (:mod:`boardkeeper.table.interning`). ``counter`` is the number of random picks from the pile so far. ``group`` is
    the group that the pile belongs to, if any: ``bit`` is set in its mask while the pile is empty.
    """

    __slots__ = ("bit", "counter", "group", "id", "items", "visibility")

    def __init__(self, id: str, visibility: str) -> None:
        self.id = id
        self.visibility = visibility
        self.items: dict[str, int] = EMPTY
        self.counter = 0
        self.bit = 0
        self.group: FreeSpaces | None = None

    def join(self, group: FreeSpaces, bit: int) -> FreeSpaces:
        """Add the pile to a group, unless it is in one already because the table was bound before; return its group."""
        if self.group is None:
            self.group = group
            self.bit = bit
            if not self.items:
                group.mask |= bit
        return self.group

    def put(self, component: str, count: int) -> None:
        """Add ``count`` components of one kind."""
        if not count:
            return
        items = self.items
        if not items:
            self.items = intern_contents(component, count)
            if self.group is not None:
                self.group.mask ^= self.bit
        elif component in items:
            if len(items) > 1:
                items[component] += count
            else:
                self.items = intern_contents(component, items[component] + count)
        elif len(items) > 1:
            items[intern(component)] = count  # decoded strings are not interned yet
        else:
            self.items = {**items, intern(component): count}

    def take(self, component: str, count: int, keeper: OrderKeeper | None = None) -> None:
        """Remove ``count`` components of one kind; raises ``ValueError`` if the pile has fewer."""
        items = self.items
        present = items.get(component, 0)
        if not present or count > present:
            if count:
                raise ValueError(f"{self.id} does not hold {count} × {component}")
        elif count < present:
            if len(items) > 1:
                items[component] = present - count
            else:
                self.items = intern_contents(component, present - count)
        elif len(items) == 1:
            self.items = EMPTY
            if self.group is not None:
                self.group.mask ^= self.bit
        else:
            if keeper is not None:
                keeper.keep_order(self)
            del items[component]
            if len(items) == 1:
                self.set_contents(items)

    def set_contents(self, contents: Mapping[str, int]) -> None:
        """Replace the contents of the pile."""
        if len(contents) > 1:
            self.replace_items(dict(contents))
        elif contents:
            ((component, count),) = contents.items()
            self.replace_items(intern_contents(component, count))
        else:
            self.replace_items(EMPTY)

    def replace_items(self, items: dict[str, int]) -> None:
        """Replace the dictionary of contents by one that no other pile changes.

        Callers that restore the values of a table must use this method instead of assigning ``items``: it is the one
        place that keeps everything that is derived from the contents up to date.
        """
        if self.group is not None and bool(items) != bool(self.items):
            self.group.mask ^= self.bit
        self.items = items

    def total(self) -> int:
        """Return the number of components."""
        return sum(self.items.values())

    def counts(self) -> dict[str, int]:
        """Return a new dictionary of components with their counts."""
        return dict(self.items)


class Stack:
    """An ordered zone. ``order`` lists its components, bottom first; they are added and removed at the top."""

    __slots__ = ("counter", "id", "order", "visibility")

    def __init__(self, id: str, visibility: str) -> None:
        self.id = id
        self.visibility = visibility
        self.order: list[str] = []
        self.counter = 0

    def put(self, component: str, count: int) -> None:
        """Put ``count`` components of one kind on top."""
        self.order.extend([intern(component)] * count)

    def take(self, component: str, count: int, keeper: OrderKeeper | None = None) -> None:  # noqa: ARG002
        """Remove ``count`` components of one kind from the top; raises ``ValueError`` if the top is different."""
        if self.order[-count:] != [component] * count:
            raise ValueError(f"{self.id} does not hold {count} × {component} on top")
        del self.order[-count:]

    def total(self) -> int:
        return len(self.order)

    def counts(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for component in self.order:
            counts[component] = counts.get(component, 0) + 1
        return counts


Zone = Pile | Stack


class Space(Protocol):
    """A space of a board: a pile, or a class of a title that contains one."""

    @property
    def items(self) -> Mapping[str, int]:
        """The components on it."""


S = TypeVar("S", bound=Space)


def free_spaces(spaces: Iterable[S]) -> list[S]:
    """Return the empty spaces in order."""
    return [space for space in spaces if not space.items]
