"""A game's line in the lobby, and what became of it, as its log has it."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.game.events import GameEnded, GameEvent
from boardkeeper.game.game import Game
from boardkeeper.service.storage.players import EndGame, ended
from boardkeeper.service.storage.rows import LobbyRow, SeatRow

APART = ("number", "game_id", "seats", "imported_key", "imported_id")
"""Fields of a line that do not follow from the log, or are compared apart."""


def lobby_row(game: Game, events: Sequence[GameEvent], seats: Sequence[SeatRow]) -> LobbyRow:
    """The line of a game after all its events; the database gives it its number."""
    return LobbyRow(
        number=0,
        game_id=game.id,
        title=game.created.title,
        setup=game.created.setup,
        commitment=game.created.commitment,
        create_time=events[0].time,
        update_time=events[-1].time,
        version=game.version,
        status=game.status,
        decisions=tuple(game.table.decisions[1:]),
        standings=tuple(game.standings()),
        seats=tuple(seats),
    )


def end_of(game: Game, events: Sequence[GameEvent]) -> list[EndGame]:
    """What belongs to a game's last event, if it is among these; the game has had their effects."""
    last = events[-1]
    if not isinstance(last.detail, GameEnded):
        return []
    ranks = last.detail.ranks
    return [ended(game.id, last.time, game.created.seats, ranks, game.standings(events))]


def misfit(stored: LobbyRow, right: LobbyRow) -> str:
    """What a line says otherwise than the log, in words; empty if they fit."""
    for field in LobbyRow.__struct_fields__:
        if field not in APART and getattr(stored, field) != getattr(right, field):
            return f"its line in the lobby has another {field.replace('_', ' ')}"
    return ""
