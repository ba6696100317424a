"""How much time everybody has left, in a line."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from boardkeeper.client.moments import moment
from boardkeeper.v1 import game_pb2

_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)


def clocks_line(game: game_pb2.Game, names: Mapping[int, str], now: datetime | None = None) -> str:
    """What each seat has left by this machine's clock, with a mark at those that run; empty without clocks."""
    now = now or datetime.now(UTC)
    said = []
    for clock in game.clocks:
        runs = clock.HasField("expire_time")
        left = moment(clock.expire_time) - now if runs else clock.remaining.ToTimedelta()
        said.append(f"{names[clock.seat]} {said_time(left)}{' ⏳' if runs else ''}")
    return " · ".join(said)


def said_time(left: timedelta) -> str:
    """Days and hours, hours and minutes, or minutes and seconds; never less than nothing."""
    left = max(left, timedelta())
    seconds = int(left.total_seconds())
    if left >= _DAY:
        return f"{seconds // 86_400}d {seconds // 3_600 % 24}h"
    if left >= _HOUR:
        return f"{seconds // 3_600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return f"{seconds // 60}:{seconds % 60:02}"
