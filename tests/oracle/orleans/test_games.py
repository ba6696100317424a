"""Whole games of bots, compared with the oracle after each command."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from tests.oracle.orleans.differ import follow_game, setup_of
from tests.oracle.orleans.tables import PLAYERS

from boardkeeper.titles.orleans.title import TITLE

GAMES = [(edition, players) for edition, numbers in PLAYERS.items() for players in numbers]
CHOICES = (*TITLE.meta.options, *TITLE.meta.readings)
ALWAYS_COMPARED = (
    "options: draw",
    "options: plan",
    "options: act",
    "DrawFollowers",
    "TakeBackFollower",
    "Pass",
    "RecruitFollower",
    "UsePlace",
    "GiveFood",
)


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_a_game_agrees_with_the_oracle(edition: str, players: int) -> None:
    bots = ["sensible", *["random"] * (players - 1)]
    compared: Counter[str] = Counter()
    follower = follow_game(setup_of(edition, players), bots, f"{edition}.{players}", compared)
    assert follower.board.scores
    assert all(compared[name] for name in ALWAYS_COMPARED), compared


@pytest.mark.soak
@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_soak_games_with_random_choices_agree_with_the_oracle(edition: str, players: int) -> None:
    compared: Counter[str] = Counter()
    for seed in range(60):
        chance = random.Random(f"{edition}.{players}.{seed}")
        some = {item.id: chance.choice(item.choices).id for item in CHOICES if chance.random() < 0.5}
        bots = [chance.choice(("sensible", "random")) for _ in range(players)]
        follow_game(setup_of(edition, players, **(some if seed % 2 else {})), bots, f"soak.{seed}", compared)
    assert all(compared[name] for name in ALWAYS_COMPARED), compared
