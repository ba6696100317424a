"""Provable dice: the only source of chance.

Every number follows from a key and a place in a stream; streams are zones, so what is drawn from one zone does not
depend on what was drawn from another, nor on the order in which seats acted. ``docs/dice.md`` gives the same
description with test vectors:

* secret: 32 bytes, chosen by the server; commitment = SHA-256("boardkeeper-dice-1:" || secret), published in
  the first event, the secret in the last.
* key = SHA-256("boardkeeper-dice-1:key:" || secret || for each seat in order: its entropy's length as 4 bytes
  big-endian || its entropy).
* number below ``bound`` for stream s, counter c: for attempt a = 0, 1, …: v = the first 8 bytes, big-endian, of
  HMAC-SHA-256(key, "s:c:a" in UTF-8, c and a in decimal); accept the first v below 2⁶⁴ − (2⁶⁴ mod bound); the
  number is v mod bound. (Rejecting the incomplete last block removes the modulo bias.)
* a pick from a pile: its components sorted by id, each as often as it lies there; the number is the index.
* a shuffle of n components: for i = n−1 … 1, swap i with number(i + 1), one counter each.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

ALGORITHM = "hmac-sha256-1"
SECRET_BYTES = 32
_PREFIX = b"boardkeeper-dice-1:"
_SPAN = 1 << 64
_BLOCK_BYTES = 64


def commitment(secret: bytes) -> str:
    """The hexadecimal hash that a game publishes before it uses the secret."""
    return hashlib.sha256(_PREFIX + secret).hexdigest()


def key(secret: bytes, entropies: Iterable[bytes]) -> bytes:
    """The key of a game's dice: the server's secret and what each seat added when it joined."""
    mixed = hashlib.sha256(_PREFIX + b"key:" + secret)
    for entropy in entropies:
        mixed.update(len(entropy).to_bytes(4, "big") + entropy)
    return mixed.digest()


class Dice:
    """Numbers, picks and shuffles from one key. Holds no state: counters lie with the zones of the table."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        # HMAC-SHA-256 (RFC 2104) with the key hashed once: copies of two hashes are faster than those of hmac.HMAC.
        block = (key if len(key) <= _BLOCK_BYTES else hashlib.sha256(key).digest()).ljust(_BLOCK_BYTES, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in block))

    def number(self, stream: str, counter: int, bound: int) -> int:
        """A uniform integer in ``range(bound)`` for one place of one stream; ``bound`` must be positive."""
        limit = _SPAN - _SPAN % bound
        attempt = 0
        while True:
            inner, outer = self._inner.copy(), self._outer.copy()
            inner.update(f"{stream}:{counter}:{attempt}".encode())
            outer.update(inner.digest())
            value = int.from_bytes(outer.digest()[:8], "big")
            if value < limit:
                return value % bound
            attempt += 1

    def picks(self, stream: str, counter: int, contents: dict[str, int], count: int) -> list[str]:
        """Pick ``count`` components without replacement from component → count; changes nothing."""
        kinds = sorted(contents)
        if sum(contents.values()) == len(kinds):  # cards that are all different
            return [kinds.pop(self.number(stream, at, len(kinds))) for at in range(counter, counter + count)]
        left = [contents[kind] for kind in kinds]
        total = sum(left)
        drawn: list[str] = []
        for _ in range(count):
            index = self.number(stream, counter, total)
            at = 0
            while index >= left[at]:
                index -= left[at]
                at += 1
            left[at] -= 1
            total -= 1
            counter += 1
            drawn.append(kinds[at])
        return drawn

    def shuffled(self, stream: str, counter: int, order: Sequence[str]) -> list[str]:
        """Another order of the same components; uses ``len(order) - 1`` counters."""
        result = list(order)
        for i in range(len(result) - 1, 0, -1):
            j = self.number(stream, counter, i + 1)
            counter += 1
            result[i], result[j] = result[j], result[i]
        return result
