"""How much time a game's people have left, as it is told.

Every telling says when it was made by the service's clock, so that nobody has to compare that with his own to count
down from it.
"""

from __future__ import annotations

from google.protobuf.duration_pb2 import Duration

from boardkeeper.game.game import Game
from boardkeeper.service.answers.clamps import timestamp
from boardkeeper.service.games.game_clock import ServiceTime
from boardkeeper.service.storage.expiries import Readings, SeatClock, readings_of
from boardkeeper.v1 import event_pb2, game_pb2
from boardkeeper.wire.serialized import serialized


def clocks_message(readings: Readings, time: ServiceTime) -> game_pb2.Clocks:
    """Return the clocks as the service enforces them at that time."""
    control = readings.control
    return game_pb2.Clocks(
        version=readings.version,
        read_time=timestamp(time.now),
        time_control=event_pb2.TimeControl(
            kind=control.kind, seconds=control.seconds, increment=control.increment, on_expiry=control.on_expiry
        ),
        clocks=[_clock(it, time) for it in readings.clocks],
    )


def clocks_of(game: Game, time: ServiceTime) -> game_pb2.Clocks | None:
    """Return the clocks of a game at its version; nothing if it has none."""
    readings = readings_of(game)
    return None if readings is None else clocks_message(readings, time)


def encoded_clocks(game: Game, time: ServiceTime) -> bytes:
    """The same, serialized; empty for a game without clocks."""
    message = clocks_of(game, time)
    return b"" if message is None else serialized(message)


def _clock(it: SeatClock, time: ServiceTime) -> game_pb2.Clock:
    left = max(it.left, 0)
    clock = game_pb2.Clock(seat=it.seat, remaining=Duration(seconds=left // 1000, nanos=left % 1000 * 1_000_000))
    if it.since is not None:
        clock.running_since.CopyFrom(timestamp(it.since))
        expires = it.since + it.left
        if time.now < time.grace_until:
            expires = max(expires, time.grace_until)
        clock.expire_time.CopyFrom(timestamp(expires))
    return clock
