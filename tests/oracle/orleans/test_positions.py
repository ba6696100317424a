"""Random positions: the census, every event at every strength, torture, drawing and the end of the game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import pytest
from tests.oracle.orleans.constructed import Position, equalize_scores, follow, play_phases, randomize, tiles
from tests.oracle.orleans.differ import Follower, setup_of
from tests.oracle.orleans.tables import PLAYERS, ROUNDS

from boardkeeper.titles.orleans.title import TITLE

GAMES = [(edition, players) for edition, numbers in PLAYERS.items() for players in numbers]
CHOICES = (*TITLE.meta.options, *TITLE.meta.readings)
PHASES_4_AND_5 = ("planning", "technology_", "bathhouse_", "horse_wagon_", "development_")
"""Prefixes of choices that have no effect outside phases 4 and 5. Soak runs use them too."""
ANSWERS = ("GiveFood", "PayForFood", "UseSacristy", "SufferEvent")
SURRENDERS = (
    "SurrenderTradingStation",
    "SurrenderFollower",
    "SurrenderDevelopment",
    "SurrenderGood",
    "SurrenderPlaceTile",
    "SurrenderTechnology",
)


def _random_position(
    edition: str, players: int, seed: str, chance: random.Random, **choices: str
) -> tuple[Position, Follower]:
    setup = setup_of(edition, players, **choices)
    game = randomize(Position(setup, seed), chance)
    return game, Follower(game.play, setup, f"{edition}, {players} players, {choices}, seed {seed}")


def _resolve_all_events(edition: str, players: int, numbers: Iterable[int], **choices: str) -> Counter[str]:
    """Resolve every hour glass tile in random positions, one for each number."""
    compared: Counter[str] = Counter()
    for tile in tiles(Position(setup_of(edition, players, **choices), "tiles")):
        for number in numbers:
            seed = f"{tile}.{number}"
            chance = random.Random(f"{edition}.{players}.{seed}.{choices}")
            game, follower = _random_position(edition, players, seed, chance, **choices)
            event, letter = tile.rsplit(".", 1)
            game.tile(event, letter)
            game.turn(chance.choice((5, 11, ROUNDS)), event, letter)
            follow(game, "event", chance.randint(1, players), follower, chance)
            compared += follower.compared
    return compared


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_every_event_agrees_with_the_oracle(edition: str, players: int) -> None:
    compared = _resolve_all_events(edition, players, [0])
    assert compared["options: torture"], compared


def test_torture_agrees_with_the_oracle() -> None:
    compared = _resolve_all_events("capstone-2021", 4, range(1, 6))
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
def test_events_with_other_readings_agree_with_the_oracle(id: str, value: str) -> None:
    _resolve_all_events("dlp-8th", 2 + len(value) % 3, [0], **{id: value})


@pytest.mark.parametrize("phase", ["census", "followers"])
@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_the_census_and_draws_agree_with_the_oracle(edition: str, players: int, phase: str) -> None:
    for number in range(8):
        chance = random.Random(f"{edition}.{players}.{phase}.{number}")
        game, follower = _random_position(edition, players, f"{phase}.{number}", chance)
        follow(game, phase, chance.randint(1, players), follower, chance)


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_legal_plans_and_actions_agree_with_the_oracle(edition: str, players: int) -> None:
    compared: Counter[str] = Counter()
    for number in range(16):
        chance = random.Random(f"{edition}.{players}.actions.{number}")
        some = {item.id: chance.choice(item.choices).id for item in CHOICES if chance.random() < 0.4}
        game, follower = _random_position(edition, players, f"actions.{number}", chance, **some)
        event, letter = chance.choice(tiles(game)).rsplit(".", 1)
        game.tile(event, letter)
        game.turn(5, event, letter)
        game.enter("planning" if number % 2 else "actions", chance.randint(1, players))
        play_phases(game, follower, chance, "planning", "actions")
        compared += follower.compared
    assert all(compared[f"options: {decision}"] for decision in ("plan", "act", "technology")), compared


@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_ends_of_games_with_ties_agree_with_the_oracle(edition: str, players: int) -> None:
    shared: Counter[int] = Counter()
    for number in range(25):
        chance = random.Random(f"{edition}.{players}.end.{number}")
        game, follower = _random_position(edition, players, f"end.{number}", chance)
        game.tile("pilgrimage", "C")
        game.turn(ROUNDS, "pilgrimage", "C")
        if number % 3 == 0:  # all on the same space of the development track
            for seat in range(1, players + 1):
                game.at(seat, development=9, best_development=9)
        follow(equalize_scores(game, follower, chance), "event", 1, follower, chance)
        shared[sum(line.rank == 1 for line in follower.board.scores)] += 1
    assert shared[1], shared
    assert shared.total() > shared[1], shared


@pytest.mark.soak
@pytest.mark.parametrize(("edition", "players"), GAMES)
def test_soak_random_positions_agree_with_the_oracle(edition: str, players: int) -> None:
    compared: Counter[str] = Counter()
    for number in range(1000):
        chance = random.Random(f"{edition}.{players}.soak.{number}")
        some = {item.id: chance.choice(item.choices).id for item in CHOICES if chance.random() < 0.3}
        game, follower = _random_position(edition, players, f"soak.{number}", chance, **some)
        event, letter = chance.choice(tiles(game)).rsplit(".", 1)
        game.tile(event, letter)
        game.turn(chance.choice((5, 11, ROUNDS)), event, letter)
        follow(game, chance.choice(("event", "event", "census", "followers")), 1 + number % players, follower, chance)
        compared += follower.compared
    assert all(compared[name] for name in (*SURRENDERS, "StoreFollower", "KeepFollower", "UseSacristy")), compared
