"""Search states compared with catanatron: decisions, copies, determinizations, keys and policies, in CPU time.

Interpreted rules, compiled rules and catanatron take turns in one run, each in its own process. All figures are ratios
to catanatron in the same round, because the speed of a machine changes; the median of the rounds is printed.
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from bench.bench_compiled import ROOT, compiled_rules
from bench.bench_decisions import peer_python

from boardkeeper import engine
from boardkeeper.engine.search_state import SearchState
from boardkeeper.table import zones
from boardkeeper.titlekit.policies import policy_of
from boardkeeper.titles.registry import TITLES, load_title

ROUNDS = 7
PLAYERS = (2, 4)
REPEATS = 60

FIGURES = {
    "decision": ("decisions a second: legal, choose, push", "decision"),
    "push_pop": ("push and pop", "decision"),
    "legal": ("legal", "decision"),
    "copy": ("copy of a changed state", "copy"),
    "branch": ("copy, and a command in the copy", "branch"),
    "determinise": ("determinise", "copy"),
    "key": ("key of a changed state", "copy"),
    "policy": ("policy: scores of all legal commands", "decision"),
    "mask": ("mask of the action space", "decision"),
    "observe": ("observation of a changed state", "decision"),
}
"""The title of each figure, and the operation of catanatron with which it is compared."""

PEER_PROGRAM = """
import json, random, sys, time
from catanatron import Game, RandomPlayer, Color
clock = time.process_time
COLORS = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
def per(act, count):
    begin = clock()
    for _ in range(count):
        act()
    return (clock() - begin) / count * 1e6
for line in sys.stdin:
    _, players, seed = json.loads(line)
    random.seed(seed)
    ticks = 0
    begin = clock()
    for _ in range(6):
        game = Game([RandomPlayer(color) for color in COLORS])
        game.play()
        ticks += len(game.state.actions)
    figures = {"decision": (clock() - begin) / ticks * 1e6}
    game = Game([RandomPlayer(color) for color in COLORS])
    for _ in range(150):
        if game.winning_color() is None:
            game.play_tick()
    figures["copy"] = per(game.copy, 200)
    def branch():
        copy = game.copy()
        copy.execute(random.choice(copy.state.playable_actions))
    figures["branch"] = per(branch, 200)
    print(json.dumps(figures), flush=True)
"""
"""catanatron with four players: a tick lists the actions, chooses one, carries it out and appends it to a log."""


def per(act: Callable[[], object], count: int = REPEATS) -> float:
    """Return the CPU time of a call, in microseconds."""
    begin = time.process_time()
    for _ in range(count):
        act()
    return (time.process_time() - begin) / count * 1e6


def advance(state: SearchState, choose: random.Random, most: int = 10**6) -> int:
    """Push random commands until the end, or at most ``most``; return their number."""
    count = 0
    while count < most and not state.is_over:
        seat = state.to_move[0]
        commands = state.legal(seat)
        state.push(seat, commands[int(choose.random() * len(commands))])
        count += 1
    return count


def measure(id: str, players: int, seed: int) -> dict[str, float]:
    """Return the microseconds of each operation."""
    choose = random.Random(seed)
    root = engine.create(id, players, seed=seed).search_state(seed=seed)
    begin = time.process_time()
    decisions = advance(root, choose)
    figures = {"decision": (time.process_time() - begin) / decisions * 1e6}
    for part in (0.3, 0.6):  # two positions of a game
        game = engine.create(id, players, seed=seed).search_state(seed=seed)
        advance(game, choose, int(decisions * part))
        if not game.is_over:
            for name, figure in measure_position(game, choose).items():
                figures[name] = figures.get(name, 0) + figure / 2
    return figures


def measure_position(game: SearchState, choose: random.Random) -> dict[str, float]:
    """Return the microseconds of each operation in one position."""
    state = game.copy()
    seat = state.to_move[0]
    commands = state.legal(seat)

    def after_push(act: Callable[[], object]) -> Callable[[], None]:
        def push_act_pop() -> None:
            state.push(seat, commands[int(choose.random() * len(commands))])
            act()
            state.pop()

        return push_act_pop

    def branch() -> None:
        copy = state.copy()
        copy.push(seat, commands[int(choose.random() * len(commands))])

    def list_next() -> None:
        for other in state.to_move:
            state.legal(other)
            return

    state.key()
    numbers = iter(range(10**9))
    push_pop = per(after_push(int))
    figures = {
        "push_pop": push_pop,
        "legal": per(after_push(list_next)) - push_pop,
        "copy": per(after_push(state.copy)) - push_pop,
        "branch": per(branch),
        "determinise": per(lambda: state.determinise(seat, next(numbers))),
        "key": per(after_push(state.key)) - push_pop,
    }
    setup = state.setup
    space = engine.action_space(state.title.id, setup.players, setup.edition, setup.options, setup.readings)
    mask = bytearray(space.n_actions)
    figures["mask"] = per(lambda: space.mask(state, seat, mask))
    features = engine.observation_space(state.title.id, setup.players, setup.edition, setup.options, setup.readings)
    observer = features.observer(state, seat)
    observer.update()
    figures["observe"] = per(after_push(observer.update)) - push_pop
    policy = policy_of(load_title(state.title.id))
    if policy is not None:
        play = state._bind()
        figures["policy"] = per(lambda: policy.scores(play, seat, commands))
    return figures


def serve() -> None:
    """Answer the requests on standard input, line by line."""
    print(json.dumps(zones.__file__), flush=True)
    for line in sys.stdin:
        print(json.dumps(measure(*json.loads(line))), flush=True)


class Measurer:
    """A process that measures."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def read(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(self._process.stdout.readline())

    def measure(self, id: str, players: int, seed: int) -> dict[str, float]:
        """Return the microseconds of each operation."""
        assert self._process.stdin is not None
        print(json.dumps((id, players, seed)), file=self._process.stdin, flush=True)
        measured: dict[str, float] = self.read()
        return measured


@contextmanager
def measurer(command: Sequence[object], path: str = "") -> Iterator[Measurer]:
    """Start a process that measures, and end it."""
    environment = os.environ | {"PYTHONPATH": path or os.environ.get("PYTHONPATH", "")}
    with subprocess.Popen(
        [str(word) for word in command],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield Measurer(process)


def report(ratios: dict[tuple[str, str, int, str], list[float]], builds: Sequence[str]) -> None:
    """Print the ratios of each operation, for each title and number of players."""
    for name, (title, of) in FIGURES.items():
        keys = [(id, players) for id in TITLES for players in PLAYERS if (builds[0], id, players, name) in ratios]
        if keys:
            print(f"{title}, compared with catanatron's {of} ({', '.join(builds)})")
        for id, players in keys:
            found = [statistics.median(ratios[build, id, players, name]) for build in builds]
            print(f"  {id}, {players} players: " + ", ".join(f"{ratio:.2f}" for ratio in found))


def main() -> int:
    """Measure in turn, then print the ratios."""
    peer = peer_python()
    if peer is None:
        print("catanatron could not be installed", file=sys.stderr)
        return 1
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    own = (sys.executable, "-m", "bench.bench_search", "serve")
    paths = {"interpreted": "", "compiled": str(compiled_rules())}
    ratios: dict[tuple[str, str, int, str], list[float]] = {}
    with ExitStack() as stack:
        builds = {name: stack.enter_context(measurer(own, path)) for name, path in paths.items()}
        if [build.read().endswith(".py") for build in builds.values()] != [True, False]:
            print("not an interpreted and a compiled build", file=sys.stderr)
            return 1
        catanatron = stack.enter_context(measurer((peer, "-c", PEER_PROGRAM)))
        for seed in range(rounds + 1):
            for id in TITLES:
                for players in PLAYERS:
                    beside = catanatron.measure("", 4, seed)
                    for name, build in builds.items():
                        figures = build.measure(id, players, seed)
                        if seed:  # the first round loads the titles
                            for what, figure in figures.items():
                                other = beside[FIGURES[what][1]]
                                ratio = other / figure if what == "decision" else figure / other
                                ratios.setdefault((name, id, players, what), []).append(ratio)
    report(ratios, list(builds))
    return 0


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        serve()
    else:
        sys.exit(main())
