"""Both bots always choose legal commands and finish their games; the sensible bot plays for points."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean

import pytest
from msgspec import Struct
from tests.titles.paladins.kit import PaladinsGame

from boardkeeper.testkit.bot_games import play_bot_game
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titlekit.policies import policy_of
from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.meta import META
from boardkeeper.titles.paladins.play import PaladinsPlay
from boardkeeper.titles.paladins.title import TITLE

BOTS = [bot.id for bot in META.bots]
CHOICES = [(reading.id, choice.id) for reading in META.readings for choice in reading.choices[1:]]


def ask_sensible_bot(game: PaladinsGame, *commands: Struct) -> Struct:
    """Return the choice of the sensible bot on seat 1, among these commands or all legal ones."""
    legal = game.legal(1)
    assert all(command in legal for command in commands), legal
    return ask_bot(TITLE, game.setup, game.table, "sensible", 1, commands or legal, 0.0)


# --- whole games -----------------------------------------------------------------------------------------------------


def test_the_sensible_bot_plays_well_and_far_better_than_chance() -> None:
    """In four games of three, sensible bots score like ordinary people, random bots almost nothing."""
    totals: dict[str, list[int]] = {bot: [] for bot in BOTS}
    for game in range(4):
        bots = ["sensible"] * 3
        bots[game % 3] = "random"
        play, _ = play_bot_game(TITLE, bots, f"contest {game}")
        for standing in play.standings():
            totals[bots[standing.seat - 1]].append(standing.points)
    assert mean(totals["sensible"]) > 45
    assert mean(totals["random"]) < 15
    assert min(totals["sensible"]) > max(totals["random"])


@pytest.mark.parametrize(("reading", "choice"), CHOICES)
def test_the_sensible_bot_plays_under_every_reading(reading: str, choice: str) -> None:
    play, _ = play_bot_game(TITLE, ["sensible"] * 2, choice, readings={reading: choice})
    assert play.is_over()


def test_the_policy_scores_all_commands_and_evaluates_a_finished_game_by_its_points() -> None:
    policy = policy_of(TITLE)
    assert policy is not None

    def watch(play: PaladinsPlay, seat: int, legal: Sequence[Struct]) -> None:
        assert policy is not None
        assert len(policy.scores(play, seat, legal)) == len(legal)
        assert len(policy.evaluate(play)) == len(play.t.seats)

    for options in ({}, {"opponent": "standard"}):
        play, _ = play_bot_game(TITLE, ["random"] * 2, "policy", watch, options=options)
        assert policy.evaluate(play) == [it.points for it in sorted(play.standings(), key=lambda it: it.seat)]


# --- single decisions ------------------------------------------------------------------------------------------------


def act(*, round: int = 3, silver: int = 6, **workers: int) -> PaladinsGame:
    """Start seat 1's turn with these workers and enough provisions, and no townsfolk to recruit."""
    game = PaladinsGame(2).turn(1, round=round).display("townsfolk").workers(1, **workers)
    return game.at(1, silver=silver, provisions=6)


def test_the_sensible_bot_keeps_a_worker_for_the_next_round_except_in_the_last() -> None:
    spending = (c.BeginAction("hunt", 1), c.BeginAction("trade", 1))
    assert ask_sensible_bot(act(labourer=1), *spending, c.Pass()) == c.Pass()
    assert ask_sensible_bot(act(round=7, labourer=1)) in spending


def test_the_sensible_bot_develops_early_and_not_in_the_last_round() -> None:
    assert ask_sensible_bot(act(round=1, labourer=2)) == c.BeginAction("develop", 2)
    assert ask_sensible_bot(act(round=7, labourer=2)) != c.BeginAction("develop", 2)


def test_the_sensible_bot_puts_an_unneeded_worker_on_a_space_for_any() -> None:
    """Absolve needs a cleric and a merchant; no action needs a labourer."""
    game = act(scout=1, labourer=1, cleric=2, merchant=1)
    game.do(1, c.BeginAction("commission", 3))
    assert ask_sensible_bot(game) == c.PlaceWorker("labourer")


def test_the_sensible_bot_trades_for_an_action_that_it_cannot_pay_yet() -> None:
    """Absolving would bring the sixth point of faith, which scores, but the seat has no silver yet."""
    game = act(round=7, silver=0, labourer=2, cleric=1, merchant=1).at(1, faith=5)
    assert ask_sensible_bot(game) == c.BeginAction("trade", 1)
    assert ask_sensible_bot(game.at(1, silver=1)) == c.BeginAction("absolve", 3)


def test_the_sensible_bot_pays_a_debt_rather_than_take_a_worker() -> None:
    game = act(cleric=1, labourer=1, merchant=1)
    commands = (c.PlaceJar("labourer"), c.PlaceJar("pay_debt"))
    game.do(1, c.BeginAction("absolve", 3))
    assert ask_sensible_bot(game, *commands) == c.PlaceJar("labourer")
    game.bring("debt", game.seat(1).unpaid)
    assert ask_sensible_bot(game, *commands) == c.PlaceJar("pay_debt")
