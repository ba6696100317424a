"""What the database stores beside the events of a command, in their transaction: it follows from them."""

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
    """What is stored with events: the game's line in the lobby, other changes, and items of the feed.

    ``deciding`` are the seats that have to decide after the events.
    """

    deciding: tuple[int, ...]
    progress: GameProgress
    changes: list[Change]
    news: list[FeedItem]


def project(live: LiveGame, events: Sequence[GameEvent]) -> Projection:
    """Return what is stored with the events of one command."""
    game, after = live.game, project_game(live.game, events)
    changes = after.changes(game.id)
    if after.kinds != game.kinds:
        rows = zip(live.seats, after.kinds, strict=True)
        changes += [PutSeat(game.id, replace(row, kind=kind)) for row, kind in rows if row.kind != kind]
    has_bots = any(after.kinds[seat - 1] != PERSON for seat in after.deciding)
    line = encode_progress(
        game.id,
        after.version,
        after.time,
        after.status if after.status != game.status else None,
        after.decisions,
        after.standings,
        bot_decides=has_bots and not game.blocks_bots(game.voters_left_after(events[-1]), after.kinds),
    )
    news = items_of(game, events, live.deciding, after.deciding, after.standings)
    return Projection(after.deciding, line, changes, news)


def project_new(game: Game, events: Sequence[GameEvent], time: int) -> tuple[list[Change], list[FeedItem]]:
    """Return what is stored with all events of a game that is stored for the first time, at that ``time``."""
    after = project_game(game, events)
    return after.changes(game.id), items_of_new_game(game, events, after.deciding, after.standings, time)
