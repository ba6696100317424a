"""Actions of places: a verb that the title adds, deeds with the title's rewards and events, and a bathhouse."""

from __future__ import annotations

import pytest
from tests.families.followers.hamlet.data import HONOUR, Grind, Ground, Welcomed
from tests.families.followers.hamlet.kit import HamletGame, detail, named

from boardkeeper.families.followers import commands as c
from boardkeeper.families.followers import events as e


def test_a_verb_of_the_title_is_legal_and_executed_like_those_of_the_family() -> None:
    game = HamletGame().fill(1, "mill").fill(1, "garden").at(1, coins=0).bag(1)
    game.enter("actions")
    assert game.legal(1) == [Grind("mill"), Grind("garden"), c.Pass()]
    assert detail(game.do(1, Grind("mill")), Ground) == Ground("mill", 2)
    assert game.seat(1).coins.value == 2
    assert game.seat(1).bag.counts() == {"farmer": 1, "knight": 1, "monk": 1}
    assert game.deciding() == [2]


def test_technology_stays_when_followers_return_to_the_bag() -> None:
    game = HamletGame().fill(1, "mill", "technology", "knight", "monk").bag(1)
    game.enter("actions")
    game.do(1, Grind("mill"))
    assert game.seat(1).bag.counts() == {"knight": 1, "monk": 1}
    assert game.counts("seat.1.mill.farmer") == {"technology": 1}


def test_using_a_place_is_rejected_for_each_rule() -> None:
    game = HamletGame().own(1, "chapel", "inn").fill(1, "chapel").fill(1, "mill", "farmer").fill(1, "garden")
    game.enter("actions")
    game.reject(1, c.UsePlace("bath"), "hamlet.actions.own_place", "NOT_YOUR_PLACE")
    game.reject(1, c.UsePlace("chapel"), "hamlet.sacristy.not_an_action", "NO_ACTION")
    game.reject(1, c.UsePlace("inn"), "hamlet.actions.no_action", "NO_ACTION")
    game.reject(1, c.UsePlace("garden"), "hamlet.actions.matching_command", "WRONG_COMMAND")
    rejection = game.reject(1, Grind("mill"), "hamlet.actions.activated", "NOT_ACTIVATED")
    assert rejection.values == {"place": "mill", "missing": "knight monk"}


def test_a_seat_that_has_passed_is_skipped() -> None:
    game = HamletGame(3)
    game.enter("actions", start=2)
    assert named(game.do(2, c.Pass()), "Passed")
    assert game.deciding() == [3]
    game.do(3, c.Pass())
    assert game.deciding() == [1]


# --- deeds -----------------------------------------------------------------------------------------------------------


def test_the_title_sets_the_reward_and_the_event_of_a_deed() -> None:
    game = HamletGame().fill(1, "hall", "knight", "farmer").at(1, coins=0)
    game.enter("actions")
    events = game.do(1, c.SendToDeed("hall", "any", "shrine", HONOUR))
    assert detail(events, Welcomed) == Welcomed("shrine", "knight", 0, 3, completed=False)
    assert (game.seat(1).honour.value, game.seat(1).coins.value) == (3, 0)
    assert game.counts("deed.shrine") == {"knight": 1}
    assert game.decision(1) == "deed"
    events = game.do(1, c.SendToDeed("hall", "any_2", "bridge"))
    assert detail(events, Welcomed) == Welcomed("bridge", "farmer", 1, 0, completed=False)
    assert (game.seat(1).honour.value, game.seat(1).coins.value) == (3, 1)
    assert game.deciding() == [2]


def test_completing_a_deed_brings_the_reward_of_the_title() -> None:
    game = HamletGame().fill(1, "hall", "monk").on_deed("shrine", knight=1).at(1, coins=0)
    game.enter("actions")
    events = game.do(1, c.SendToDeed("hall", "any", "shrine"))
    assert detail(events, Welcomed) == Welcomed("shrine", "monk", 2, 0, completed=True)
    assert game.seat(1).coins.value == 3


def test_each_reward_of_a_deed_is_a_legal_command() -> None:
    game = HamletGame().fill(1, "hall", "monk")
    game.enter("actions")
    send = [c.SendToDeed("hall", "any", "shrine", reward) for reward in ("coins", HONOUR)]
    assert game.legal(1) == [*send, c.Pass()]


def test_sending_to_a_deed_is_rejected_for_each_rule() -> None:
    game = HamletGame().own(1, "tower").fill(1, "tower", "own_farmer", "farmer").fill(1, "hall", "farmer")
    game.on_deed("bridge", farmer=1).enter("actions")
    send = c.SendToDeed
    game.reject(1, send("tower", "any", "bridge"), "hamlet.deeds.no_own_followers", "MARKED_FOLLOWER")
    game.reject(1, send("hall", "any_2", "bridge"), "hamlet.deeds.follower_there", "SPACE_EMPTY")
    game.reject(1, send("hall", "any", "shrine"), "hamlet.deeds.exact_character", "WRONG_CHARACTER")
    game.reject(1, send("hall", "any", "bridge", HONOUR), "hamlet.deeds.reward_choice", "WRONG_REWARD")
    game.on_deed("bridge", farmer=1)
    game.reject(1, send("hall", "any", "bridge"), "hamlet.deeds.free_space", "DEED_FULL")


def test_one_action_sends_from_one_place_and_may_end_after_one_follower() -> None:
    game = HamletGame().own(1, "tower").fill(1, "tower", "knight").fill(1, "hall", "farmer", "farmer")
    game.enter("actions")
    game.do(1, c.SendToDeed("hall", "any", "bridge"))
    game.reject(1, c.SendToDeed("tower", "any", "shrine"), "hamlet.deeds.same_place", "OTHER_PLACE")
    assert detail(game.do(1, c.FinishDeeds()), e.DeedsFinished) == e.DeedsFinished("hall")
    assert game.counts("seat.1.hall.any_2") == {"farmer": 1}
    assert game.deciding() == [2]


# --- the bathhouse ---------------------------------------------------------------------------------------------------


def draw_in_bath(**readings: str) -> HamletGame:
    """Create a game in which seat 1 has drawn two knights in its bath."""
    game = HamletGame(2, **readings).own(1, "bath", "tower").fill(1, "bath").fill(1, "hall", "monk").bag(1, knight=2)
    game.enter("actions")
    assert detail(game.do(1, c.UsePlace("bath")), e.BathhouseVisited) == e.BathhouseVisited(
        "bath", ("knight", "knight")
    )
    return game


def test_one_follower_drawn_in_the_bath_is_placed_and_the_others_return() -> None:
    game = draw_in_bath()
    place = c.PlaceDrawnFollower
    game.reject(1, place("monk", "mill", "monk"), "hamlet.bathhouse.drawn_follower", "NOT_DRAWN")
    game.reject(1, place("knight", "chapel", "monk"), "hamlet.planning.own_place", "NOT_YOUR_SPACE")
    game.reject(1, place("knight", "bath", "any"), "hamlet.bathhouse.not_there", "NOT_ON_BATHHOUSE")
    game.reject(1, place("knight", "tower", "any"), "hamlet.bathhouse.not_tower", "ONLY_IN_PHASE_THREE")
    game.reject(1, place("knight", "garden", "farmer"), "hamlet.planning.matching_space", "WRONG_CHARACTER")
    game.reject(1, place("knight", "hall", "any"), "hamlet.planning.free_space", "SPACE_TAKEN")
    game.do(1, place("knight", "mill", "knight"))
    assert game.seat(1).bag.counts() == {"knight": 1, "farmer": 1}
    assert game.deciding() == [2]


@pytest.mark.parametrize("reading", ["allowed", "forbidden"])
def test_reading_bathhouse_town_hall(reading: str) -> None:
    game = draw_in_bath(bathhouse_town_hall=reading)
    command = c.PlaceDrawnFollower("knight", "hall", "any_2")
    if reading == "allowed":
        game.do(1, command)
    else:
        game.reject(1, command, "hamlet.bathhouse.not_town_hall", "NOT_FROM_BATHHOUSE")


def test_bathhouse_tower_allowed_lets_a_drawn_follower_extend_the_market() -> None:
    draw_in_bath(bathhouse_tower="allowed").do(1, c.PlaceDrawnFollower("knight", "tower", "any"))


def test_bathhouse_short_bag_needs_all_closes_the_bath() -> None:
    game = HamletGame(bathhouse_short_bag="needs_all").own(1, "bath").fill(1, "bath").bag(1, knight=1)
    game.enter("actions")
    rejection = game.reject(1, c.UsePlace("bath"), "hamlet.bathhouse.full_draw", "BAG_TOO_SMALL")
    assert rejection.values == {"place": "bath", "bag": "1"}


def test_a_drawn_follower_that_fits_no_space_returns_to_the_bag() -> None:
    game = HamletGame().own(1, "bath").fill(1, "bath").fill(1, "mill").fill(1, "garden").bag(1, own_farmer=1)
    game.enter("actions")
    events = game.do(1, c.UsePlace("bath"))
    assert detail(events, e.DrawnFollowersReturned) == e.DrawnFollowersReturned(("own_farmer",))
    assert game.seat(1).bag.counts() == {"own_farmer": 1, "farmer": 1}
    assert game.deciding() == [2]
