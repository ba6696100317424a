"""What each table has of its own under names that all tables of a kind share: its zones by their ids, and the like."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")


class Slots(Generic[K, T]):
    """Things by name, in their order. It is read as a mapping; which names there are never changes.

    ``at`` says where in ``things`` each name is, for who looks up many.
    """

    __slots__ = ("at", "things")

    def __init__(self, at: dict[K, int], things: list[T]) -> None:
        self.at = at
        self.things = things

    def __getitem__(self, name: K) -> T:
        return self.things[self.at[name]]

    def __contains__(self, name: object) -> bool:
        return name in self.at

    def __iter__(self) -> Iterator[K]:
        return iter(self.at)

    def __len__(self) -> int:
        return len(self.at)

    def get(self, name: K) -> T | None:
        """The thing of that name, if there is one."""
        at = self.at.get(name)
        return None if at is None else self.things[at]

    def values(self) -> Sequence[T]:
        """Each of them."""
        return self.things

    def items(self) -> Iterator[tuple[K, T]]:
        """Each of them with its name."""
        return zip(self.at, self.things, strict=True)
