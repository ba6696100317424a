"""Whole random games of a test title: they end, conserve components, and legal commands are exactly the accepted ones.

Each rejection must cite a rule of the title. ``CROFT`` has only the places of the player board, and only the rules that
the family requires for them, so these games also test the conditions in ``needs.NEEDS``.
"""

from __future__ import annotations

import pytest
from msgspec import Struct
from tests.families.followers import needs
from tests.families.followers.hamlet.kit import ADAPTER, CROFT_ADAPTER, HamletGame, named
from tests.families.followers.hamlet.title import CROFT, HAMLET

from boardkeeper.families.followers import commands, events
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.checks import check_changes
from boardkeeper.testkit.legal_checks import check_agreement
from boardkeeper.testkit.playouts import playout
from boardkeeper.testkit.properties import (
    check_conservation,
    check_loaded_game_continues,
    check_replay_and_revert,
    check_simultaneous_order,
)
from boardkeeper.testkit.setups import random_setup
from boardkeeper.titlekit.catalogue_title import structs_in
from boardkeeper.titlekit.title import Setup
from boardkeeper.titlekit.turn_flow import OVER

TITLES = [pytest.param(ADAPTER, id="hamlet"), pytest.param(CROFT_ADAPTER, id="croft")]
SEEDS = range(40)


def make_setup(adapter: Adapter, seed: int) -> Setup:
    """Return a random setup for two to four players."""
    return random_setup(adapter.title, seed, 2 + seed % 3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("adapter", TITLES)
def test_games_end_and_every_event_is_correct(adapter: Adapter, seed: int) -> None:
    setup = make_setup(adapter, seed)
    with playout(adapter, seed, setup) as game:
        while not game.play.is_over():
            check_changes(adapter, game.table, game.step())
            adapter.holds(game.play, setup)
        assert game.table.deciding() == []
        adapter.ended(game.play, setup, game.events)


@pytest.mark.parametrize("seed", SEEDS[:16])
@pytest.mark.parametrize("adapter", TITLES)
def test_legal_commands_are_accepted_and_others_are_rejected(adapter: Adapter, seed: int) -> None:
    """At every position, also for commands that were legal before."""
    with playout(adapter, seed, make_setup(adapter, seed)) as game:
        earlier: dict[Struct, None] = {}
        while not game.play.is_over():
            pool = list(earlier)
            assert check_agreement(game, game.random.sample(pool, min(20, len(pool))))
            earlier |= dict.fromkeys(command for seat in game.table.deciding() for command in game.play.legal(seat))
            game.step()


def test_games_conserve_components_replay_revert_and_load() -> None:
    for seed, check in enumerate((check_conservation, check_replay_and_revert, check_loaded_game_continues)):
        check(ADAPTER, seed, make_setup(ADAPTER, seed))


def test_the_order_of_simultaneous_decisions_does_not_matter() -> None:
    assert sum(check_simultaneous_order(ADAPTER, seed, make_setup(ADAPTER, seed)) for seed in SEEDS)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_games_of_idle_seats_end(players: int) -> None:
    assert named(HamletGame(players).idle_until(OVER), "Ended")


def test_games_contain_every_command_and_event_of_the_family() -> None:
    seen: set[str] = set()
    for seed in range(200):
        with playout(ADAPTER, seed, make_setup(ADAPTER, seed)) as game:
            game.finish()
            seen |= {event.name for event in game.events} | {type(command).__name__ for _, command in game.commands}
    known = {kind.__name__ for kind in structs_in(vars(commands))}
    known |= {name for name in HAMLET.events if hasattr(events, name)} - {"Placement"}
    # In Hamlet the first seat always starts, and seats can surrender only pigs.
    known -= {"StartPlayerChanged", "SurrenderTechnology", "TechnologySurrendered"}
    assert known - seen == set()


def test_a_title_with_few_places_needs_fewer_rules() -> None:
    assert needs.unneeded_ids(HAMLET) == frozenset()
    assert needs.unneeded_ids(CROFT) == {
        "MARKET_OVERFULL",
        "bathhouse.drawn_follower",
        "bathhouse.full_draw",
        "bathhouse.must_place",
        "bathhouse.not_there",
        "bathhouse.not_tower",
        "bathhouse.not_town_hall",
        "bathhouse.passive",
        "bathhouse.short_bag",
        "drawing.full",
        "gunpowder_tower.free_space",
        "gunpowder_tower.owned",
        "gunpowder_tower.phase_three",
        "sacristy.choice",
        "sacristy.not_an_action",
        "sacristy.shields",
        "taking_back.not_from_tower",
        "taking_back.possible_draws",
        "technology.after_passing_and_planning",
        "technology.craftsmen_space_replaces_farmer",
        "technology.tower_space_kept",
    }
