"""Durable commands per second through gRPC on SQLite, as a share of a bare echo on the same stack.

64 clients in one process, each with a game of its own, send unary SubmitCommands and wait for the answer, which comes
only after the commit (WAL, synchronous=FULL). The echo is a grpc.aio server that does nothing but answer the bytes of
such a response to the bytes of such a request, called by the same clients. Servers are processes of their own; they and
the clients share the machine's two cores. Echo and service alternate, so that a drifting machine hits both.

Commands come in two kinds: ``single`` does one thing that can be done at the beginning of a game and takes it back with
the next command, again and again, so each is one decision; ``batch`` does up to three such things in one command and
takes all of them back in the next. Titles in whose games nothing can be taken back by a command are left out.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

import grpc
import uvloop
from msgspec import Struct

from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.title import Play, Setup, Title
from boardkeeper.titles.registry import TITLES, load_title
from boardkeeper.v1 import games_pb2, games_pb2_grpc
from boardkeeper.v1.command_pb2 import Command
from boardkeeper.wire.messages import command_to_message

CLIENTS = 64
CHANNELS = 4
SECONDS = 2.5
ROUNDS = 5
SEATS = 2
SEAT = 1
MOST = 3
"""Of so many things a batch consists."""

ECHO = """
import asyncio, sys
import grpc, uvloop

async def main():
    async def echo(request, context):
        return ANSWER
    ANSWER = b"x" * int(sys.argv[1])
    handler = grpc.unary_unary_rpc_method_handler(echo)
    server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("bench.Echo", {"Echo": handler}),))
    server.add_insecure_port(sys.argv[2])
    await server.start()
    await server.wait_for_termination()

uvloop.run(main())
"""

Call = Callable[[], Awaitable[object]]
Kinds = Mapping[str, tuple[list[Command], list[Command]]]
"""For each kind what is sent first, and what takes it back."""


def to_and_fro(title: Title, key: bytes) -> list[tuple[Struct, Struct]]:
    """Commands that the seat can give when a game begins, each with one that takes it back and leaves no trace."""
    play, table = begun(title, key)
    before = table.contents()
    found = []
    for there in play.legal(SEAT) if SEAT in table.deciding() else ():
        play.decide(SEAT, there)
        ways_back = play.legal(SEAT) if SEAT in table.deciding() else ()
        play.recorder.rollback()
        for back in ways_back:
            play.decide(SEAT, there)
            play.decide(SEAT, back)
            is_back = table.contents() == before
            play.recorder.rollback()
            if is_back:
                found.append((there, back))
                break
    return found


def begun(title: Title, key: bytes) -> tuple[Play, Table]:
    """A game as it begins, with these dice."""
    setup = complete(title.meta, Setup("", SEATS))
    table = Table(title.layout(setup))
    play = title.play(table, Dice(key), setup)
    play.set_up()
    play.recorder.take()
    return play, table


def kinds_of(id: str) -> Kinds:
    """The commands there and back of each kind, the same for whatever dice; nothing if there are none."""
    title = load_title(id)
    other = to_and_fro(title, b"other dice")
    pairs = [pair for pair in to_and_fro(title, b"dice") if pair in other]
    if not pairs:
        return {}
    play, _ = begun(title, b"dice")
    chosen: list[tuple[Struct, Struct]] = []
    for there, back in pairs:
        if len(chosen) < MOST and play.decide(SEAT, there) is None:
            chosen.append((there, back))
    theres, backs = ([command_to_message(id, it) for it in some] for some in zip(*chosen, strict=True))
    return {"single": (theres[:1], backs[:1]), "batch": (theres, backs)}


class Player:
    """One client: a game of its own, and the next command."""

    def __init__(self, stub: games_pb2_grpc.GamesAsyncStub, game: games_pb2.CreateGameResponse, kinds: Kinds) -> None:
        self._stub = stub
        self._kinds = kinds
        self._game_id = game.game.game_id
        (token,) = (it.token for it in game.seat_tokens if it.seat == SEAT)
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._sent = count()

    def request(self, commands: list[Command]) -> games_pb2.SubmitCommandsRequest:
        """A request with an id of its own."""
        return games_pb2.SubmitCommandsRequest(
            game_id=self._game_id, seat=SEAT, commands=commands, command_id=f"command-{next(self._sent)}"
        )

    async def submit(self, kind: str) -> games_pb2.SubmitCommandsResponse:
        """There and back: two calls, each answered before the next."""
        for commands in self._kinds[kind]:
            answer = await self._stub.SubmitCommands(self.request(commands), metadata=self._metadata)
        return answer


async def rate(calls: Iterable[Call], weight: int = 1) -> float:
    """Calls per second of clients that each call again as soon as they are answered; one may count for several."""
    until = time.perf_counter() + SECONDS

    async def client(call: Call) -> int:
        done = 0
        while time.perf_counter() < until:
            await call()
            done += 1
        return done

    begun = time.perf_counter()
    done = await asyncio.gather(*map(client, calls))
    return weight * sum(done) / (time.perf_counter() - begun)


def free_address() -> str:
    """An address on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def start(command: list[str], address: str, folder: str) -> subprocess.Popen[bytes]:
    """Start a server and wait until it answers."""
    process = subprocess.Popen(command, cwd=folder, env={**os.environ, "BOARDKEEPER_LOG": "off"})
    with grpc.insecure_channel(address) as channel:
        grpc.channel_ready_future(channel).result(timeout=20)
    return process


def _seats(number: int) -> list[games_pb2.SeatRequest]:
    """Other people in each game, as in life: nothing that is said of them may be known from other games."""
    return [games_pb2.SeatRequest(name=f"{name} {number}") for name in ("Ada", "Bob")]


async def measure(service: str, echo_size: Callable[[int], str]) -> None:
    """Measure with each title whose commands can be taken back."""
    for id in TITLES:
        kinds = kinds_of(id)
        print(id if kinds else f"{id}: nothing can be taken back by a command when a game begins")
        if kinds:
            await measure_title(id, kinds, service, echo_size)


async def measure_title(id: str, kinds: Kinds, service: str, echo_size: Callable[[int], str]) -> None:
    """Alternate between echo and service; print medians and shares."""
    channels = [
        grpc.aio.insecure_channel(service, options=[("grpc.use_local_subchannel_pool", 1)]) for _ in range(CHANNELS)
    ]
    stubs = [games_pb2_grpc.GamesStub(channel) for channel in channels]
    games = [
        await stubs[0].CreateGame(games_pb2.CreateGameRequest(title=id, seats=_seats(number)))
        for number in range(CLIENTS)
    ]
    players = [Player(stubs[number % CHANNELS], game, kinds) for number, game in enumerate(games)]
    request = players[0].request(kinds["single"][0]).SerializeToString()
    answer = (await players[0].submit("single")).ByteSize()
    echo = echo_size(answer)
    echo_channels = [
        grpc.aio.insecure_channel(echo, options=[("grpc.use_local_subchannel_pool", 1)]) for _ in range(CHANNELS)
    ]
    echoes: list[Any] = [channel.unary_unary("/bench.Echo/Echo") for channel in echo_channels]
    figures: dict[str, list[float]] = {"echo": [], **{kind: [] for kind in kinds}}
    for _ in range(ROUNDS):
        figures["echo"].append(
            await rate([lambda call=echoes[n % CHANNELS]: call(request) for n in range(CLIENTS)])  # type: ignore[misc]
        )
        for kind in kinds:
            figures[kind].append(
                await rate([lambda player=player, kind=kind: player.submit(kind) for player in players], 2)  # type: ignore[misc]
            )
    bare = statistics.median(figures["echo"])
    for name, found in figures.items():
        median = statistics.median(found)
        share = "" if name == "echo" else f"  {median / bare:.0%} of the echo"
        print(f"{name:>9}: {median:>7,.0f} calls/s  ({min(found):,.0f}-{max(found):,.0f}){share}", flush=True)
    for channel in (*channels, *echo_channels):
        await channel.close()


def main() -> int:
    """Start both servers and measure."""
    executable = str(Path(sys.executable).with_name("boardkeeper"))
    with tempfile.TemporaryDirectory() as folder:
        address = free_address()
        started = [start([executable, "serve", "--db", "bench.db", "--listen", address], address, folder)]

        def echo(size: int) -> str:
            address = free_address()
            started.append(start([sys.executable, "-c", ECHO, str(size), address], address, folder))
            return address

        try:
            uvloop.run(measure(address, echo))
        finally:
            for process in started:
                process.send_signal(signal.SIGTERM)
                process.wait(20)
    return 0


if __name__ == "__main__":
    sys.exit(main())
