"""Observation spaces: vectors are up to date, the same for all viewers' positions, and show nothing hidden.

``tests/kit/test_features.py`` compares them with what a seat sees.
"""

from __future__ import annotations

from array import array
from itertools import product
from random import Random
from typing import Any

import pytest
from liars_cards import TITLE as LIARS_CARDS
from tests.service.tiny_title import TINY

from boardkeeper import engine
from boardkeeper.engine.observations import ObservationSpace
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.feature_checks import check_features
from boardkeeper.testkit.setups import default_setup
from boardkeeper.titlekit import features

SECRETS: dict[str, dict[str, Any]] = {
    "orleans": {"options": {"planning": "sealed"}},
    "paladins": {},
    "stories": {"edition": "england-vs-france", "options": {"planning": "sealed"}},
}
"""Choices with hidden information."""


def start(title: str, players: int = 4) -> tuple[engine.Game, ObservationSpace]:
    """Return a new game with hidden information, and its observation space."""
    return engine.create(title, players, seed=1, **SECRETS[title]), engine.observation_space(
        title, players, **SECRETS[title]
    )


def push(state: engine.SearchState, random: Random) -> None:
    seat = random.choice(state.to_move)
    state.push(seat, random.choice(state.legal(seat)))


@pytest.mark.parametrize("title", SECRETS)
def test_an_observer_follows_pushes_pops_and_copies(title: str) -> None:
    game, space = start(title)
    random, state = Random(title), game.search_state(seed=1)
    observer, other = space.observer(state, 2), space.observer(state, 2)
    for number in range(400):
        if state.pushed and random.random() < 0.3:
            for _ in range(random.randint(1, min(4, state.pushed))):
                state.pop()
        if random.random() < 0.9 and not state.is_over:
            for _ in range(random.choice((1, 1, 1, 5))):
                if not state.is_over:
                    push(state, random)
        if random.random() < 0.05:
            state = state.copy()
            observer.follow(state)
        observer.update()
        if number % 10 == 0:
            assert observer.out == other.follow(state)
            hidden = state.determinise(2, seed=number) if not state.is_over else state
            assert observer.out == other.follow(hidden)


@pytest.mark.parametrize("title", SECRETS)
def test_an_observer_follows_a_game(title: str) -> None:
    game, space = start(title)
    random = Random(title)
    observer = space.observer(game, 1)
    for _ in range(30):
        game.submit(game.to_move[0], random.choice(game.legal(game.to_move[0])))
        assert observer.update() == space.observer(game, 1).out
        with game.trying():
            game.push(game.to_move[0], game.legal(game.to_move[0])[0])
            assert observer.update() == space.observer(game, 1).out
        assert observer.update() == space.observer(game, 1).out


def test_seats_count_from_the_viewer() -> None:
    space = engine.observation_space("orleans", 3)
    state, random = engine.create("orleans", 3, seed=1).search_state(seed=3), Random(5)
    for _ in range(60):
        push(state, random)
    vectors = [dict(zip(space.names, space.observer(state, viewer).out, strict=True)) for viewer in (1, 2, 3)]
    own = [name.removeprefix("seat+0.") for name in space.names if name.startswith("seat+0.") and ".seat+" not in name]
    assert len(own) > 100
    for viewer, distance in product(range(3), range(3)):
        seat = (viewer + distance) % 3
        for name in own:
            assert vectors[viewer][f"seat+{distance}.{name}"] == vectors[seat][f"seat+0.{name}"]
    starts = [next(name for name in space.names if "start_seat=" in name and vector[name]) for vector in vectors]
    assert sorted(starts) == [f"start_seat=seat+{distance}" for distance in range(3)]
    station = [vectors[viewer][f"town.orleans.station.seat+{-viewer % 3}"] for viewer in range(3)]
    assert len({*station}) == 1


def test_the_vector_can_be_in_any_buffer_of_floats() -> None:
    game, space = start("paladins")
    expected = space.observer(game, 1).out
    doubles = array("d", bytes(8 * space.size))
    observer = space.observer(game, 1, doubles)
    assert observer.out is doubles
    assert list(map(float, array("f", doubles))) == list(expected)
    assert (len(space), len(space.low), len(space.high)) == (space.size, space.size, space.size)
    wrong: list[Any] = [
        [0.0] * space.size,
        bytes(4 * space.size),
        array("f", bytes(4)),
        array("i", bytes(4 * space.size)),
    ]
    for out in [*wrong, memoryview(expected).toreadonly()]:
        with pytest.raises(engine.MisuseError, match="out must be"):
            space.observer(game, 1, out)


def test_wrong_viewers_and_setups_are_rejected() -> None:
    game, space = start("paladins")
    for viewer in (0, 5, engine.OPERATOR):
        with pytest.raises(engine.MisuseError, match="viewer must be one of the seats 1, 2, 3, 4, not"):
            space.observer(game, viewer)
    with pytest.raises(engine.MisuseError, match="the space is for paladins with"):
        space.observer(engine.create("paladins", 2, seed=1), 1)
    solo = engine.observation_space("paladins", 1)
    assert solo.viewers == (1,)
    observer = solo.observer(engine.create("paladins", 1, seed=1), 1)
    with pytest.raises(engine.MisuseError, match="the space is for paladins with"):
        observer.follow(game)


def test_titles_from_other_packages_have_features() -> None:
    assert check_features(Adapter(LIARS_CARDS), 1, default_setup(LIARS_CARDS, 3), every=1)
    assert check_features(Adapter(TINY), 1, default_setup(TINY, 3), every=1)


def test_a_title_with_too_many_features_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "MAX_FEATURES", 100)
    with pytest.raises(engine.MisuseError, match="'paladins' needs more than 100 features: declare"):
        engine.observation_space("paladins", 2)
