"""Whole random games of a made-up title: the family's rules end, conserve, and list exactly what they accept.

Every refusal cites a rule that the title has; of ``CROFT`` that are those only that the family demands of a title which
has nothing but the places of the player board. So nothing is spared (``needs.NEEDS``) that could be cited after all.
"""

from __future__ import annotations

import pytest
from msgspec import Struct
from tests.families.followers import needs
from tests.families.followers.hamlet.kit import ADAPTER, CROFTERS, HamletGame, named
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

TITLES = [pytest.param(ADAPTER, id="hamlet"), pytest.param(CROFTERS, id="croft")]
SEEDS = range(40)


def game_of(adapter: Adapter, seed: int) -> Setup:
    """Some choice of everything, for two players up to four."""
    return random_setup(adapter.title, seed, 2 + seed % 3)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("adapter", TITLES)
def test_games_end_and_every_event_is_sound(adapter: Adapter, seed: int) -> None:
    setup = game_of(adapter, seed)
    with playout(adapter, seed, setup) as game:
        while not game.play.is_over():
            check_changes(adapter, game.table, game.step())
            adapter.holds(game.play, setup)
        assert game.table.deciding() == []
        adapter.ended(game.play, setup, game.events)


@pytest.mark.parametrize("seed", SEEDS[:16])
@pytest.mark.parametrize("adapter", TITLES)
def test_what_is_listed_is_accepted_and_all_else_refused_for_a_rule_of_the_title(adapter: Adapter, seed: int) -> None:
    """At every position, with what was listed before as well."""
    with playout(adapter, seed, game_of(adapter, seed)) as game:
        foreign: dict[Struct, None] = {}
        while not game.play.is_over():
            pool = list(foreign)
            assert check_agreement(game, game.random.sample(pool, min(20, len(pool))))
            foreign |= dict.fromkeys(command for seat in game.table.deciding() for command in game.play.legal(seat))
            game.step()


def test_games_conserve_fold_both_ways_and_go_on_when_read_back() -> None:
    for seed, check in enumerate((check_conservation, check_replay_and_revert, check_loaded_game_continues)):
        check(ADAPTER, seed, game_of(ADAPTER, seed))


def test_in_which_order_seats_decide_at_the_same_time_does_not_matter() -> None:
    assert sum(check_simultaneous_order(ADAPTER, seed, game_of(ADAPTER, seed)) for seed in SEEDS)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_seats_that_do_nothing_come_to_the_end(players: int) -> None:
    assert named(HamletGame(players).idle_until(OVER), "Ended")


def test_games_come_by_every_command_and_event_of_the_family() -> None:
    seen: set[str] = set()
    for seed in range(200):
        with playout(ADAPTER, seed, game_of(ADAPTER, seed)) as game:
            game.finish()
            seen |= {event.name for event in game.events} | {type(command).__name__ for _, command in game.commands}
    known = {kind.__name__ for kind in structs_in(vars(commands))}
    known |= {name for name in HAMLET.events if hasattr(events, name)} - {"Placement"}
    # In the hamlet the first seat always starts, and seats give up pigs only.
    known -= {"StartPlayerChanged", "SurrenderTechnology", "TechnologySurrendered"}
    assert known - seen == set()


def test_a_title_with_nothing_in_it_is_spared_what_it_cannot_have() -> None:
    assert needs.never_met(HAMLET) == frozenset()
    assert needs.never_met(CROFT) == {
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
