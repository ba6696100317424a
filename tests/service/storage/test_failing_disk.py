"""Disks that are full or stop in the middle: what was answered is stored, what failed never happened, all goes on."""

from __future__ import annotations

import asyncio
import random
import shutil
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest
import structlog
from eventsourcing.persistence import OperationalError
from tests.service.api_errors import api_error
from tests.service.cache.test_game_registry import GameService, open_service, read_all_events, take_turn
from tests.service.sqlite_internals import writer_of
from tests.service.storage.test_recorder import event, open_file

from boardkeeper.service.requests.errors import ApiError, is_reason
from boardkeeper.service.storage.sqlite.writer import SqliteWriter
from boardkeeper.service.storage.writer import Append, Batch, Outcome, Stored

Full = Callable[[GameService], AbstractContextManager[None]]


@contextmanager
def no_more_pages(house: GameService) -> Iterator[None]:
    """SQLite finds no room for another page while it writes a command."""
    connection = writer_of(house.application)._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count={pages}").fetchall()
    yield
    connection.execute("PRAGMA max_page_count=1000000").fetchall()


@contextmanager
def no_longer_files(house: GameService) -> Iterator[None]:
    """The operating system lets no file grow, so that it is the commit that fails."""
    import resource

    _, hard = before = resource.getrlimit(resource.RLIMIT_FSIZE)
    wal = Path(f"{house.application.database.name}-wal")
    resource.setrlimit(resource.RLIMIT_FSIZE, (wal.stat().st_size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


FULL = [
    no_more_pages,
    pytest.param(no_longer_files, marks=pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")),
]


async def turn(house: GameService, game: UUID, number: int) -> int | ApiError:
    try:
        return await take_turn(house, game, number)
    except ApiError as error:
        if error.reason != "STORAGE_FAILED":
            raise
        return error


async def fill(house: GameService, games: list[UUID]) -> None:
    """Create games until there is no room."""
    while True:
        games.append(await house.game())


@pytest.mark.sqlite_only
@pytest.mark.parametrize("full", FULL)
async def test_a_full_disk_refuses_and_poisons_nothing(tmp_path: Path, full: Full) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as house:
        games = [await house.game() for _ in range(40)]
        watching = {game: house.registry.follow(game, 5, 60) for game in games}
        first = {game: asyncio.ensure_future(anext(watching[game])) for game in games}
        with structlog.testing.capture_logs() as log, full(house):
            outcomes = await asyncio.gather(*(turn(house, game, 0) for game in games))
            refused = [game for game, it in zip(games, outcomes, strict=True) if is_reason(it, "STORAGE_FAILED")]
            assert refused
            with api_error("STORAGE_FAILED"):
                await fill(house, games)
            for game in games:  # readers go on, and see what is stored
                live = await house.registry.get(game)
                assert not live.lock.locked()
                assert live.game.version == 5 or game not in refused
                versions = [it.event.originator_version for it in await read_all_events(house, game)]
                assert versions == list(range(1, live.game.version + 1))
            assert not any(first[game].done() for game in refused)  # nobody was shown what did not happen
        assert len([line for line in log if line["event"] == "append failed"]) == len(refused) + 1
        assert house.application.game_tables.lobby_page(limit=1)[0].game_id == games[-1]
        for game in refused:
            assert await take_turn(house, game, 0) == 6  # the same command again, and it had not happened
            (shown,) = await first[game]
            assert (shown.event.originator_version, shown.event.command_id) == (6, "1:turn-0")
        for game, following in watching.items():
            first[game].cancel()
            await following.aclose()
            assert await take_turn(house, game, 1) == 7
        games.append(await house.game())
    async with open_service(path) as house:
        for game in games:
            assert house.application.damage(game) is None
            assert (await house.registry.get(game)).damage is None


@pytest.mark.sqlite_only
async def test_a_file_that_was_left_in_the_middle_of_a_write_opens_with_what_was_committed(tmp_path: Path) -> None:
    """As after a kill or a loss of power: the write-ahead log ends anywhere, in the middle of a page or a commit."""
    path = tmp_path / "games.db"
    reached: dict[UUID, int] = {}
    sizes: list[tuple[int, dict[UUID, int]]] = []
    wal = tmp_path / "games.db-wal"
    async with open_service(path) as house:
        games = [await house.game() for _ in range(4)]
        for number in range(6):
            for game in games:
                reached[game] = await take_turn(house, game, number)
                sizes.append((wal.stat().st_size, dict(reached)))
        for file in ("games.db", "games.db-wal"):
            shutil.copy(tmp_path / file, tmp_path / f"left.{file}")
    whole = (tmp_path / "left.games.db-wal").read_bytes()
    assert len(whole) == sizes[-1][0]
    chance = random.Random(7)
    for cut in [*(size for size, _ in sizes[::5]), *(chance.randrange(sizes[0][0], len(whole)) for _ in range(12))]:
        left = tmp_path / f"cut-{cut}" / "games.db"
        left.parent.mkdir()
        shutil.copy(tmp_path / "left.games.db", left)
        left.with_name("games.db-wal").write_bytes(whole[:cut])
        shutil.copy(tmp_path / "games.db.key", left.with_name("games.db.key"))
        promised = next((at for size, at in reversed(sizes) if size <= cut), {})
        async with open_service(left) as house:
            for game in games:
                live = await house.registry.get(game)
                assert live.damage is None
                assert live.game.version >= promised.get(game, 5)  # whoever was answered is not disappointed
                row = house.application.game_tables.lobby_row(game)
                assert row is not None
                assert row.version == live.game.version == len(await read_all_events(house, game))
                await take_turn(house, game, 99)


def test_who_fails_while_it_is_told_does_not_stop_the_writer(tmp_path: Path) -> None:
    database = open_file(tmp_path)
    outcomes: list[Outcome] = []

    def broken(outcomes: list[Outcome]) -> None:
        raise ZeroDivisionError

    with structlog.testing.capture_logs() as log:
        for done in (broken, outcomes.extend):
            database.log.writer.submit(Batch([Append([event(uuid4(), 1)])], done))
        database.close()
    assert outcomes == [Stored()]
    assert [line["event"] for line in log] == ["reporting outcomes failed"]


def test_a_transaction_that_was_left_open_is_rolled_back_first(tmp_path: Path) -> None:
    database = open_file(tmp_path)
    game = uuid4()
    writer = database.log.writer
    assert isinstance(writer, SqliteWriter)
    database.log.insert_events([event(game, 1)])
    writer._connection.execute("BEGIN")
    writer._connection.execute("INSERT INTO stored_events VALUES ('lost', 1, 'x', X'', X'')")
    database.log.insert_events([event(game, 2)])
    database.close()
    connection = sqlite3.connect(tmp_path / "events.db")
    assert connection.execute("SELECT DISTINCT originator_id FROM stored_events").fetchall() == [(game.hex,)]
    connection.close()


def test_everybody_is_told_however_the_end_falls(tmp_path: Path) -> None:
    """Threads append while the storage closes: each is stored or rejected, and what is stored is what was said."""
    database = open_file(tmp_path)
    stored: list[str] = []
    running = threading.Barrier(5)
    some = threading.Semaphore(0)

    def append() -> None:
        running.wait()
        while True:
            try:
                database.log.insert_events([event(game := uuid4(), 1)])
            except OperationalError:
                return
            stored.append(game.hex)
            some.release()

    threads = [threading.Thread(target=append) for _ in range(4)]
    for thread in threads:
        thread.start()
    running.wait()
    for _ in range(50):
        assert some.acquire(timeout=100)
    database.close()
    for thread in threads:
        thread.join(100)
        assert not thread.is_alive()
    connection = sqlite3.connect(tmp_path / "events.db")
    assert [game for (game,) in connection.execute("SELECT game FROM events ORDER BY 1")] == sorted(stored)
    connection.close()
