"""Durable commands through gRPC on SQLite, compared with a bare echo on grpc.aio, with the log on as in production.

    python -m bench.bench_commands [--titles TITLE …] [--seconds 0.5] [--rounds 20] [--log json]

64 clients on 4 connections, each with its own game, send unary SubmitCommands and wait for the answer, which
comes only after the commit (WAL, synchronous=FULL). The echo is a grpc.aio server that answers each request with the
same number of bytes as the service, called with the same bytes. Servers are separate processes; they and the clients
share the machine's two cores. The clients are cheap (`bench/http2.py`), so nearly all CPU is the server's. Echo and
service alternate, so that a change of the machine's speed affects both: compare ratios to the echo, not rates. There
are many short rounds, and only the half in which other processes used the least CPU counts. The log goes to a file,
one line per call.

Commands come in kinds: ``single`` makes one decision that is possible at the beginning of a game and undoes it with
the next command, repeatedly; ``batch`` makes up to three such decisions in one command and undoes all of them in the
next; ``stream`` is ``single`` over a ``Play`` stream of each client, which answers with the outcome without the
events. Titles without commands that can be undone are left out.

The table also shows, per call, the server's CPU time, the clients' CPU time and, where ``perf stat`` can count them,
the server's instructions (user and kernel). At the end the clients call echo and service in turn at random times, at
half of the rate that ``single`` reached; the latency of a call is measured from the time when it was due.
"""

from __future__ import annotations

import argparse
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

import grpc
from bench.http2 import Channel, Loop, grpc_headers
from bench.load import PLACEHOLDER, Call, StreamedCall, UnaryCall, pace, prepare, saturate
from bench.servers import Server, echo_command, machine_seconds, service_command
from msgspec import Struct

from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.titlekit.title import Play, Setup, Title
from boardkeeper.titles.registry import TITLES, load_title
from boardkeeper.v1 import games_pb2, games_pb2_grpc
from boardkeeper.v1.command_pb2 import Command
from boardkeeper.wire.messages import command_to_message

CLIENTS = 64
CONNECTIONS = 4
SEATS = 2
SEAT = 1
MOST = 3
"""The number of decisions in a batch."""

LEAST_RATE, MOST_CPU, MOST_INSTRUCTIONS, MOST_P99, LEAST_STREAM = 0.8, 1.3, 2.0, 3.0, 2.0
"""Our goals: ratios to the echo's calls/s, CPU, instructions and 99th percentile; to unary calls/s for the stream."""

LATENCY_SECONDS = 1.5
"""A p99 needs about a thousand calls."""

_CORES = os.cpu_count() or 1

Kinds = Mapping[str, tuple[list[Command], list[Command]]]
"""For each kind, the commands that are sent first, and those that undo them."""


def undoable_commands(title: Title, key: bytes) -> list[tuple[Struct, Struct]]:
    """Return first commands of a new game, each with a command that restores the table exactly."""
    play, table = start_game(title, key)
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


def start_game(title: Title, key: bytes) -> tuple[Play, Table]:
    """Return a new game with these dice."""
    setup = complete(title.meta, Setup("", SEATS))
    table = Table(title.layout(setup))
    play = title.play(table, Dice(key), setup)
    play.set_up()
    play.recorder.take()
    return play, table


def kinds_of(id: str) -> Kinds:
    """Return the commands of each kind and those that undo them, the same for all dice; empty if there are none."""
    title = load_title(id)
    other = undoable_commands(title, b"other dice")
    pairs = [pair for pair in undoable_commands(title, b"dice") if pair in other]
    if not pairs:
        return {}
    play, _ = start_game(title, b"dice")
    chosen: list[tuple[Struct, Struct]] = []
    for there, back in pairs:
        if len(chosen) < MOST and play.decide(SEAT, there) is None:
            chosen.append((there, back))
    theres, backs = ([command_to_message(id, it) for it in some] for some in zip(*chosen, strict=True))
    return {"single": (theres[:1], backs[:1]), "batch": (theres, backs)}


def first_title() -> str:
    """Return the first title that has commands that can be undone at the beginning of a game."""
    return next(id for id in TITLES if kinds_of(id))


def create_games(address: str, title: str, number: int) -> list[games_pb2.CreateGameResponse]:
    """Create games. The player names differ, so that the server cannot reuse the cached answer of another game."""
    with grpc.insecure_channel(address) as channel:
        stub: Any = games_pb2_grpc.GamesStub(channel)
        return [
            stub.CreateGame(
                games_pb2.CreateGameRequest(
                    title=title, seats=[games_pb2.SeatRequest(name=f"{name} {at}") for name in ("Ada", "Bob")]
                )
            )
            for at in range(number)
        ]


class Seat:
    """One client: a seat of a game, and its calls by kind."""

    def __init__(self, channel: Channel, game: games_pb2.CreateGameResponse, kinds: Kinds) -> None:
        self._game_id = game.game.game_id
        (token,) = (it.token for it in game.seat_tokens if it.seat == SEAT)
        metadata = [("authorization", f"Bearer {token}")]
        numbers = count()

        def headers(rpc: str) -> Sequence[tuple[str, str]]:
            return grpc_headers(f"/boardkeeper.v1.Games/{rpc}", channel.address, metadata)

        self.calls: dict[str, Call] = {
            kind: UnaryCall(channel, headers("SubmitCommands"), [prepare(self.request(way), numbers) for way in ways])
            for kind, ways in kinds.items()
        }
        plays = [prepare(self._play(way), numbers) for way in kinds["single"]]
        outcome = games_pb2.PlayResponse.DESCRIPTOR.fields_by_name["outcome"].number << 3 | 2
        self.calls["stream"] = StreamedCall(channel, headers("Play"), plays, outcome)

    def request(self, commands: list[Command]) -> games_pb2.SubmitCommandsRequest:
        """Return a request with a placeholder as its command id."""
        return games_pb2.SubmitCommandsRequest(
            game_id=self._game_id, seat=SEAT, commands=commands, command_id=PLACEHOLDER
        )

    def _play(self, commands: list[Command]) -> games_pb2.PlayRequest:
        it = self.request(commands)
        return games_pb2.PlayRequest(
            commands=games_pb2.PlayCommands(
                game_id=it.game_id, seat=it.seat, commands=it.commands, command_id=it.command_id
            )
        )


class Target(NamedTuple):
    """A server and a call of each client."""

    server: Server
    loop: Loop
    calls: Sequence[Call]


class Clients:
    """All clients of one service: their connections, and their calls by kind."""

    def __init__(self, server: Server, title: str, kinds: Kinds, number: int = CLIENTS) -> None:
        games = create_games(server.address, title, number)
        channels = [Channel(server.address) for _ in range(min(number, CONNECTIONS))]
        self._server = server
        self._seats = [Seat(channels[at % len(channels)], game, kinds) for at, game in enumerate(games)]
        self.request = self._seats[0].request(kinds["single"][0])
        self.loop = Loop(channels)

    def target(self, kind: str) -> Target:
        """Return the target for :func:`saturate_target` and :func:`pace`."""
        return Target(self._server, self.loop, [seat.calls[kind] for seat in self._seats])

    def answer_bytes(self) -> int:
        """Return the size of the answer to a single command, and undo the command."""
        call = self._seats[0].calls["single"]
        assert isinstance(call, UnaryCall)
        saturate(self.loop, [call], 0)
        return len(call.answer or b"")


def echo_target(server: Server, request: games_pb2.SubmitCommandsRequest) -> Target:
    """Return the same number of clients of an echo, which send the same request."""
    channels = [Channel(server.address) for _ in range(CONNECTIONS)]
    way = prepare(request)
    calls = []
    for at in range(CLIENTS):
        channel = channels[at % CONNECTIONS]
        metadata = [("authorization", f"Bearer {at:043}")]
        headers = grpc_headers("/bench.Echo/Echo", channel.address, metadata)
        calls.append(UnaryCall(channel, headers, [way, way]))
    return Target(server, Loop(channels), calls)


class Used(NamedTuple):
    """Calls per second, and per call the server's CPU time and instructions (0 if unknown) and the clients' CPU time.

    ``foreign`` is the share of the machine's CPU that other processes used at the same time.
    """

    rate: float
    microseconds: float
    instructions: float
    client_microseconds: float
    foreign: float


class Latency(NamedTuple):
    """The 99th percentile of the latency in milliseconds, and the share of other processes as in :class:`Used`."""

    p99: float
    foreign: float


_Name = TypeVar("_Name", bound=Hashable)
_Measured = TypeVar("_Measured", Used, Latency)


class Stopwatch:
    """A stopwatch for wall time and for the CPU time of the server, of this process and of others."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._before = self._now()

    def _now(self) -> tuple[float, float, float, float]:
        return time.perf_counter(), self._server.cpu_seconds(), time.process_time(), machine_seconds()

    def __call__(self) -> tuple[float, float, float, float]:
        """Return seconds, CPU seconds of the server and of this process, and the share of the CPU that others used."""
        wall, cpu, own, machine = (now - before for now, before in zip(self._now(), self._before, strict=True))
        return wall, cpu, own, max(0.0, machine - cpu - own) / wall / _CORES


def saturate_target(target: Target, seconds: float, *, counts: bool = False) -> Used:
    """Measure calls while each client calls again as soon as it has an answer."""
    with _instructions(target.server.pid, counts) as instructions:
        stopwatch = Stopwatch(target.server)
        done = saturate(target.loop, target.calls, seconds)
        wall, cpu, own, foreign = stopwatch()
    return Used(done / wall, cpu / done * 1e6, instructions[0] / done, own / done * 1e6, foreign)


def measure_latency(target: Target, rate: float, seconds: float) -> Latency:
    """Measure the latency of calls at random times."""
    stopwatch = Stopwatch(target.server)
    took = sorted(pace(target.loop, target.calls, rate, seconds))
    return Latency(took[len(took) * 99 // 100] * 1e3, stopwatch()[3])


_INSTRUCTIONS = ["perf", "stat", "-x,", "-e", "instructions:u,instructions:k"]


def can_count() -> bool:
    """Return whether this machine can count instructions; most virtual machines cannot."""
    if shutil.which("perf") is None:
        return False
    tried = subprocess.run([*_INSTRUCTIONS, "true"], capture_output=True, text=True, check=False)
    return tried.returncode == 0 and "<not" not in tried.stderr


@contextmanager
def _instructions(process: int, counts: bool) -> Iterator[list[float]]:
    """Count a process's instructions; their number is in the list at the end, 0 if they are not counted."""
    found: list[float] = []
    if not counts:
        yield found
        found.append(0.0)
        return
    perf = subprocess.Popen([*_INSTRUCTIONS, "-p", str(process)], stderr=subprocess.PIPE, text=True)
    time.sleep(0.3)  # perf needs a moment to start
    yield found
    perf.send_signal(signal.SIGINT)
    _, output = perf.communicate()
    lines = [line.split(",") for line in output.splitlines() if "instructions" in line]
    found.append(sum(float(line[0]) for line in lines))


def quietest(*found: Sequence[_Measured]) -> list[tuple[_Measured, ...]]:
    """Return the half of the rounds in which other processes used the least CPU."""
    rounds = sorted(zip(*found, strict=True), key=lambda each: max(one.foreign for one in each))
    return rounds[: (len(rounds) + 1) // 2]


def ratios(used: Sequence[_Measured], base: Sequence[_Measured], field: str) -> list[float]:
    """Return the ratios of a field in the quietest rounds, in ascending order; 0 if it is not counted."""
    pairs = [(getattr(mine, field), getattr(other, field)) for mine, other in quietest(used, base)]
    return sorted(mine / other if other else 0.0 for mine, other in pairs)


def ratio(used: Sequence[_Measured], base: Sequence[_Measured], field: str) -> float:
    """Return the median of :func:`ratios`."""
    return statistics.median(ratios(used, base, field))


def measure(id: str, kinds: Kinds, chosen: argparse.Namespace, folder: str, counts: bool) -> None:
    """Start echo and service, and measure a title's commands."""
    with ExitStack() as opened:

        def serve(command: list[str]) -> Server:
            server = Server(command, folder, {"BOARDKEEPER_LOG": chosen.log})
            opened.callback(server.close)
            return server

        clients = Clients(serve(service_command("--db", f"{id}.db")), id, kinds)
        echo = echo_target(serve(echo_command(clients.answer_bytes())), clients.request)
        opened.callback(clients.loop.close)
        opened.callback(echo.loop.close)
        report({"echo": echo, **{kind: clients.target(kind) for kind in (*kinds, "stream")}}, chosen, counts)


def report(targets: Mapping[str, Target], chosen: argparse.Namespace, counts: bool) -> None:
    """Measure and print medians over the quietest rounds, and whether the goals are met."""
    found = measure_commands(targets, chosen.rounds, chosen.seconds, counts=counts)
    echo, single = found["echo"], found["single"]
    print("             calls/s  least-most  CPU us  kinstr  client us   of the echo's: calls/s    CPU  instr")
    for name, used in found.items():
        rates = [it.rate for (it,) in quietest(used)]
        rate, cpu, instructions, own, _ = (statistics.median(it) for it in zip(*used, strict=True))
        of_echo = " ".join(f"{ratio(used, echo, field):6.2f}" for field in Used._fields[:3])
        spread = f"{min(rates):,.0f}-{max(rates):,.0f}"
        print(
            f"{name:>9}: {rate:>9,.0f} {spread:>11} {cpu:7.0f} {instructions / 1e3:7.0f} {own:10.0f} {of_echo:>40}",
            flush=True,
        )
    half = statistics.median(it.rate for it in single) / 2
    latencies = measure_latencies({name: (targets[name], half) for name in ("echo", "single")}, chosen.rounds)
    bare, mine = (statistics.median(it.p99 for it in each) for each in latencies.values())
    print(f"    p99 of {half:,.0f} calls/s: echo {bare:.1f} ms, single {mine:.1f} ms")
    of_p99 = ratio(latencies["single"], latencies["echo"], "p99")
    rate, cpu, instructions = (ratio(single, echo, field) for field in Used._fields[:3])
    stream = ratio(found["stream"], single, "rate")
    for what, figure, is_met in (
        ("calls/s, of the echo's", rate, rate >= LEAST_RATE),
        ("CPU, of the echo's", cpu, cpu <= MOST_CPU),
        ("instructions, of the echo's", instructions, instructions <= MOST_INSTRUCTIONS),
        ("p99 at half load, of the echo's", of_p99, of_p99 <= MOST_P99),
        ("the stream's calls/s, of unary's", stream, stream >= LEAST_STREAM),
    ):
        print(f"    {what}: " + (f"{figure:.2f}, {'met' if is_met else 'NOT MET'}" if figure else "not counted here"))


def measure_commands(
    targets: Mapping[str, Target], rounds: int, seconds: float, *, counts: bool = False
) -> dict[str, list[Used]]:
    """Measure each target once per round, after calls that warm it up."""
    for target in targets.values():
        saturate_target(target, 1.0)
    found: dict[str, list[Used]] = {name: [] for name in targets}
    for _ in range(rounds):
        for name, target in targets.items():
            found[name].append(saturate_target(target, seconds, counts=counts))
    return found


def measure_latencies(targets: Mapping[_Name, tuple[Target, float]], rounds: int) -> dict[_Name, list[Latency]]:
    """Measure the latency of each target once per round, at its rate."""
    found: dict[_Name, list[Latency]] = {name: [] for name in targets}
    for _ in range(rounds):
        for name, (target, rate) in targets.items():
            found[name].append(measure_latency(target, rate, LATENCY_SECONDS))
    return found


def main() -> int:
    """Measure with each title whose commands can be undone."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--titles", nargs="+", choices=list(TITLES), default=list(TITLES))
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--log", choices=("json", "console", "off"), default="json")
    chosen = parser.parse_args()
    counts = can_count()
    for id in chosen.titles:
        kinds = kinds_of(id)
        print(id if kinds else f"{id}: no command at the beginning of a game can be undone", flush=True)
        if kinds:
            with TemporaryDirectory() as folder:
                measure(id, kinds, chosen, folder, counts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
