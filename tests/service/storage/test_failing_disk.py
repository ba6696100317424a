"""Full disks and interrupted writes: answered commands are stored, failed ones are not, and the service continues."""

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
from tests.service.storage.full_disk import limit_file_size
from tests.service.storage.test_recorder import make_event, open_file

from boardkeeper.service.requests.errors import ApiError, is_reason
from boardkeeper.service.storage.sqlite.writer import SqliteWriter
from boardkeeper.service.storage.writer import Append, Batch, Outcome, Stored

FillDisk = Callable[[GameService], AbstractContextManager[None]]


@contextmanager
def limit_pages(service: GameService) -> Iterator[None]:
    """Let SQLite add no more pages, so the write of a command fails."""
    connection = writer_of(service.application)._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count={pages}").fetchall()
    yield
    connection.execute("PRAGMA max_page_count=1000000").fetchall()


@contextmanager
def limit_wal(service: GameService) -> Iterator[None]:
    """Let no file grow, so the commit fails."""
    with limit_file_size(Path(f"{service.application.database.name}-wal").stat().st_size):
        yield


FULL = [
    limit_pages,
    pytest.param(limit_wal, marks=pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")),
]


async def try_turn(service: GameService, game: UUID, number: int) -> int | ApiError:
    try:
        return await take_turn(service, game, number)
    except ApiError as error:
        if error.reason != "STORAGE_FAILED":
            raise
        return error


async def create_games_until_full(service: GameService, games: list[UUID]) -> None:
    """Create games until an error."""
    while True:
        games.append(await service.game())


@pytest.mark.sqlite_only
@pytest.mark.parametrize("fill_disk", FULL)
async def test_a_full_disk_fails_commands_without_other_effects(tmp_path: Path, fill_disk: FillDisk) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        games = [await service.game() for _ in range(40)]
        watching = {game: service.registry.follow(game, 5, 60) for game in games}
        first = {game: asyncio.ensure_future(anext(watching[game])) for game in games}
        with structlog.testing.capture_logs() as log, fill_disk(service):
            outcomes = await asyncio.gather(*(try_turn(service, game, 0) for game in games))
            failed = [game for game, it in zip(games, outcomes, strict=True) if is_reason(it, "STORAGE_FAILED")]
            assert failed
            with api_error("STORAGE_FAILED"):
                await create_games_until_full(service, games)
            for game in games:  # readers get what is stored
                live = await service.registry.get(game)
                assert not live.lock.locked()
                assert live.game.version == 5 or game not in failed
                versions = [it.event.originator_version for it in await read_all_events(service, game)]
                assert versions == list(range(1, live.game.version + 1))
            assert not any(first[game].done() for game in failed)  # failed events are not sent
        assert len([line for line in log if line["event"] == "append failed"]) == len(failed) + 1
        assert service.application.game_tables.lobby_page(limit=1)[0].game_id == games[-1]
        for game in failed:
            assert await take_turn(service, game, 0) == 6  # the same command again: it was not stored
            (shown,) = await first[game]
            assert (shown.event.originator_version, shown.event.command_id) == (6, "1:turn-0")
        for game, following in watching.items():
            first[game].cancel()
            await following.aclose()
            assert await take_turn(service, game, 1) == 7
        games.append(await service.game())
    async with open_service(path) as service:
        for game in games:
            assert service.application.damage(game) is None
            assert (await service.registry.get(game)).damage is None


@pytest.mark.sqlite_only
async def test_a_file_after_an_interrupted_write_has_all_committed_data(tmp_path: Path) -> None:
    """After a kill or a power failure, the write-ahead log can end within a page or a commit."""
    path = tmp_path / "games.db"
    versions: dict[UUID, int] = {}
    sizes: list[tuple[int, dict[UUID, int]]] = []
    wal = tmp_path / "games.db-wal"
    async with open_service(path) as service:
        games = [await service.game() for _ in range(4)]
        for number in range(6):
            for game in games:
                versions[game] = await take_turn(service, game, number)
                sizes.append((wal.stat().st_size, dict(versions)))
        for file in ("games.db", "games.db-wal"):
            shutil.copy(tmp_path / file, tmp_path / f"left.{file}")
    log = (tmp_path / "left.games.db-wal").read_bytes()
    assert len(log) == sizes[-1][0]
    chance = random.Random(7)
    for cut in [*(size for size, _ in sizes[::5]), *(chance.randrange(sizes[0][0], len(log)) for _ in range(12))]:
        left = tmp_path / f"cut-{cut}" / "games.db"
        left.parent.mkdir()
        shutil.copy(tmp_path / "left.games.db", left)
        left.with_name("games.db-wal").write_bytes(log[:cut])
        shutil.copy(tmp_path / "games.db.key", left.with_name("games.db.key"))
        committed = next((at for size, at in reversed(sizes) if size <= cut), {})
        async with open_service(left) as service:
            for game in games:
                live = await service.registry.get(game)
                assert live.damage is None
                assert live.game.version >= committed.get(game, 5)  # answered commands are stored
                row = service.application.game_tables.lobby_row(game)
                assert row is not None
                assert row.version == live.game.version == len(await read_all_events(service, game))
                await take_turn(service, game, 99)


def test_a_failing_callback_does_not_stop_the_writer(tmp_path: Path) -> None:
    database = open_file(tmp_path)
    outcomes: list[Outcome] = []

    def fail(outcomes: list[Outcome]) -> None:
        raise ZeroDivisionError

    with structlog.testing.capture_logs() as log:
        for done in (fail, outcomes.extend):
            database.log.writer.submit(Batch([Append([make_event(uuid4(), 1)])], done))
        database.close()
    assert outcomes == [Stored()]
    assert [line["event"] for line in log] == ["reporting outcomes failed"]


def test_an_open_transaction_is_rolled_back_before_the_next_write(tmp_path: Path) -> None:
    database = open_file(tmp_path)
    game = uuid4()
    writer = database.log.writer
    assert isinstance(writer, SqliteWriter)
    database.log.insert_events([make_event(game, 1)])
    writer._connection.execute("BEGIN")
    writer._connection.execute("INSERT INTO stored_events VALUES ('lost', 1, 'x', X'', X'')")
    database.log.insert_events([make_event(game, 2)])
    database.close()
    connection = sqlite3.connect(tmp_path / "events.db")
    assert connection.execute("SELECT DISTINCT originator_id FROM stored_events").fetchall() == [(game.hex,)]
    connection.close()


def test_appends_while_the_storage_closes_have_correct_outcomes(tmp_path: Path) -> None:
    """Each append of several threads is stored or fails, and exactly the confirmed ones are stored."""
    database = open_file(tmp_path)
    stored: list[str] = []
    running = threading.Barrier(5)
    some = threading.Semaphore(0)

    def append() -> None:
        running.wait()
        while True:
            try:
                database.log.insert_events([make_event(game := uuid4(), 1)])
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
