"""The properties of :mod:`boardkeeper.testkit.properties` in random games of every title.

Normal runs play a few games for each number of players, soak runs thousands.
"""

from __future__ import annotations

import sys
from random import Random

import pytest
from tests.kit.adapters import EACH_GAME, EACH_TITLE

from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.playouts import Playout, check_same_events, playout
from boardkeeper.testkit.properties import (
    check_conservation,
    check_ends,
    check_legal_commands,
    check_loaded_game_continues,
    check_replay_and_revert,
    check_simultaneous_order,
    find_unplayed,
    find_unplayed_choices,
)
from boardkeeper.testkit.setups import default_setup, mixed_setup, random_setup
from boardkeeper.titlekit.title import Play


@pytest.mark.parametrize(("adapter", "players"), EACH_GAME)
def test_random_games_end(adapter: Adapter, players: int) -> None:
    for seed in range(12):
        check_ends(adapter, seed, mixed_setup(adapter.title, seed, players))


@pytest.mark.parametrize(("adapter", "players"), EACH_GAME)
def test_no_event_creates_or_loses_a_component(adapter: Adapter, players: int) -> None:
    for seed in range(100, 104):
        check_conservation(adapter, seed, mixed_setup(adapter.title, seed, players))


@pytest.mark.parametrize(("adapter", "players"), EACH_GAME)
def test_histories_can_be_replayed_and_reverted(adapter: Adapter, players: int) -> None:
    for seed in range(200, 205):
        check_replay_and_revert(adapter, seed, mixed_setup(adapter.title, seed, players))


@pytest.mark.parametrize(("adapter", "players"), EACH_GAME)
def test_legal_and_decide_agree(adapter: Adapter, players: int) -> None:
    setups = {seed: mixed_setup(adapter.title, seed, players) for seed in range(300, 304)}
    assert sum(check_legal_commands(adapter, seed, setup) for seed, setup in setups.items()) > 1000


@pytest.mark.parametrize(("adapter", "players"), EACH_GAME)
def test_loaded_games_continue_in_the_same_way(adapter: Adapter, players: int) -> None:
    for seed in range(400, 404):
        check_loaded_game_continues(adapter, seed, mixed_setup(adapter.title, seed, players))


@pytest.mark.parametrize(("adapter", "players"), EACH_GAME)
def test_order_of_simultaneous_commands_does_not_matter(adapter: Adapter, players: int) -> None:
    setups = {seed: mixed_setup(adapter.title, seed, players) for seed in range(500, 508)}
    tried = sum(check_simultaneous_order(adapter, seed, it) for seed, it in setups.items())
    assert tried > 20 or players == 1 or not adapter.decides_together


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_every_choice_is_played(adapter: Adapter) -> None:
    """The random setups above reach each edition, option and reading."""
    assert find_unplayed_choices(adapter) == set()


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_every_command_and_event_is_played(adapter: Adapter) -> None:
    """Random games must reach the situations in which the rules apply."""
    assert find_unplayed(adapter, range(1250, 1370)) == set()


@pytest.mark.parametrize("adapter", EACH_TITLE)
def test_a_failure_prints_how_to_reproduce_it(adapter: Adapter) -> None:
    """The error contains the setup, the seed and all commands. The seed gives the same game again."""
    setup = default_setup(adapter.title, adapter.players[-1])

    def fail_after_thirty_commands() -> None:
        with playout(adapter, 7, setup) as game:
            for _ in range(30):
                game.step()
            raise AssertionError("found")

    with pytest.raises(AssertionError, match="found") as raised:
        fail_after_thirty_commands()
    (note,) = raised.value.__notes__
    assert f"Playout(Adapter({adapter.id!r}), 7, Setup(edition={setup.edition!r}, players={setup.players}" in note
    assert "30 commands" in note
    again = Playout[Play](adapter, 7, setup)
    for _ in range(30):
        again.step()
    assert again.reproduction() == note
    with pytest.raises(AssertionError, match="first differing event: 3"):
        check_same_events(again.events, [*again.events[:3], again.events[0]])


# --- soak ------------------------------------------------------------------------------------------------------

CHUNKS = 25


@pytest.mark.soak
@pytest.mark.parametrize(("adapter", "players"), EACH_GAME)
@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_soak(adapter: Adapter, players: int, chunk: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Run all six checks on 20 seeds for each chunk and number of players."""
    checks = (
        check_ends,
        check_conservation,
        check_replay_and_revert,
        check_legal_commands,
        check_loaded_game_continues,
        check_simultaneous_order,
    )
    for number in range(20):
        seed = 10_000 + chunk * 20 + number
        setup = (
            random_setup(adapter.title, seed, players)
            if Random(seed).random() < 0.5
            else default_setup(adapter.title, players)
        )
        for check in checks:
            check(adapter, seed, setup)
    with capsys.disabled():
        sys.stdout.write(f"\n{adapter.id}, {players} players: {(chunk + 1) * 20} of {CHUNKS * 20} seeds ")
