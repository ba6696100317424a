"""Fit the weights of a title's evaluation of running games to the results of games, and print them as TOML.

    python -m bench.fit_evaluation TITLE [--games 600] [--check 150] > evaluation.toml

The sensible bot plays all seats. So that positions differ, each seat first chooses at random, by the scores of the
policy, until a random round. From then on, its positions count. The weights minimise the squared error of the
final points (least squares). No weight is negative except those of rounds alone: otherwise a search would avoid what
is merely rare in good games. On standard error: correlation of the estimated with the final lead over the other seats
in further games, compared with that of the points so far.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from importlib import import_module
from statistics import correlation
from typing import NamedTuple

from boardkeeper.game.choices import complete
from boardkeeper.testkit.bot_games import set_up_play
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import load_title

TEMPERATURES = (0.3, 0.7, 1.5, 3.0, 6.0)
SAMPLED = 0.03
"""The share of decisions whose position is used."""

RIDGE = 0.01
PLAYERS = (2, 2, 3, 4)
"""The numbers of players of games; two players are the most common."""


class Position(NamedTuple):
    """A seat in a position: the round, its points, the facts of the evaluation, and whether it plays sensibly now."""

    round: int
    points: float
    features: dict[str, float]
    is_sensible: bool


class Result(NamedTuple):
    """The seats of a position and their final points."""

    seats: list[Position]
    final: list[int]


def play(id: str, number: int) -> list[Result]:
    """Play a game and return sampled positions."""
    title, chance = load_title(id), random.Random(number)
    bots = f"boardkeeper.titles.{id}.bots"
    policy, evaluation = import_module(f"{bots}.policy"), import_module(f"{bots}.evaluation")
    setup = complete(title.meta, Setup("", chance.choice(PLAYERS)))
    game = set_up_play(title, setup, f"evaluation {number}")
    t = game.t
    until = [chance.choice((0, 0, chance.randrange(1, t.data.rounds + 1))) for _ in t.seats]
    temperatures = [chance.choice(TEMPERATURES) for _ in t.seats]
    positions: list[list[Position]] = []
    while not game.is_over():
        game.recorder.clear()
        seat = game.table.deciding()[0]
        legal = game.legal(seat)
        scores = policy.scores(game, seat, legal)
        best = max(scores)
        command = legal[scores.index(best)]
        if t.round.value < until[seat - 1]:
            weights = [math.exp((score - best) / temperatures[seat - 1]) for score in scores]
            command = chance.choices(legal, weights)[0]
        if chance.random() < SAMPLED:
            now = t.round.value
            positions.append(
                [
                    Position(now, evaluation.points(t, it), evaluation.features(t, it), now >= until[it.number - 1])
                    for it in t.seats
                ]
            )
        if game.decide(seat, command) is not None:
            raise AssertionError("a listed command was rejected")
    points = {standing.seat: standing.points for standing in game.standings()}
    return [Result(seats, [points[seat] for seat in sorted(points)]) for seats in positions]


def fit(results: Sequence[Result]) -> dict[str, float]:
    """Return the weights: remove the most negative one and fit again until none is negative."""
    names = sorted({name for result in results for position in result.seats for name in position.features})
    matrix = {one: dict.fromkeys(names, 0.0) for one in names}
    target = dict.fromkeys(names, 0.0)
    for result in results:
        for position, final in zip(result.seats, result.final, strict=True):
            features = [(name, value) for name, value in position.features.items() if value]
            for name, value in features if position.is_sensible else ():
                target[name] += value * (final - position.points)
                for other, factor in features:
                    matrix[name][other] += value * factor
    while True:
        weights = solve([[matrix[one][other] for other in names] for one in names], [target[name] for name in names])
        found = dict(zip(names, weights, strict=True))
        share = {name: found[name] * math.sqrt(matrix[name][name]) for name in names if "rounds" not in name}
        worst = min(share, key=lambda name: share[name])
        if share[worst] >= 0.0:
            return found
        names.remove(worst)


def solve(matrix: list[list[float]], target: list[float]) -> list[float]:
    """Solve normal equations with a small ridge by Gaussian elimination."""
    size = len(target)
    rows = [[*row, value] for row, value in zip(matrix, target, strict=True)]
    for at in range(size):
        rows[at][at] *= 1.0 + RIDGE
    for at in range(size):
        for other in range(size):
            if other != at:
                factor = rows[other][at] / rows[at][at]
                rows[other] = [x - factor * y for x, y in zip(rows[other], rows[at], strict=True)]
    return [rows[at][size] / rows[at][at] for at in range(size)]


def report(results: Sequence[Result], weights: dict[str, float]) -> None:
    """Print by round how the estimated lead of a seat, and its lead in points so far, correlate with the final one."""
    leads: dict[int, list[tuple[float, float, float]]] = defaultdict(list)
    for result in results:
        if all(position.is_sensible for position in result.seats):
            points = [position.points for position in result.seats]
            values = [
                position.points + sum(weights.get(name, 0.0) * value for name, value in position.features.items())
                for position in result.seats
            ]
            for at in range(len(points)):
                lead = (_lead(values, at), _lead(points, at), _lead(result.final, at))
                leads[(result.seats[at].round - 1) // 3].append(lead)
    for rounds, found in sorted(leads.items()):
        values, points, finals = (list(each) for each in zip(*found, strict=True))
        error = math.sqrt(sum((value - final) ** 2 for value, final in zip(values, finals, strict=True)) / len(found))
        print(
            f"rounds {3 * rounds + 1:2} to {3 * rounds + 3:2}: correlation {correlation(values, finals):.2f}"
            f" (points {correlation(points, finals):.2f}), error {error:.1f} points, {len(found)} positions",
            file=sys.stderr,
        )


def _lead(values: Sequence[float], seat: int) -> float:
    return values[seat] - (sum(values) - values[seat]) / (len(values) - 1)


def main() -> None:
    parser = argparse.ArgumentParser(description="Fit the weights of a title's evaluation.")
    parser.add_argument("title")
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--check", type=int, default=150, help="number of further games for the report")
    options = parser.parse_args()
    weights = fit([result for number in range(options.games) for result in play(options.title, number)])
    checked = range(options.games, options.games + options.check)
    report([result for number in checked for result in play(options.title, number)], weights)
    print("# Weights of the evaluation of a running game, fitted to the results of games of the sensible bot:")
    print(f"# `python -m bench.fit_evaluation {options.title} --games {options.games}`.")
    print("# A fact without a weight does not count.")
    print("\n[weights]")
    for name, weight in weights.items():
        print(f"{name} = {weight:.3f}")


if __name__ == "__main__":
    main()
