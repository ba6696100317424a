"""The service ``boardkeeper.v1.Feed``: the event feed of all games of a platform."""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import aclosing
from uuid import UUID

from boardkeeper.service.api import message_limits
from boardkeeper.service.api.authorization import Authorizer
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.feed.feed import Feed, FeedFilter, Item
from boardkeeper.service.requests import validation
from boardkeeper.service.requests.errors import ApiError, invalid
from boardkeeper.service.storage import feed as kinds
from boardkeeper.service.transport.call import Call
from boardkeeper.v1 import feed_pb2 as pb
from boardkeeper.v1 import game_pb2
from boardkeeper.wire.convert import serialize

KINDS = {
    kinds.CREATED: pb.FEED_ITEM_KIND_CREATED,
    kinds.JOINED: pb.FEED_ITEM_KIND_JOINED,
    kinds.TURN: pb.FEED_ITEM_KIND_TURN,
    kinds.ENDED: pb.FEED_ITEM_KIND_ENDED,
    kinds.RESULT: pb.FEED_ITEM_KIND_RESULT,
    kinds.REMOVED: pb.FEED_ITEM_KIND_REMOVED,
    kinds.HANDED_OVER: pb.FEED_ITEM_KIND_HANDED_OVER,
    kinds.TAKEN_BACK: pb.FEED_ITEM_KIND_TAKEN_BACK,
    kinds.RESIGNED: pb.FEED_ITEM_KIND_RESIGNED,
    kinds.TIME_EXPIRED: pb.FEED_ITEM_KIND_TIME_EXPIRED,
    kinds.VOTE: pb.FEED_ITEM_KIND_VOTE,
}
_kind_names = {number: name for name, number in KINDS.items()}


class FeedServicer:
    """Sends the feed. The parameters are those of :class:`GamesServicer`."""

    def __init__(
        self, registry: GameRegistry, feed: Feed, *, heartbeat_seconds: float, slow_reader_seconds: float
    ) -> None:
        self._registry = registry
        self._authorizer = Authorizer(registry)
        self._feed = feed
        self._heartbeat_seconds = heartbeat_seconds
        self._slow_reader_seconds = slow_reader_seconds

    async def WatchGames(self, request: pb.WatchGamesRequest, call: Call) -> None:
        game = validation.parse_game_id(request.game_id) if request.game_id else None
        if game is not None:
            call.log_fields["game"] = str(game)
            await self._authorizer.authorize(call, game)
            tables = self._registry.application.game_tables
            if not await self._registry.read(lambda: tables.is_known(game) or tables.removal_time(game) is not None):
                raise ApiError("GAME_NOT_FOUND", game=game)
        filter = _parse_filter(request, call.caller.listed_platform(), game)
        if request.from_now and request.after_cursor:
            raise invalid("from_now", "not_together", other="after_cursor")
        write = call.context.write
        feed = self._feed
        place = await feed.find_start(request.after_cursor, from_now=request.from_now)
        call.log_fields["after"] = place.number
        await write(_heartbeat(feed.cursors.write(*place)))
        async with aclosing(feed.follow(place, filter, self._heartbeat_seconds)) as following:
            async for items, reached in following:
                await call.caller.check_key()
                for item in items:
                    begun = time.monotonic()
                    await write(item.encoded or _encode(feed, item))
                    call.log_fields["until"] = item.row.number
                    if time.monotonic() - begun > self._slow_reader_seconds:
                        raise ApiError("FEED_TOO_SLOW", cursor=feed.cursors.write(item.row.number, item.row.id))
                if not items:
                    await write(_heartbeat(feed.cursors.write(*reached)))


def item_message(row: kinds.FeedRow, cursor: str) -> pb.FeedItem:
    """Return an item as a message. Items of unknown kinds, from a later version of the server, have no kind."""
    return pb.FeedItem(
        cursor=cursor,
        kind=KINDS.get(row.kind, pb.FEED_ITEM_KIND_UNSPECIFIED),
        game_id=str(row.game),
        title=row.title,
        version=row.version,
        time=message_limits.timestamp(row.time),
        platform=row.platform,
        seats=row.content.seats,
        standings=[
            game_pb2.Standing(seat=it.seat, points=message_limits.limit_points(it.points), rank=it.rank)
            for it in row.content.standings
        ],
        bot=row.content.bot,
    )


def _encode(feed: Feed, item: Item) -> bytes:
    cursor = feed.cursors.write(item.row.number, item.row.id)
    item.encoded = serialize(pb.WatchGamesResponse(item=item_message(item.row, cursor)))
    return item.encoded


def _heartbeat(cursor: str) -> pb.WatchGamesResponse:
    return pb.WatchGamesResponse(heartbeat=pb.FeedHeartbeat(cursor=cursor))


def parse_kinds(numbers: Iterable[int]) -> tuple[str, ...]:
    """Return the names of the kinds with these numbers, without duplicates. Raises ``InvalidRequestError``."""
    requested = list(numbers)
    unknown = [at for at, kind in enumerate(requested) if kind not in _kind_names]
    if unknown:
        raise invalid(f"kinds[{unknown[0]}]", "feed_item_kind")
    return tuple(name for name, number in KINDS.items() if number in requested)


def _parse_filter(request: pb.WatchGamesRequest, platform: str | None, game: UUID | None) -> FeedFilter:
    return FeedFilter(
        platform,
        validation.parse_id(request.title, "title"),
        game,
        frozenset(parse_kinds(request.kinds)),
    )
