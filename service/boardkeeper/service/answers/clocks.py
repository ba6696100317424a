"""How much time a game's people have left, as it is told.

Every telling says when it was made by the service's clock, so that nobody has to compare that with his own to count
down from it.
"""

from __future__ import annotations

from collections.abc import Iterator

from google.protobuf.duration_pb2 import Duration

from boardkeeper.game.clocks import Clocks
from boardkeeper.game.game import Game
from boardkeeper.game.seats import PERSON
from boardkeeper.game.time_control import TimeControl
from boardkeeper.service.answers.clamps import timestamp
from boardkeeper.v1 import event_pb2, game_pb2
from boardkeeper.wire.serialized import serialized


def clocks_message(game: Game, now: int) -> game_pb2.Clocks | None:
    """The clocks of a game at its version, told ``now`` (milliseconds since 1970); nothing if it has none."""
    clocks = game.clocks
    if clocks is None:
        return None
    return game_pb2.Clocks(
        version=game.version,
        read_time=timestamp(now),
        time_control=control_message(clocks.control),
        clocks=clock_messages(game, clocks),
    )


def encoded_clocks(game: Game, now: int) -> bytes:
    """The same, serialized; empty for a game without clocks."""
    message = clocks_message(game, now)
    return b"" if message is None else serialized(message)


def control_message(control: TimeControl) -> event_pb2.TimeControl:
    """What time people have."""
    return event_pb2.TimeControl(
        kind=control.kind, seconds=control.seconds, increment=control.increment, on_expiry=control.on_expiry
    )


def clock_messages(game: Game, clocks: Clocks) -> Iterator[game_pb2.Clock]:
    """The clock of each seat that a person has, and has not given up."""
    for seat, who in enumerate(game.created.seats, 1):
        if who != PERSON or seat in game.resigned:
            continue
        reading = clocks.reading(seat)
        left = max(reading.left, 0)
        clock = game_pb2.Clock(seat=seat, remaining=Duration(seconds=left // 1000, nanos=left % 1000 * 1_000_000))
        if reading.since is not None and reading.expires is not None:
            clock.running_since.CopyFrom(timestamp(reading.since))
            clock.expire_time.CopyFrom(timestamp(reading.expires))
        yield clock
