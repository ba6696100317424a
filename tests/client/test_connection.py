"""A connection that is lost is not lost in silence: clients can be told, and the terminal says so."""

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
from tests.client.fake_service import FakeGames, answer, fake_service, refuse, stream, stream_the_end
from tests.client.terminal import Terminal
from tests.relay import relay

from boardkeeper.client import BoardkeeperError, Client, Unavailable, person
from boardkeeper.client.aio import AsyncClient
from boardkeeper.client.channels import Channel
from boardkeeper.titles.orleans.commands import FinishPlanning
from boardkeeper.v1 import games_pb2

Code = grpc.StatusCode

pytestmark = pytest.mark.timeout(300)


@pytest.fixture
def service() -> Iterator[tuple[str, FakeGames]]:
    with fake_service() as running:
        yield running


def test_a_quiet_game_may_break_off_as_often_as_it_likes(
    service: tuple[str, FakeGames], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each heartbeat restarts the time for retries, even if the stream broke long ago."""
    address, games = service
    hours: list[float] = []
    clock = SimpleNamespace(monotonic=lambda: 3600.0 * len(hours))
    monkeypatch.setattr("boardkeeper.client.connection.time", clock)
    monkeypatch.setattr(Channel, "sleep", lambda _channel, seconds: hours.append(seconds))
    games.script = [stream(0, then=refuse(Code.UNAVAILABLE, "restarting"))] * 5 + [stream_the_end(1)]
    with Client(address, retry_timeout=20.0) as client:
        assert [event.version for event in client.watch("g")] == [1]


def words(told: list[BoardkeeperError | None]) -> list[str]:
    return ["back" if problem is None else type(problem).__name__ for problem in told]


def test_whoever_wants_to_know_is_told_once_of_each_change(service: tuple[str, FakeGames]) -> None:
    address, games = service
    told: list[BoardkeeperError | None] = []
    gone = refuse(Code.UNAVAILABLE, "restarting")
    games.script = [gone, gone, answer(games_pb2.SubmitCommandsResponse()), answer(games_pb2.SubmitCommandsResponse())]
    with Client(address, retry_timeout=20.0, on_connection=told.append) as client:
        seat = client.seat("g", 2, "secret", title="orleans")
        seat.submit(FinishPlanning())
        seat.submit(FinishPlanning())
    assert words(told) == ["Unavailable", "back"]


def test_a_watcher_is_told_before_anything_happens_in_the_game(service: tuple[str, FakeGames]) -> None:
    """The stream says nothing until there is an event or a heartbeat; that the service is back is known before."""
    address, games = service
    seen: list[str] = []
    games.script = [stream(1, then=refuse(Code.UNAVAILABLE, "restarting")), stream_the_end(2)]
    with Client(address, retry_timeout=20.0, on_connection=lambda problem: seen.extend(words([problem]))) as client:
        for event in client.watch("g"):
            seen += [str(event.version)]
    assert seen == ["1", "Unavailable", "back", "2"]


async def test_the_asyncio_client_tells_the_same(service: tuple[str, FakeGames]) -> None:
    address, games = service
    seen: list[str] = []
    gone = refuse(Code.UNAVAILABLE, "restarting")
    games.script = [
        gone,
        answer(games_pb2.SubmitCommandsResponse()),
        stream(1, then=gone),
        stream_the_end(2),
    ]
    async with AsyncClient(
        address, retry_timeout=20.0, on_connection=lambda problem: seen.extend(words([problem]))
    ) as client:
        await client.seat("g", 2, "secret", title="orleans").submit(FinishPlanning())
        async for event in client.watch("g"):
            seen += [str(event.version)]
    assert seen == ["Unavailable", "back", "1", "Unavailable", "back", "2"]


def test_nobody_is_told_of_a_refusal(service: tuple[str, FakeGames]) -> None:
    address, games = service
    told: list[BoardkeeperError | None] = []
    games.script = [refuse(Code.FAILED_PRECONDITION, "no")]
    with Client(address, on_connection=told.append) as client, pytest.raises(BoardkeeperError):
        client.seat("g", 2, "secret", title="orleans").submit(FinishPlanning())
    with Client("127.0.0.1:1", retry_timeout=0, on_connection=told.append) as client, pytest.raises(Unavailable):
        client.titles()  # it failed at once, and was not tried again
    assert told == []


@contextmanager
def serving(folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A service in a process of its own, which can be killed, and its address."""
    command = [*PROGRAM, "serve", "--db", str(folder / "games.db"), "--listen", "127.0.0.1:0", "--log-format", "json"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as service:
        try:
            assert service.stderr is not None
            lines = map(json.loads, service.stderr)
            yield service, next(line["address"] for line in lines if line["event"] == "listening")
        finally:
            service.kill()


@pytest.mark.socket
def test_terminals_say_that_the_service_is_gone_and_that_it_is_back(
    environment: dict[str, str], tmp_path: Path
) -> None:
    with relay() as way, serving(tmp_path) as (service, there):
        way.target, address = there, way.address
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
            player.wait_for(r"Anna, your move \(.*\): $")
            service.send_signal(signal.SIGKILL)
            service.wait()
            for terminal in (watcher, player):
                terminal.wait_for(f"Lost the connection to {address}; reconnecting")
            program.wait_for(f"Die Verbindung zu {address} ist abgerissen")
            with serving(tmp_path) as (_, there):
                way.target = there
                for terminal in (watcher, player):
                    terminal.wait_for(f"Connected to {address} again.")
                player.wait_for(r"Anna, your move \(.*\): $")  # it is still asked
                program.wait_for(f"Die Verbindung zu {address} steht wieder.")
                player.type("finish planning")
                player.wait_for("Press Enter to do it.")
                player.type("")
                player.wait_for("Anna finishes planning.")
