"""Whole games of Paladins, each step of which the oracle takes as well."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.oracle.paladins import facts
from tests.oracle.paladins.differ import DifferenceError, anything, follow_game, setup_of
from tests.titles.paladins.eager import eager

from boardkeeper.titles.paladins.meta import META

TABLES = [(2, "off"), (3, "off"), (4, "off"), (2, "easy"), (2, "standard"), (2, "hard")]
NOT_COVERED = {("supply_limits", "as_in_the_box")}
"""Readings that the oracle does not know."""
ALWAYS_COMPARED = ("options: act", "options: workers", "options: reward", "PlaceWorker", "Pass", "TakeTavernCard")


@pytest.mark.parametrize(("players", "opponent"), TABLES)
@pytest.mark.parametrize("choose", [anything, eager])
def test_a_game_goes_as_the_oracle_says(players: int, opponent: str, choose: object) -> None:
    compared: Counter[str] = Counter()
    chosen = eager if choose is eager else anything
    follower = follow_game(setup_of(players, opponent), f"{players}.{opponent}", compared, chosen)
    assert len(follower.game.sheet.scores) == players
    assert all(compared[name] for name in ALWAYS_COMPARED), compared


@pytest.mark.parametrize("choice", [item.id for item in META.readings])
def test_a_game_with_another_reading_goes_as_the_oracle_says(choice: str) -> None:
    reading = next(item for item in META.readings if item.id == choice)
    for other in reading.choices[1:]:
        if (choice, other.id) not in NOT_COVERED:
            players, opponent = (2, "standard") if choice.startswith("ai_") else (4, "off")
            follow_game(setup_of(players, opponent, **{choice: other.id}), choice, Counter(), eager)


@pytest.mark.soak
@pytest.mark.parametrize(("players", "opponent"), TABLES)
def test_games_go_as_the_oracle_says_whatever_is_chosen(players: int, opponent: str) -> None:
    compared: Counter[str] = Counter()
    for seed in range(100):
        chance = random.Random(f"{players}.{opponent}.{seed}")
        some = {
            item.id: chance.choice([choice.id for choice in item.choices if (item.id, choice.id) not in NOT_COVERED])
            for item in (*META.options[1:], *META.readings)
            if seed % 3 == 2
        }
        follow_game(setup_of(players, opponent, **some), f"soak.{seed}", compared, eager if seed % 2 else anything)
    assert all(compared[name] for name in ALWAYS_COMPARED), compared


WRONG = {
    "a monk's price": ("PROVISIONS", (1, 1, 2, 2, 2, 3, 3)),
    "a flag of faith": ("FAITH", (0, 2, 4, 7, 8, 10)),
    "points": ("ATTRIBUTE_POINTS", (0, 0, 1, 1, 3, 3, 6, 6, 9, 11, 13, 16, 19)),
    "a townsman's reward": ("TOWNSFOLK", facts.TOWNSFOLK | {"abbot_1": facts.TOWNSFOLK["abbot_2"]}),
    "a wall": ("WALLS", facts.WALLS | {"wall_05": facts.WALLS["wall_01"]}),
    "a jar's number": ("JAR_NUMBERS", (0, 2, 4, 6, 8, 10, 11)),
}


def _follow_games(number: int) -> None:
    for seed in range(number):
        follow_game(setup_of(2, "hard"), f"wrong.{seed}", Counter(), eager)


@pytest.mark.parametrize("wrong", WRONG)
def test_the_oracle_notices_a_single_fact_that_is_otherwise(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, *WRONG[wrong])
    with pytest.raises(DifferenceError):
        _follow_games(20)
