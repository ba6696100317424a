"""What follows from a game's events and is stored beside them: its line in the lobby, its result and its clocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from boardkeeper.game.events import GameEnded, GameEvent
from boardkeeper.game.game import ENDED, OPEN, RUNNING, Game
from boardkeeper.game.resignation import updated_kinds
from boardkeeper.service.storage.clock_expiries import ClockReadings, put_expiry, read_clocks
from boardkeeper.service.storage.players import EndGame, end_game
from boardkeeper.service.storage.rows import LobbyRow, SeatRow
from boardkeeper.service.storage.sql import Change
from boardkeeper.titlekit.title import Standing


class Projections(NamedTuple):
    """The state of a game after its last event, which has that ``version`` and ``time``.

    ``kinds`` says who plays each seat, ``deciding`` which seats must decide. ``end`` is the result if the game has
    ended, ``readings`` are its clocks if it has any.
    """

    version: int
    time: int
    status: str
    kinds: tuple[str, ...]
    decisions: tuple[str, ...]
    deciding: tuple[int, ...]
    standings: tuple[Standing, ...]
    end: EndGame | None
    readings: ClockReadings | None

    def changes(self, game: UUID) -> list[Change]:
        """Return what is stored with the events besides the line in the lobby and the kinds of the seats."""
        changes: list[Change] = []
        if self.end is not None:
            changes.append(self.end)
        if self.readings is not None:
            changes.append(put_expiry(game, self.readings))
        return changes


def project_game(game: Game, events: Sequence[GameEvent]) -> Projections:
    """Return what follows from the events of a game.

    ``events`` are its newest ones, or all. They have changed the table, but the game need not count them yet: then it
    is at the version before them.
    """
    last = events[-1]
    decisions = tuple(game.table.decisions[1:])
    deciding: tuple[int, ...] = ()
    standings: tuple[Standing, ...] = ()
    end: EndGame | None = None
    if isinstance(last.detail, GameEnded):
        status, standings = ENDED, tuple(game.standings(events))
        end = end_game(game.id, last.time, game.created.seats, last.detail.ranks, standings)
    elif game.play is None:
        status = OPEN
    else:
        status, deciding = RUNNING, tuple([seat for seat, decision in enumerate(decisions, 1) if decision])
    coming = events if last.originator_version > game.version else ()
    readings = read_clocks(game, coming)
    kinds = updated_kinds(game.kinds, coming)
    return Projections(last.originator_version, last.time, status, kinds, decisions, deciding, standings, end, readings)


def build_lobby_row(game: Game, events: Sequence[GameEvent], seats: Sequence[SeatRow]) -> LobbyRow:
    """Return the line of a game after all its events; the database gives it its number."""
    of = project_game(game, events)
    return LobbyRow(
        number=0,
        game_id=game.id,
        title=game.created.title,
        setup=game.created.setup,
        commitment=game.created.commitment,
        create_time=events[0].time,
        update_time=of.time,
        version=of.version,
        status=of.status,
        decisions=of.decisions,
        standings=of.standings,
        seats=tuple(seats),
    )


_APART = ("number", "game_id", "seats", "imported_key", "imported_id")


def different_fields(stored: LobbyRow | None, right: LobbyRow) -> list[str]:
    """Return the fields of a stored line that contradict the log: all that follow from it if there is no line."""
    return [
        field
        for field in LobbyRow.__struct_fields__
        if field not in _APART and (stored is None or getattr(stored, field) != getattr(right, field))
    ]
