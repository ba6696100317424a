"""Helpers of the feed's tests: read the feed, and derive the expected items from the events of a game."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

from tests.service.api_server import Api, Metadata
from tests.service.cache.test_game_registry import GameService
from tests.waiting import SECONDS

from boardkeeper.game.events import (
    GameCreated,
    GameEnded,
    SeatHandedToBot,
    SeatJoined,
    SeatResigned,
    SeatTakenBack,
    TimeExpired,
)
from boardkeeper.game.game import RUNNING
from boardkeeper.service.feed.feed import Feed, FeedFilter
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage.feed import FeedRow
from boardkeeper.service.storage.raw_tables import InsertRows
from boardkeeper.service.storage.sql import insert_row
from boardkeeper.service.storage.webhooks import DeliveryRow
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import feed_pb2

ALL = FeedFilter(None)

ItemSummary = tuple[str, int, tuple[int, ...]]
"""Kind, version and seats of an item."""


def deliveries(*rows: DeliveryRow) -> InsertRows:
    """Return the change that stores items which could not be delivered."""
    return InsertRows([insert_row("webhook_deliveries", row) for row in rows])


@contextmanager
def database_at(path: Path) -> Iterator[Database]:
    """Open the database of this name, on any kind of database."""
    application = GameApplication.open(path, load_title)
    try:
        yield application.database
    finally:
        application.close()


@asynccontextmanager
async def run_feed(server: GameService, *, notified: bool = True) -> AsyncIterator[Feed]:
    """Run the feed of a server. With ``notified=False`` it gets no notifications of new items."""
    feed = Feed(server.application)
    before = server.handler.writer.on_feed_items

    def wake() -> None:
        feed.wake()
        if before is not None:
            before()

    if notified:
        server.handler.writer.on_feed_items = wake
        server.registry.peer_sync.on_changes = feed.receive
    running = asyncio.create_task(feed.run())
    try:
        yield feed
    finally:
        running.cancel()


async def read_items(feed: Feed, count: int, cursor: str = "", wanted: FeedFilter = ALL) -> list[FeedRow]:
    """Read ``count`` items after a cursor."""
    rows: list[FeedRow] = []
    following = feed.follow(await feed.find_start(cursor), wanted, SECONDS)
    async with asyncio.timeout(SECONDS):
        while len(rows) < count:
            items, _ = await anext(following)
            rows += [item.row for item in items]
    await following.aclose()
    return rows[:count]


def stored_items(server: GameService) -> list[FeedRow]:
    """Return all stored items."""
    tables = server.application.database.feed
    tables.number_outbox()
    return tables.page(0, tables.bounds().newest, 100_000)


def expected_items(server: GameService, game: UUID) -> list[ItemSummary]:
    """Return the expected items of a game in order, derived from its events."""
    events = server.application.game_events(game)
    expected: list[ItemSummary] = []
    before: tuple[int, ...] = ()
    voting: tuple[int, ...] = ()
    for at, event in enumerate(events):
        match event.detail:
            case GameCreated():
                expected.append(("created", event.originator_version, ()))
            case SeatJoined():
                expected.append(("joined", event.originator_version, (event.seat,)))
            case SeatHandedToBot():
                expected.append(("handed_over", event.originator_version, (event.seat,)))
            case SeatTakenBack():
                expected.append(("taken_back", event.originator_version, (event.seat,)))
            case SeatResigned():
                expected.append(("resigned", event.originator_version, (event.seat,)))
            case TimeExpired(resigned):
                kinds = "time_expired", "resigned" if resigned else "handed_over"
                expected += [(kind, event.originator_version, (event.seat,)) for kind in kinds]
            case GameEnded():
                expected += [("ended", event.originator_version, ()), ("result", event.originator_version, ())]
        if at + 1 < len(events) and events[at + 1].command_id == event.command_id:
            continue  # not the last event of its command
        past = server.application.load_game(game, until=event.originator_version)
        assert past is not None
        waiting = () if past.undo.vote is None else past.undo.vote.waiting
        if waiting != voting:
            expected.append(("vote", event.originator_version, waiting))
        voting = waiting
        decisions = past.table.decisions if past.status == RUNNING else ()
        deciding = tuple(seat for seat, decision in enumerate(decisions) if seat and decision)
        if deciding and deciding != before:
            expected.append(("turn", event.originator_version, deciding))
        before = deciding
    return expected


def items_of(rows: Sequence[FeedRow], game: UUID) -> list[ItemSummary]:
    """Return the summaries of the items of a game."""
    return [(row.kind, row.version, row.content.seats) for row in rows if row.game == game]


async def watch_items(
    api: Api, count: int, metadata: Metadata = (), **request: Any
) -> tuple[list[feed_pb2.FeedItem], list[str]]:
    """Read ``count`` items over gRPC. Return them and the cursors of the heartbeats in between."""
    stream = api.feed.WatchGames(feed_pb2.WatchGamesRequest(**request), metadata=metadata)
    items: list[feed_pb2.FeedItem] = []
    heartbeats: list[str] = []
    async with asyncio.timeout(SECONDS):
        while len(items) < count or not heartbeats:
            answer = await stream.read()
            if answer.HasField("item"):
                items.append(answer.item)
            else:
                heartbeats.append(answer.heartbeat.cursor)
    stream.cancel()
    return items, heartbeats


def kind_names(items: Sequence[feed_pb2.FeedItem]) -> list[str]:
    """Return the names of the kinds of items."""
    return [feed_pb2.FeedItemKind.Name(item.kind).removeprefix("FEED_ITEM_KIND_").lower() for item in items]
