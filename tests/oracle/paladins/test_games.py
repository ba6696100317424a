"""Whole games of Paladins, compared with the oracle after each command."""

from __future__ import annotations

import random
from collections import Counter
from itertools import count

import pytest
from msgspec.structs import replace
from tests.oracle.paladins import facts, stock
from tests.oracle.paladins.differ import (
    Choose,
    DifferenceError,
    choose_randomly,
    count_decisions,
    follow_game,
    setup_of,
)
from tests.oracle.paladins.sheet import Sheet
from tests.titles.paladins.eager import eager

from boardkeeper.table.layout import TableLayout
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.paladins.data import data_for
from boardkeeper.titles.paladins.meta import META
from boardkeeper.titles.paladins.phases import rewards
from boardkeeper.titles.paladins.title import TITLE

TABLES = [(2, "off"), (3, "off"), (4, "off"), (2, "easy"), (2, "standard"), (2, "hard")]
CHOICES = (*META.options[1:], *META.readings)
BOX = {"silver": 20, "provision": 5}
"""The contents of a small box. The silver is enough for the setup of four players."""
DECISIONS = 20_000
"""The number of compared decisions for each kind of table in soak runs."""
ALWAYS_COMPARED = ("options: act", "options: workers", "options: reward", "PlaceWorker", "Pass", "TakeTavernCard")


@pytest.mark.parametrize(("players", "opponent"), TABLES)
@pytest.mark.parametrize("choose", [choose_randomly, eager])
def test_a_game_agrees_with_the_oracle(players: int, opponent: str, choose: Choose) -> None:
    compared: Counter[str] = Counter()
    follower = follow_game(setup_of(players, opponent), f"{players}.{opponent}", compared, choose)
    assert len(follower.game.sheet.scores) == players
    assert all(compared[name] for name in ALWAYS_COMPARED), compared


@pytest.mark.parametrize("choice", [item.id for item in META.readings])
def test_a_game_with_another_reading_agrees_with_the_oracle(choice: str) -> None:
    reading = next(item for item in META.readings if item.id == choice)
    for other in reading.choices[1:]:
        players, opponent = (2, "standard") if choice.startswith("ai_") else (4, "off")
        follow_game(setup_of(players, opponent, **{choice: other.id}), choice, Counter(), eager)


def follow_games_with_small_box(players: int, opponent: str, choose: Choose, patch: pytest.MonkeyPatch) -> Counter[str]:
    """Compare games with a small box, because components of the real box are rarely used up.

    Return how often each component was used up.
    """
    setup = setup_of(players, opponent, supply_limits="as_in_the_box")
    workers = dict.fromkeys(facts.WORKERS, players + 4)
    box, data, left, missing = BOX | workers, data_for(setup), stock.left, Counter[str]()
    patch.setattr(facts, "IN_THE_BOX", box)
    patch.setattr(data, "box_silver", BOX["silver"])
    patch.setattr(data, "box_provisions", BOX["provision"])

    def count_missing(sheet: Sheet, thing: str) -> int:
        found = left(sheet, thing)
        missing[thing] += not found
        return found

    patch.setattr(stock, "left", count_missing)
    for seed in range(3):
        follow_game(setup, f"little.{seed}", Counter(), choose, with_workers(TITLE.layout(setup), workers))
    return +missing


@pytest.mark.parametrize(("players", "opponent"), TABLES[:-2])
@pytest.mark.parametrize("choose", [choose_randomly, eager])
def test_a_game_with_a_small_box_agrees_with_the_oracle(
    players: int, opponent: str, choose: Choose, monkeypatch: pytest.MonkeyPatch
) -> None:
    missing = follow_games_with_small_box(players, opponent, choose, monkeypatch)
    assert missing["provision"]
    assert set(missing) & set(facts.WORKERS)


@pytest.mark.parametrize("thing", ["silver", "provision"])
def test_the_oracle_finds_a_wrong_supply(thing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    left = stock.left
    monkeypatch.setattr(stock, "left", lambda sheet, it: left(sheet, it) - (it == thing))
    with pytest.raises(DifferenceError):
        follow_games_with_small_box(4, "off", choose_randomly, monkeypatch)


def with_workers(layout: TableLayout, workers: dict[str, int]) -> TableLayout:
    """Return the layout with these workers in the general supply."""
    zones = (replace(zone, contents=workers) if zone.id == "supply" else zone for zone in layout.zones)
    return replace(layout, zones=tuple(zones))


@pytest.mark.soak
@pytest.mark.parametrize(("players", "opponent"), TABLES)
def test_soak_games_with_random_choices_agree_with_the_oracle(players: int, opponent: str) -> None:
    compared: Counter[str] = Counter()
    for seed in count():
        if count_decisions(compared) >= DECISIONS:
            break
        chance = random.Random(f"{players}.{opponent}.{seed}")
        some = {it.id: chance.choice([choice.id for choice in it.choices]) for it in CHOICES if seed % 3 == 2}
        choose = eager if seed % 2 else choose_randomly
        follow_game(setup_of(players, opponent, **some), f"soak.{seed}", compared, choose)
    print(f"{players} seats, opponent {opponent}: {count_decisions(compared)} decisions in {seed} games")  # noqa: T201
    assert all(compared[name] for name in ALWAYS_COMPARED), compared


WRONG = {
    "a monk's price": ("PROVISIONS", (1, 1, 2, 2, 2, 3, 3)),
    "a flag of faith": ("FAITH", (0, 2, 4, 7, 8, 10)),
    "points": ("ATTRIBUTE_POINTS", (0, 0, 1, 1, 3, 3, 6, 6, 9, 11, 13, 16, 19)),
    "a townsman's reward": ("TOWNSFOLK", facts.TOWNSFOLK | {"abbot_1": facts.TOWNSFOLK["abbot_2"]}),
    "a wall": ("WALLS", facts.WALLS | {"wall_05": facts.WALLS["wall_01"]}),
    "a jar's number": ("JAR_NUMBERS", (0, 2, 4, 6, 8, 10, 11)),
}


def _follow_games(number: int, setup: Setup) -> None:
    for seed in range(number):
        follow_game(setup, f"wrong.{seed}", Counter(), eager)


@pytest.mark.parametrize("wrong", WRONG)
def test_the_oracle_finds_a_single_wrong_fact(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, *WRONG[wrong])
    with pytest.raises(DifferenceError):
        _follow_games(20, setup_of(2, "hard"))


@pytest.mark.parametrize("reading", ["open_cards", "own_cards"])
@pytest.mark.parametrize("can_keep", [True, False])
def test_the_oracle_finds_wrong_questions_about_suspicion(
    reading: str, can_keep: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rewards, "may_keep_suspicion", lambda *_: can_keep)
    with pytest.raises(DifferenceError, match="keeps suspicion"):
        _follow_games(20, setup_of(4, suspicion_kept_for=reading))
