"""The metrics of a server for Prometheus."""

from __future__ import annotations

import asyncio
import base64
import os
import random
import socket
import sqlite3
import time
import urllib.error
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from grpc import StatusCode
from prometheus_client.metrics_core import Metric
from tests.service.api_server import bearer, grpc_error
from tests.service.scraping import MeasuredApi, Scrape, fetch_metrics, run_measured_server
from tests.service.web import envelope, open_connection, path_of, send_request

from boardkeeper.service.config import Config
from boardkeeper.service.errors import StartupError
from boardkeeper.service.observability import metrics_server
from boardkeeper.service.observability.counters import Histogram
from boardkeeper.service.observability.metrics_server import LoopCollector
from boardkeeper.service.process.server import Service
from boardkeeper.v1 import catalog_pb2, game_pb2, games_pb2

pytestmark = pytest.mark.socket

SEAT = games_pb2.SeatRequest


async def until(api: MeasuredApi, condition: Callable[[Scrape], bool]) -> Scrape:
    """Scrape until a condition is true."""
    for _ in range(1_000):
        scrape = await api.scrape()
        if condition(scrape):
            return scrape
        await asyncio.sleep(0.01)
    raise AssertionError(scrape.text)


async def test_calls_are_counted_by_rpc_and_code_with_their_duration(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db") as api:
        game, _ = await api.create()
        for _ in range(3):
            await api.game(game.game_id)
        async with grpc_error(StatusCode.NOT_FOUND):
            await api.game("00000000-0000-0000-0000-000000000000")
        scrape = await api.scrape()
    assert scrape.get("calls_total", rpc="Games.CreateGame", code="OK") == 1
    assert scrape.get("calls_total", rpc="Games.GetGame", code="OK") == 3
    assert scrape.get("calls_total", rpc="Games.GetGame", code="NOT_FOUND") == 1
    assert scrape.get("call_seconds_count", rpc="Games.GetGame") == 4
    assert scrape.get("call_seconds_bucket", rpc="Games.GetGame", le="+Inf") == 4
    assert 0 < scrape.get("call_seconds_sum", rpc="Games.GetGame") < 600
    assert scrape.get("call_seconds_count", rpc="Games.ForkGame") == 0
    assert scrape.get("calls_open", rpc="Games.GetGame") == 0


async def test_a_running_call_is_counted_as_open(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db", wait_seconds=600.0) as api:
        game, _ = await api.create()
        request = games_pb2.GetGameRequest(game_id=game.game_id, min_version=game.version + 1)
        waiting = api.games.GetGame(request)
        await until(api, lambda scrape: scrape.get("calls_open", rpc="Games.GetGame") == 1)
        waiting.cancel()
        scrape = await until(api, lambda scrape: scrape.get("calls_open", rpc="Games.GetGame") == 0)
        assert scrape.get("calls_total", rpc="Games.GetGame", code="CANCELLED") == 1


async def test_errors_are_counted_by_reason_and_rejections_together(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        legal = await api.legal(game.game_id, 1, tokens[1])
        command = legal.commands[0].command
        async with grpc_error(StatusCode.ABORTED, "VERSION_CONFLICT"):
            await api.submit(game.game_id, 1, tokens[1], "a", command, expected_version=1)
        async with grpc_error(StatusCode.PERMISSION_DENIED, "TOKEN_WRONG"):
            await api.submit(game.game_id, 2, tokens[1], "b", command)
        async with grpc_error(StatusCode.FAILED_PRECONDITION):
            await api.submit(game.game_id, 1, tokens[1], "c", *[command] * 60)
        async with grpc_error(StatusCode.RESOURCE_EXHAUSTED, "METADATA_TOO_LARGE"):
            await api.games.GetGame(games_pb2.GetGameRequest(), metadata=[("a", "")] * 65)
        play = api.games.Play(metadata=bearer(tokens[1]))
        await play.write(games_pb2.PlayRequest(commands=games_pb2.PlayCommands(game_id="nonsense")))
        assert (await play.read()).HasField("rejection")
        await until(api, lambda scrape: scrape.get("play_command_seconds_count") == 1)
        play.cancel()
        scrape = await api.scrape()
    assert scrape.get("refusals_total", reason="VERSION_CONFLICT") == 1
    assert scrape.get("refusals_total", reason="TOKEN_WRONG") == 1
    assert scrape.get("refusals_total", reason="RULES") == 1
    assert scrape.get("refusals_total", reason="METADATA_TOO_LARGE") == 1
    assert scrape.get("refusals_total", reason="BAD_REQUEST") == 1


async def test_streams_watchers_and_sent_messages(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db") as api:
        game, _ = await api.create()
        watch = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id))
        play = api.games.Play()
        subscription = games_pb2.PlaySubscription(game_id=game.game_id, after_version=game.version)
        await play.write(games_pb2.PlayRequest(subscription=subscription))
        size = 0
        for _ in range(game.version):
            size += (await watch.read()).ByteSize()
        scrape = await until(api, lambda scrape: scrape.get("watchers") == 2)
        assert scrape.get("streams_open", rpc="Games.WatchGame") == 1
        assert scrape.get("streams_open", rpc="Games.Play") == 1
        assert scrape.get("stream_messages_total", rpc="Games.WatchGame") == game.version
        assert scrape.get("stream_bytes_total", rpc="Games.WatchGame") == size
        watch.cancel()
        play.cancel()
        scrape = await until(api, lambda scrape: scrape.get("watchers") == 0)
        assert scrape.get("watcher_lag_events") == 0
        await until(api, lambda scrape: scrape.get("streams_open", rpc="Games.WatchGame") == 0)


async def test_the_lag_of_a_watcher_that_does_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A watcher whose messages cannot be written stays at its version while the game continues."""
    async with run_measured_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        blocked = asyncio.Event()

        async def never(*_: object) -> None:
            blocked.set()
            await asyncio.Event().wait()

        monkeypatch.setattr("boardkeeper.service.api.games.write_in_time", never)
        watch = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id, after_version=game.version))
        await until(api, lambda scrape: scrape.get("watchers") == 1)
        scrape = await api.scrape()
        assert scrape.get("watchers_behind") == scrape.get("watcher_lag_events") == 0
        version = await api.play_turn(game.game_id, tokens, random.Random(1))
        await blocked.wait()
        scrape = await api.scrape()
        assert scrape.get("watchers_behind") == 1
        assert scrape.get("watcher_lag_events") == version - game.version > 0
        watch.cancel()


async def test_commits_are_measured_and_appends_counted(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db", queue_limit=77) as api:
        game, tokens = await api.create()
        before = await api.scrape()
        await api.play_turn(game.game_id, tokens, random.Random(1))
        scrape = await api.scrape()
    assert before.get("commit_appends_sum") == before.get("commit_seconds_count") == 1
    assert scrape.get("commit_appends_sum") == scrape.get("commit_appends_count") == 2
    assert scrape.get("commit_appends_bucket", le="1.0") == 2
    assert scrape.get("commit_seconds_count") == 2
    assert scrape.get("commit_seconds_sum") > 0
    assert scrape.get("append_queue") == 0
    assert scrape.get("append_queue_limit") == 77
    assert scrape.get("conflicts_total") == 0
    assert scrape.get("storage_trouble") == 0


@pytest.mark.sqlite_only
async def test_disk_trouble_is_reported_until_it_is_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")

    async with run_measured_server(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        legal = await api.legal(game.game_id, 1, tokens[1])
        with monkeypatch.context() as broken:
            broken.setattr(
                "boardkeeper.service.storage.application.GameApplication.probe_storage", lambda it: it.writer.last_error
            )
            broken.setattr("boardkeeper.service.storage.sqlite.writer.SqliteWriter._insert_events", full)
            async with grpc_error(StatusCode.UNAVAILABLE, "STORAGE_FAILED"):
                await api.submit(game.game_id, 1, tokens[1], "a", legal.commands[0].command)
            assert (await api.scrape()).get("storage_trouble") == 1
        await api.submit(game.game_id, 1, tokens[1], "a", legal.commands[0].command)
        assert (await api.scrape()).get("storage_trouble") == 0


async def test_games_in_memory_and_their_loading(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db") as api:
        game, _ = await api.create()
        assert (await api.scrape()).get("games_in_memory") == 1
    async with run_measured_server(tmp_path / "games.db", games_in_memory=88) as api:
        scrape = await api.scrape()
        assert scrape.get("games_in_memory") == scrape.get("game_load_seconds_count") == 0
        await api.game(game.game_id)
        scrape = await api.scrape()
    assert scrape.get("games_in_memory") == scrape.get("game_load_seconds_count") == 1
    assert scrape.get("game_load_seconds_sum") > 0
    assert scrape.get("games_in_memory_limit") == 88
    assert scrape.get("games_loading") == scrape.get("games_damaged") == scrape.get("draining") == 0


async def test_decisions_and_failures_of_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with run_measured_server(tmp_path / "games.db") as api:
        game, _ = await api.create(SEAT(bot="random"), SEAT(bot="random"))
        scrape = await until(api, lambda scrape: scrape.get("bot_games_waiting", kind="bots") == 0)
        assert (await api.game(game.game_id)).status == game_pb2.GAME_STATUS_ENDED
        assert scrape.get("bot_decisions_total") > 20
        assert scrape.get("bot_failures_total") == 0

        def broken(*_: object) -> None:
            raise ZeroDivisionError("a bug")

        monkeypatch.setattr("boardkeeper.service.games.bots._FAILURE_SECONDS", 0.01)
        with monkeypatch.context() as patch:
            patch.setattr("boardkeeper.service.games.bots.chance_of", broken)
            await api.create(SEAT(name="Ada"), SEAT(bot="random"))
            scrape = await until(api, lambda scrape: scrape.get("bot_failures_total") > 1)  # it tries again
        decided = scrape.get("bot_decisions_total")
        await until(api, lambda scrape: scrape.get("bot_decisions_total") > decided)


async def test_a_draining_server_reports_it_until_the_end(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db", grace_seconds=600.0) as api:
        game, _ = await api.create()
        address = api.service.metrics_address

        async def slow(*_: object) -> None:
            begun.set()
            await may_continue.wait()

        begun, may_continue = asyncio.Event(), asyncio.Event()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr("boardkeeper.service.api.games.GamesServicer._wait_for_version", slow)
            call = asyncio.ensure_future(
                api.games.GetGame(games_pb2.GetGameRequest(game_id=game.game_id, min_version=1))
            )
            await begun.wait()
        stopping = asyncio.create_task(api.service.stop())
        await until(api, lambda scrape: scrape.get("draining") == 1)
        may_continue.set()
        await call
        await stopping
        with pytest.raises(urllib.error.URLError):
            await asyncio.to_thread(fetch_metrics, address)


async def test_servers_of_one_process_have_separate_metrics(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "one.db") as one, run_measured_server(tmp_path / "other.db") as other:
        await one.create()
        assert (await one.scrape()).get("games_in_memory") == 1
        assert (await other.scrape()).get("games_in_memory") == 0
        assert (await other.scrape()).get("calls_total", rpc="Games.CreateGame", code="OK") == 0


async def test_connections_of_browsers_are_counted(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db", web="127.0.0.1:0", connections=1) as api:
        async with (
            open_connection(api.service.web_address) as taken,
            open_connection(api.service.web_address) as one_too_many,
        ):
            assert await one_too_many.wait_closed()
            assert (await taken.request("GET", "/healthz")).status == 200
            scrape = await api.scrape()
        rejected = [scrape.get("web_connections_refused_total", by=by) for by in ("service", "address")]
        assert (scrape.get("web_connections"), rejected) == (1, [1, 0])


async def test_calls_are_counted_by_protocol_and_codec(tmp_path: Path) -> None:
    """Every call that is executed is counted, also if it fails. Requests that are no calls are not counted."""
    titles, watch = path_of("Catalog.ListTitles"), path_of("Games.WatchGame")
    unknown = games_pb2.WatchGameRequest(game_id=str(uuid.uuid4())).SerializeToString()
    async with run_measured_server(tmp_path / "games.db", web="127.0.0.1:0") as api:
        await api.catalog.ListTitles(catalog_pb2.ListTitlesRequest())
        for content_type, path, body in (
            ("application/json", titles, b"{}"),
            ("application/proto", titles, b""),
            ("application/connect+proto", watch, envelope(unknown)),
            ("application/grpc-web-text", titles, base64.b64encode(envelope(b""))),
            ("application/json", watch, b"{}"),
            ("text/plain", titles, b""),
        ):
            await send_request(api.service.web_address, "POST", path, body, content_type=content_type)
        scrape = await api.scrape()
    expected = {("connect", "proto"): 2, ("connect", "json"): 1, ("grpc-web", "proto"): 1, ("grpc-web", "json"): 0}
    counted = {form: scrape.get("web_calls_total", protocol=form[0], codec=form[1]) for form in expected}
    assert counted == expected
    assert scrape.get("calls_total", rpc="Catalog.ListTitles", code="OK") == 4
    assert scrape.get("calls_total", rpc="Games.WatchGame", code="NOT_FOUND") == 1


async def test_metrics_contain_no_names_tokens_or_games(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db", operator_token="o" * 40) as api:
        game, tokens = await api.create(SEAT(name="Adalovelace"), SEAT(bot="sensible"), request_id="a-request-of-tests")
        await api.play_turn(game.game_id, tokens, random.Random(1))
        text = (await api.scrape()).text
    for secret in ("Adalovelace", game.game_id, "o" * 40, "a-request", *tokens.values()):
        assert secret not in text


async def test_the_log_has_the_address_of_the_metrics(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async with run_measured_server(tmp_path / "games.db", log="json") as api:
        expected, text = f'"metrics":"{api.service.metrics_address}"', ""
        async with asyncio.timeout(100):
            while expected not in text:  # lines are written a moment later
                await asyncio.sleep(0.01)
                text += capfd.readouterr().err


async def test_without_the_setting_there_is_no_metrics_port(tmp_path: Path) -> None:
    async with run_measured_server(tmp_path / "games.db", metrics="") as api:
        assert api.service.metrics_address == ""


@pytest.mark.sqlite_only
async def test_a_busy_metrics_port_stops_the_start_and_creates_no_files(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        config = Config(database=str(tmp_path / "games.db"), listen="127.0.0.1:0", log="off", metrics=str(port))
        with pytest.raises(StartupError, match=f"metrics on 127.0.0.1:{port}: "):
            await Service(config).start()
        assert not os.listdir(tmp_path)  # noqa: PTH208


@pytest.mark.parametrize(
    ("metrics", "address"),
    [
        ("", None),
        ("9464", ("127.0.0.1", 9464)),
        ("0.0.0.0:1", ("0.0.0.0", 1)),
        ("[::1]:0", ("[::1]", 0)),
    ],
)
def test_addresses_of_the_metrics(metrics: str, address: tuple[str, int] | None) -> None:
    assert Config(metrics=metrics).metrics_address == address


@pytest.mark.parametrize("metrics", ["somewhere", "99999", "1.2.3.4", ":1", "٣"])
def test_invalid_addresses_of_the_metrics(metrics: str) -> None:
    with pytest.raises(StartupError, match="cannot serve metrics on"):
        Config(metrics=metrics).metrics_address  # noqa: B018


# --- the loop -------------------------------------------------------------------------------------------------


class _BusyLoop:
    """A loop that never runs its callbacks."""

    def call_soon_threadsafe(self, *_: object) -> None:
        pass


def test_only_the_delay_of_a_blocked_loop_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics_server, "SCRAPE_SECONDS", 0.01)
    before = time.perf_counter()
    collector = LoopCollector(cast("asyncio.AbstractEventLoop", _BusyLoop()), list)
    (delay,) = collector.collect()
    assert delay.name == "boardkeeper_loop_delay_seconds"
    assert 0.01 <= delay.samples[0].value <= time.perf_counter() - before


def test_a_closed_loop_has_no_metrics() -> None:
    loop = asyncio.new_event_loop()
    loop.close()
    assert list(LoopCollector(loop, list).collect()) == []


async def test_errors_of_collectors_are_raised() -> None:
    def broken() -> list[Metric]:
        raise ZeroDivisionError

    collector = LoopCollector(asyncio.get_running_loop(), broken)
    with pytest.raises(ZeroDivisionError):
        await asyncio.to_thread(collector.collect)


def test_a_histogram_counts_bounds_in_the_lower_bucket_and_has_a_last_bucket() -> None:
    histogram = Histogram((1.0, 2.0))
    values: list[Any] = [0.5, 1.0, 1.5, 2.0, 2.5]
    for value in values:
        histogram.observe(value)
    assert histogram.counts == [2, 2, 1]
    assert histogram.total == sum(values)
