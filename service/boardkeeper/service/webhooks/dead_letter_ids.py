"""Encrypted numbers of dead letters.

A dead letter has the number of its item in the feed, which would reveal the number of items of all platforms. Platforms
get another number, which fits into a double: a keyed permutation of 52 bits for each endpoint (a Feistel
network of four rounds).
"""

from __future__ import annotations

import hmac

from boardkeeper.service.storage.service_key import ServiceKey

_HALF = 26
_MASK = (1 << _HALF) - 1
_ROUNDS = range(4)
_MAX_ITEMS = 1 << 40


class DeadLetterIds:
    """Encrypts and decrypts numbers of dead letters."""

    def __init__(self, key: ServiceKey) -> None:
        self._key = key.derive("boardkeeper dead letters")

    def seal(self, endpoint_id: str, number: int) -> int:
        """Return the encrypted number of an item for an endpoint."""
        left, right = number >> _HALF, number & _MASK
        for round in _ROUNDS:
            left, right = right, left ^ self._round_value(endpoint_id, round, right)
        return left << _HALF | right

    def open(self, endpoint_id: str, sealed: int) -> int | None:
        """Return the number of an item, or ``None`` if the endpoint has no item with that encrypted number."""
        if not 0 <= sealed < 1 << 2 * _HALF:
            return None
        left, right = sealed >> _HALF, sealed & _MASK
        for round in reversed(_ROUNDS):
            left, right = right ^ self._round_value(endpoint_id, round, left), left
        number = left << _HALF | right
        return number if number < _MAX_ITEMS else None

    def _round_value(self, endpoint_id: str, round: int, half: int) -> int:
        digest = hmac.digest(self._key, f"{round} {half} {endpoint_id}".encode(), "sha256")
        return int.from_bytes(digest[:4]) & _MASK
