"""Positions with anything anywhere: the census, every event at every strength, torture, drawing and the end."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest
from tests.oracle.orleans.constructed import Position, follow, level, play_on, scatter, tiles
from tests.oracle.orleans.differ import Follower, setup_of
from tests.oracle.orleans.tables import PLAYERS, ROUNDS

from boardkeeper.titles.orleans.title import TITLE

GAMES = [(edition, players) for edition, numbers in PLAYERS.items() for players in numbers]
CHOICES = (*TITLE.meta.options, *TITLE.meta.readings)
PHASES_4_AND_5 = ("planning", "technology_", "bathhouse_", "horse_wagon_", "development_")
"""Choices that make no difference outside phases 4 and 5; the soak takes them as well."""
ANSWERS = ("GiveFood", "PayForFood", "UseSacristy", "SufferEvent")
SURRENDERS = (
    "SurrenderTradingStation",
    "SurrenderFollower",
    "SurrenderDevelopment",
    "SurrenderGood",
    "SurrenderPlaceTile",
    "SurrenderTechnology",
)


def _scattered(
    edition: str, players: int, seed: str, chance: random.Random, **choices: str
) -> tuple[Position, Follower]:
    setup = setup_of(edition, players, **choices)
    game = scatter(Position(setup, seed), chance)
    return game, Follower(game.play, setup, f"{edition}, {players} players, {choices}, seed {seed}")


def _strike_all(edition: str, players: int, numbers: Iterable[int], **choices: str) -> Counter[str]:
    """Every hour glass tile strikes positions of our making, one for each number."""
    compared: Counter[str] = Counter()
    for tile in tiles(Position(setup_of(edition, players, **choices), "tiles")):
        for number in numbers:
            seed = f"{tile}.{number}"
            chance = random.Random(f"{edition}.{players}.{seed}.{choices}")
            game, follower = _scattered(edition, players, seed, chance, **choices)
            event, letter = tile.rsplit(".", 1)
            game.tile(event, letter)
            game.turn(chance.choice((5, 11, ROUNDS)), event, letter)
            follow(game, "event", chance.randint(1, players), follower, chance)
            compared += follower.compared
    return compared


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_every_event_strikes_as_the_oracle_says(edition: str, players: int) -> None:
    compared = _strike_all(edition, players, [0])
    assert compared["options: torture"], compared


def test_torture_takes_what_the_oracle_offers() -> None:
    compared = _strike_all("capstone-2021", 4, range(1, 6))
    assert all(compared[name] for name in (*SURRENDERS, *ANSWERS)), compared


@pytest.mark.parametrize(
    ("id", "value"),
    [
        (item.id, choice.id)
        for item in CHOICES
        for choice in item.choices
        if choice.id != item.default and not item.id.startswith(PHASES_4_AND_5)
    ],
)
def test_events_strike_as_the_oracle_says_however_rules_are_read(id: str, value: str) -> None:
    _strike_all("dlp-8th", 2 + len(value) % 3, [0], **{id: value})


@pytest.mark.parametrize("phase", ["census", "followers"])
@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_farmers_are_counted_and_followers_drawn_as_the_oracle_says(edition: str, players: int, phase: str) -> None:
    for number in range(8):
        chance = random.Random(f"{edition}.{players}.{phase}.{number}")
        game, follower = _scattered(edition, players, f"{phase}.{number}", chance)
        follow(game, phase, chance.randint(1, players), follower, chance)


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_plans_and_actions_are_open_as_the_oracle_says_however_rules_are_read(edition: str, players: int) -> None:
    compared: Counter[str] = Counter()
    for number in range(16):
        chance = random.Random(f"{edition}.{players}.actions.{number}")
        some = {item.id: chance.choice(item.choices).id for item in CHOICES if chance.random() < 0.4}
        game, follower = _scattered(edition, players, f"actions.{number}", chance, **some)
        event, letter = chance.choice(tiles(game)).rsplit(".", 1)
        game.tile(event, letter)
        game.turn(5, event, letter)
        game.enter("planning" if number % 2 else "actions", chance.randint(1, players))
        play_on(game, follower, chance, "planning", "actions")
        compared += follower.compared
    assert all(compared[f"options: {decision}"] for decision in ("plan", "act", "technology")), compared


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_games_end_as_the_oracle_says_with_ties_as_well(edition: str, players: int) -> None:
    shared: Counter[int] = Counter()
    for number in range(25):
        chance = random.Random(f"{edition}.{players}.end.{number}")
        game, follower = _scattered(edition, players, f"end.{number}", chance)
        game.tile("pilgrimage", "C")
        game.turn(ROUNDS, "pilgrimage", "C")
        if number % 3 == 0:  # the same space on the development track, too
            for seat in range(1, players + 1):
                game.at(seat, development=9, best_development=9)
        follow(level(game, follower, chance), "event", 1, follower, chance)
        shared[sum(line.rank == 1 for line in follower.board.scores)] += 1
    assert shared[1], shared
    assert shared.total() > shared[1], shared


@pytest.mark.soak
@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_thousands_of_positions(edition: str, players: int) -> None:
    compared: Counter[str] = Counter()
    for number in range(1000):
        chance = random.Random(f"{edition}.{players}.soak.{number}")
        some = {item.id: chance.choice(item.choices).id for item in CHOICES if chance.random() < 0.3}
        game, follower = _scattered(edition, players, f"soak.{number}", chance, **some)
        event, letter = chance.choice(tiles(game)).rsplit(".", 1)
        game.tile(event, letter)
        game.turn(chance.choice((5, 11, ROUNDS)), event, letter)
        follow(game, chance.choice(("event", "event", "census", "followers")), 1 + number % players, follower, chance)
        compared += follower.compared
    assert all(compared[name] for name in (*SURRENDERS, "StoreFollower", "KeepFollower", "UseSacristy")), compared
