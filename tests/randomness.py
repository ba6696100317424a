"""Repeatable randomness for the servers and clients in the process of a test: its seed is the name of the test.

So no test passes or fails by chance, and a failure can be reproduced. Processes that a test starts are not seeded.
"""

from __future__ import annotations

from uuid import UUID

from boardkeeper.client import requests
from boardkeeper.service.games.game_creator import GameCreator
from boardkeeper.service.games.seat_manager import SeatManager
from boardkeeper.service.seeded_ids import Seeded


class _Randomness:
    """The randomness of the running test, also in a server that several tests share."""

    def __init__(self) -> None:
        self._seeded = Seeded("")

    def seed(self, test: str) -> None:
        self._seeded = Seeded(test)

    def random_bytes(self, size: int) -> bytes:
        return self._seeded.random_bytes(size)

    def new_id(self) -> UUID:
        return self._seeded.new_id()


_randomness = _Randomness()


def seed_randomness(test: str) -> None:
    """Derive ids, dice secrets and default entropy from the name of a test from now on."""
    _randomness.seed(test)
    seats, defaults = SeatManager.__init__.__kwdefaults__, GameCreator.__init__.__kwdefaults__
    assert seats is not None
    assert defaults is not None
    assert {"new_id", "random_bytes"} <= defaults.keys()
    seats.update(random_bytes=_randomness.random_bytes)
    defaults.update(new_id=_randomness.new_id, random_bytes=_randomness.random_bytes)
    requests.random_bytes = _randomness.random_bytes
