"""Chance for the services in a test's own process, and for the clients beside them: it follows from the test's name.

So no test passes or fails by the luck of dice, and what failed can be had again. Processes that a test starts have
chance of their own.
"""

from __future__ import annotations

from uuid import UUID

from boardkeeper.client import requests
from boardkeeper.service.games.game_creator import GameCreator
from boardkeeper.service.games.seat_manager import SeatManager
from boardkeeper.service.seeded_ids import Seeded


class _Chance:
    """Of whatever test is running, also in a service that several tests share."""

    def __init__(self) -> None:
        self._seeded = Seeded("")

    def of(self, test: str) -> None:
        self._seeded = Seeded(test)

    def random_bytes(self, size: int) -> bytes:
        return self._seeded.random_bytes(size)

    def new_id(self) -> UUID:
        return self._seeded.new_id()


_chance = _Chance()


def seed_randomness(test: str) -> None:
    """From now on, ids, dice secrets and entropy that nobody chose follow from the name of a test."""
    _chance.of(test)
    seats, defaults = SeatManager.__init__.__kwdefaults__, GameCreator.__init__.__kwdefaults__
    assert seats is not None
    assert defaults is not None
    assert {"new_id", "random_bytes"} <= defaults.keys()
    seats.update(random_bytes=_chance.random_bytes)
    defaults.update(new_id=_chance.new_id, random_bytes=_chance.random_bytes)
    requests.random_bytes = _chance.random_bytes
