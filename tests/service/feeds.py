"""What tests of the feed share: reading it, and what it should say by the games' own events."""

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
    """The database of that name, wherever the test runs."""
    application = GameApplication.open(path, load_title)
    try:
        yield application.database
    finally:
        application.close()


@asynccontextmanager
async def run_feed(house: GameService, *, deaf: bool = False) -> AsyncIterator[Feed]:
    """The feed of a house; ``deaf``: it hears of nothing."""
    feed = Feed(house.application)
    before = house.handler.writer.on_feed_items

    def wake() -> None:
        feed.wake()
        if before is not None:
            before()

    if not deaf:
        house.handler.writer.on_feed_items = wake
        house.registry.peer_sync.on_changes = feed.receive
    running = asyncio.create_task(feed.run())
    try:
        yield feed
    finally:
        running.cancel()


async def read_items(feed: Feed, count: int, cursor: str = "", wanted: FeedFilter = ALL) -> list[FeedRow]:
    """So many items behind a cursor."""
    rows: list[FeedRow] = []
    following = feed.follow(await feed.find_start(cursor), wanted, SECONDS)
    async with asyncio.timeout(SECONDS):
        while len(rows) < count:
            items, _ = await anext(following)
            rows += [item.row for item in items]
    await following.aclose()
    return rows[:count]


def stored_items(house: GameService) -> list[FeedRow]:
    """Everything that there is."""
    tables = house.application.database.feed
    tables.number_outbox()
    return tables.page(0, tables.bounds().newest, 100_000)


def expected_items(house: GameService, game: UUID) -> list[ItemSummary]:
    """What should be told of a game by its events, in order."""
    events = house.application.game_events(game)
    told: list[ItemSummary] = []
    before: tuple[int, ...] = ()
    asked: tuple[int, ...] = ()
    for at, event in enumerate(events):
        match event.detail:
            case GameCreated():
                told.append(("created", event.originator_version, ()))
            case SeatJoined():
                told.append(("joined", event.originator_version, (event.seat,)))
            case SeatHandedToBot():
                told.append(("handed_over", event.originator_version, (event.seat,)))
            case SeatTakenBack():
                told.append(("taken_back", event.originator_version, (event.seat,)))
            case SeatResigned():
                told.append(("resigned", event.originator_version, (event.seat,)))
            case TimeExpired(resigned):
                kinds = "time_expired", "resigned" if resigned else "handed_over"
                told += [(kind, event.originator_version, (event.seat,)) for kind in kinds]
            case GameEnded():
                told += [("ended", event.originator_version, ()), ("result", event.originator_version, ())]
        if at + 1 < len(events) and events[at + 1].command_id == event.command_id:
            continue  # in the middle of a command
        past = house.application.load_game(game, until=event.originator_version)
        assert past is not None
        waiting = () if past.undo.vote is None else past.undo.vote.waiting
        if waiting != asked:
            told.append(("vote", event.originator_version, waiting))
        asked = waiting
        decisions = past.table.decisions if past.status == RUNNING else ()
        deciding = tuple(seat for seat, decision in enumerate(decisions) if seat and decision)
        if deciding and deciding != before:
            told.append(("turn", event.originator_version, deciding))
        before = deciding
    return told


def items_of(rows: Sequence[FeedRow], game: UUID) -> list[ItemSummary]:
    """What items tell of a game."""
    return [(row.kind, row.version, row.content.seats) for row in rows if row.game == game]


async def watch_items(
    api: Api, count: int, metadata: Metadata = (), **request: Any
) -> tuple[list[feed_pb2.FeedItem], list[str]]:
    """So many items over the wire, and the cursors of the heartbeats before the last of them."""
    stream = api.feed.WatchGames(feed_pb2.WatchGamesRequest(**request), metadata=metadata)
    items: list[feed_pb2.FeedItem] = []
    beats: list[str] = []
    async with asyncio.timeout(SECONDS):
        while len(items) < count or not beats:
            answer = await stream.read()
            if answer.HasField("item"):
                items.append(answer.item)
            else:
                beats.append(answer.heartbeat.cursor)
    stream.cancel()
    return items, beats


def kind_names(items: Sequence[feed_pb2.FeedItem]) -> list[str]:
    """By name."""
    return [feed_pb2.FeedItemKind.Name(item.kind).removeprefix("FEED_ITEM_KIND_").lower() for item in items]
