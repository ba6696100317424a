"""Feed items for a game's events. They contain only what spectators may know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from boardkeeper.game.events import (
    GameCreated,
    GameEnded,
    GameEvent,
    SeatHandedToBot,
    SeatJoined,
    SeatResigned,
    SeatTakenBack,
    TimeExpired,
    UndoRequested,
)
from boardkeeper.game.game import Game
from boardkeeper.service.storage import feed
from boardkeeper.service.storage.feed import FeedItem, new_item
from boardkeeper.titlekit.title import Standing


def items_of(
    game: Game,
    events: Sequence[GameEvent],
    before: Sequence[int],
    deciding: Sequence[int],
    standings: Sequence[Standing],
) -> list[FeedItem]:
    """Return the items for the events of one command; most commands have none. The events are not committed yet.

    ``before`` and ``deciding`` are the seats that must decide before and after the events.
    """
    items = [
        it
        for event in events
        if type(event.detail) in _PUBLISHED
        for it in _items_of_event(event, standings, event.time)
    ]
    last = events[-1]
    if game.undo.vote is not None or type(last.detail) is UndoRequested:
        voters = game.undo.voters_left_after(last)
        if voters != (() if game.undo.vote is None else game.undo.vote.waiting):
            items.append(new_item(game.id, last.originator_version, last.time, feed.VOTE, voters))
    if deciding != before and deciding:
        items.append(new_item(game.id, last.originator_version, last.time, feed.TURN, deciding))
    return items


def items_of_new_game(
    game: Game, events: Sequence[GameEvent], deciding: Sequence[int], standings: Sequence[Standing], time: int
) -> list[FeedItem]:
    """Return the items for a game that is stored with all its events at a ``time``, for example an imported one."""
    items = [
        it
        for event in events
        if type(event.detail) in _PUBLISHED_OF_NEW_GAMES
        for it in _items_of_event(event, standings, time)
    ]
    if deciding:
        items.append(new_item(game.id, events[-1].originator_version, time, feed.TURN, deciding))
    return items


_PUBLISHED_OF_NEW_GAMES = frozenset({GameCreated, SeatJoined, GameEnded})
_PUBLISHED = _PUBLISHED_OF_NEW_GAMES | {SeatHandedToBot, SeatTakenBack, SeatResigned, TimeExpired}


def _items_of_event(event: GameEvent, standings: Sequence[Standing], time: int) -> Iterator[FeedItem]:
    about = event.originator_id, event.originator_version, time
    seat = (event.seat,)
    match event.detail:
        case GameCreated():
            yield new_item(*about, feed.CREATED)
        case SeatJoined():
            yield new_item(*about, feed.JOINED, seat)
        case SeatHandedToBot(bot):
            yield new_item(*about, feed.HANDED_OVER, seat, bot=bot)
        case SeatTakenBack():
            yield new_item(*about, feed.TAKEN_BACK, seat)
        case SeatResigned(bot):
            yield new_item(*about, feed.RESIGNED, seat, bot=bot)
        case TimeExpired(resigned, bot):
            yield new_item(*about, feed.TIME_EXPIRED, seat)
            yield new_item(*about, feed.RESIGNED if resigned else feed.HANDED_OVER, seat, bot=bot)
        case GameEnded():
            yield new_item(*about, feed.ENDED)
            yield new_item(*about, feed.RESULT, (), standings)
