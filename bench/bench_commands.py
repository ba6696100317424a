"""Durable commands through gRPC on SQLite, beside a bare echo on the same stack, with the log on as in production.

    python bench/bench_commands.py [--titles TITLE …] [--seconds 2.5] [--rounds 5] [--log json]

64 clients in one process, each with a game of its own, send unary SubmitCommands and wait for the answer, which comes
only after the commit (WAL, synchronous=FULL). The echo is a grpc.aio server that does nothing but answer the bytes of
such a response to the bytes of such a request, called by the same clients. Servers are processes of their own; they and
the clients share the machine's two cores. Echo and service alternate, so that a drifting machine hits both: compare
shares of the echo, not rates. The log goes to a file, a line a call.

Commands come in kinds: ``single`` does one thing that can be done at the beginning of a game and takes it back with
the next command, again and again, so each is one decision; ``batch`` does up to three such things in one command and
takes all of them back in the next; ``stream`` is ``single`` over a ``Play`` stream of each client, which tells the
outcome without the events. Titles in whose games nothing can be taken back by a command are left out.

Beside the calls a second stand the server's CPU time and, where ``perf stat`` can count them, instructions a call (user
and kernel). In the end calls come at random times, half as many as the service has answered of ``single``, to echo and
service in turn; how long one takes counts from when it was due.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

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
SEATS = 2
SEAT = 1
MOST = 3
"""Of so many things a batch consists."""

LEAST_RATE, MOST_INSTRUCTIONS, MOST_P99, LEAST_STREAM = 0.6, 2.0, 3.0, 2.0
"""What we want: multiples of the echo's calls/s, instructions and 99th percentile; of unary calls/s for the stream."""

_TICKS = os.sysconf("SC_CLK_TCK")

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

Call = Callable[[int], Awaitable[object]]
"""Does something (0), or takes it back (1)."""

Answered = Mapping[str, tuple[int, list[Call]]]
"""By what is measured: the process that answers, and what its clients do."""

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


def first_title() -> str:
    """The first title in whose games something can be done and taken back."""
    return next(id for id in TITLES if kinds_of(id))


class Player:
    """One client: a game of its own, and the next command."""

    def __init__(self, stub: games_pb2_grpc.GamesAsyncStub, game: games_pb2.CreateGameResponse, kinds: Kinds) -> None:
        self._stub = stub
        self._kinds = kinds
        self._game_id = game.game.game_id
        (token,) = (it.token for it in game.seat_tokens if it.seat == SEAT)
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._sent = count()
        self._stream: Any = None

    def request(self, commands: list[Command]) -> games_pb2.SubmitCommandsRequest:
        """A request with an id of its own."""
        return games_pb2.SubmitCommandsRequest(
            game_id=self._game_id, seat=SEAT, commands=commands, command_id=f"command-{next(self._sent)}"
        )

    async def submit(self, kind: str, way: int) -> games_pb2.SubmitCommandsResponse:
        """One call: there (0) or back (1)."""
        return await self._stub.SubmitCommands(self.request(self._kinds[kind][way]), metadata=self._metadata)

    async def play(self, way: int) -> None:
        """The same over the stream."""
        if self._stream is None:
            self._stream = self._stub.Play(metadata=self._metadata)
        it = self.request(self._kinds["single"][way])
        commands = games_pb2.PlayCommands(
            game_id=it.game_id, seat=it.seat, commands=it.commands, command_id=it.command_id
        )
        await self._stream.write(games_pb2.PlayRequest(commands=commands))
        answer = await self._stream.read()
        if not answer.HasField("outcome"):
            raise RuntimeError(str(answer))


class Used(NamedTuple):
    """What calls took: how many a second; the server's CPU time each, and its instructions each, 0 if not countable."""

    rate: float
    microseconds: float
    instructions: float


async def saturated(server: int, calls: Iterable[Call], seconds: float, counts: bool = False) -> Used:
    """Clients that each call again as soon as they are answered; ``server`` is the process that answers."""
    until = time.perf_counter() + seconds

    async def client(call: Call) -> int:
        done = 0
        while time.perf_counter() < until:
            await call(0)
            await call(1)
            done += 2
        return done

    async with _instructions(server, counts) as instructions:
        cpu, begun = _cpu_seconds(server), time.perf_counter()
        done = sum(await asyncio.gather(*map(client, calls)))
        cpu, begun = _cpu_seconds(server) - cpu, time.perf_counter() - begun
    return Used(done / begun, cpu / done * 1e6, instructions[0] / done)


def _cpu_seconds(process: int) -> float:
    """The CPU time that a process has used, user and kernel."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


_INSTRUCTIONS = ["perf", "stat", "-x,", "-e", "instructions:u,instructions:k"]


def can_count() -> bool:
    """Whether instructions can be counted here; on most rented machines they cannot."""
    if shutil.which("perf") is None:
        return False
    tried = subprocess.run([*_INSTRUCTIONS, "true"], capture_output=True, text=True, check=False)
    return tried.returncode == 0 and "<not" not in tried.stderr


@asynccontextmanager
async def _instructions(process: int, counts: bool) -> AsyncIterator[list[float]]:
    """Count a process's instructions; the list has their number in the end, 0 where they are not counted."""
    found: list[float] = []
    if not counts:
        yield found
        found.append(0.0)
        return
    perf = await asyncio.create_subprocess_exec(*_INSTRUCTIONS, "-p", str(process), stderr=asyncio.subprocess.PIPE)
    await asyncio.sleep(0.3)  # until it has begun
    yield found
    perf.send_signal(signal.SIGINT)
    _, told = await perf.communicate()
    lines = [line.split(",") for line in told.decode().splitlines() if "instructions" in line]
    found.append(sum(float(line[0]) for line in lines))


async def paced(calls: Iterable[Call], rate: float, seconds: float) -> list[float]:
    """How long calls take, in seconds from when they were due, that come at random times, so many a second."""
    calls = list(calls)
    chance = random.Random(1)
    took: list[float] = []

    async def client(call: Call, gaps: list[float]) -> None:
        due = time.perf_counter()
        for number, gap in enumerate(gaps):
            due += gap
            await asyncio.sleep(due - time.perf_counter())
            await call(number % 2)
            took.append(time.perf_counter() - due)

    each = round(rate * seconds / len(calls) / 2) * 2  # there and back again
    gaps = [[chance.expovariate(rate / len(calls)) for _ in range(each)] for _ in calls]
    await asyncio.gather(*map(client, calls, gaps))
    return took


def free_address() -> str:
    """An address on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"127.0.0.1:{probe.getsockname()[1]}"


def start(command: list[str], address: str, folder: str, log: str) -> subprocess.Popen[bytes]:
    """Start a server and wait until it answers; its log goes to a file."""
    with (Path(folder) / "log").open("ab") as file:
        process = subprocess.Popen(command, cwd=folder, env={**os.environ, "BOARDKEEPER_LOG": log}, stderr=file)
    with grpc.insecure_channel(address) as channel:
        grpc.channel_ready_future(channel).result(timeout=20)
    return process


def _seats(number: int) -> list[games_pb2.SeatRequest]:
    """Other people in each game, as in life: nothing that is said of them may be known from other games."""
    return [games_pb2.SeatRequest(name=f"{name} {number}") for name in ("Ada", "Bob")]


def _channels(address: str) -> list[grpc.aio.Channel]:
    return [
        grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)]) for _ in range(CHANNELS)
    ]


async def measure(id: str, kinds: Kinds, chosen: argparse.Namespace, folder: str, counts: bool) -> None:
    """Alternate between echo and service with a title's commands; print medians, shares and whether marks are met."""
    executable = str(Path(sys.executable).with_name("boardkeeper"))
    servers = []
    async with AsyncExitStack() as opened:

        def serve(command: list[str], address: str) -> list[grpc.aio.Channel]:
            servers.append(start([*command, address], address, folder, chosen.log))
            channels = _channels(address)
            for channel in channels:
                opened.push_async_callback(channel.close)
            return channels

        try:
            channels = serve([executable, "serve", "--db", f"{id}.db", "--listen"], free_address())
            players = []
            for number in range(CLIENTS):
                stub: Any = games_pb2_grpc.GamesStub(channels[number % CHANNELS])
                game = await stub.CreateGame(games_pb2.CreateGameRequest(title=id, seats=_seats(number)))
                players.append(Player(stub, game, kinds))
            request = players[0].request(kinds["single"][0]).SerializeToString()
            size = [(await players[0].submit("single", way)).ByteSize() for way in (0, 1)][1]
            echoes: list[Any] = [
                channel.unary_unary("/bench.Echo/Echo")
                for channel in serve([sys.executable, "-c", ECHO, str(size)], free_address())
            ]
            service, echo = (server.pid for server in servers)
            answered: Answered = {
                "echo": (echo, [lambda _, call=echoes[n % CHANNELS]: call(request) for n in range(CLIENTS)]),  # type: ignore[misc]
                **{kind: (service, [partial(player.submit, kind) for player in players]) for kind in kinds},
                "stream": (service, [player.play for player in players]),
            }
            await report(answered, chosen, counts)
        finally:
            for process in servers:
                process.send_signal(signal.SIGTERM)
            for process in servers:
                process.wait(20)


async def report(answered: Answered, chosen: argparse.Namespace, counts: bool) -> None:
    """Measure and print medians over the rounds, and whether they are what we want."""
    for server, calls in answered.values():
        await saturated(server, calls, 0.5)  # to be warm
    found: dict[str, list[Used]] = {name: [] for name in answered}
    for _ in range(chosen.rounds):
        for name, (server, calls) in answered.items():
            found[name].append(await saturated(server, calls, chosen.seconds, counts))
    echo, single = found["echo"], found["single"]
    print("             calls/s  least-most  CPU us  kinstr   of the echo's: calls/s    CPU  instr")
    for name, used in found.items():
        rates = [it.rate for it in used]
        rate, cpu, instructions = (statistics.median(it) for it in zip(*used, strict=True))
        shares = " ".join(f"{_share(used, echo, field):6.2f}" for field in range(3))
        spread = f"{min(rates):,.0f}-{max(rates):,.0f}"
        print(f"{name:>9}: {rate:>9,.0f} {spread:>11} {cpu:7.0f} {instructions / 1e3:7.0f} {shares:>40}", flush=True)
    half = statistics.median(it.rate for it in single) / 2
    late: dict[str, list[float]] = {"echo": [], "single": []}
    for _ in range(chosen.rounds):
        for name, each in late.items():
            took = sorted(await paced(answered[name][1], half, chosen.seconds))
            each.append(took[len(took) * 99 // 100])
    p99 = statistics.median(mine / bare for mine, bare in zip(late["single"], late["echo"], strict=True))
    bare, mine = (statistics.median(it) * 1e3 for it in late.values())
    print(f"    p99 of {half:,.0f} calls/s: echo {bare:.1f} ms, single {mine:.1f} ms")
    rate, instructions, stream = _share(single, echo, 0), _share(single, echo, 2), _share(found["stream"], single, 0)
    for what, figure, is_met in (
        ("calls/s of the echo's", rate, rate >= LEAST_RATE),
        ("instructions of the echo's", instructions, instructions <= MOST_INSTRUCTIONS),
        ("p99 at half load of the echo's", p99, p99 <= MOST_P99),
        ("the stream's calls/s of unary's", stream, stream >= LEAST_STREAM),
    ):
        print(f"    {what}: " + (f"{figure:.2f}, {'met' if is_met else 'NOT MET'}" if figure else "not counted here"))


def _share(used: Sequence[Used], of: Sequence[Used], field: int) -> float:
    """The median, over the rounds, of how much one used of what the other one did; 0 if that is not counted."""
    rounds = zip(used, of, strict=True)
    return statistics.median(mine[field] / other[field] if other[field] else 0.0 for mine, other in rounds)


def main() -> int:
    """Measure with each title whose commands can be taken back."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--titles", nargs="+", choices=list(TITLES), default=list(TITLES))
    parser.add_argument("--seconds", type=float, default=2.5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--log", choices=("json", "console", "off"), default="json")
    chosen = parser.parse_args()
    counts = can_count()  # asked before gRPC has threads, which do not like forks
    for id in chosen.titles:
        kinds = kinds_of(id)
        print(id if kinds else f"{id}: nothing can be taken back by a command when a game begins", flush=True)
        if kinds:
            with TemporaryDirectory() as folder:
                uvloop.run(measure(id, kinds, chosen, folder, counts))
    return 0


if __name__ == "__main__":
    sys.exit(main())
