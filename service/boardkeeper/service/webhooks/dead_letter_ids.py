"""The numbers of dead letters, sealed.

A dead letter has the number of its item in the feed, which counts the items of all platforms. Platforms get another
number, which reveals nothing and fits into a double: a keyed permutation of 52 bits for each endpoint (a Feistel
network of four rounds).
"""

from __future__ import annotations

import hmac

from boardkeeper.service.storage.service_key import ServiceKey

_HALF = 26
_MASK = (1 << _HALF) - 1
_ROUNDS = range(4)
_MOST_ITEMS = 1 << 40


class DeadLetterIds:
    """Seals and opens the numbers of dead letters."""

    def __init__(self, key: ServiceKey) -> None:
        self._key = key.derive("boardkeeper dead letters")

    def seal(self, endpoint_id: str, number: int) -> int:
        """Return what stands for an item's number at an endpoint."""
        left, right = number >> _HALF, number & _MASK
        for round in _ROUNDS:
            left, right = right, left ^ self._mixed(endpoint_id, round, right)
        return left << _HALF | right

    def open(self, endpoint_id: str, sealed: int) -> int | None:
        """Return the item's number, or ``None`` if nothing of this endpoint has that sealed number."""
        if not 0 <= sealed < 1 << 2 * _HALF:
            return None
        left, right = sealed >> _HALF, sealed & _MASK
        for round in reversed(_ROUNDS):
            left, right = right ^ self._mixed(endpoint_id, round, left), left
        number = left << _HALF | right
        return number if number < _MOST_ITEMS else None

    def _mixed(self, endpoint_id: str, round: int, half: int) -> int:
        digest = hmac.digest(self._key, f"{round} {half} {endpoint_id}".encode(), "sha256")
        return int.from_bytes(digest[:4]) & _MASK
