"""Verifiable dice: the only source of randomness.

Each number follows from a key, a stream and a counter. Every zone is a stream, so draws from one zone do not depend on
draws from another, nor on the order in which seats act. docs/dice.md has the same description with test vectors:

* secret: 32 bytes, chosen by the server; commitment = SHA-256("boardkeeper-dice-1:" || secret), published in
  the first event, the secret in the last.
* key = SHA-256("boardkeeper-dice-1:key:" || secret || for each seat in order: its entropy's length as 4 bytes
  big-endian || its entropy).
* number below ``bound`` for stream s, counter c: for attempt a = 0, 1, …: v = the first 8 bytes, big-endian, of
  HMAC-SHA-256(key, "s:c:a" in UTF-8, c and a in decimal); accept the first v below 2⁶⁴ − (2⁶⁴ mod bound); the
  number is v mod bound. (Rejecting the incomplete last block removes the modulo bias.)
* a pick from a pile: list its components sorted by id, each as often as it occurs; the number is the index.
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
    """Return the hexadecimal hash that a game publishes before it uses the secret."""
    return hashlib.sha256(_PREFIX + secret).hexdigest()


def key(secret: bytes, entropies: Iterable[bytes]) -> bytes:
    """Return the key of a game's dice, from the server's secret and the entropy that each seat added."""
    mixed = hashlib.sha256(_PREFIX + b"key:" + secret)
    for entropy in entropies:
        mixed.update(len(entropy).to_bytes(4, "big") + entropy)
    return mixed.digest()


class Dice:
    """Random numbers, picks and shuffles from one key. It has no state: each zone of the table stores its counter."""

    __slots__ = ("_inner", "_outer")

    def __init__(self, key: bytes) -> None:
        # HMAC-SHA-256 (RFC 2104) with the key hashed once: copying two hashes is faster than copying an hmac.HMAC.
        block = (key if len(key) <= _BLOCK_BYTES else hashlib.sha256(key).digest()).ljust(_BLOCK_BYTES, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in block))
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in block))

    def number(self, stream: str, counter: int, bound: int) -> int:
        """Return a uniform integer in ``range(bound)`` for one counter of a stream; ``bound`` must be positive."""
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
        """Return ``count`` components picked without replacement; ``contents`` maps components to counts."""
        kinds = sorted(contents)
        if sum(contents.values()) == len(kinds):  # all components differ
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
        """Return the components in random order; uses ``len(order) - 1`` counters."""
        result = list(order)
        for i in range(len(result) - 1, 0, -1):
            j = self.number(stream, counter, i + 1)
            counter += 1
            result[i], result[j] = result[j], result[i]
        return result
