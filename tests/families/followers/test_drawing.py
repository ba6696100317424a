"""Drawing, taking back and storing, in a title with its own limit of draws."""

from __future__ import annotations

import pytest
from tests.families.followers.hamlet.kit import HamletGame, detail, named

from boardkeeper.families.followers import commands as c
from boardkeeper.families.followers import events as e


@pytest.mark.parametrize("pigs", [0, 1, 2])
def test_the_title_sets_the_limit_of_draws(pigs: int) -> None:
    game = HamletGame().bag(1, farmer=3, knight=2).market(1).pigs(1, pigs)
    game.enter("followers")
    assert game.legal(1) == [c.DrawFollowers(count) for count in range(1 + pigs + 1)]
    rejection = game.reject(1, c.DrawFollowers(2 + pigs), "hamlet.drawing.limit", "TOO_MANY_DRAWS")
    assert rejection.values == {"count": str(2 + pigs), "most": str(1 + pigs), "limit": str(1 + pigs)}
    events = game.do(1, c.DrawFollowers(1 + pigs))
    assert len(detail(events, e.FollowersDrawn).followers) == 1 + pigs == game.seat(1).market.total()


def test_the_bag_and_the_market_also_limit_the_draws() -> None:
    game = HamletGame().bag(1, farmer=1).market(1).bag(2, farmer=3).market(2, knight=3)
    game.enter("followers")
    game.reject(1, c.DrawFollowers(2), "hamlet.drawing.bag", "TOO_MANY_DRAWS")
    game.reject(2, c.DrawFollowers(2), "hamlet.drawing.market_room", "TOO_MANY_DRAWS")


def test_draw_amount_fixed_requires_as_many_draws_as_possible() -> None:
    game = HamletGame(draw_amount="fixed").bag(1, farmer=3).market(1)
    game.enter("followers")
    assert game.legal(1) == [c.DrawFollowers(3)]
    game.reject(1, c.DrawFollowers(2), "hamlet.drawing.full", "TOO_FEW_DRAWS")


# --- taking back -----------------------------------------------------------------------------------------------------


def test_a_follower_taken_back_counts_as_one_draw() -> None:
    game = HamletGame().bag(1, knight=2).market(1).pigs(1, 0).fill(1, "garden").fill(1, "mill", "farmer")
    game.enter("followers")
    game.do(1, c.TakeBackFollower("garden", "farmer"))
    game.reject(1, c.TakeBackFollower("mill", "farmer"), "hamlet.taking_back.limit", "NO_DRAW_LEFT")
    game.reject(1, c.DrawFollowers(1), "hamlet.drawing.limit", "TOO_MANY_DRAWS")
    assert game.seat(1).market.counts() == {"farmer": 1}


def test_taking_back_possible_draws_counts_only_draws_that_the_bag_allows() -> None:
    game = HamletGame(taking_back="possible_draws").bag(1, knight=1).market(1).fill(1, "garden")
    game.fill(1, "mill", "farmer").enter("followers")
    game.do(1, c.TakeBackFollower("garden", "farmer"))
    game.reject(1, c.TakeBackFollower("mill", "farmer"), "hamlet.taking_back.possible_draws", "NO_DRAW_LEFT")


def test_taking_back_is_rejected_for_each_rule() -> None:
    game = HamletGame().bag(1, knight=1).market(1, knight=3).own(1, "tower").fill(1, "tower")
    game.fill(1, "mill", "technology").fill(1, "garden").fill(1, "hall", "knight").enter("followers")
    game.reject(1, c.TakeBackFollower("tower", "any"), "hamlet.taking_back.not_from_tower", "NOT_FROM_TOWER")
    game.reject(1, c.TakeBackFollower("mill", "farmer"), "hamlet.taking_back.never_technology", "TECHNOLOGY_STAYS")
    game.reject(1, c.TakeBackFollower("mill", "knight"), "hamlet.taking_back.follower_there", "SPACE_EMPTY")
    game.reject(1, c.TakeBackFollower("bath", "any"), "hamlet.planning.own_place", "NOT_YOUR_SPACE")
    game.do(1, c.TakeBackFollower("garden", "farmer"))
    game.reject(1, c.TakeBackFollower("hall", "any"), "hamlet.taking_back.market_room", "MARKET_FULL")


def test_a_seat_may_take_back_after_drawing_until_it_finishes() -> None:
    game = HamletGame().bag(1, knight=1).market(1).fill(1, "garden")
    game.enter("followers")
    game.do(1, c.DrawFollowers(1))
    assert game.legal(1) == [c.TakeBackFollower("garden", "farmer"), c.FinishTakingBack()]
    assert named(game.do(1, c.FinishTakingBack()), "TakingBackFinished")
    assert game.decision(1) == ""


def test_taking_back_time_before_drawing_ends_the_decision_with_the_draw() -> None:
    game = HamletGame(taking_back_time="before_drawing").bag(1, knight=1).market(1).fill(1, "garden")
    game.enter("followers")
    game.do(1, c.DrawFollowers(1))
    assert game.decision(1) == ""


# --- places that change drawing --------------------------------------------------------------------------------------


def test_a_place_that_extends_the_market_stores_surplus_followers() -> None:
    game = HamletGame().bag(1, knight=3).market(1, farmer=3).own(1, "tower")
    game.enter("followers")
    game.do(1, c.DrawFollowers(3))
    assert game.decision(1) == "store"
    rejection = game.reject(1, c.FinishStoring(), "hamlet.drawing.market_room", "MARKET_OVERFULL")
    assert rejection.values == {"too_many": "2"}
    game.reject(1, c.StoreFollower("farmer", "attic"), "hamlet.gunpowder_tower.owned", "NOT_YOUR_SPACE")
    game.reject(1, c.StoreFollower("monk", "any"), "hamlet.planning.from_market", "NOT_ON_MARKET")
    assert detail(game.do(1, c.StoreFollower("farmer", "any")), e.FollowerStored) == e.FollowerStored("farmer", "any")
    game.reject(1, c.StoreFollower("farmer", "any"), "hamlet.gunpowder_tower.free_space", "SPACE_TAKEN")
    game.do(1, c.StoreFollower("knight", "any_2"))
    assert game.decision(1) == ""
    assert game.seat(1).market.total() == game.t.data.market_size


def test_a_seat_keeps_one_follower_of_an_extra_draw() -> None:
    game = HamletGame().bag(1, knight=2, monk=1).market(1).own(1, "spring")
    game.enter("followers")
    visited = detail(game.do(1, c.DrawFollowers(0)), e.BathhouseVisited)
    assert visited.place == "spring"
    assert sorted(visited.followers) == ["knight", "knight", "monk"]
    assert game.legal(1) == [c.KeepFollower("knight"), c.KeepFollower("monk")]
    game.reject(1, c.KeepFollower("farmer"), "hamlet.bathhouse.drawn_follower", "NOT_DRAWN")
    game.do(1, c.KeepFollower("monk"))
    assert game.seat(1).market.counts() == {"monk": 1}
    assert game.seat(1).bag.counts() == {"knight": 2}
