"""Clocks that count down on the client's machine.

A countdown measures the time since the server's response with a monotonic clock, so it is correct even if the system
clocks of the server and this machine differ.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from boardkeeper.client.timestamps import to_datetime
from boardkeeper.v1 import game_pb2


class Countdown:
    """The remaining time of the seats of a game. It starts to count down when the object is created.

    Example::

        countdown = Countdown(client.game(game_id))
        for event in client.watch(game_id, after_version=version, on_clocks=lambda clocks: show(Countdown(clocks))):
            ...
    """

    def __init__(
        self, response: game_pb2.Game | game_pb2.Clocks, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        """Create it directly after the response arrives. A game without a turn timer has no clocks."""
        self._monotonic = monotonic
        self._start = monotonic()
        self._left: dict[int, timedelta] = {}
        self._running = frozenset(clock.seat for clock in response.clocks if clock.HasField("expire_time"))
        for clock in response.clocks:
            if clock.seat in self._running:
                left = to_datetime(clock.expire_time) - to_datetime(response.read_time)
            else:
                left = clock.remaining.ToTimedelta()
            self._left[clock.seat] = left

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that have clocks, in ascending order."""
        return tuple(sorted(self._left))

    def runs(self, seat: int) -> bool:
        """Return whether the clock of a seat is running."""
        return seat in self._running

    def left(self, seat: int) -> timedelta:
        """Return the time that a seat has left, at least zero. Raises ``KeyError`` for a seat without a clock."""
        left = self._left[seat]
        if seat in self._running:
            left -= timedelta(seconds=self._monotonic() - self._start)
        return max(left, timedelta())
