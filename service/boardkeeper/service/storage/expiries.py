"""When the clock of somebody will have run out, as a database keeps it: a row for each game in which a clock runs.

It follows from the log (:mod:`boardkeeper.game.clocks`) and is written with each of a game's events, so that whoever
looks for clocks that have run out finds them by an index, however many games there are. Beside it stand all clocks of
the game, for lists of games that nobody has in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol
from uuid import UUID

import msgspec
from msgspec import Struct

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.game.giving_up import has_resigned
from boardkeeper.game.seats import PERSON
from boardkeeper.game.time_control import TimeControl
from boardkeeper.service.storage.rows import DamagedLineError, encode


class SeatClock(Struct, frozen=True, array_like=True):
    """What a seat has ``left`` (milliseconds), at ``since`` if its clock runs: in milliseconds since 1970."""

    seat: int
    left: int
    since: int | None


class Readings(Struct, frozen=True):
    """The clocks of a game by its events up to a version: of the seats of people who have not resigned."""

    version: int
    control: TimeControl
    clocks: tuple[SeatClock, ...]

    @property
    def next_expiry(self) -> int | None:
        """When the first of the clocks that run will have run out, if any does, in milliseconds since 1970."""
        return min((it.since + it.left for it in self.clocks if it.since is not None), default=None)


def readings_of(game: Game, events: Sequence[GameEvent] = ()) -> Readings | None:
    """The clocks of a game, or what they are once it has had these events; ``None``: it has none."""
    clocks = game.clocks
    if clocks is None:
        return None
    version, resigned = game.version, set(game.resigned)
    if events:
        clocks = clocks.copy()
        for event in events:
            clocks.note(event)
        version = events[-1].originator_version
        resigned |= {event.seat for event in events if has_resigned(event)}
    return Readings(
        version,
        clocks.control,
        tuple(
            SeatClock(seat, *clocks.reading(seat))
            for seat, who in enumerate(game.created.seats, 1)
            if who == PERSON and seat not in resigned
        ),
    )


class PutExpiry(Struct, frozen=True):
    """When the next clock of a game runs out, in milliseconds since 1970, with all its clocks; ``None``: none runs.

    With the game's events it is right. Whoever writes it alone says what ``was`` there, and nothing happens if that is
    not there any more.
    """

    game: UUID
    time: int | None
    was: int | None = None
    readings: Readings | None = None

    @property
    def content(self) -> bytes:
        """The clocks as they are written."""
        return b"" if self.readings is None else encode(self.readings)


def put_expiry(game: UUID, readings: Readings | None, was: int | None = None) -> PutExpiry:
    """What is to be stored of the clocks of a game."""
    return PutExpiry(game, None if readings is None else readings.next_expiry, was, readings)


_decode = msgspec.json.Decoder(Readings).decode


def readings_from(stored: object) -> Readings | None:
    """The clocks that were written; ``None`` where none were. Raises ``DamagedLineError`` for what nobody writes."""
    if not stored:
        return None
    try:
        return _decode(stored)  # type: ignore[arg-type]  # whatever a damaged file has there
    except (msgspec.MsgspecError, TypeError) as error:
        raise DamagedLineError(f"clocks cannot be read: {error}") from error


class ExpiryTable(Protocol):
    """The ways to ask a database for it; they block."""

    def now(self) -> int:
        """Return the time of the clock that measures games, in milliseconds since 1970.

        Processes that share a database have to agree on it, so that is the database server's clock.
        """

    def expired(self, until: int, limit: int) -> list[UUID]:
        """Games in which a clock has run out by that time, the longest ago first."""

    def expiry(self, game: UUID) -> int | None:
        """When the next clock of a game runs out, if one runs."""

    def readings(self, games: Sequence[UUID]) -> Mapping[UUID, Readings]:
        """The clocks of those of the games in which one runs. Raises ``DamagedLineError``."""
