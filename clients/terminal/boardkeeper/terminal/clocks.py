"""Remaining time of the seats as text."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from boardkeeper.client.clocks import Countdown

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)


def clock_texts(countdown: Countdown, names: Mapping[int, str]) -> list[str]:
    """Return a text for each seat with a clock: its name and remaining time, with ⏳ if the clock is running."""
    return [
        f"{names[seat]} {format_time(countdown.left(seat))}{' ⏳' if countdown.runs(seat) else ''}"
        for seat in countdown.seats
    ]


def format_time(left: timedelta) -> str:
    """Format a time as days and hours, hours and minutes, or minutes and seconds. Negative times become zero."""
    left = max(left, timedelta())
    seconds = int(left.total_seconds())
    if left >= _DAY:
        return f"{seconds // 86_400}d {seconds // 3_600 % 24}h"
    if left >= _HOUR:
        return f"{seconds // 3_600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{seconds // 60}:{seconds % 60:02}"
