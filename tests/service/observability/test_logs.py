"""The format of the log: calls and other lines look the same, and clients cannot forge lines."""

from __future__ import annotations

import io
import json
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import grpc
import pytest
import structlog
from tests.service.api_server import grpc_error, run_server
from tests.waiting import SECONDS

from boardkeeper.service.observability import logs
from boardkeeper.service.observability.logs import configure_logging, log_call
from boardkeeper.v1 import games_pb2

NOTES = {
    "game": "0f4d2c1a-0000-4000-8000-000000000000",
    "seat": 2,
    "command": "move 1",
    "odd": "Jürgen\n\x1b[31m",
    "none": None,
}
FORGED = "a\n2026-01-01T00:00:00Z info     call       rpc=x\r\x85\u2028\u2029\x1b[2K\x9b2K\u202eb"
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")

Form = Literal["console", "json", "off"]


@pytest.fixture(autouse=True)
def restore_log() -> Iterator[None]:
    """Restore the configuration of the log after the test."""
    before, render_call = structlog.get_config(), logs._writer.render_call
    yield
    structlog.configure(**before)
    logs._writer.render_call = render_call


def read_log(capsys: pytest.CaptureFixture[str]) -> str:
    """Return the lines since the last call."""
    logs._writer.flush()
    return capsys.readouterr().err


@pytest.mark.parametrize("form", ["console", "json"])
def test_lines_of_calls_have_the_format_of_structlog(form: Form, capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(form)
    read_log(capsys)
    structlog.get_logger().info("call", rpc="Games.GetGame", code="OK", ms=1.23, call_id="id", **NOTES)
    log_call("Games.GetGame", "OK", 0.00123456, "id", NOTES)
    expected, line = read_log(capsys).splitlines()
    assert [len(TIME.findall(it)) for it in (expected, line)] == [1, 1]
    assert TIME.sub("now", line) == TIME.sub("now", expected)


def test_calls_are_not_logged_if_the_log_is_off(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("off")
    log_call("Games.GetGame", "OK", 0.001, "id", NOTES)
    assert not read_log(capsys)


@pytest.mark.parametrize("form", ["console", "json"])
def test_clients_cannot_forge_lines_or_control_a_terminal(form: Form, capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(form)
    log_call("Games.GetGame", "OK", 0.001, "id", {"name": FORGED, "command": "x"})
    text = read_log(capsys)
    assert text.removesuffix("\n").isprintable()
    if form == "json":
        assert json.loads(text)["name"] == FORGED


@pytest.mark.parametrize("form", ["console", "json"])
def test_long_values_are_shortened(form: Form, capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(form)
    long = "x" * 250_000
    log_call("Games.GetGame", "OK", 0.001, "id", {"game": long, "command": [long], "seat": 2})
    structlog.get_logger().error(long, problem=long, bytes=long.encode(), seat=3)
    call, error = read_log(capsys).splitlines()
    assert len(call) < 2_000
    assert len(error) < 3_000
    assert "x" * 500 in call
    assert "250000 characters" in call
    try:
        raise ValueError(long)
    except ValueError:
        structlog.get_logger().exception("unexpected error")
    assert 20_000 < len(read_log(capsys)) < 25_000


@pytest.mark.socket
async def test_a_rejected_call_has_a_short_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    long = "x" * 120_000
    async with run_server(tmp_path / "games.db", log="json") as api:
        for rpc, request in (
            (api.games.SubmitCommands, games_pb2.SubmitCommandsRequest(game_id=long, command_id=long)),
            (api.games.RequestUndo, games_pb2.RequestUndoRequest(game_id=long, command_id=long)),
            (api.games.ListLegalCommands, games_pb2.ListLegalCommandsRequest(game_id=long)),
            (api.games.GetGame, games_pb2.GetGameRequest(game_id=long)),
        ):
            async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT):
                await rpc(request)
    logs._writer.flush()
    lines = [line for line in capfd.readouterr().err.splitlines() if '"event":"call"' in line]
    assert len(lines) == 4
    assert max(map(len, lines)) < 2_000


@pytest.mark.parametrize("form", ["console", "json"])
def test_texts_of_errors_cannot_forge_lines(form: Form, capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging(form)
    try:
        raise ValueError(FORGED)
    except ValueError:
        structlog.get_logger().exception("unexpected error")
    first, *trace = read_log(capsys).removesuffix("\n").split("\n")
    assert all(line.isprintable() for line in (first, *trace))
    assert all(line.startswith("  ") for line in trace)
    if form == "json":
        assert not trace
        assert FORGED in json.loads(first)["exception"]


def test_a_flush_waits_for_the_line_that_another_thread_is_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread of the log has removed the line from the queue but has not written it yet."""
    taken, may_continue = threading.Event(), threading.Event()
    written: list[str] = []

    class Slow(io.StringIO):
        def write(self, text: str) -> int:
            taken.set()
            assert may_continue.wait(SECONDS)
            written.append(text)
            return len(text)

    lines = logs._LineWriter()
    monkeypatch.setattr(sys, "stderr", Slow())
    lines.info("one")
    assert taken.wait(SECONDS)
    flushing = threading.Thread(target=lines.flush)
    flushing.start()
    flushing.join(0.05)
    assert flushing.is_alive(), "it waits for the line that is being written"
    may_continue.set()
    flushing.join(SECONDS)
    assert written == ["one\n"]
