"""Durable commands per second through gRPC on SQLite, as a share of a bare echo on the same stack.

64 clients in one process, each with a game of its own, send unary SubmitCommands and wait for the answer, which comes
only after the commit (WAL, synchronous=FULL). The echo is a grpc.aio server that does nothing but answer the bytes of
such a response to the bytes of such a request, called by the same clients. Servers are processes of their own; they and
the clients share the machine's two cores. Echo and service alternate, so that a drifting machine hits both.

Commands come in two kinds: ``planning`` places and withdraws one follower again and again, so each is one decision with
one event; ``batch`` plans with three followers in one command and takes them back in the next.
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
from collections.abc import Awaitable, Callable, Iterable
from itertools import count
from pathlib import Path
from typing import Any

import grpc
import uvloop

from boardkeeper.orleans.v1 import commands_pb2
from boardkeeper.v1 import command_pb2, games_pb2, games_pb2_grpc

CLIENTS = 64
CHANNELS = 4
SECONDS = 2.5
ROUNDS = 5

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


def place(space: str, follower: str) -> command_pb2.Command:
    """Place a marked follower on a space of the village."""
    command = commands_pb2.PlaceFollower(follower=follower, place="village", space=space)
    return command_pb2.Command(orleans=commands_pb2.Command(place_follower=command))


def withdraw(space: str) -> command_pb2.Command:
    """Take it back."""
    command = commands_pb2.WithdrawFollower(place="village", space=space)
    return command_pb2.Command(orleans=commands_pb2.Command(withdraw_follower=command))


SPACES = {space: f"own_{space}" for space in ("farmer", "boatman", "craftsman")}
KINDS: dict[str, tuple[list[command_pb2.Command], list[command_pb2.Command]]] = {
    "planning": ([place("farmer", "own_farmer")], [withdraw("farmer")]),
    "batch": ([place(*entry) for entry in SPACES.items()], [withdraw(space) for space in SPACES]),
}


class Player:
    """One client: a game of its own, and the next command."""

    def __init__(self, stub: games_pb2_grpc.GamesAsyncStub, game: games_pb2.CreateGameResponse) -> None:
        self._stub = stub
        self._game_id = game.game.game_id
        self._seat = game.seat_tokens[0].seat
        self._metadata = (("authorization", f"Bearer {game.seat_tokens[0].token}"),)
        self._sent = count()

    def request(self, commands: list[command_pb2.Command]) -> games_pb2.SubmitCommandsRequest:
        """A request with an id of its own."""
        return games_pb2.SubmitCommandsRequest(
            game_id=self._game_id, seat=self._seat, commands=commands, command_id=f"command-{next(self._sent)}"
        )

    async def submit(self, kind: str) -> games_pb2.SubmitCommandsResponse:
        """Place and withdraw: two calls, each answered before the next."""
        for commands in KINDS[kind]:
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
    """Alternate between echo and service; print medians and shares."""
    channels = [
        grpc.aio.insecure_channel(service, options=[("grpc.use_local_subchannel_pool", 1)]) for _ in range(CHANNELS)
    ]
    stubs = [games_pb2_grpc.GamesStub(channel) for channel in channels]
    games = [
        await stubs[0].CreateGame(games_pb2.CreateGameRequest(title="orleans", seats=_seats(number)))
        for number in range(CLIENTS)
    ]
    players = [Player(stubs[number % CHANNELS], game) for number, game in enumerate(games)]
    request = players[0].request(KINDS["planning"][0]).SerializeToString()
    answer = (await players[0].submit("planning")).ByteSize()
    echo = echo_size(answer)
    echo_channels = [
        grpc.aio.insecure_channel(echo, options=[("grpc.use_local_subchannel_pool", 1)]) for _ in range(CHANNELS)
    ]
    echoes: list[Any] = [channel.unary_unary("/bench.Echo/Echo") for channel in echo_channels]
    figures: dict[str, list[float]] = {"echo": [], **{kind: [] for kind in KINDS}}
    for _ in range(ROUNDS):
        figures["echo"].append(
            await rate([lambda call=echoes[n % CHANNELS]: call(request) for n in range(CLIENTS)])  # type: ignore[misc]
        )
        for kind in KINDS:
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
