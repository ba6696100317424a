"""Compact lists of version numbers. A server can hold many long games in memory."""

from __future__ import annotations

from array import array

_MAX_SHORT = 0xFFFF


def new_versions() -> array[int]:
    """Return an empty list of versions, which takes two bytes for each."""
    return array("H")


def widened(versions: array[int], version: int) -> array[int]:
    """Return the list, converted to four bytes for each version if ``version`` needs them."""
    return array("I", versions) if version > _MAX_SHORT and versions.typecode == "H" else versions


class Batches:
    """The batches of commands that are not undone, oldest first, in five bytes each."""

    __slots__ = ("_lasts", "_seats", "_versions")

    def __init__(self) -> None:
        self._versions = new_versions()
        self._lasts = new_versions()
        self._seats = array("B")

    def copy(self) -> Batches:
        other = Batches()
        other._versions, other._lasts, other._seats = self._versions[:], self._lasts[:], self._seats[:]
        return other

    def add(self, version: int, seat: int) -> None:
        """Add a batch of a seat, whose first event has this version."""
        self._versions = widened(self._versions, version)
        self._lasts = widened(self._lasts, version)
        self._versions.append(version)
        self._lasts.append(version)
        self._seats.append(seat)

    def extend(self, version: int) -> None:
        """Add an event to the last batch."""
        if self._lasts:
            self._lasts = widened(self._lasts, version)
            self._lasts[-1] = version

    def remove_from(self, first_version: int) -> None:
        """Remove all batches that begin at this version or later: they were undone."""
        while self._versions and self._versions[-1] >= first_version:
            self._versions.pop()
            self._lasts.pop()
            self._seats.pop()

    def last_of(self, seat: int) -> int:
        """Return the first version of the seat's last batch, or 0 if it has none."""
        for at in range(len(self._seats) - 1, -1, -1):
            if self._seats[at] == seat:
                return self._versions[at]
        return 0

    def count_of(self, seat: int) -> int:
        """Return the number of batches of a seat."""
        return self._seats.count(seat)

    def is_last(self, version: int) -> bool:
        """Return whether the last batch begins at this version."""
        return bool(self._versions) and self._versions[-1] == version

    def since(self, first_version: int) -> list[tuple[int, int]]:
        """Return the versions from ``first_version`` on that are not undone, as first and last version of each run."""
        runs: list[tuple[int, int]] = []
        for at in range(len(self._versions) - 1, -1, -1):
            first, last = self._versions[at], self._lasts[at]
            if first < first_version:
                break
            if runs and runs[-1][0] == last + 1:
                last = runs.pop()[1]
            runs.append((first, last))
        return runs[::-1]
