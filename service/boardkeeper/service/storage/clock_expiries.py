"""The time when the next clock of each game expires, and the readings of all its clocks.

The table has one row per game with a running clock. It is derived from the log (:mod:`boardkeeper.game.clocks`) and
written with a game's events. Its index finds expired clocks without reading other games, and lists of games read the
clocks without loading the games.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from uuid import UUID

import msgspec
from msgspec import Struct

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.game.seats import PERSON, is_resignation
from boardkeeper.game.time_control import TimeControl
from boardkeeper.service.storage.rows import DamagedRowError, encode
from boardkeeper.service.storage.sql import NOW, Change, Statement, Tables, undamaged_rows


class SeatClock(Struct, frozen=True, array_like=True):
    """The clock of a seat: milliseconds ``left``, and the time (ms since 1970) ``since`` which it runs, if it runs."""

    seat: int
    left: int
    since: int | None


class ClockReadings(Struct, frozen=True):
    """The clocks of a game at a version, for all seats of people who have not resigned."""

    version: int
    control: TimeControl
    clocks: tuple[SeatClock, ...]

    @property
    def next_expiry(self) -> int | None:
        """The time when the first running clock expires, in milliseconds since 1970; ``None`` if no clock runs."""
        return min((it.since + it.left for it in self.clocks if it.since is not None), default=None)


def read_clocks(game: Game, events: Sequence[GameEvent] = ()) -> ClockReadings | None:
    """Return the clocks of a game after ``events`` that are not committed yet; ``None`` if it has no clocks."""
    clocks = game.clocks
    if clocks is None:
        return None
    version, resigned = game.version, set(game.seats.resigned)
    if events:
        clocks = clocks.copy()
        for event in events:
            clocks.apply_event(event)
        version = events[-1].originator_version
        resigned |= {event.seat for event in events if is_resignation(event)}
    return ClockReadings(
        version,
        clocks.control,
        tuple(
            SeatClock(seat, *clocks.reading(seat))
            for seat, kind in enumerate(game.created.seats, 1)
            if kind == PERSON and seat not in resigned
        ),
    )


class PutExpiry(Change, frozen=True):
    """Store the ``time`` when the next clock of a game expires, in milliseconds since 1970; ``None`` deletes the row.

    With ``was``, for a change without events, it changes only a row with that time.
    """

    game: UUID
    time: int | None
    was: int | None = None
    readings: ClockReadings | None = None

    def statements(self) -> list[Statement]:
        content = b"" if self.readings is None else encode(self.readings)
        if self.was is not None:
            key = (self.game, self.was)
            if self.time is None:
                return [Statement("DELETE FROM expiries WHERE game = ? AND time = ?", key)]
            update = "UPDATE expiries SET time = ?, clocks = ? WHERE game = ? AND time = ?"
            return [Statement(update, (self.time, content, *key))]
        if self.time is None:
            return [Statement("DELETE FROM expiries WHERE game = ?", (self.game,))]
        insert = (
            "INSERT INTO expiries (game, time, clocks) VALUES (?, ?, ?)"
            " ON CONFLICT (game) DO UPDATE SET time = excluded.time, clocks = excluded.clocks"
        )
        return [Statement(insert, (self.game, self.time, content))]


def put_expiry(game: UUID, readings: ClockReadings | None, was: int | None = None) -> PutExpiry:
    """Return the change that stores the clocks of a game."""
    return PutExpiry(game, None if readings is None else readings.next_expiry, was, readings)


class ExpiryTables(Tables):
    """Reads when clocks expire."""

    def now(self) -> int:
        """Return the time that game clocks use, in milliseconds since 1970.

        Processes that share a database use the clock of the database server, so that they agree.
        """
        if self._reader.is_shared:
            return self._reader.fetch_value(int, f"SELECT {NOW}")
        return time.time_ns() // 1_000_000

    def expired(self, until: int, limit: int) -> list[UUID]:
        """Return games in which a clock expired by ``until`` (milliseconds since 1970), the earliest first."""
        select = "SELECT game FROM expiries WHERE time <= ? ORDER BY time LIMIT ?"
        return [game for (game,) in undamaged_rows(tuple[UUID], self._reader.fetch(select, (until, limit)))]

    def expiry(self, game: UUID) -> int | None:
        """Return when the next clock of a game expires (milliseconds since 1970); ``None`` if no clock runs."""
        return next(iter(self._reader.fetch_values(int, "SELECT time FROM expiries WHERE game = ?", game)), None)

    def readings(self, games: Sequence[UUID]) -> Mapping[UUID, ClockReadings]:
        """Return the clocks of games; leave out games in which no clock runs. Raises ``DamagedRowError``."""
        select = "SELECT game, clocks FROM expiries WHERE game = ANY(?) AND clocks IS NOT NULL"
        rows = self._reader.fetch_tuples(tuple[UUID, bytes], select, list(games))
        try:
            return {game: _decode(clocks) for game, clocks in rows if clocks}
        except msgspec.MsgspecError as error:
            raise DamagedRowError(f"clocks cannot be read: {error}") from error


_decode = msgspec.json.Decoder(ClockReadings).decode
