"""Ids and secrets that follow from a seed: for a show that anybody can have again, and for nothing else.

Whoever knows the seed knows all dice beforehand. So this is no setting of the service: only who runs one in the same
process (``boardkeeper demo``) can ask for it.
"""

from __future__ import annotations

import hashlib
import itertools
from uuid import UUID


class Seeded:
    """Takes the place of the operating system's chance; equal seeds give equal bytes and ids in equal order."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._numbers = itertools.count(1)  # may be counted on by several threads

    def random_bytes(self, size: int) -> bytes:
        """The next bytes."""
        number = next(self._numbers)
        return hashlib.shake_256(f"boardkeeper-show:{number}:{self._seed}".encode()).digest(size)

    def new_id(self) -> UUID:
        """The next id."""
        return UUID(bytes=self.random_bytes(16), version=4)
