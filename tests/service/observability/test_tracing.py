"""Traces of calls: off by default, sampled, and without personal data or secrets."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc import StatusCode
from opentelemetry.proto.collector.trace.v1 import trace_service_pb2, trace_service_pb2_grpc
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind
from opentelemetry.trace import StatusCode as SpanStatus
from tests.service.api_server import Api, bearer, grpc_error, run_server

from boardkeeper.service.config import Config
from boardkeeper.service.errors import StartupError
from boardkeeper.service.observability import tracing
from boardkeeper.service.process.server import Service
from boardkeeper.v1 import games_pb2

pytestmark = pytest.mark.socket

NOWHERE = "00000000-0000-0000-0000-000000000000"
COLLECTOR = "http://127.0.0.1:4317"


class Traced:
    """The spans of a server. They are complete once the server has stopped."""

    def __init__(self, exporter: InMemorySpanExporter) -> None:
        self._exporter = exporter

    @property
    def spans(self) -> list[ReadableSpan]:
        return list(self._exporter.get_finished_spans())

    def of(self, rpc: str) -> ReadableSpan:
        """The only span of an rpc."""
        (span,) = [span for span in self.spans if span.name == f"boardkeeper.v1.{rpc}"]
        return span


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Traced:
    exporter = InMemorySpanExporter()
    monkeypatch.setattr(tracing, "otlp_exporter", lambda _endpoint: exporter)
    return Traced(exporter)


@asynccontextmanager
async def traced_service(database: Path, share: float = 1.0, **settings: Any) -> AsyncIterator[Api]:
    async with run_server(database, tracing=COLLECTOR, trace_share=share, **settings) as api:
        yield api


async def test_a_call_has_a_span_with_its_attributes_and_result(tmp_path: Path, traced: Traced) -> None:
    async with traced_service(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        legal = await api.legal(game.game_id, 1, tokens[1])
        request = games_pb2.SubmitCommandsRequest(
            game_id=game.game_id, seat=1, commands=[legal.commands[0].command], command_id="a"
        )
        await api.games.SubmitCommands(request, metadata=bearer(tokens[1], **{"x-request-id": "my-call"}))
    span = traced.of("Games/SubmitCommands")
    assert span.kind is SpanKind.SERVER
    assert span.parent is None
    assert span.status.status_code is SpanStatus.UNSET
    assert dict(span.attributes or {}) == {
        "rpc.system": "grpc",
        "rpc.service": "boardkeeper.v1.Games",
        "rpc.method": "SubmitCommands",
        "rpc.grpc.status_code": 0,
        "boardkeeper.call_id": "my-call",
        "boardkeeper.game": game.game_id,
        "boardkeeper.seat": 1,
    }
    assert span.resource.attributes["service.name"] == "boardkeeper"
    assert (span.end_time or 0) > (span.start_time or 0)


async def test_a_span_has_the_reason_of_an_error_and_only_server_faults_are_errors(
    tmp_path: Path, traced: Traced, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("Adalovelace")

    async with traced_service(tmp_path / "games.db") as api:
        game, tokens = await api.create()
        async with grpc_error(StatusCode.NOT_FOUND):
            await api.game(NOWHERE)
        monkeypatch.setattr("boardkeeper.game.game.Game.legal", broken)
        async with grpc_error(StatusCode.UNKNOWN):
            await api.legal(game.game_id, 1, tokens[1])
    missing, failed = traced.of("Games/GetGame"), traced.of("Games/ListLegalCommands")
    assert (missing.attributes or {})["boardkeeper.reason"] == "GAME_NOT_FOUND"
    assert (missing.attributes or {})["rpc.grpc.status_code"] == StatusCode.NOT_FOUND.value[0]
    assert missing.status.status_code is SpanStatus.UNSET
    assert (failed.attributes or {})["boardkeeper.reason"] == "UNEXPECTED"
    assert failed.status.status_code is SpanStatus.ERROR
    assert not failed.events  # a stack trace could reveal data of the game
    assert "Adalovelace" not in failed.to_json()


async def test_a_call_continues_the_trace_of_its_client(tmp_path: Path, traced: Traced) -> None:
    parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    async with traced_service(tmp_path / "games.db") as api:
        async with grpc_error(StatusCode.NOT_FOUND):
            request = games_pb2.GetGameRequest(game_id=NOWHERE)
            await api.games.GetGame(request, metadata=(("traceparent", parent), ("tracestate", "secret=Ada")))
        async with grpc_error(StatusCode.NOT_FOUND):
            await api.games.GetBoard(
                games_pb2.GetBoardRequest(game_id=NOWHERE), metadata=(("traceparent", "nonsense"),)
            )
    span = traced.of("Games/GetGame")
    assert span.parent is not None
    assert f"{span.parent.trace_id:032x}-{span.parent.span_id:016x}" in parent
    assert "secret" not in span.to_json()
    assert traced.of("Games/GetBoard").parent is None


async def test_the_sampling_share_does_not_depend_on_the_client(tmp_path: Path, traced: Traced) -> None:
    chance = random.Random(3)
    calls = 200
    async with traced_service(tmp_path / "games.db", share=0.25) as api:
        game, _ = await api.create()
        for _ in range(calls):
            parent = f"00-{chance.getrandbits(128):032x}-{chance.getrandbits(64):016x}-01"
            request = games_pb2.GetGameRequest(game_id=game.game_id)
            await api.games.GetGame(request, metadata=(("traceparent", parent),))
    got = sum(span.name == "boardkeeper.v1.Games/GetGame" for span in traced.spans)
    assert calls / 8 < got < calls / 2  # the seed is fixed: every run has the same number


async def test_a_share_of_zero_traces_nothing(tmp_path: Path, traced: Traced) -> None:
    async with traced_service(tmp_path / "games.db", share=0.0) as api:
        await api.create()
    assert traced.spans == []


async def test_streams_have_spans_that_end_with_them(tmp_path: Path, traced: Traced) -> None:
    async with traced_service(tmp_path / "games.db") as api:
        game, _ = await api.create(games_pb2.SeatRequest(bot="random"), games_pb2.SeatRequest(bot="random"))
        request = games_pb2.WatchGameRequest(game_id=game.game_id)
        versions = [answer.event.version async for answer in api.games.WatchGame(request) if answer.HasField("event")]
    attributes = traced.of("Games/WatchGame").attributes or {}
    assert attributes["boardkeeper.after"] == 0
    assert attributes["boardkeeper.until"] == versions[-1]
    assert attributes["rpc.grpc.status_code"] == 0


async def test_spans_contain_no_names_tokens_or_texts_of_clients(tmp_path: Path, traced: Traced) -> None:
    hidden = ["Adalovelace", "a-request-of-tests", "o" * 40, "a-command-of-tests", "user-agent", "127.0.0.1"]
    async with traced_service(tmp_path / "games.db", operator_token="o" * 40) as api:
        seats = games_pb2.SeatRequest(name="Adalovelace"), games_pb2.SeatRequest(name="Bob")
        game, tokens = await api.create(*seats, request_id="a-request-of-tests")
        legal = await api.legal(game.game_id, 1, tokens[1])
        for number in (0, 0, -1):
            command = legal.commands[number].command
            try:
                await api.submit(game.game_id, 1, tokens[1], f"a-command-of-tests-{number}", command)
            except grpc.aio.AioRpcError:
                hidden.append(str(command))
        for seat in (1, 2, 3):
            with pytest.raises(grpc.aio.AioRpcError):
                await api.submit("Adalovelace", seat, tokens[1], "a-command-of-tests")
        await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id), metadata=bearer("o" * 40))
    hidden += tokens.values()
    assert len(traced.spans) >= 8
    for span in traced.spans:
        for secret in hidden:
            assert secret not in span.to_json()


async def test_without_the_setting_its_packages_are_not_loaded() -> None:
    listed = "*(name for name in sys.modules if 'opentelemetry' in name)"
    program = f"import sys, boardkeeper.service.process.server; print({listed})"
    process = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert process.stdout.split() == []


@pytest.mark.sqlite_only
async def test_without_the_packages_the_start_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "boardkeeper.service.observability.tracing")
    monkeypatch.delattr("boardkeeper.service.observability.tracing")
    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    config = Config(database=str(tmp_path / "games.db"), listen="127.0.0.1:0", log="off", tracing=COLLECTOR)
    with pytest.raises(StartupError, match=r"pip install 'boardkeeper\[tracing\]'"):
        await Service(config).start()
    assert not list(tmp_path.glob("*"))  # noqa: ASYNC240


@pytest.mark.sqlite_only
@pytest.mark.parametrize(
    ("setting", "problem"),
    [
        ({"tracing": "127.0.0.1:4317"}, "use a URL"),
        ({"tracing": "http://"}, "use a URL"),
        ({"tracing": COLLECTOR, "trace_share": 1.5}, "must be 0 to 1, not 1.5"),
    ],
)
async def test_invalid_settings_of_tracing(tmp_path: Path, setting: dict[str, Any], problem: str) -> None:
    config = Config(database=str(tmp_path / "games.db"), listen="127.0.0.1:0", log="off", metrics="0", **setting)
    with pytest.raises(StartupError, match=problem):
        await Service(config).start()
    assert not list(tmp_path.glob("*"))  # noqa: ASYNC240


async def test_spans_reach_a_collector_on_this_machine_without_a_proxy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tracing, "_EXPORT_SECONDS", 200)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
    monkeypatch.setenv("no_proxy", "127.0.0.1")  # for the caller of this test, but not for the collector's name
    names: list[str] = []

    class Collector(trace_service_pb2_grpc.TraceServiceServicer):
        async def Export(  # noqa: N802
            self, request: trace_service_pb2.ExportTraceServiceRequest, _context: Any
        ) -> trace_service_pb2.ExportTraceServiceResponse:
            for resource in request.resource_spans:
                for scope in resource.scope_spans:
                    names.extend(span.name for span in scope.spans)
            return trace_service_pb2.ExportTraceServiceResponse()

    collector = grpc.aio.server()
    add: Any = trace_service_pb2_grpc.add_TraceServiceServicer_to_server
    add(Collector(), collector)
    port = collector.add_insecure_port("127.0.0.1:0")
    await collector.start()
    try:
        async with run_server(tmp_path / "games.db", tracing=f"http://localhost:{port}", trace_share=1.0) as api:
            await api.create()
        assert names == ["boardkeeper.v1.Games/CreateGame"]
    finally:
        await collector.stop(None)
