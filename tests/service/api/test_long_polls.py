"""Long polls: `GetGame` with `wait`, for clients without streams."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any
from uuid import UUID

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from tests.service.api_server import Api, bearer, grpc_error
from tests.service.keys import create_key_in, key_metadata
from tests.service.web import (
    WebApi,
    call_json,
    call_proto,
    envelope,
    open_connection,
    path_of,
    run_web_server,
    split_envelopes,
)
from tests.waiting import SECONDS, until

from boardkeeper.service.process.server import Service
from boardkeeper.service.requests import validation
from boardkeeper.v1 import access_pb2, access_pb2_grpc, game_pb2, games_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

OPERATOR = "the operator of these tests and of no others"
LONG = Duration(seconds=30)
Poll = Callable[[WebApi, str, int, float], Awaitable[game_pb2.Game]]


@pytest.fixture(autouse=True)
def raise_longest_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Raise the maximum wait above the test timeout, so that no test passes because a wait ends."""
    monkeypatch.setattr(validation, "MAX_WAIT", SECONDS)


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[WebApi]:
    async with run_web_server(tmp_path / "games.db") as api:
        yield api


def request(game: str, version: int, seconds: float = SECONDS) -> games_pb2.GetGameRequest:
    wait = Duration(seconds=int(seconds), nanos=round(seconds % 1 * 1e9))
    return games_pb2.GetGameRequest(game_id=game, min_version=version, wait=wait)


async def poll_by_grpc(api: WebApi, game: str, version: int, seconds: float = SECONDS) -> game_pb2.Game:
    answer: games_pb2.GetGameResponse = await api.games.GetGame(request(game, version, seconds))
    return answer.game


async def poll_by_json(api: WebApi, game: str, version: int, seconds: float = SECONDS) -> game_pb2.Game:
    fields_sent = {"gameId": game, "minVersion": version, "wait": f"{seconds}s"}
    answer = await call_json(api.web, "Games.GetGame", fields_sent)
    assert answer.status == 200, answer.body
    fields = answer.json()["game"]
    return game_pb2.Game(game_id=fields["gameId"], version=int(fields["version"]), deciding=fields.get("deciding", ()))


async def poll_by_connect(api: WebApi, game: str, version: int, seconds: float = SECONDS) -> game_pb2.Game:
    answer = await call_proto(api.web, "Games.GetGame", request(game, version, seconds))
    assert answer.status == 200, answer.body
    return games_pb2.GetGameResponse.FromString(answer.body).game


async def poll_by_grpc_web(api: WebApi, game: str, version: int, seconds: float = SECONDS) -> game_pb2.Game:
    async with open_connection(api.web) as connection:
        body = envelope(request(game, version, seconds).SerializeToString())
        answer = await connection.request("POST", path_of("Games.GetGame"), body, content_type="application/grpc-web")
    return games_pb2.GetGameResponse.FromString(split_envelopes(answer.body)[0][1]).game


each_way = pytest.mark.parametrize("ask", [poll_by_grpc, poll_by_json, poll_by_connect, poll_by_grpc_web])


def count_watchers(service: Service, game: str) -> int:
    """Return the number of watchers of a game in memory."""
    live = service._registry.peek(UUID(game))
    return 0 if live is None else len(live.watchers)


async def act(api: Api, game: str, seat: int, token: str) -> int:
    legal = await api.legal(game, seat, token)
    answer = await api.submit(game, seat, token, f"at-{legal.version}", legal.commands[0].command)
    return answer.version


@each_way
async def test_a_poll_returns_after_a_command(api: WebApi, ask: Poll) -> None:
    game, tokens = await api.create()
    waiting = asyncio.ensure_future(ask(api, game.game_id, game.version + 1, SECONDS))
    await until(lambda: count_watchers(api.service, game.game_id))
    version = await act(api, game.game_id, 1, tokens[1])
    assert (await waiting).version == version
    assert count_watchers(api.service, game.game_id) == 0


@each_way
async def test_a_poll_without_news_returns_the_game_unchanged(api: WebApi, ask: Poll) -> None:
    game, _ = await api.create()
    for seconds in (0.0, 0.05):
        found = await ask(api, game.game_id, game.version + 1, seconds)
        assert (found.game_id, found.version, found.deciding) == (game.game_id, game.version, game.deciding)
    assert count_watchers(api.service, game.game_id) == 0


async def test_a_poll_for_a_reached_version_returns_immediately(api: WebApi) -> None:
    game, tokens = await api.create()
    version = await act(api, game.game_id, 1, tokens[1])
    for wanted in (0, 1, version):
        assert (await poll_by_grpc(api, game.game_id, wanted)).version == version


async def test_a_poll_can_wait_for_several_versions(api: WebApi) -> None:
    game, tokens = await api.create()
    waiting = asyncio.ensure_future(poll_by_json(api, game.game_id, game.version + 2))
    await until(lambda: count_watchers(api.service, game.game_id))
    first = await act(api, game.game_id, 1, tokens[1])
    second = await act(api, game.game_id, 2, tokens[2])
    assert (await waiting).version in range(game.version + 2, max(first, second) + 1)


async def test_a_poll_returns_when_a_player_joins(api: WebApi) -> None:
    seats = (games_pb2.SeatRequest(name="Ada"), games_pb2.SeatRequest(open=True))
    game, _ = await api.create(*seats)
    waiting = asyncio.ensure_future(poll_by_json(api, game.game_id, game.version + 1))
    await until(lambda: count_watchers(api.service, game.game_id))
    await api.games.JoinGame(games_pb2.JoinGameRequest(game_id=game.game_id, name="Bob"))
    await waiting
    assert (await api.game(game.game_id)).status == game_pb2.GAME_STATUS_RUNNING


async def test_polls_return_when_the_game_is_over(api: WebApi) -> None:
    game, tokens = await api.create()
    waiting = asyncio.ensure_future(poll_by_grpc(api, game.game_id, 100_000))
    await until(lambda: count_watchers(api.service, game.game_id))
    resign = games_pb2.ResignSeatRequest(game_id=game.game_id, seat=2, command_id="enough")
    await api.games.ResignSeat(resign, metadata=bearer(tokens[2]))
    assert (await waiting).status == game_pb2.GAME_STATUS_ENDED
    assert (await poll_by_grpc(api, game.game_id, 100_000)).status == game_pb2.GAME_STATUS_ENDED


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"min_version": 1, "wait": Duration(seconds=-1)}, "wait"),
        ({"min_version": 1, "wait": Duration(nanos=-1)}, "wait"),
        ({"min_version": 1, "wait": Duration(seconds=1, nanos=2_000_000_000)}, "wait"),
        ({"wait": LONG}, "wait"),
        ({"min_version": -1, "wait": LONG}, "min_version"),
    ],
)
async def test_invalid_waits_are_rejected(api: WebApi, wrong: dict[str, Any], field: str) -> None:
    game, _ = await api.create()
    async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT) as problems:
        await api.games.GetGame(games_pb2.GetGameRequest(game_id=game.game_id, **wrong))
    assert list(problems[0].violations) == [field]


async def test_the_server_limits_the_wait(api: WebApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(validation, "MAX_WAIT", 0.05)
    game, _ = await api.create()
    assert (await poll_by_json(api, game.game_id, game.version + 1, 86_400)).version == game.version


async def test_without_wait_a_version_that_is_not_reached_is_an_error(tmp_path: Path) -> None:
    async with run_web_server(tmp_path / "games.db", wait_seconds=0.05) as api:
        game, _ = await api.create()
        async with grpc_error(grpc.StatusCode.OUT_OF_RANGE, "VERSION_OUT_OF_RANGE"):
            await api.games.GetGame(games_pb2.GetGameRequest(game_id=game.game_id, min_version=game.version + 1))


# --- limits --------------------------------------------------------------------------------------------------


async def test_a_poll_counts_as_a_stream(tmp_path: Path) -> None:
    async with run_web_server(tmp_path / "games.db", address_limits="calls=1 streams=1") as api:
        game, tokens = await api.create()
        admission = api.service._admission
        waiting = asyncio.ensure_future(poll_by_json(api, game.game_id, game.version + 1))
        await until(lambda: admission.open_streams == 1)
        async with grpc_error(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_STREAMS") as problems:
            await poll_by_grpc(api, game.game_id, game.version + 1)
        assert problems[0].retry_after is not None
        version = await act(api, game.game_id, 1, tokens[1])
        assert (await waiting).version == version
        (caller,) = admission.addresses._found.values()
        assert (admission.open_streams, caller.streams, caller.calls, caller.watchers) == (0, 0, 0, 0)


async def test_a_poll_counts_as_a_watcher(tmp_path: Path) -> None:
    async with run_web_server(tmp_path / "games.db", watchers_of_a_game=1) as api:
        game, _ = await api.create()
        waiting = asyncio.ensure_future(poll_by_json(api, game.game_id, game.version + 1))
        await until(lambda: count_watchers(api.service, game.game_id))
        async with grpc_error(grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_WATCHERS") as problems:
            await poll_by_grpc(api, game.game_id, game.version + 1)
        assert problems[0].values["by"] == "game"
        assert api.service._admission.open_streams == 1
        waiting.cancel()
        await until(lambda: not count_watchers(api.service, game.game_id))


async def test_polls_use_neither_threads_nor_connections(api: WebApi) -> None:
    game, tokens = await api.create()
    many, threads = 120, threading.active_count()
    waiting = [asyncio.ensure_future(poll_by_grpc(api, game.game_id, game.version + 1)) for _ in range(many)]
    await until(lambda: count_watchers(api.service, game.game_id) == many)
    assert threading.active_count() < threads + many / 2
    assert len(await api.events(game.game_id)) == game.version, "a read by a thread of the pool"
    version = await act(api, game.game_id, 1, tokens[1])
    assert {found.version for found in await asyncio.gather(*waiting)} == {version}
    assert count_watchers(api.service, game.game_id) == api.service._admission.open_streams == 0


async def test_a_poll_ends_when_its_client_disconnects(api: WebApi) -> None:
    game, _ = await api.create()
    by_grpc_call = api.games.GetGame(request(game.game_id, game.version + 1))
    async with open_connection(api.web) as connection:
        body = request(game.game_id, game.version + 1).SerializeToString()
        connection.send("POST", path_of("Games.GetGame"), body, content_type="application/proto")
        await until(lambda: count_watchers(api.service, game.game_id) == 2)
        by_grpc_call.cancel()
        await until(lambda: count_watchers(api.service, game.game_id) == 1)
    await until(lambda: not count_watchers(api.service, game.game_id))
    await until(lambda: not api.service._admission.open_streams)


async def test_the_latency_metric_excludes_waiting(api: WebApi) -> None:
    """The latency metric shows how fast the service is, so it must not include waiting."""
    game, _ = await api.create()
    (rpc_metrics,) = (it for it in api.service._calls.rpcs if it.name == "Games.GetGame")
    loop = asyncio.get_running_loop()
    begun = loop.time()
    await poll_by_json(api, game.game_id, game.version + 1, 0.5)
    assert rpc_metrics.seconds.total <= loop.time() - begun - 0.4


# --- events during a poll ------------------------------------------------------------------------------------


async def test_polls_end_at_shutdown_with_a_retry_delay(tmp_path: Path) -> None:
    async with run_web_server(tmp_path / "games.db", grace_seconds=SECONDS) as api:
        game, _ = await api.create()
        fields_sent = {"gameId": game.game_id, "minVersion": game.version + 1, "wait": f"{SECONDS}s"}
        in_json = asyncio.ensure_future(call_json(api.web, "Games.GetGame", fields_sent))
        in_grpc = asyncio.ensure_future(poll_by_grpc(api, game.game_id, game.version + 1))
        await until(lambda: count_watchers(api.service, game.game_id) == 2)
        stop = asyncio.create_task(api.service.stop())
        async with grpc_error(grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN") as problems:
            await in_grpc
        answer = await in_json
        assert answer.status == 503
        for problem in (problems[0], answer.error_details()):
            assert (problem.reason, problem.retry_after) == ("SHUTTING_DOWN", 1.0)
        await stop


async def test_a_poll_fails_when_its_game_is_removed(tmp_path: Path) -> None:
    async with run_web_server(tmp_path / "games.db", operator_token=OPERATOR) as api:
        game, _ = await api.create()
        waiting = asyncio.ensure_future(poll_by_grpc(api, game.game_id, game.version + 1))
        await until(lambda: count_watchers(api.service, game.game_id))
        await api.games.RemoveGame(games_pb2.RemoveGameRequest(game_id=game.game_id), metadata=bearer(OPERATOR))
        async with grpc_error(grpc.StatusCode.NOT_FOUND, "GAME_REMOVED"):
            await waiting


async def test_a_poll_fails_when_its_key_is_revoked(tmp_path: Path) -> None:
    key = create_key_in(tmp_path / "games.db", "lobby")
    async with run_web_server(tmp_path / "games.db", operator_token=OPERATOR) as api:
        seats = [games_pb2.SeatRequest(name="Ada"), games_pb2.SeatRequest(name="Bob")]
        create = games_pb2.CreateGameRequest(title="orleans", seats=seats)
        created = await api.games.CreateGame(create, metadata=key_metadata(key))
        game = created.game
        waiting = api.games.GetGame(request(game.game_id, game.version + 1), metadata=key_metadata(key))
        await until(lambda: count_watchers(api.service, game.game_id))
        access: Any = access_pb2_grpc.AccessStub(api.channel)
        revoke = access_pb2.RevokeAccessKeyRequest(key_id=key.row.key_id)
        await access.RevokeAccessKey(revoke, metadata=bearer(OPERATOR))
        await act(api, game.game_id, 1, created.seat_tokens[0].token)
        async with grpc_error(grpc.StatusCode.UNAUTHENTICATED, "KEY_ENDED"):
            await waiting


@pytest.mark.parametrize("notify", ["listen", "poll"])
async def test_a_poll_returns_after_a_command_elsewhere(tmp_path: Path, database_kind: str, notify: str) -> None:
    if database_kind == "sqlite":
        pytest.skip("a file has one process")
    database = tmp_path / "games.db"
    async with run_web_server(database, notify=notify) as one, run_web_server(database, notify=notify) as other:
        game, tokens = await one.create()
        version = game.version
        for _ in range(3):
            waiting = asyncio.ensure_future(poll_by_json(other, game.game_id, version + 1))
            await until(lambda: count_watchers(other.service, game.game_id))
            seat = (await one.game(game.game_id)).deciding[0]
            version = await act(one, game.game_id, seat, tokens[seat])
            assert (await waiting).version == version
        assert (await poll_by_json(other, game.game_id, version + 1, 0.0)).version == version
