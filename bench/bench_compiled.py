"""Compare random decisions per second of the compiled rules with pure Python, for every title.

Both builds play the same games in turn, each in its own process, and must reach the same tables. CPU time is counted,
so that other processes do not affect the result. The median of the games' ratios is printed, and the memory of a game
that waits for its first decision.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
import tracemalloc
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from bench.bench_decisions import play, player_counts, start_game

from boardkeeper.table import zones
from boardkeeper.titles.registry import TITLES

ROOT = Path(__file__).resolve().parent.parent
GAMES = 24
"""Number of games of each title and number of players."""

GAMES_IN_MEMORY = 20
"""Number of games whose memory is measured together."""


def compiled_rules() -> Path:
    """Return the folder of the compiled rules, which are compiled first if the sources have changed."""
    command = [sys.executable, str(ROOT / "tools" / "compile_rules.py")]
    return Path(subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.strip())


class Build:
    """A process that plays games with one build of the rules."""

    def __init__(self, *path: Path) -> None:
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path))}
        command = [sys.executable, "-m", "bench.bench_compiled", "play"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def call(self, *words: object) -> list[str]:
        """Send a request and return the answer; raises ``RuntimeError`` if the process ended."""
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError("there are no pipes")
        print(*words, file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline().split()
        if not answer:
            raise RuntimeError(f"{words} ended the process")
        return answer

    def play(self, id: str, players: int, seed: int) -> tuple[int, float, str]:
        """Play a game and return its decisions, its seconds and the digest of its last table."""
        decisions, seconds, digest = self.call("play", id, players, seed)
        return int(decisions), float(seconds), digest

    def kilobytes(self, id: str, players: int) -> float:
        """Return the memory of a game."""
        return float(self.call("hold", id, players, 0)[0])


def serve() -> None:
    """Answer the requests on standard input, line by line."""
    for line in sys.stdin:
        what, id, players, seed = line.split()
        if what == "source":
            print(zones.__file__, flush=True)
        elif what == "hold":
            print(kilobytes(id, int(players)), flush=True)
        else:
            begin = time.process_time()
            table, decisions = play(id, int(players), int(seed))
            print(decisions, time.process_time() - begin, table.digest(), flush=True)


def kilobytes(id: str, players: int) -> float:
    """Return the memory of a game that waits for its first decision, in thousands of bytes."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    games = [start_game(id, players, seed) for seed in range(GAMES_IN_MEMORY)]
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (after - before) / len(games) / 1000


def compare(pure: Build, compiled: Build, id: str, players: int) -> float:
    """Let both builds play, print the figures and return the ratio."""
    speeds: list[tuple[float, float]] = []
    for seed in range(GAMES + 1):
        order = (pure, compiled) if seed % 2 else (compiled, pure)
        played = {build: build.play(id, players, seed) for build in order}
        (decisions, slow, one), (_, fast, other) = played[pure], played[compiled]
        if one != other:
            raise AssertionError(f"the builds disagree on game {seed} of {id} for {players}")
        if seed:  # the first game of each loads the title
            speeds.append((decisions / slow, decisions / fast))
    ratios = [fast / slow for slow, fast in speeds]
    low, _, high = statistics.quantiles(ratios)
    print(
        f"{id}, {players} players: {statistics.median(ratios):.2f} ({low:.2f}-{high:.2f}), "
        f"{statistics.median(slow for slow, _ in speeds):,.0f} -> {statistics.median(fast for _, fast in speeds):,.0f} "
        f"decisions/s of CPU; a game {pure.kilobytes(id, players):.0f} -> {compiled.kilobytes(id, players):.0f} KB",
        flush=True,
    )
    return statistics.median(ratios)


def main() -> int:
    """Compare, for every title and number of players."""
    with ExitStack() as stack:
        pure, compiled = (stack.enter_context(build) for build in (Build(), Build(compiled_rules())))
        sources = [build.call("source", "-", 0, 0)[0].endswith(".py") for build in (pure, compiled)]
        if sources != [True, False]:
            print("not a pure and a compiled build", file=sys.stderr)
            return 1
        for id in TITLES:
            ratios = [compare(pure, compiled, id, players) for players in player_counts(id)]
            print(f"{id}: {statistics.geometric_mean(ratios):.2f}", flush=True)
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["play"]:
        serve()
    else:
        sys.exit(main())
