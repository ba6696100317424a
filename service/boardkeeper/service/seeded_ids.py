"""Reproducible ids and secrets for demos.

The seed reveals all dice of the games. So no setting exists for it: only code in the same process (``boardkeeper
demo``) can use it.
"""

from __future__ import annotations

import hashlib
import itertools
from uuid import UUID


class Seeded:
    """A source of random bytes and ids; equal seeds give equal sequences."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._numbers = itertools.count(1)  # safe for several threads

    def random_bytes(self, size: int) -> bytes:
        """Return the next bytes."""
        number = next(self._numbers)
        return hashlib.shake_256(f"boardkeeper-show:{number}:{self._seed}".encode()).digest(size)

    def new_id(self) -> UUID:
        """Return the next id."""
        return UUID(bytes=self.random_bytes(16), version=4)
