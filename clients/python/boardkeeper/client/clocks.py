"""Clocks that count down at a client, as the service told them.

What counts is how long ago that was, by a clock of this process that nobody sets: this machine and the service need not
agree on the time of day.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from boardkeeper.client.moments import moment
from boardkeeper.v1 import game_pb2


class Countdown:
    """How much time the seats of a game have left, from when this was made on.

    Example::

        countdown = Countdown(client.game(game_id))
        for event in client.watch(game_id, after_version=version, on_clocks=lambda told: show(Countdown(told))):
            ...
    """

    def __init__(self, told: game_pb2.Game | game_pb2.Clocks, monotonic: Callable[[], float] = time.monotonic) -> None:
        """``told`` has just come; a game without clocks has no seats here. ``monotonic`` gives seconds."""
        self._monotonic = monotonic
        self._begun = monotonic()
        self._left: dict[int, timedelta] = {}
        self._running = frozenset(clock.seat for clock in told.clocks if clock.HasField("expire_time"))
        for clock in told.clocks:
            if clock.seat in self._running:
                left = moment(clock.expire_time) - moment(told.read_time)
            else:
                left = clock.remaining.ToTimedelta()
            self._left[clock.seat] = left

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that have clocks, in ascending order."""
        return tuple(sorted(self._left))

    def runs(self, seat: int) -> bool:
        """Whether a seat's clock runs."""
        return seat in self._running

    def left(self, seat: int) -> timedelta:
        """What a seat has left now; never less than nothing. Raises ``KeyError`` for one without a clock."""
        left = self._left[seat]
        if seat in self._running:
            left -= timedelta(seconds=self._monotonic() - self._begun)
        return max(left, timedelta())
