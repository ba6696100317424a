"""From a game's events to what the feed tells of them: nothing that spectators could not know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

from boardkeeper.game.events import GameCreated, GameEnded, GameEvent, SeatJoined
from boardkeeper.service.storage import feed
from boardkeeper.service.storage.feed import FeedItem, item
from boardkeeper.table.title import Standing


def told(
    game: UUID,
    events: Sequence[GameEvent],
    before: Sequence[int],
    deciding: Sequence[int],
    standings: Sequence[Standing],
    time: int | None = None,
) -> list[FeedItem]:
    """The items for the events of one command, in order; most commands have none.

    ``before`` and ``deciding`` are the seats that had and have to decide; ``time`` is when they were stored, for events
    of long ago.
    """
    items = [it for event in events if type(event.detail) in _TOLD for it in _of_event(game, event, standings, time)]
    if deciding != before and deciding:
        last = events[-1]
        items.append(item(game, last.originator_version, last.time if time is None else time, feed.TURN, deciding))
    return items


_TOLD = frozenset({GameCreated, SeatJoined, GameEnded})


def _of_event(game: UUID, event: GameEvent, standings: Sequence[Standing], time: int | None) -> Iterator[FeedItem]:
    version = event.originator_version
    at = event.time if time is None else time
    match event.detail:
        case GameCreated():
            yield item(game, version, at, feed.CREATED)
        case SeatJoined():
            yield item(game, version, at, feed.JOINED, (event.seat,))
        case GameEnded():
            yield item(game, version, at, feed.ENDED)
            yield item(game, version, at, feed.RESULT, (), standings)
