"""Files lost while the service runs, and full disks: answered commands are stored, and health reports the failure."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from eventsourcing.persistence import OperationalError
from grpc import StatusCode
from grpc_health.v1 import health_pb2, health_pb2_grpc
from tests.service.api_errors import api_error
from tests.service.api_server import Api, grpc_error, run_server
from tests.service.cache.test_game_registry import GameService, open_service, read_all_events, take_turn
from tests.service.log_capture import capture_logs
from tests.service.sqlite_internals import INVALID_CHANGE
from tests.service.storage.test_failing_disk import FULL, FillDisk, create_games_until_full
from tests.waiting import SECONDS, until

from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.service.process import storage_health
from boardkeeper.service.process.storage_health import StorageHealth
from boardkeeper.service.storage.errors import FilesLostError
from boardkeeper.service.storage.writer import Batch

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows cannot remove open files")

SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING


def remove(suffix: str) -> Callable[[Path], None]:
    return lambda path: path.with_name(path.name + suffix).unlink()


def rename(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def rename_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def replace(path: Path) -> None:
    """Replace the database with a backup of its current state."""
    backup = path.with_name("backup.db")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(backup)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE").fetchall()
    backup.replace(path)


LOSSES = {
    "the database is removed": remove(""),
    "the write-ahead log is removed": remove("-wal"),
    "the shared memory is removed": remove("-shm"),
    "the database is renamed": rename,
    "the folder is renamed": rename_folder,
    "the database is replaced": replace,
}


def watch_health(service: GameService) -> tuple[StorageHealth, list[bool]]:
    """Return the health check of a service and the list of its reports."""
    changes: list[bool] = []

    async def report(works: bool) -> None:
        changes.append(works)

    return StorageHealth(service.application, report), changes


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data" / "games.db"


@pytest.mark.sqlite_only
@pytest.mark.parametrize("lose", LOSSES.values(), ids=list(LOSSES))
async def test_commands_fail_after_the_files_are_lost(path: Path, lose: Callable[[Path], None]) -> None:
    async with open_service(path) as service:
        one, other = await service.game(), await service.game()
        assert await take_turn(service, one, 0) == 6
        lose(path)
        files = sorted(path.parent.glob("*")) if path.parent.exists() else []
        with capture_logs():
            with api_error("STORAGE_LOST"):
                await take_turn(service, one, 1)
            with api_error("STORAGE_LOST"):
                await take_turn(service, other, 1)
            with api_error("STORAGE_LOST"):
                await service.game()
            with api_error("STORAGE_LOST"):  # the event may be in a deleted file only
                await service.registry.get(one)
        assert (await service.registry.get(other)).game.version == 5
        assert service.application.writer.commits > 0
        if path.parent.exists():
            assert sorted(path.parent.glob("*")) == files  # no new file replaces a lost one
    if lose is replace:  # the old write-ahead log is not applied to the other file
        async with open_service(path) as service:
            for game, version in ((one, 6), (other, 5)):
                live = await service.registry.get(game)
                assert (live.game.version, live.damage) == (version, None)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("is_restored", [True, False])
async def test_restored_files_are_used_again(path: Path, is_restored: bool) -> None:
    async with open_service(path) as service:
        game = await service.game()
        rename(path)
        with capture_logs() as log:
            with api_error("STORAGE_LOST"):
                await take_turn(service, game, 0)
            health, changes = watch_health(service)
            await health.check()
            await health.check()
            assert changes == [False]
            if not is_restored:
                return
            path.with_name("elsewhere.db").rename(path)
            await health.check()
        assert changes == [False, True]
        assert [line["event"] for line in log if "storage" in line["event"]] == [
            "storage fails, nothing is accepted",
            "storage works again",
        ]
        assert (await service.registry.get(game)).game.version == 6  # it was stored, but its answer was an error
        again = await service.handler.act(game, 1, SubmitCommands([]), "turn-0")
        assert again.repeated
        assert await take_turn(service, game, 1) == 7


@pytest.mark.sqlite_only
async def test_answered_commands_are_in_the_database_after_the_log_is_removed(path: Path, tmp_path: Path) -> None:
    """Even if the service is killed then."""
    async with open_service(path) as service:
        games = [await service.game() for _ in range(3)]
        for game in games:
            assert await take_turn(service, game, 0) == 6
        remove("-wal")(path)
        with capture_logs(), api_error("STORAGE_LOST"):
            await take_turn(service, games[0], 1)
        (tmp_path / "killed").mkdir()
        for name in ("games.db", "games.db.key"):
            shutil.copy(path.with_name(name), tmp_path / "killed" / name)
    async with open_service(tmp_path / "killed" / "games.db") as service:
        for game in games:
            assert (await service.registry.get(game)).game.version >= 6
            assert service.application.damage(game) is None


@pytest.mark.sqlite_only
async def test_a_lost_file_is_detected_without_writes(path: Path) -> None:
    async with open_service(path) as service:
        game = await service.game()
        assert service.application.probe_storage() is None
        commits = service.application.writer.commits
        remove("")(path)
        assert isinstance(service.application.probe_storage(), FilesLostError)
        with api_error("STORAGE_LOST"):
            await take_turn(service, game, 0)
        assert service.application.writer.commits == commits


async def test_probing_working_storage_writes_nothing(path: Path) -> None:
    async with open_service(path) as service:
        await service.game()
        commits = service.application.writer.commits
        assert service.application.probe_storage() is None
        assert service.application.writer.commits == commits


@pytest.mark.sqlite_only
async def test_a_value_that_cannot_be_stored_is_not_a_storage_failure(path: Path) -> None:
    async with open_service(path) as service:
        await service.game()
        with pytest.raises(OperationalError, match="has no attribute"):
            service.application.writer.store([INVALID_CHANGE])
        assert service.application.writer.last_error is None


@pytest.mark.sqlite_only
@pytest.mark.parametrize("fill_disk", FULL)
async def test_storage_is_probed_until_it_works_again(path: Path, fill_disk: FillDisk) -> None:
    async with open_service(path) as service:
        games = [await service.game() for _ in range(3)]
        health, changes = watch_health(service)
        await health.check()
        with capture_logs():
            with fill_disk(service):
                with api_error("STORAGE_FAILED"):
                    await create_games_until_full(service, games)
                await health.check()
                await health.check()
                assert changes == [False]
            await health.check()
        assert changes == [False, True]
        await take_turn(service, games[0], 0)


async def test_health_reports_a_commit_that_does_not_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started, resumed = threading.Event(), threading.Event()

    def stall(_outcomes: object) -> None:
        started.set()
        assert resumed.wait(SECONDS)

    async with open_service(path) as service:
        game = await service.game()
        health, changes = watch_health(service)
        service.application.writer.submit(Batch([], stall))  # it blocks the writer's thread
        assert started.wait(SECONDS)
        turn = asyncio.create_task(take_turn(service, game, 0))
        await until(lambda: service.application.writer.batch_seconds > 0)
        monkeypatch.setattr(storage_health, "STALLED_SECONDS", 0.0)
        await health.check()
        assert changes == [False]
        resumed.set()
        await turn
        monkeypatch.setattr(storage_health, "STALLED_SECONDS", SECONDS)
        await health.check()
        assert changes == [False, True]


@pytest.mark.sqlite_only
async def test_a_read_error_is_not_damage(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
        raise error

    async with open_service(path) as service:
        game = await service.game()
        with monkeypatch.context() as patch:
            patch.setattr("boardkeeper.service.storage.event_log.EventLog.select_rows", fail)
            with api_error("READ_FAILED"):
                await read_all_events(service, game)
        assert len(await read_all_events(service, game)) == 5


# --- over a socket -------------------------------------------------------------------------------------------


@contextmanager
def failing_writes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def fail(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("boardkeeper.service.storage.sqlite.writer.SqliteWriter._store_batch", fail)
        yield


async def wait_for_status(watch: Any, status: int) -> None:
    while (await watch.read()).status != status:
        pass


@pytest.mark.sqlite_only
@pytest.mark.socket
async def test_health_follows_the_storage(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.service.process.storage_health.EVERY_SECONDS", 0.01)
    async with run_server(path) as api:
        health: Any = health_pb2_grpc.HealthStub(api.channel)
        watching = [health.Watch(health_pb2.HealthCheckRequest(service=name)) for name in ("", "boardkeeper.v1.Games")]
        game, tokens = await api.create()
        command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
        for _ in range(2):
            for watch in watching:
                await asyncio.wait_for(wait_for_status(watch, SERVING), 60)
            with failing_writes(monkeypatch):
                async with grpc_error(StatusCode.UNAVAILABLE, "STORAGE_FAILED"):
                    await api.submit(game.game_id, 1, tokens[1], "a", command)
                for watch in watching:
                    await asyncio.wait_for(wait_for_status(watch, NOT_SERVING), 60)
        for watch in watching:
            await asyncio.wait_for(wait_for_status(watch, SERVING), 60)
        assert not (await api.submit(game.game_id, 1, tokens[1], "a", command)).repeated
        for watch in watching:
            watch.cancel()


@pytest.mark.sqlite_only
@pytest.mark.socket
async def test_a_removed_database_makes_the_service_unhealthy(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.service.process.storage_health.EVERY_SECONDS", 0.01)
    async with run_server(path) as api:
        health: Any = health_pb2_grpc.HealthStub(api.channel)
        watch = health.Watch(health_pb2.HealthCheckRequest())
        await asyncio.wait_for(wait_for_status(watch, SERVING), 60)
        game, tokens = await api.create()
        command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
        remove("")(path)
        await _check_calls_fail(api, game.game_id, tokens[1], command)
        await asyncio.wait_for(wait_for_status(watch, NOT_SERVING), 60)
        await _check_calls_fail(api, game.game_id, tokens[1], command)
        watch.cancel()
    assert not list(path.parent.glob("games.db"))


async def _check_calls_fail(api: Api, game: str, token: str, command: Any) -> None:
    async with grpc_error(StatusCode.UNAVAILABLE, "STORAGE_LOST"):
        await api.submit(game, 1, token, "a", command)
    async with grpc_error(StatusCode.UNAVAILABLE, "STORAGE_LOST"):
        await api.create()
