"""From a game's events to what the feed tells of them: nothing that spectators could not know."""

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
    """The items for the events of one command that a game is about to have, in order; most commands have none.

    ``before`` and ``deciding`` are the seats that had and have to decide.
    """
    items = [it for event in events if type(event.detail) in _TOLD for it in _of_event(event, standings, event.time)]
    last = events[-1]
    if game.vote is not None or type(last.detail) is UndoRequested:
        asked = game.voters_left_after(last)
        if asked != (() if game.vote is None else game.vote.waiting):
            items.append(new_item(game.id, last.originator_version, last.time, feed.VOTE, asked))
    if deciding != before and deciding:
        items.append(new_item(game.id, last.originator_version, last.time, feed.TURN, deciding))
    return items


def items_of_new_game(
    game: Game, events: Sequence[GameEvent], deciding: Sequence[int], standings: Sequence[Standing], time: int
) -> list[FeedItem]:
    """The items for a game that is stored whole at a ``time``, as an imported one is: what it is, not what it was."""
    items = [it for event in events if type(event.detail) in _OF_NEW for it in _of_event(event, standings, time)]
    if deciding:
        items.append(new_item(game.id, events[-1].originator_version, time, feed.TURN, deciding))
    return items


_OF_NEW = frozenset({GameCreated, SeatJoined, GameEnded})
_TOLD = _OF_NEW | {SeatHandedToBot, SeatTakenBack, SeatResigned, TimeExpired}


def _of_event(event: GameEvent, standings: Sequence[Standing], time: int) -> Iterator[FeedItem]:
    of = event.originator_id, event.originator_version, time
    seat = (event.seat,)
    match event.detail:
        case GameCreated():
            yield new_item(*of, feed.CREATED)
        case SeatJoined():
            yield new_item(*of, feed.JOINED, seat)
        case SeatHandedToBot(bot):
            yield new_item(*of, feed.HANDED_OVER, seat, bot=bot)
        case SeatTakenBack():
            yield new_item(*of, feed.TAKEN_BACK, seat)
        case SeatResigned(bot):
            yield new_item(*of, feed.RESIGNED, seat, bot=bot)
        case TimeExpired(resigned, bot):
            yield new_item(*of, feed.TIME_EXPIRED, seat)
            yield new_item(*of, feed.RESIGNED if resigned else feed.HANDED_OVER, seat, bot=bot)
        case GameEnded():
            yield new_item(*of, feed.ENDED)
            yield new_item(*of, feed.RESULT, (), standings)
