"""The clocks of a game as messages.

Each message contains the server's time, so a client can count down even if its own clock is wrong.
"""

from __future__ import annotations

from functools import lru_cache

from google.protobuf.duration_pb2 import Duration

from boardkeeper.game.game import Game
from boardkeeper.service.api.message_limits import timestamp
from boardkeeper.service.api.struct_messages import message_of
from boardkeeper.service.games.game_clock import ServiceTime
from boardkeeper.service.storage.clock_expiries import ClockReadings, SeatClock, read_clocks
from boardkeeper.v1 import event_pb2, game_pb2
from boardkeeper.wire.convert import serialize


def clocks_message(readings: ClockReadings, time: ServiceTime) -> game_pb2.Clocks:
    """Return the clocks at a time as a message."""
    return game_pb2.Clocks(
        version=readings.version,
        read_time=timestamp(time.now),
        time_control=message_of(event_pb2.TimeControl, readings.control),
        clocks=[_clock_message(clock, time) for clock in readings.clocks],
    )


def game_clocks(game: Game, time: ServiceTime) -> game_pb2.Clocks | None:
    """Return the present clocks of a game, or ``None`` if it has none."""
    readings = read_clocks(game)
    return None if readings is None else clocks_message(readings, time)


def encode_clocks(game: Game, time: ServiceTime) -> bytes:
    """Return the present clocks of a game serialized; empty if it has none."""
    readings = read_clocks(game)
    return b"" if readings is None else _encode(readings, time)


@lru_cache(maxsize=64)  # an event is sent to all watchers within a few milliseconds
def _encode(readings: ClockReadings, time: ServiceTime) -> bytes:
    return serialize(clocks_message(readings, time))


def _clock_message(clock: SeatClock, time: ServiceTime) -> game_pb2.Clock:
    left = max(clock.left, 0)
    remaining = Duration(seconds=left // 1000, nanos=left % 1000 * 1_000_000)
    if clock.since is None:
        return game_pb2.Clock(seat=clock.seat, remaining=remaining)
    expires = clock.since + clock.left
    if time.now < time.grace_until:
        expires = max(expires, time.grace_until)
    return game_pb2.Clock(
        seat=clock.seat, remaining=remaining, running_since=timestamp(clock.since), expire_time=timestamp(expires)
    )
