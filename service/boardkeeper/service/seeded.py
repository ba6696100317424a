"""Ids and secrets that follow from a seed: for a show that anybody can have again, and for nothing else.

Whoever knows the seed knows all dice beforehand. So this is no setting of the service: only who runs one in the same
process (``boardkeeper demo``) can ask for it.
"""

from __future__ import annotations

import hashlib
from uuid import UUID


class Seeded:
    """Takes the place of the operating system's chance; equal seeds give equal bytes and ids in equal order."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._count = 0

    def random_bytes(self, size: int) -> bytes:
        """The next bytes."""
        self._count += 1
        return hashlib.shake_256(f"boardkeeper-show:{self._count}:{self._seed}".encode()).digest(size)

    def new_id(self) -> UUID:
        """The next id."""
        return UUID(bytes=self.random_bytes(16), version=4)
