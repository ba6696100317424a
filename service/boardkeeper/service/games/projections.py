"""Rows that are derived from the events of a command and stored in the same transaction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.game.seats import PERSON
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.feed.items import items_of, items_of_new_game
from boardkeeper.service.storage.changes import GameProgress, PutSeat, encode_progress
from boardkeeper.service.storage.feed import FeedItem
from boardkeeper.service.storage.projections import project_game
from boardkeeper.service.storage.sql import Change


class Projection(NamedTuple):
    """The game's row in the lobby (``progress``), other changes, and items of the feed (``items``).

    ``deciding`` are the seats that must decide after the events.
    """

    deciding: tuple[int, ...]
    progress: GameProgress
    changes: list[Change]
    items: list[FeedItem]


def project(live: LiveGame, events: Sequence[GameEvent]) -> Projection:
    """Return the rows to store with the events of one command."""
    game, after = live.game, project_game(live.game, events)
    changes = after.changes(game.id)
    if after.kinds != game.seats.kinds:
        rows = zip(live.seats, after.kinds, strict=True)
        changes += [PutSeat(game.id, replace(row, kind=kind)) for row, kind in rows if row.kind != kind]
    has_bots = any(after.kinds[seat - 1] != PERSON for seat in after.deciding)
    row = encode_progress(
        game.id,
        after.version,
        after.time,
        after.status if after.status != game.status else None,
        after.decisions,
        after.standings,
        bot_decides=has_bots and not game.undo.blocks_bots(game.undo.voters_left_after(events[-1]), after.kinds),
    )
    items = items_of(game, events, live.deciding, after.deciding, after.standings)
    return Projection(after.deciding, row, changes, items)


def project_new(game: Game, events: Sequence[GameEvent], time: int) -> tuple[list[Change], list[FeedItem]]:
    """Return the changes and feed items to store with all events of a new game, stored at that ``time``."""
    after = project_game(game, events)
    return after.changes(game.id), items_of_new_game(game, events, after.deciding, after.standings, time)
