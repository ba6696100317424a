"""The costs of the gRPC front in one table, in Markdown, with our goals.

    python -m bench.bench_front [--against CHECKOUT] [--grpc-server NAME] [--rounds 20] [--rows commands,event,…]

Measures the service of this checkout and, with ``--against``, the service of another checkout that has its own
environment in ``.venv``, for example of the previous commit. All take turns in one run, so that a change of the
machine's speed affects all. ``--grpc-server`` selects the HTTP/2 server of this checkout's service.

``commands``: unary durable commands and a bare grpc.aio echo, as in ``bench_commands``. ``event`` and ``idle``:
watchers, as in ``bench_watchers``. ``bomb``: four hostile connections (``bench/header_bomb.py``) at the same time as
four clients with 20 commands per second each.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bench.bench_commands import (
    LEAST_RATE,
    MOST_CPU,
    MOST_P99,
    Clients,
    Latency,
    Stopwatch,
    create_games,
    echo_target,
    first_title,
    kinds_of,
    measure_commands,
    measure_latencies,
    measure_latency,
    quietest,
    ratio,
    ratios,
)
from bench.bench_watchers import HEARTBEAT, MOST_IDLE_MB, MOST_MS, idle_watcher_kilobytes, watch_games, watch_new_game
from bench.servers import Server, echo_command, service_command

TITLE = first_title()
KINDS = kinds_of(TITLE)
MOST_BOMB_MB, MOST_BOMB_MS = 150.0, 100.0
IDLE, GAMES, WATCHERS, STREAMS = 2_000, 200, 1_000, 100
BOMB_CONNECTIONS, BOMB_CLIENTS, BOMB_RATE, BOMB_SECONDS = 4, 4, 80.0, 10.0

NOISE = 0.15
"""With a larger share of the CPU for other processes, rates and latencies depend on them."""

Services = Mapping[str, Sequence[str]]
"""The commands of the measured services, by name."""

Figures = Mapping[str, float]
"""One figure for each service."""


class Row(NamedTuple):
    """One line of the table."""

    what: str
    unit: str
    figures: Figures
    goal: float
    is_least: bool = False

    def is_met(self, name: str) -> bool:
        """Return whether a service reaches the goal."""
        figure = self.figures[name]
        return figure >= self.goal if self.is_least else figure <= self.goal


def commands(services: Services, folder: Path, rounds: int) -> list[Row]:
    """Compare durable commands with the echo: rate, CPU, and latency at half of the service's highest load."""
    with ExitStack() as opened:

        def serve(command: Sequence[str], name: str) -> Server:
            server = Server(command, new_folder(folder, f"commands-{name}"))
            opened.callback(server.close)
            return server

        clients = {name: Clients(serve(command, name), TITLE, KINDS) for name, command in services.items()}
        first = next(iter(clients.values()))
        echo = echo_target(serve(echo_command(first.answer_bytes()), "echo"), first.request)
        targets = {"echo": echo, **{name: each.target("single") for name, each in clients.items()}}
        found = measure_commands(targets, rounds, 0.5)
        for name, used in found.items():
            quiet = zip(*(it for (it,) in quietest(used)), strict=True)
            rate, cpu, _, own, others = map(statistics.median, quiet)
            print(
                f"{name}: {rate:,.0f} calls/s, CPU {cpu:.0f} µs, client {own:.0f} µs, others {others:.0%}", flush=True
            )
        half = {name: statistics.median(it.rate for (it,) in quietest(found[name])) / 2 for name in services}
        paced = {(of, name): (targets[of], half[name]) for name in services for of in ("echo", name)}
        late = measure_latencies(paced, (rounds + 1) // 2)
        for name in services:
            bare, mine = (statistics.median(it.p99 for (it,) in quietest(late[of, name])) for of in ("echo", name))
            print(f"{name}: p99 {mine:.1f} ms at {half[name]:,.0f} calls/s, echo {bare:.1f} ms", flush=True)
        latency = {name: ratio(late[name, name], late["echo", name], "p99") for name in services}
        others = statistics.median(it.foreign for name in services for (it,) in quietest(found[name]))
        if others > NOISE:
            print(
                f"Other processes used {others:.0%} of the CPU. Only figures of CPU and memory are reliable.",
                flush=True,
            )

    for name in services:
        for field in ("rate", "microseconds"):
            of_rounds = ratios(found[name], found["echo"], field)
            print(f"{name}: {field} {of_rounds[0]:.2f} to {of_rounds[-1]:.2f} of the echo's", flush=True)

    def of_echo(field: str) -> Figures:
        return {name: ratio(found[name], found["echo"], field) for name in services}

    unit = "of the echo's"
    return [
        Row("durable command, calls/s", unit, of_echo("rate"), LEAST_RATE, is_least=True),
        Row("durable command, server CPU", unit, of_echo("microseconds"), MOST_CPU),
        Row("durable command, p99 at half load", unit, latency, MOST_P99),
    ]


def event(services: Services, folder: Path, rounds: int) -> list[Row]:
    """Measure the delivery of events to the watchers of one game."""
    with ExitStack() as opened:
        servers, audiences = {}, {}
        for name, command in services.items():
            servers[name] = Server(command, new_folder(folder, f"event-{name}"), HEARTBEAT)
            opened.callback(servers[name].close)
            audiences[name] = watch_new_game(servers[name], WATCHERS, STREAMS)
            opened.callback(audiences[name].close)
        found: dict[str, list[Latency]] = {name: [] for name in services}
        cpu = dict.fromkeys(services, 0.0)
        for _ in range(2 * rounds):
            for name, audience in audiences.items():
                stopwatch = Stopwatch(servers[name])
                took = statistics.quantiles(audience.event(), n=100)[98]
                _, used, _, foreign = stopwatch()
                cpu[name] += used
                found[name].append(Latency(took, foreign))
    for name, used in cpu.items():
        print(f"{name}: {used / rounds / 2 / WATCHERS * 1e6:.0f} µs of CPU for each event and watcher", flush=True)
    quiet = {name: [it.p99 for (it,) in quietest(each)] for name, each in found.items()}
    return [Row(f"`WatchGame`, {WATCHERS:,} watchers, p99", "ms", medians(quiet), MOST_MS)]


def idle_watchers(services: Services, folder: Path, rounds: int) -> list[Row]:
    """Measure the memory of idle watchers."""
    grown: dict[str, list[float]] = {name: [] for name in services}
    for turn in range(slow_rounds(rounds)):
        for name, command in services.items():
            server = Server(command, new_folder(folder, f"idle-{name}-{turn}"), HEARTBEAT)
            try:
                games = create_games(server.address, TITLE, GAMES)
                grown[name].append(
                    idle_watcher_kilobytes(server, watch_games(server, games, IDLE + 100), STREAMS) * IDLE / 1000
                )
            finally:
                server.close()
    return [Row(f"{IDLE:,} idle watchers, memory", "MB", medians(grown), MOST_IDLE_MB)]


def bomb(services: Services, folder: Path, rounds: int) -> list[Row]:
    """Measure the peak of the memory, and the latency of other clients, during the attack."""
    memory: dict[str, list[float]] = {name: [] for name in services}
    latency: dict[str, list[float]] = {name: [] for name in services}
    alone: dict[str, list[float]] = {name: [] for name in services}
    for turn in range(slow_rounds(rounds)):
        for name, command in services.items():
            server = Server(command, new_folder(folder, f"bomb-{name}-{turn}"))
            try:
                clients = Clients(server, TITLE, KINDS, BOMB_CLIENTS)
                target = clients.target("single")
                alone[name].append(measure_latency(target, BOMB_RATE, BOMB_SECONDS).p99)
                server.reset_peak()
                before = server.kilobytes()
                attack = [sys.executable, "-m", "bench.header_bomb", server.address, str(BOMB_CONNECTIONS)]
                attacker = subprocess.Popen(attack, cwd=Path(__file__).resolve().parent.parent)
                try:
                    latency[name].append(measure_latency(target, BOMB_RATE, BOMB_SECONDS).p99)
                finally:
                    attacker.kill()
                    attacker.wait()
                memory[name].append((server.kilobytes("VmHWM") - before) / 1000)
                clients.loop.close()
            finally:
                server.close()
    for name, took in medians(alone).items():
        print(f"{name}: p99 {took:.1f} ms of {BOMB_RATE:.0f} calls/s before the header bomb", flush=True)
    return [
        Row(f"header bomb, {BOMB_SECONDS:.0f} s, peak of memory", "MB", medians(memory), MOST_BOMB_MB),
        Row("header bomb, p99 of other clients", "ms", medians(latency), MOST_BOMB_MS),
    ]


def slow_rounds(rounds: int) -> int:
    """Return the number of rounds for slow measurements, which need a new server each time."""
    return max(1, rounds // 10)


def medians(found: Mapping[str, Sequence[float]]) -> Figures:
    """Return the median for each service."""
    return {name: statistics.median(each) for name, each in found.items()}


ROWS: dict[str, Callable[[Services, Path, int], list[Row]]] = {
    "commands": commands,
    "event": event,
    "idle": idle_watchers,
    "bomb": bomb,
}


def new_folder(folder: Path, name: str) -> Path:
    """Create a folder for one server."""
    path = folder / name
    path.mkdir()
    return path


def table(rows: Sequence[Row], names: Sequence[str]) -> str:
    """Return the table in Markdown, with two columns for each service."""
    lines = ["| what | " + " | ".join(f"{name} | goal met" for name in names) + " | goal |"]
    lines.append("| --- |" + " --: | --- |" * len(names) + " --- |")
    for row in rows:
        cells = [f"{row.figures[name]:.3g} | {'yes' if row.is_met(name) else 'no'}" for name in names]
        sign = "≥" if row.is_least else "≤"
        lines.append(f"| {row.what}, {row.unit} | " + " | ".join(cells) + f" | {sign} {row.goal:g} |")
    return "\n".join(lines)


def main() -> int:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, metavar="CHECKOUT")
    parser.add_argument("--grpc-server", choices=("uvicorn", "grpcio"))
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--rows", default=",".join(ROWS))
    chosen = parser.parse_args()
    flags = ["--db", "bench.db"]
    own = [*flags, "--grpc-server", chosen.grpc_server] if chosen.grpc_server else flags
    services = {"here": service_command(*own)}
    if chosen.grpc_server == "grpcio":
        services["here"] = service_command(*own, "--listen", "127.0.0.1:0", address_flag="--grpc-listen")
    if chosen.against:
        services["against"] = service_command(*flags, checkout=chosen.against.resolve())
    rows: list[Row] = []
    for name in chosen.rows.split(","):
        with TemporaryDirectory() as folder:
            rows += ROWS[name](services, Path(folder), chosen.rounds)
    print(f"\n{table(rows, list(services))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
