"""The cost of the engine as a library, for every title: import, copies of a game, push and pop, random playouts.

    python -m bench rules [--rounds 400]

A *clone* is an independent game with its whole history. *push, pop* carries out a command and undoes it; *decide, roll
back* does the same with the rules alone. *deal* is a determinised copy of what one seat knows. A *playout* pushes
random legal commands from the middle of a game to its end, and undoes them all. Each figure is the median of the
rounds, with the best in brackets.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from copy import deepcopy
from random import Random

from boardkeeper import engine
from boardkeeper.table.dice import Dice

MIDDLE = 0.5
"""The part of a game that is played before it is copied."""

IMPORT = "import time; begin = time.perf_counter(); import boardkeeper.engine; print(time.perf_counter() - begin)"
FIRST_GAME = (
    "import time; begin = time.perf_counter(); from boardkeeper import engine; "
    "engine.create({title!r}, 2); print(time.perf_counter() - begin)"
)


def measure_calls(do: Callable[[], object], rounds: int) -> str:
    """Return the median and the best of several rounds, in microseconds."""
    times: list[float] = []
    for _ in range(rounds):
        begin = time.perf_counter()
        do()
        times.append(time.perf_counter() - begin)
    return f"{statistics.median(times) * 1e6:>7,.0f} µs ({min(times) * 1e6:,.0f})"


def measure_program(program: str) -> str:
    """Return the median and the best of the seconds that a program prints, in ms, each time in a new interpreter."""
    times = [float(subprocess.check_output([sys.executable, "-c", program])) for _ in range(9)]
    return f"{statistics.median(times) * 1e3:.0f} ms ({min(times) * 1e3:.0f})"


def play(game: engine.Game, random: Random, version: int) -> None:
    """Play at random until a version, or to the end."""
    while not game.is_over and game.version < version:
        seat = random.choice(game.to_move)
        game.submit(seat, random.choice(game.legal(seat)))


def playout(game: engine.Game, random: Random) -> int:
    """Push random commands until the game is over, and undo them all; return their number."""
    with game.trying():
        while not game.is_over:
            seat = game.to_move[0]
            legal = game.legal(seat)
            game.push(seat, legal[int(random.random() * len(legal))])
        return game.pushed


def play_half(title: str, players: int) -> engine.Game:
    """Return a game in the middle, at a decision of a seat whose view can be determinised."""
    whole = engine.create(title, players, seed=1)
    play(whole, Random(1), 1_000_000)
    game = engine.create(title, players, seed=1)
    random = Random(1)
    play(game, random, int(whole.version * MIDDLE))
    while True:
        try:
            game.determinised(game.to_move[0], seed=1)
        except engine.Rejected:
            play(game, random, game.version + 1)
        else:
            return game


def deep_copy(game: engine.Game) -> Callable[[], object]:
    """Return a function that deep-copies the aggregate, without its dice: keyed hashes cannot be copied."""
    aggregate = game._game
    assert aggregate.play is not None

    def copy() -> object:
        return deepcopy(aggregate, {id(aggregate.play.recorder.dice): Dice(b"")} if aggregate.play else {})

    return copy


def measure(title: str, players: int, rounds: int) -> None:
    """Print all figures of a title."""
    game = play_half(title, players)
    seat, random = game.to_move[0], Random(2)
    aggregate = game._game
    rule = aggregate.play
    assert rule is not None

    def decide_and_roll_back() -> None:
        command = random.choice(rule.legal(seat))
        rule.decide(seat, command)
        rule.recorder.rollback()

    def push_and_pop() -> None:
        game.push(seat, random.choice(game.legal(seat)))
        game.pop()

    print(f"{title}, {players} players, version {game.version}")
    print(f"  deep copy      {measure_calls(deep_copy(game), 5)}")
    print(f"  clone          {measure_calls(game.clone, rounds)}")
    print(f"  deal           {measure_calls(lambda: game.determinised(seat, seed=1), rounds // 4)}")
    print(f"  legal          {measure_calls(lambda: game.legal(seat), rounds)}")
    print(f"  legal, decide, roll back {measure_calls(decide_and_roll_back, rounds)}")
    print(f"  legal, push, pop         {measure_calls(push_and_pop, rounds)}")
    begin, commands, games = time.perf_counter(), 0, 20
    for _ in range(games):
        commands += playout(game, random)
    seconds = time.perf_counter() - begin
    each = f"{commands / games:.0f} commands each, {commands / seconds:,.0f} pushes/s"
    print(f"  playouts       {games / seconds:>7,.0f} /s, {each}")


def main() -> int:
    """Measure imports, and every title."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=400)
    rounds = parser.parse_args().rounds
    print(f"import boardkeeper.engine {measure_program(IMPORT)}")
    for meta in engine.titles():
        print(f"import and a first game of {meta.id} {measure_program(FIRST_GAME.format(title=meta.id))}")
    for meta in engine.titles():
        fewest, most = engine.edition(meta.id).players
        for players in sorted({fewest, most}):
            measure(meta.id, players, rounds)
    return 0


if __name__ == "__main__":
    sys.exit(main())
