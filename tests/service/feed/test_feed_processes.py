"""The feed of several processes on one PostgreSQL: commits in any order, lost notifications, processes that die."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import psycopg
import pytest
from tests.databases.servers import Server
from tests.service.cache.test_game_registry import GameService, open_service, take_turn
from tests.service.feeds import ALL, expected_items, items_of, read_items, run_feed, stored_items
from tests.waiting import SECONDS

from boardkeeper.service.feed.feed import Feed
from boardkeeper.service.games.game_creator import SeatPlan
from boardkeeper.service.storage import application
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.feed import FEED_LOCK, NUMBER_ITEMS, TURN, FeedRow, new_item
from boardkeeper.service.storage.postgres import version_guard
from boardkeeper.service.storage.postgres.reader import run_statements
from boardkeeper.service.storage.sql import Statement

pytestmark = pytest.mark.postgres


@pytest.fixture
def url(postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with postgres.database() as url:

        def open_shared(_: object, **settings: object) -> object:
            return open_database(url, **settings | {"key_file": tmp_path / "key"})  # type: ignore[arg-type]

        monkeypatch.setattr(application, "open_database", open_shared)
        yield url


@asynccontextmanager
async def open_services(count: int, *, notified: bool = True) -> AsyncIterator[list[tuple[GameService, Feed]]]:
    """Open ``count`` services on one database, each with a feed, like separate processes.

    With ``notified=False`` they get no notifications, and the feeds find new items only by polling.
    """
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(count):
            service = await stack.enter_async_context(open_service(Path("shared")))
            feed = await stack.enter_async_context(run_feed(service, notified=notified))
            if notified:
                service.registry.peer_sync.start()
            found.append((service, feed))
        yield found


async def test_an_open_transaction_blocks_no_reader_and_its_items_come_later(url: str) -> None:
    """The open transaction inserts its item before the other items and commits last."""
    async with open_services(2) as ((service, feed), (_, other)):
        game = await service.game()
        late = new_item(game, 77, 1, TURN, (1,))
        with psycopg.connect(url) as slow:
            slow.execute(version_guard.INSERT_FEED_ITEMS, version_guard.feed_item_parameters([late]))
            for number in range(3):
                await take_turn(service, game, number)
            before = stored_items(service)
            assert late.id not in [row.id for row in before]
            assert await read_items(feed, len(before)) == before, "no reader waits for the open transaction"
            cursor = feed.cursors.write(before[-1].number, before[-1].id)
            slow.commit()
        (found,) = await read_items(feed, 1, cursor)
        assert found.id == late.id
        assert await read_items(other, len(before) + 1) == [*before, found], "the same order in all processes"


async def test_a_process_that_dies_while_it_assigns_numbers_loses_nothing(url: str) -> None:
    async with open_services(1) as ((service, feed),):
        game = await service.game()
        await take_turn(service, game, 0)
        dying = psycopg.connect(url)
        assert run_statements(dying, [FEED_LOCK, Statement(NUMBER_ITEMS, (100,))]) == 5
        reading = asyncio.create_task(read_items(feed, 5))
        await asyncio.sleep(0)
        with psycopg.connect(url) as killer:
            killer.execute("SELECT pg_terminate_backend(%s)", (dying.info.backend_pid,))
        dying.close()
        rows = await reading
        assert rows == stored_items(service)
        assert items_of(rows, game) == expected_items(service, game)


@pytest.mark.parametrize("notified", [True, False])
async def test_concurrent_writers_and_readers_see_the_same_feed(url: str, notified: bool) -> None:
    async with open_services(3, notified=notified) as found:
        total: list[int] = []

        async def follow(number: int, feed: Feed) -> list[FeedRow]:
            """Read all items, and start a new stream several times."""
            rows: list[FeedRow] = []
            chance = random.Random(f"follow {number}")
            while True:
                cursor = feed.cursors.write(rows[-1].number, rows[-1].id) if rows else ""
                following = feed.follow(await feed.find_start(cursor), ALL, 0.2)
                for _ in range(chance.randint(1, 5)):
                    items, _ = await anext(following)
                    rows += [one.row for one in items]
                    if total and len(rows) >= total[0]:
                        await following.aclose()
                        return rows
                await following.aclose()

        async def play(one: int, service: GameService) -> None:
            chance = random.Random(f"play {one}")
            for number in range(3):
                game = await service.game(SeatPlan(f"A{number}"), SeatPlan(f"B{number}"))
                for turn in range(12):
                    any_service = chance.choice(found)[0]
                    await any_service.registry.peer_sync.refresh(await any_service.registry.get(game))
                    await take_turn(any_service, game, turn)

        async with asyncio.timeout(SECONDS):
            reading = [asyncio.create_task(follow(number, feed)) for number, (_, feed) in enumerate(found * 2)]
            await asyncio.gather(*(play(one, service) for one, (service, _) in enumerate(found)))
            rows = stored_items(found[0][0])
            total.append(len(rows))
            received = await asyncio.gather(*reading)
        assert [row.number for row in rows] == list(range(1, len(rows) + 1))
        assert all(one == rows for one in received)
        games = {row.game for row in rows}
        assert len(games) == 9
        for game in games:
            assert items_of(rows, game) == expected_items(found[0][0], game)


async def test_items_of_a_process_that_has_ended_are_sent_by_others(url: str) -> None:
    """The writing processes run no feed, so they assign no numbers. The reading process gets no notifications."""
    async with open_service(Path("shared")) as ended:
        game = await ended.game()
        await take_turn(ended, game, 0)
    async with open_services(1, notified=False) as ((service, feed),):
        rows = await read_items(feed, 5)
        assert items_of(rows, game) == expected_items(service, game)
        reading = asyncio.create_task(read_items(feed, 6))
        await asyncio.sleep(0)
        async with open_service(Path("shared")) as another:
            await take_turn(another, game, 1)
        assert items_of(await reading, game) == expected_items(service, game)
