"""``boardkeeper arena``: matches between bots, and their statistics."""

from __future__ import annotations

import json

import pytest

from boardkeeper.operations.matches import Match, SeatResult, summarize, wilson_interval
from boardkeeper.terminal.errors import USAGE
from boardkeeper.terminal.main import main


def test_each_bot_takes_each_seat_with_each_seed() -> None:
    match = Match("orleans", ("sensible", "random"), 2, 4, seed=7)
    seatings = [(match.seed_of(game), *match.seating(game)) for game in range(4)]
    assert seatings == [(seed, *bots) for seed in (7, 8) for bots in (("sensible", "random"), ("random", "sensible"))]
    assert Match("orleans", ("a", "b"), 3, 2).seating(1) == ("b", "a", "b")


def test_ties_share_a_win() -> None:
    games = [[SeatResult("a", 10, 0.5), SeatResult("b", 10, 0.5)], [SeatResult("a", 30, 1), SeatResult("b", 20, 0)]]
    first, second = summarize(games)
    assert (first.bot, first.seats, first.wins, first.share, first.points) == ("a", 2, 1.5, 0.75, 20)
    assert (second.bot, second.share, second.points) == ("b", 0.25, 15)
    assert first.margin == pytest.approx(1.96 * 10, rel=1e-3)  # the standard error of 10 and 30 is 10


def test_the_interval_is_that_of_wilson() -> None:
    """Published values for 8 of 10 and 0 of 10 successes."""
    assert wilson_interval(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson_interval(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)


def test_a_match_is_reproducible(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["arena", "sensible", "random", "--title", "paladins", "--games", "2", "--processes", "1", "--json"]
    results = []
    for _ in range(2):
        assert main(command) == 0
        results.append([json.loads(line) for line in capsys.readouterr().out.splitlines()])
    assert results[0] == results[1]
    assert [(it["bot"], it["seats"], it["share"]) for it in results[0]] == [("sensible", 2, 1.0), ("random", 2, 0.0)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["best"], "unknown bot of orleans 'best'"),
        (["random", "--title", "chess"], "there is no title 'chess'"),
        (["random", "--players", "9"], "2 to 5"),
        (["random", "--choose", "planning=never"], "planning"),
    ],
)
def test_wrong_arguments_are_reported(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arena", *arguments]) == USAGE
    assert message in capsys.readouterr().err
