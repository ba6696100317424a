"""The ids of the commands that a game has accepted, in a few bytes each."""

from __future__ import annotations

from bisect import bisect_right

from boardkeeper.game.versions import new_versions, widened

_DIGEST = 5
_DIGEST_MASK = (1 << 8 * _DIGEST) - 1
_MARKS = 1 << 13


class SeenCommands:
    """A compact index from the ids of accepted commands to their first versions.

    A game may stay in memory with thousands of commands, so ids are stored as 5-byte digests in one byte string rather
    than as a dictionary of strings (about 7 instead of 150 bytes a command). The caller confirms a match by reading the
    event, so a collision of digests causes an additional read but no wrong answer. ``key`` is a secret, so that clients
    cannot choose ids that collide. A bit for each stored id shows that most new ids are new without a search of all
    digests.
    """

    __slots__ = ("_digests", "_key", "_marks", "_versions", "last")

    def __init__(self, key: str) -> None:
        self.last = ""
        self._key = key
        self._digests = bytearray()
        self._marks = bytearray(_MARKS // 8)
        self._versions = new_versions()

    def copy(self) -> SeenCommands:
        other = SeenCommands.__new__(SeenCommands)
        other.last, other._key = self.last, self._key
        other._digests, other._marks, other._versions = self._digests[:], self._marks[:], self._versions[:]
        return other

    def add(self, command_id: str, version: int) -> None:
        """Add the id of a command whose first event has this version."""
        self.last = command_id
        digest = _digest(command_id, self._key)
        byte, bit = _mark(digest)
        self._marks[byte] |= bit
        self._digests += digest
        self._versions = widened(self._versions, version)
        self._versions.append(version)

    def find(self, command_id: str) -> list[int]:
        """Return the versions at which a command of this id may have been accepted, usually none or one."""
        digest = _digest(command_id, self._key)
        byte, bit = _mark(digest)
        if not self._marks[byte] & bit:
            return []
        found: list[int] = []
        at = self._digests.find(digest)
        while at >= 0:
            if at % _DIGEST == 0:
                found.append(self._versions[at // _DIGEST])
            at = self._digests.find(digest, at + 1)
        return found

    def first_of(self, version: int) -> int:
        """Return the first version of the command that a version belongs to; 1 before the first command."""
        at = bisect_right(self._versions, version)
        return self._versions[at - 1] if at else 1

    def next_after(self, version: int, otherwise: int) -> int:
        """Return the first version of the command after the one that a version belongs to; ``otherwise`` if none."""
        at = bisect_right(self._versions, version)
        return self._versions[at] if at < len(self._versions) else otherwise


def _mark(digest: bytes) -> tuple[int, int]:
    """Return the index of the byte that has the bit of an id, and the bit."""
    return digest[0] << 2 | digest[1] >> 6, 1 << (digest[1] & 7)


def _digest(command_id: str, key: str) -> bytes:
    """Return the digest of an id. Python's hash of a string, SipHash, is faster than BLAKE2."""
    return (hash(key + command_id) & _DIGEST_MASK).to_bytes(_DIGEST)
