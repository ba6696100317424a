"""What the database stores beside the events of a command: it follows from them, and is written in their transaction.

The events have changed the table already, but they do not count yet: the game is still at the version before them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from boardkeeper.game.events import GameEnded, GameEvent
from boardkeeper.game.game import ENDED, OPEN, RUNNING, Game
from boardkeeper.game.giving_up import kinds_after
from boardkeeper.game.seats import PERSON
from boardkeeper.service.feed.items import items_of, items_of_new_game
from boardkeeper.service.games.live import LiveGame, asked
from boardkeeper.service.storage.changes import Progress, PutSeat, progress
from boardkeeper.service.storage.expiries import put_expiry, readings_of
from boardkeeper.service.storage.feed import FeedItem
from boardkeeper.service.storage.lobby import end_of
from boardkeeper.service.storage.sql import Change


class Projection(NamedTuple):
    """What is stored with events: the game's line in the lobby, other changes, and items of the feed.

    ``deciding`` are the seats that have to decide after the events.
    """

    deciding: tuple[int, ...]
    progress: Progress
    changes: list[Change]
    news: list[FeedItem]


def project(live: LiveGame, events: Sequence[GameEvent]) -> Projection:
    """Return what is stored with the events of one command."""
    game, last = live.game, events[-1]
    kinds = kinds_after(game.kinds, events)
    changes: list[Change] = []
    deciding: tuple[int, ...]
    if kinds != game.kinds:
        rows = zip(live.seats, kinds, strict=True)
        changes += [PutSeat(game.id, replace(row, kind=kind)) for row, kind in rows if row.kind != kind]
    if type(last.detail) is GameEnded:
        status, deciding, standings = ENDED, (), game.standings(events)
        changes += end_of(game, events)
    elif game.play is None:
        status, deciding, standings = OPEN, (), ()
    else:
        status, deciding, standings = RUNNING, asked(game), ()
    changes += expiry_changes(game, events)
    bots = [seat for seat in deciding if kinds[seat - 1] != PERSON]
    bot_decides = bool(bots) and not game.holds_bots(game.waiting_after(last), kinds)
    line = progress(
        game.id,
        last.originator_version,
        last.time,
        status if status != game.status else None,
        game.table.decisions[1:],
        standings,
        bot_decides=bot_decides,
    )
    news = items_of(game, events, live.deciding, deciding, standings)
    return Projection(deciding, line, changes, news)


def project_new(game: Game, events: Sequence[GameEvent], time: int) -> tuple[list[Change], list[FeedItem]]:
    """Return what is stored with all events of a game that is stored for the first time, at that ``time``."""
    ends = type(events[-1].detail) is GameEnded
    deciding = () if ends or game.play is None else asked(game)
    news = items_of_new_game(game, events, deciding, game.standings(events) if ends else (), time)
    return [*end_of(game, events)], news


def expiry_changes(game: Game, events: Sequence[GameEvent] = ()) -> list[Change]:
    """Return what is stored of the clocks of a game once it has these events; nothing if it has no clocks."""
    if game.clocks is None:
        return []
    return [put_expiry(game.id, readings_of(game, events))]
