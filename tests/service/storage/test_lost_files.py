"""Files that are removed or replaced under the service, and full disks: what is answered is stored; health tells."""

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
from tests.service.cache.test_game_registry import open_service, read_all_events, take_turn
from tests.service.log_capture import capture_logs
from tests.service.sqlite_internals import INVALID_CHANGE
from tests.service.storage.test_failing_disk import FULL, Full, fill
from tests.waiting import SECONDS
from tests.waiting import until as until_true

from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.service.process import storage_health
from boardkeeper.service.process.storage_health import StorageHealth
from boardkeeper.service.storage.errors import FilesLostError
from boardkeeper.service.storage.writer import Batch

pytestmark = pytest.mark.skipif(os.name == "nt", reason="what is open cannot be removed there")

SERVING, NOT_SERVING = health_pb2.HealthCheckResponse.SERVING, health_pb2.HealthCheckResponse.NOT_SERVING


def remove(ending: str) -> Callable[[Path], None]:
    return lambda path: path.with_name(path.name + ending).unlink()


def rename(path: Path) -> None:
    path.rename(path.with_name("elsewhere.db"))


def rename_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("elsewhere"))


def replace(path: Path) -> None:
    """With a backup, as of this moment."""
    backup = path.with_name("backup.db")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(backup)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode=DELETE").fetchall()
    backup.replace(path)


WAYS = {
    "the database is removed": remove(""),
    "the write-ahead log is removed": remove("-wal"),
    "the shared memory is removed": remove("-shm"),
    "the database is renamed": rename,
    "the folder is renamed": rename_folder,
    "the database is replaced": replace,
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "data").mkdir()
    return tmp_path / "data" / "games.db"


@pytest.mark.sqlite_only
@pytest.mark.parametrize("lose", WAYS.values(), ids=list(WAYS))
async def test_nothing_is_answered_that_will_be_lost(path: Path, lose: Callable[[Path], None]) -> None:
    async with open_service(path) as house:
        one, other = await house.game(), await house.game()
        assert await take_turn(house, one, 0) == 6
        lose(path)
        there = sorted(path.parent.glob("*")) if path.parent.exists() else []
        with capture_logs():
            with api_error("STORAGE_LOST"):
                await take_turn(house, one, 1)
            with api_error("STORAGE_LOST"):
                await take_turn(house, other, 1)
            with api_error("STORAGE_LOST"):
                await house.game()
            with api_error("STORAGE_LOST"):  # the event may be in a deleted file only
                await house.registry.get(one)
        assert (await house.registry.get(other)).game.version == 5
        assert house.application.writer.commits > 0
        if path.parent.exists():
            assert sorted(path.parent.glob("*")) == there  # no new file in its place
    if lose is replace:  # what was in the write-ahead log does not get into the other file
        async with open_service(path) as house:
            for game, version in ((one, 6), (other, 5)):
                live = await house.registry.get(game)
                assert (live.game.version, live.damage) == (version, None)


@pytest.mark.sqlite_only
@pytest.mark.parametrize("back", [True, False])
async def test_what_is_put_back_is_served_again(path: Path, back: bool) -> None:
    async with open_service(path) as house:
        game = await house.game()
        rename(path)
        with capture_logs() as log:
            with api_error("STORAGE_LOST"):
                await take_turn(house, game, 0)
            changes: list[bool] = []

            async def tell(works: bool) -> None:
                changes.append(works)

            health = StorageHealth(house.application, tell)
            await health.check()
            await health.check()
            assert changes == [False]
            if not back:
                return
            path.with_name("elsewhere.db").rename(path)
            await health.check()
        assert changes == [False, True]
        assert [line["event"] for line in log if "storage" in line["event"]] == [
            "storage fails, nothing is accepted",
            "storage works again",
        ]
        assert (await house.registry.get(game)).game.version == 6  # it was stored, and nobody was told so
        again = await house.handler.act(game, 1, SubmitCommands([]), "turn-0")
        assert again.repeated
        assert await take_turn(house, game, 1) == 7


@pytest.mark.sqlite_only
async def test_what_was_answered_before_the_log_was_removed_is_in_the_database(path: Path, tmp_path: Path) -> None:
    """Also if the service is killed then: as much as can be saved is."""
    async with open_service(path) as house:
        games = [await house.game() for _ in range(3)]
        for game in games:
            assert await take_turn(house, game, 0) == 6
        remove("-wal")(path)
        with capture_logs(), api_error("STORAGE_LOST"):
            await take_turn(house, games[0], 1)
        (tmp_path / "killed").mkdir()
        for name in ("games.db", "games.db.key"):
            shutil.copy(path.with_name(name), tmp_path / "killed" / name)
    async with open_service(tmp_path / "killed" / "games.db") as house:
        for game in games:
            assert (await house.registry.get(game)).game.version >= 6
            assert house.application.damage(game) is None


@pytest.mark.sqlite_only
async def test_a_lost_file_is_noticed_while_nobody_writes(path: Path) -> None:
    async with open_service(path) as house:
        game = await house.game()
        assert house.application.probe_storage() is None
        commits = house.application.writer.commits
        remove("")(path)
        assert isinstance(house.application.probe_storage(), FilesLostError)
        with api_error("STORAGE_LOST"):
            await take_turn(house, game, 0)
        assert house.application.writer.commits == commits


async def test_looking_after_a_sound_storage_writes_nothing(path: Path) -> None:
    async with open_service(path) as house:
        await house.game()
        commits = house.application.writer.commits
        assert house.application.probe_storage() is None
        assert house.application.writer.commits == commits


@pytest.mark.sqlite_only
async def test_a_command_that_does_not_fit_is_no_trouble_of_the_storage(path: Path) -> None:
    async with open_service(path) as house:
        await house.game()
        with pytest.raises(OperationalError, match="has no attribute"):
            house.application.writer.store([INVALID_CHANGE])
        assert house.application.writer.last_error is None


@pytest.mark.sqlite_only
@pytest.mark.parametrize("full", FULL)
async def test_storage_is_tried_out_until_it_works_again(path: Path, full: Full) -> None:
    changes: list[bool] = []

    async def tell(works: bool) -> None:
        changes.append(works)

    async with open_service(path) as house:
        games = [await house.game() for _ in range(3)]
        health = StorageHealth(house.application, tell)
        await health.check()
        with capture_logs():
            with full(house):
                with api_error("STORAGE_FAILED"):
                    await fill(house, games)
                await health.check()
                await health.check()
                assert changes == [False]
            await health.check()
        assert changes == [False, True]
        await take_turn(house, games[0], 0)


async def test_health_reports_a_commit_that_does_not_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes: list[bool] = []
    began, go_on = threading.Event(), threading.Event()

    async def tell(works: bool) -> None:
        changes.append(works)

    def stall(_outcomes: object) -> None:
        began.set()
        assert go_on.wait(SECONDS)

    async with open_service(path) as house:
        game = await house.game()
        health = StorageHealth(house.application, tell)
        house.application.writer.submit(Batch([], stall))  # the writer's thread stands still in it
        assert began.wait(SECONDS)
        turn = asyncio.create_task(take_turn(house, game, 0))
        await until_true(lambda: house.application.writer.batch_seconds > 0)
        monkeypatch.setattr(storage_health, "STALLED_SECONDS", 0.0)
        await health.check()
        assert changes == [False]
        go_on.set()
        await turn
        monkeypatch.setattr(storage_health, "STALLED_SECONDS", SECONDS)
        await health.check()
        assert changes == [False, True]


@pytest.mark.sqlite_only
async def test_what_cannot_be_read_is_no_damage(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        error = sqlite3.OperationalError("disk I/O error")
        error.sqlite_errorcode = sqlite3.SQLITE_IOERR_READ
        raise error

    async with open_service(path) as house:
        game = await house.game()
        with monkeypatch.context() as patch:
            patch.setattr("boardkeeper.service.storage.event_log.EventLog.select_rows", broken)
            with api_error("READ_FAILED"):
                await read_all_events(house, game)
        assert len(await read_all_events(house, game)) == 5


# --- over the wire -------------------------------------------------------------------------------------------


@contextmanager
def failing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr("boardkeeper.service.storage.sqlite.writer.SqliteWriter._store_batch", full)
        yield


async def until(watch: Any, status: int) -> None:
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
                await asyncio.wait_for(until(watch, SERVING), 60)
            with failing(monkeypatch):
                async with grpc_error(StatusCode.UNAVAILABLE, "STORAGE_FAILED"):
                    await api.submit(game.game_id, 1, tokens[1], "a", command)
                for watch in watching:
                    await asyncio.wait_for(until(watch, NOT_SERVING), 60)
        for watch in watching:
            await asyncio.wait_for(until(watch, SERVING), 60)
        assert not (await api.submit(game.game_id, 1, tokens[1], "a", command)).repeated
        for watch in watching:
            watch.cancel()


@pytest.mark.sqlite_only
@pytest.mark.socket
async def test_a_database_that_is_removed_ends_the_service(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.service.process.storage_health.EVERY_SECONDS", 0.01)
    async with run_server(path) as api:
        health: Any = health_pb2_grpc.HealthStub(api.channel)
        watch = health.Watch(health_pb2.HealthCheckRequest())
        await asyncio.wait_for(until(watch, SERVING), 60)
        game, tokens = await api.create()
        command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
        remove("")(path)
        await _refused_by(api, game.game_id, tokens[1], command)
        await asyncio.wait_for(until(watch, NOT_SERVING), 60)
        await _refused_by(api, game.game_id, tokens[1], command)
        watch.cancel()
    assert not list(path.parent.glob("games.db"))


async def _refused_by(api: Api, game: str, token: str, command: Any) -> None:
    async with grpc_error(StatusCode.UNAVAILABLE, "STORAGE_LOST"):
        await api.submit(game, 1, token, "a", command)
    async with grpc_error(StatusCode.UNAVAILABLE, "STORAGE_LOST"):
        await api.create()
