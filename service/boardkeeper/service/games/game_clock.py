"""The clock that measures games: a reference clock, protected against jumps, and against pauses of this process.

The reference clock is the database server's clock (PostgreSQL) or the clock of this machine (SQLite). It can be wrong
for a moment, or be set. So the game clock runs with a steady clock that cannot be set, and follows the reference clock
only if that moves evenly, or if it stays at another time for as long as the grace period.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import structlog

GRACE = 30_000
"""Milliseconds after a start, a jump or a pause in which no clock expires."""

JUMP = 2_000
"""The reference clock has jumped if it differs from the game clock by more milliseconds."""

PAUSE = 5_000
"""The process has paused if more milliseconds have passed between two ticks, which come every second."""

_UNCERTAIN = 1_000
"""A reading of the reference clock that took more milliseconds is too inaccurate."""

_EARLY = 500
"""The game clock follows a jump this many milliseconds before the grace period of the jump ends."""

_log = structlog.get_logger()


class ServiceTime(NamedTuple):
    """The present time, and a time before which certainly no clock of a seat expires; in milliseconds since 1970."""

    now: int
    grace_until: int = 0


def steady_milliseconds() -> int:
    """Return the time of a clock that cannot be set. On Linux it also counts the time in which the machine sleeps."""
    if hasattr(time, "CLOCK_BOOTTIME"):
        return time.clock_gettime_ns(time.CLOCK_BOOTTIME) // 1_000_000
    return time.monotonic_ns() // 1_000_000


class GameClock:
    """A callable that returns milliseconds since 1970. ``jumps`` and ``pauses`` count detected jumps and pauses.

    ``on_disturbance`` is called at each jump and pause, before the clock returns another time.
    """

    def __init__(self, reference: int, *, steady: Callable[[], int] = steady_milliseconds, hold: int = GRACE) -> None:
        """``reference`` is the present time. A jump that lasts for ``hold`` milliseconds is followed."""
        self.jumps = 0
        self.pauses = 0
        self.on_disturbance: Callable[[], None] = lambda: None
        self._steady = steady
        self._hold = hold
        self._offset = reference - steady()
        self._ticked: int | None = None
        self._jump: tuple[int, int] | None = None
        """The offset of the reference clock since it jumped, and the steady time at which the jump was detected."""

    def __call__(self) -> int:
        """Return the present time."""
        steady = self._steady()
        self._detect_pause(steady)
        return steady + self._offset

    def tick(self) -> None:
        """Record that the process runs. Call this every second: a longer interval between two calls is a pause."""
        steady = self._steady()
        self._detect_pause(steady)
        self._ticked = steady

    def steady(self) -> int:
        """Return the time of the steady clock, in milliseconds."""
        return self._steady()

    def follow(self, reference: int, requested_at: int) -> None:
        """Follow a reading of the reference clock; ``requested_at`` is the steady time at which it was requested."""
        steady = self._steady()
        if steady - requested_at > _UNCERTAIN:
            if self._jump is not None:  # the game clock may be the wrong one: nothing may expire
                self.on_disturbance()
            return
        offset = reference - (requested_at + steady) // 2
        jump = offset - self._offset
        if abs(jump) <= JUMP:
            self._offset, self._jump = offset, None
            return
        if self._jump is None or abs(offset - self._jump[0]) > JUMP:
            self._jump = offset, steady
            self.jumps += 1
            _log.warning("clock jumped, games do not follow it yet", seconds=jump / 1_000)
            self.on_disturbance()
        if steady - self._jump[1] >= self._hold - _EARLY:
            self._offset, self._jump = offset, None
            _log.warning("games follow the clock that jumped", seconds=jump / 1_000)
            self.on_disturbance()

    def _detect_pause(self, steady: int) -> None:
        if self._ticked is None or steady - self._ticked <= PAUSE:
            return
        pause, self._ticked = steady - self._ticked, steady
        self.pauses += 1
        _log.warning("process paused, no clock expires for a while", seconds=pause / 1_000)
        self.on_disturbance()
