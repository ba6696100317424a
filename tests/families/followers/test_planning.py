"""Planning and placing technology."""

from __future__ import annotations

import pytest
from tests.families.followers.hamlet.kit import HamletGame, detail, details, named

from boardkeeper.families.followers import commands as c
from boardkeeper.families.followers import events as e

BOTH = "after_passing_and_planning"


def test_placing_a_follower_is_rejected_for_each_rule() -> None:
    game = HamletGame().market(1, farmer=2, own_farmer=1, knight=1).own(1, "tower", "bath").fill(1, "hall", "monk")
    game.enter("planning")
    place = c.PlaceFollower
    game.reject(1, place("monk", "mill", "monk"), "hamlet.planning.from_market", "NOT_ON_MARKET")
    game.reject(1, place("farmer", "mill", "knight"), "hamlet.planning.matching_space", "WRONG_CHARACTER")
    game.reject(1, place("farmer", "mill", "monk"), "hamlet.wild.never_for_monk", "MONK_REQUIRED")
    game.reject(1, place("own_farmer", "hall", "any_2"), "hamlet.town_hall.no_own_followers", "MARKED_FOLLOWER")
    game.reject(1, place("farmer", "tower", "any"), "hamlet.gunpowder_tower.phase_three", "ONLY_IN_PHASE_THREE")
    game.reject(1, place("farmer", "hall", "any"), "hamlet.planning.free_space", "SPACE_TAKEN")
    game.reject(1, place("farmer", "chapel", "monk"), "hamlet.planning.own_place", "NOT_YOUR_SPACE")
    game.reject(1, place("farmer", "mill", "any"), "hamlet.planning.space_exists", "UNKNOWN_SPACE")
    events = game.do(1, place("own_farmer", "bath", "any"))
    assert detail(events, e.FollowerPlaced) == e.FollowerPlaced("own_farmer", "bath", "any", from_tower=False)


def test_a_place_lets_knights_stand_for_farmers() -> None:
    game = HamletGame().market(1, knight=1).market(2, knight=1).own(1, "inn")
    game.enter("planning")
    command = c.PlaceFollower("knight", "garden", "farmer")
    game.do(1, command)
    game.reject(2, command, "hamlet.planning.matching_space", "WRONG_CHARACTER")


def test_only_followers_placed_in_this_phase_can_be_withdrawn() -> None:
    game = HamletGame().market(1, farmer=1).fill(1, "mill", "farmer")
    game.enter("planning")
    game.reject(1, c.WithdrawFollower("garden", "farmer"), "hamlet.planning.only_this_phase", "SPACE_EMPTY")
    game.reject(1, c.WithdrawFollower("mill", "farmer"), "hamlet.planning.only_this_phase", "NOT_PLACED_NOW")
    game.do(1, c.PlaceFollower("farmer", "garden", "farmer"))
    events = game.do(1, c.WithdrawFollower("garden", "farmer"))
    assert detail(events, e.FollowerWithdrawn) == e.FollowerWithdrawn("farmer", "garden", "farmer")
    assert game.seat(1).market.counts() == {"farmer": 1}


def test_a_withdrawn_follower_of_the_tower_returns_to_the_tower() -> None:
    game = HamletGame().market(1).own(1, "tower").fill(1, "tower", "knight")
    game.enter("planning")
    game.do(1, c.PlaceFollower("knight", "mill", "knight", from_tower=True))
    assert game.counts("place.tower.any") == {}
    game.do(1, c.WithdrawFollower("mill", "knight"))
    assert game.counts("place.tower.any") == {"knight": 1}
    assert game.seat(1).market.total() == 0


def test_sealed_plans_are_revealed_when_all_seats_have_finished() -> None:
    game = HamletGame(planning="sealed").market(1, farmer=1).market(2, knight=1)
    game.enter("planning")
    game.do(1, c.PlaceFollower("farmer", "garden", "farmer"), c.FinishPlanning())
    events = game.do(2, c.FinishPlanning())
    plan = (e.Placement("farmer", "garden", "farmer"),)
    assert details(events, e.PlansRevealed) == {1: e.PlansRevealed(plan), 2: e.PlansRevealed(())}


def test_seats_that_plan_in_turn_begin_with_the_start_player() -> None:
    game = HamletGame(3, planning="in_turn")
    game.enter("planning", start=2)
    order = []
    while game.t.phase.value == "planning":
        order += game.deciding()
        game.do(game.deciding()[0], c.FinishPlanning())
    assert order == [2, 3, 1]


# --- technology ------------------------------------------------------------------------------------------------------


def test_technology_is_placed_after_passing() -> None:
    game = HamletGame().technology(1)
    game.enter("actions")
    command = c.PlaceTechnology("mill", "farmer")
    game.reject(1, command, "hamlet.technology.after_passing", "PASS_FIRST")
    events = game.do(1, c.Pass(), command)
    assert detail(events, e.TechnologyPlaced) == e.TechnologyPlaced("mill", "farmer")
    assert game.seat(1).technology_placed.value == 1


def test_technology_is_placed_after_passing_and_while_planning() -> None:
    game = HamletGame(technology_window=BOTH).technology(1)
    game.enter("actions")
    command = c.PlaceTechnology("mill", "farmer")
    game.reject(1, command, "hamlet.technology.after_passing_and_planning", "PASS_FIRST")
    game.enter("planning")
    assert named(game.do(1, command), "TechnologyPlaced")
    game.reject(1, c.PlaceTechnology("mill", "knight"), "hamlet.technology.in_hand", "NO_TECHNOLOGY")


def test_technology_after_passing_is_rejected_while_planning() -> None:
    game = HamletGame().technology(1)
    game.enter("planning")
    game.reject(1, c.PlaceTechnology("mill", "farmer"), "hamlet.technology.after_passing", "PASS_FIRST")


def test_placing_technology_is_rejected_for_each_rule() -> None:
    game = HamletGame().technology(1)
    game.enter("actions")
    game.do(1, c.Pass())
    place = c.PlaceTechnology
    game.reject(1, place("garden", "farmer"), "hamlet.technology.never_single_space", "SINGLE_SPACE")
    game.reject(1, place("mill", "monk"), "hamlet.technology.never_monk", "NEVER_FOR_MONK")
    game.reject(1, place("hall", "any"), "hamlet.technology.fixed_character", "NO_FIXED_CHARACTER")
    game.reject(1, place("tower", "any"), "hamlet.technology.own_place", "NOT_YOUR_SPACE")
    game.reject(1, place("mill", "knight"), "hamlet.technology.first_replaces_farmer", "FARMER_ONLY")
    assert named(game.do(1, c.KeepTechnology()), "TechnologyKept")


def test_only_the_tile_of_the_first_craftsmen_space_has_to_replace_a_farmer() -> None:
    game = HamletGame(first_technology="from_first_craftsmen_space").technology(1).at(1, farmer_only_technology=1)
    game.enter("actions")
    game.do(1, c.Pass())
    rule = "hamlet.technology.craftsmen_space_replaces_farmer"
    game.reject(1, c.PlaceTechnology("mill", "knight"), rule, "FARMER_ONLY")
    game.do(1, c.PlaceTechnology("mill", "farmer"))
    assert game.seat(1).farmer_only.value == 0


def test_a_place_takes_one_technology_tile() -> None:
    game = HamletGame(technology_on_open_spaces="open").fill(1, "mill", "technology").technology(1)
    game.at(1, technology_placed=1).enter("actions")
    game.do(1, c.Pass())
    game.reject(1, c.PlaceTechnology("mill", "knight"), "hamlet.technology.one_per_place", "ONE_PER_PLACE")
    game.do(1, c.PlaceTechnology("hall", "any"))


@pytest.mark.parametrize("reading", ["free_only", "sends_follower_home"])
def test_reading_technology_on_occupied(reading: str) -> None:
    game = HamletGame(technology_on_occupied=reading).fill(1, "mill", "farmer").technology(1).bag(1)
    game.at(1, technology_placed=1).enter("actions")
    game.do(1, c.Pass())
    command = c.PlaceTechnology("mill", "farmer")
    if reading == "free_only":
        game.reject(1, command, "hamlet.technology.free_space", "SPACE_TAKEN")
    else:
        game.do(1, command)
        assert game.seat(1).bag.counts() == {"farmer": 1}


def test_technology_leaves_room_for_a_follower_that_can_return_to_the_tower() -> None:
    game = HamletGame(technology_window=BOTH, technology_on_open_spaces="open").technology(1).market(1)
    game.own(1, "tower").fill(1, "tower", "farmer", "knight").at(1, technology_placed=1)
    game.enter("planning")
    game.do(1, c.PlaceFollower("knight", "mill", "knight", from_tower=True))
    game.reject(1, c.PlaceTechnology("tower", "any_2"), "hamlet.technology.tower_space_kept", "SPACE_KEPT")
