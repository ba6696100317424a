"""Data that is derived from the events of a game and stored with them: lobby row, result and clocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from boardkeeper.game.events import GameEnded, GameEvent
from boardkeeper.game.game import ENDED, OPEN, RUNNING, Game
from boardkeeper.game.seats import updated_kinds
from boardkeeper.service.storage.clock_expiries import ClockReadings, put_expiry, read_clocks
from boardkeeper.service.storage.players import EndGame, end_game
from boardkeeper.service.storage.rows import LobbyRow, SeatRow
from boardkeeper.service.storage.sql import Change
from boardkeeper.titlekit.title import Standing


class Projections(NamedTuple):
    """The derived state of a game. ``version`` and ``time`` are those of its last event.

    ``deciding`` are the seats that must decide, ``end`` is the result of an ended game.
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
        """Return the changes to store, besides the lobby row and the kinds of seats."""
        changes: list[Change] = []
        if self.end is not None:
            changes.append(self.end)
        if self.readings is not None:
            changes.append(put_expiry(game, self.readings))
        return changes


def project_game(game: Game, events: Sequence[GameEvent]) -> Projections:
    """Return the derived state of a game after ``events``: its newest events, or all.

    The table of the game must include these events; the events may be committed or not.
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
    uncommitted = events if last.originator_version > game.version else ()
    readings = read_clocks(game, uncommitted)
    kinds = updated_kinds(game.seats.kinds, uncommitted)
    return Projections(last.originator_version, last.time, status, kinds, decisions, deciding, standings, end, readings)


def build_lobby_row(game: Game, events: Sequence[GameEvent], seats: Sequence[SeatRow]) -> LobbyRow:
    """Return the lobby row of a game after all its events; the database assigns the number."""
    state = project_game(game, events)
    return LobbyRow(
        number=0,
        game_id=game.id,
        title=game.created.title,
        setup=game.created.setup,
        commitment=game.created.commitment,
        create_time=events[0].time,
        update_time=state.time,
        version=state.version,
        status=state.status,
        decisions=state.decisions,
        standings=state.standings,
        seats=tuple(seats),
    )


_NOT_COMPARED = ("number", "game_id", "seats", "imported_key", "imported_id")


def different_fields(stored: LobbyRow | None, expected: LobbyRow) -> list[str]:
    """Return the fields in which a stored row differs from the expected one; all fields if there is no row."""
    return [
        field
        for field in LobbyRow.__struct_fields__
        if field not in _NOT_COMPARED and (stored is None or getattr(stored, field) != getattr(expected, field))
    ]
