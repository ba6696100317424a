"""The ids of the commands that a game has accepted, in a few bytes each."""

from __future__ import annotations

import hashlib
from bisect import bisect_right

from boardkeeper.game.versions import no_versions, with_room_for

_DIGEST = 5
_MARKS = 1 << 13


class SeenCommands:
    """Finds the version at which a command id was first accepted.

    A game may stay in memory with thousands of commands, so ids are kept as 5-byte digests in one byte string
    rather than as a dictionary of strings (about 7 instead of 150 bytes a command). The owner confirms a find by
    reading the event, so a collision of digests costs a look, not an answer. ``key`` (64 bytes at most) is a secret, so
    that nobody can choose ids that collide. A bit for each id that was seen tells of most new ones at once that they
    are new: looking through all digests takes the longer the longer a game is.
    """

    __slots__ = ("_digests", "_key", "_latest", "_marks", "_versions", "last")

    def __init__(self, key: bytes) -> None:
        self.last = ""
        self._key = key
        self._latest: tuple[str | None, bytes, int, int] = None, b"", 0, 0
        self._digests = bytearray()
        self._marks = bytearray(_MARKS // 8)
        self._versions = no_versions()

    def copy(self) -> SeenCommands:
        """The same ids, which others may be added to."""
        other = SeenCommands.__new__(SeenCommands)
        other.last, other._key, other._latest = self.last, self._key, self._latest
        other._digests, other._marks, other._versions = self._digests[:], self._marks[:], self._versions[:]
        return other

    def add(self, command_id: str, version: int) -> None:
        """Remember that the first event of a command has that version."""
        self.last = command_id
        _, digest, byte, bit = self._find_digest(command_id)
        self._marks[byte] |= bit
        self._digests += digest
        self._versions = with_room_for(self._versions, version)
        self._versions.append(version)

    def find(self, command_id: str) -> list[int]:
        """The versions at which a command of this id may have been accepted; usually none or one."""
        _, digest, byte, bit = self._find_digest(command_id)
        found: list[int] = []
        at = self._digests.find(digest) if self._marks[byte] & bit else -1
        while at >= 0:
            if at % _DIGEST == 0:
                found.append(self._versions[at // _DIGEST])
            at = self._digests.find(digest, at + 1)
        return found

    def first_of(self, version: int) -> int:
        """The first version of the command to which a version belongs; 1 if it comes before all commands."""
        at = bisect_right(self._versions, version)
        return self._versions[at - 1] if at else 1

    def next_after(self, version: int, otherwise: int) -> int:
        """The first version of the command after that to which a version belongs, or ``otherwise`` after the last."""
        at = bisect_right(self._versions, version)
        return self._versions[at] if at < len(self._versions) else otherwise

    def _find_digest(self, command_id: str) -> tuple[str | None, bytes, int, int]:
        """Return an id, its digest, and the byte and the bit of its mark.

        The latest id is kept, because an id that is looked for and not found is added next.
        """
        latest = self._latest
        if latest[0] != command_id:
            digest = _digest(command_id, self._key)
            number = int.from_bytes(digest[:2]) % _MARKS
            latest = self._latest = command_id, digest, number >> 3, 1 << (number & 7)
        return latest


def _digest(command_id: str, key: bytes) -> bytes:
    return hashlib.blake2b(command_id.encode(), digest_size=_DIGEST, key=key).digest()
