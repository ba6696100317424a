"""A mapping whose keys are shared by all tables of a kind, while each table has its own values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar

K = TypeVar("K")
T = TypeVar("T")


class IndexedMapping(Generic[K, T]):
    """A mapping with fixed keys. ``index`` has the position of each key in ``entries``."""

    __slots__ = ("entries", "index")

    def __init__(self, index: dict[K, int], entries: list[T]) -> None:
        self.index = index
        self.entries = entries

    def __getitem__(self, key: K) -> T:
        return self.entries[self.index[key]]

    def __contains__(self, key: object) -> bool:
        return key in self.index

    def __iter__(self) -> Iterator[K]:
        return iter(self.index)

    def __len__(self) -> int:
        return len(self.index)

    def get(self, key: K) -> T | None:
        position = self.index.get(key)
        return None if position is None else self.entries[position]

    def values(self) -> Sequence[T]:
        return self.entries

    def items(self) -> Iterator[tuple[K, T]]:
        return zip(self.index, self.entries, strict=True)
