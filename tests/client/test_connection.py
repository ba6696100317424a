"""A lost connection is reported through ``on_connection`` and in the terminal."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import grpc
import pytest
from tests.client.conftest import PROGRAM
from tests.client.fake_service import FakeGames, answer_with, fail_with, stream_events, stream_until_end
from tests.client.terminal import PROMPT, Terminal
from tests.relay import relay

from boardkeeper.client import BoardkeeperError, Client, Unavailable, person
from boardkeeper.client.aio import AsyncClient
from boardkeeper.client.channels import Channel
from boardkeeper.titles.orleans.commands import FinishPlanning
from boardkeeper.v1 import games_pb2

Code = grpc.StatusCode

pytestmark = pytest.mark.timeout(300)


def test_a_silent_stream_may_break_any_number_of_times(
    service: tuple[str, FakeGames], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each heartbeat restarts the retry timeout."""
    address, games = service
    hours: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: 3600.0 * len(hours))
    monkeypatch.setattr("boardkeeper.client.connection.time", clock)
    monkeypatch.setattr(Channel, "sleep", lambda _channel, seconds: hours.append(seconds))
    games.script = [stream_events(0, then=fail_with(Code.UNAVAILABLE, "restarting"))] * 5 + [stream_until_end(1)]
    with Client(address, retry_timeout=20.0) as client:
        assert [event.version for event in client.watch("g")] == [1]


def names(reports: list[BoardkeeperError | None]) -> list[str]:
    return ["back" if problem is None else type(problem).__name__ for problem in reports]


def test_each_change_of_the_connection_is_reported_once(service: tuple[str, FakeGames]) -> None:
    address, games = service
    reports: list[BoardkeeperError | None] = []
    unavailable = fail_with(Code.UNAVAILABLE, "restarting")
    games.script = [
        unavailable,
        unavailable,
        answer_with(games_pb2.SubmitCommandsResponse()),
        answer_with(games_pb2.SubmitCommandsResponse()),
    ]
    with Client(address, retry_timeout=20.0, on_connection=reports.append) as client:
        seat = client.seat("g", 2, "secret", title="orleans")
        seat.submit(FinishPlanning())
        seat.submit(FinishPlanning())
    assert names(reports) == ["Unavailable", "back"]


def test_a_watcher_reports_the_connection_before_the_next_event(service: tuple[str, FakeGames]) -> None:
    """The stream may be silent until the next event or heartbeat."""
    address, games = service
    seen: list[str] = []
    games.script = [stream_events(1, then=fail_with(Code.UNAVAILABLE, "restarting")), stream_until_end(2)]
    with Client(address, retry_timeout=20.0, on_connection=lambda problem: seen.extend(names([problem]))) as client:
        for event in client.watch("g"):
            seen += [str(event.version)]
    assert seen == ["1", "Unavailable", "back", "2"]


async def test_the_asyncio_client_reports_the_same(service: tuple[str, FakeGames]) -> None:
    address, games = service
    seen: list[str] = []
    unavailable = fail_with(Code.UNAVAILABLE, "restarting")
    games.script = [
        unavailable,
        answer_with(games_pb2.SubmitCommandsResponse()),
        stream_events(1, then=unavailable),
        stream_until_end(2),
    ]
    async with AsyncClient(
        address, retry_timeout=20.0, on_connection=lambda problem: seen.extend(names([problem]))
    ) as client:
        await client.seat("g", 2, "secret", title="orleans").submit(FinishPlanning())
        async for event in client.watch("g"):
            seen += [str(event.version)]
    assert seen == ["Unavailable", "back", "1", "Unavailable", "back", "2"]


def test_other_errors_are_not_reported(service: tuple[str, FakeGames]) -> None:
    address, games = service
    reports: list[BoardkeeperError | None] = []
    games.script = [fail_with(Code.FAILED_PRECONDITION, "no")]
    with Client(address, on_connection=reports.append) as client, pytest.raises(BoardkeeperError):
        client.seat("g", 2, "secret", title="orleans").submit(FinishPlanning())
    with Client("127.0.0.1:1", retry_timeout=0, on_connection=reports.append) as client, pytest.raises(Unavailable):
        client.titles()  # it failed without a retry
    assert reports == []


@contextmanager
def run_server(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a server in a subprocess that can be killed; yield it and its address."""
    command = [*PROGRAM, "serve", "--db", str(folder / "games.db"), "--listen", "127.0.0.1:0", "--log-format", "json"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as service:
        try:
            assert service.stderr is not None
            lines = map(json.loads, service.stderr)
            yield service, next(line["address"] for line in lines if line["event"] == "listening")
        finally:
            service.kill()


@pytest.mark.socket
def test_terminals_report_a_lost_and_restored_connection(environment: dict[str, str], tmp_path: Path) -> None:
    with relay() as proxy, run_server(tmp_path) as (service, server):
        proxy.target, address = server, proxy.address
        with Client(address) as client:
            game = client.create_game("orleans", [person("Anna"), person("Ben")]).game.game_id
        watch = [*PROGRAM, "watch", game, "--server", address]
        play = [*PROGRAM, "play", "--name", "Anna", "--players", "2", "--server", address]
        with (
            Terminal(watch, environment) as watcher,
            Terminal([*watch, "--json", "--language", "de"], environment) as program,
            Terminal(play, environment) as player,
        ):
            watcher.wait_for("Round 1")
            program.wait_for('"PhaseBegun"')
            player.wait_for(PROMPT)
            service.send_signal(signal.SIGKILL)
            service.wait()
            for terminal in (watcher, player):
                terminal.wait_for(f"Lost the connection to {address}; reconnecting")
            program.wait_for(f"Die Verbindung zu {address} ist abgerissen")
            with run_server(tmp_path) as (_, server):
                proxy.target = server
                for terminal in (watcher, player):
                    terminal.wait_for(f"Connected to {address} again.")
                player.wait_for(PROMPT)  # the prompt is shown again
                program.wait_for(f"Die Verbindung zu {address} steht wieder.")
                player.type("finish planning")
                player.wait_for("Press Enter to do it.")
                player.type("")
                player.wait_for("Anna finishes planning.")
