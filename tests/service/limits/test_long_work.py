"""Long work ends when no caller waits for it, and silent senders do not block other imports."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api.test_records import get_record, import_record, verification
from tests.service.api_errors import api_error
from tests.service.api_server import grpc_error, run_server
from tests.service.cache.test_game_registry import open_service

from boardkeeper.game.audit import audit
from boardkeeper.service.games import records as records_module
from boardkeeper.service.limits.long_work import LongWork, WorkCancelledError
from boardkeeper.service.storage.errors import FilesLostError
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import games_pb2, history_pb2
from boardkeeper.wire.signatures import verify

pytestmark = pytest.mark.databases

BOT = games_pb2.SeatRequest(bot="random")
EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED


class Endless:
    """Work that ends only when it is cancelled."""

    def __init__(self) -> None:
        self.begun = 0
        self.ended: list[type[BaseException]] = []
        self._counting = threading.Lock()

    def __call__(self, check_cancelled: Callable[[], None]) -> None:
        with self._counting:
            self.begun += 1
        pause = threading.Event()
        try:
            while True:
                check_cancelled()
                pause.wait(0.001)
        except BaseException as error:
            with self._counting:
                self.ended.append(type(error))
            raise

    async def has_begun(self, times: int) -> None:
        while self.begun < times:  # noqa: ASYNC110  # other threads set it
            await asyncio.sleep(0.001)

    async def has_ended(self) -> None:
        while len(self.ended) < self.begun:  # noqa: ASYNC110  # other threads set it
            await asyncio.sleep(0.001)


async def test_work_without_a_waiting_caller_stops_and_frees_its_slot(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as server:
        work, endless = LongWork(server.application, 2, 10), Endless()
        tasks = [asyncio.create_task(work.run("a", endless)) for _ in range(5)]
        await endless.has_begun(2)
        others = asyncio.create_task(work.run("b", lambda _: "done"))
        for task in tasks:
            task.cancel()
        assert await others == "done"
        await asyncio.gather(*tasks, return_exceptions=True)
        assert await work.run("c", lambda _: "done") == "done"
        await endless.has_ended()
        assert endless.begun == 2
        assert endless.ended == [WorkCancelledError] * 2


async def test_a_slot_is_freed_when_the_thread_ends(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as server:
        work, stop, begun, other_ran = LongWork(server.application, 1, 10), threading.Event(), threading.Event(), []

        def ignore_cancellation(_: object) -> None:
            begun.set()
            stop.wait()

        task = asyncio.create_task(work.run("a", ignore_cancellation))
        await asyncio.to_thread(begun.wait)
        task.cancel()
        other = asyncio.create_task(work.run("b", lambda _: other_ran.append(stop.is_set())))
        await asyncio.gather(task, return_exceptions=True)
        stop.set()
        await other
        assert other_ran == [True]


async def test_work_beyond_the_queue_is_rejected(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as server:
        work, endless = LongWork(server.application, 1, 2), Endless()
        tasks = [asyncio.create_task(work.run("a", endless)) for _ in range(3)]
        await endless.has_begun(1)
        with api_error("OVERLOADED"):
            await work.run("b", lambda _: None)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_lost_files_are_an_error_and_free_the_slot(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as server:
        work, writer = LongWork(server.application, 1, 10), server.application.writer
        writer.last_error = FilesLostError("gone")
        with api_error("STORAGE_LOST"):
            await work.run("a", lambda _: None)
        writer.last_error = None
        assert await work.run("a", lambda _: "done") == "done"


# --- over the wire ------------------------------------------------------------------------------------------


async def ended_game(api: Any) -> str:
    """Return the id of a game that two bots have finished."""
    game = (await api.create(BOT, BOT))[0].game_id
    async for _ in api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game)):
        pass
    return str(game)


@pytest.mark.socket
async def test_an_audit_can_be_cancelled_at_any_line_of_any_pass(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        record = await get_record(api, await ended_game(api))
    lines = record.splitlines(keepends=True)

    class CancelledError(Exception):
        pass

    calls = 0
    last_call = 0

    def check_cancelled() -> None:
        nonlocal calls
        calls += 1
        if calls == last_call:
            raise CancelledError

    assert audit(lines, load_title, verify, check_cancelled).holds
    passes = calls // len(lines) + 1
    assert calls > 2 * len(lines)
    for part in range(passes):
        calls, last_call = 0, part * len(lines) + 5
        with pytest.raises(CancelledError):
            audit(lines, load_title, verify, check_cancelled)


@pytest.mark.socket
async def test_a_verification_ends_with_its_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    endless = Endless()

    def audit_without_end(
        _lines: object, _titles: object, _verify: object, check_cancelled: Callable[[], None]
    ) -> None:
        endless(check_cancelled)

    async with run_server(tmp_path / "games.db") as api:
        game = await ended_game(api)
        with monkeypatch.context() as patched:
            patched.setattr(records_module, "audit", audit_without_end)
            calls = [api.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=game)) for _ in range(6)]
            await endless.has_begun(2)
            for call in calls:
                call.cancel()
            await endless.has_ended()
        assert set(endless.ended) == {WorkCancelledError}
        found = await verification(api, game)
        assert len(found.levels) == 6


@pytest.mark.socket
async def test_silent_senders_do_not_block_other_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with run_server(tmp_path / "games.db") as api:
        record = await get_record(api, await ended_game(api))
    (tmp_path / "elsewhere").mkdir()
    async with run_server(tmp_path / "elsewhere" / "games.db") as other:
        silent = [other.history.ImportRecord() for _ in range(20)]
        for call in silent[::2]:
            await call.write(history_pb2.ImportRecordRequest(data=record[:1000]))
        answer = await import_record(other, record)
        assert answer.game.game_id
        for call in silent:
            call.cancel()
        monkeypatch.setattr("boardkeeper.service.api.history._SILENT_SECONDS", 0.01)
        cut_off = other.history.ImportRecord()
        async with grpc_error(grpc.StatusCode.DEADLINE_EXCEEDED, "REQUEST_TIMEOUT"):
            await cut_off


@pytest.mark.socket
async def test_imports_share_a_limit_of_received_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records_module, "_MAX_RECEIVED_BYTES", 250_000)
    async with run_server(tmp_path / "games.db") as api:
        for _ in range(3):  # each import returns its bytes
            async with grpc_error(EXHAUSTED, "OVERLOADED"):
                await import_record(api, b"x" * 300_000)
        async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT, "RECORD_REFUSED"):
            await import_record(api, b"x" * 200_000)
