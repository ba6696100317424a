"""Era II: hunger, until the Food Depot is complete."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, details, named

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

MORE = ("c1r3", "c2r2", "c2r3", "c3r2", "c3r3", "c4r2", "c4r3")
"""Areas besides the first village, enough to need three food."""
DEPOT = {"farmer": 2, "fisherman": 2, "craftsman": 1, "trader": 1}


def create_hungry_game(areas: int, players: int = 2, **readings: str) -> StoriesGame:
    """Seat 1 is in era II with this number of areas and no good."""
    game = StoriesGame(players, **readings).era(1, 2).goods(1)
    start = game.data.start_villages(players)[0]
    if not areas:
        game.fortress(start, 0).settle(start)
    for area in MORE[: max(areas - 1, 0)]:
        game.settle(area, 1)
    return game


def end_round(game: StoriesGame, start: int = 1) -> e.RoundBonusCarriedOut:
    """Run the round bonuses and return that of seat 1."""
    return details(game.turn(5, "A5").enter("round_bonus", start), e.RoundBonusCarriedOut)[1]


# --- amount --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("areas", "food"), [(0, 1), (1, 1), (3, 1), (4, 2), (6, 2), (7, 3), (8, 3)])
def test_stories_hunger_by_areas(areas: int, food: int) -> None:
    """One for up to three areas (or none), two for four to six, three for seven or more."""
    game = create_hungry_game(areas).goods(1, grain=9)
    assert end_round(game) == e.RoundBonusCarriedOut(2, food=food)
    assert game.seat(1).goods.counts() == {"grain": 9 - food}


def test_stories_hunger_by_areas__only_in_era_two() -> None:
    """Only the seats in era II pay."""
    game = create_hungry_game(1).goods(1, grain=1).goods(2, grain=5)
    end_round(game)
    assert game.seat(1).goods.counts() == {}
    assert game.seat(2).goods.counts() == {"grain": 5}


def test_stories_map_village_is_area__in_hunger() -> None:
    """Default of reading ``village_is_area``."""
    assert end_round(create_hungry_game(4).goods(1, grain=9)).food == 2


def test_stories_map_village_is_no_area__in_hunger() -> None:
    """Reading ``village_is_area``."""
    assert end_round(create_hungry_game(4, village_is_area="no").goods(1, grain=9)).food == 1


# --- goods ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("good", ["grain", "fish", "cheese", "wine", "bread"])
def test_stories_food_what_counts(good: str) -> None:
    game = create_hungry_game(1).goods(1, **{good: 1})
    end_round(game)
    assert game.seat(1).goods.counts() == {}
    assert game.seat(1).debt.value == 0


def test_stories_food_what_counts__of_an_event_too() -> None:
    """Wood is not food, neither for an event nor for hunger after an event that takes any good."""
    game = StoriesGame(2).goods(1, grain=1, fish=1, wood=1)
    game.strike("A1")
    assert game.legal(1) == [c.GiveGood("grain"), c.GiveGood("fish")]
    game.reject(1, c.GiveGood("wood"), "stories.food.what_counts", "NOT_ASKED_FOR")

    game = create_hungry_game(1).goods(1, grain=1, fish=1, wood=1)
    game.turn(5, "B6").enter("round_bonus")
    assert game.legal(1) == [c.GiveGood("grain"), c.GiveGood("fish")]


@pytest.mark.parametrize("good", ["wood", "brocade"])
def test_stories_food_what_counts__not_wood_or_brocade(good: str) -> None:
    """A seat with no other goods is tortured."""
    game = create_hungry_game(1).goods(1, **{good: 5})
    end_round(game)
    assert game.decision(1) == "torture"
    assert game.seat(1).goods.counts() == {good: 5}


def test_stories_food_choice() -> None:
    """A seat with several kinds chooses each good; goods without an alternative are taken automatically."""
    game = create_hungry_game(7).goods(1, grain=2, bread=1, cheese=2, wood=1)
    end_round(game)
    assert game.decision(1) == "give"
    assert game.legal(1) == [c.GiveGood("grain"), c.GiveGood("cheese"), c.GiveGood("bread")]

    events = game.do(1, c.GiveGood("cheese"))
    assert detail(events, e.GoodGiven) == e.GoodGiven("cheese")
    game.do(1, c.GiveGood("cheese"))
    assert game.legal(1) == [c.GiveGood("grain"), c.GiveGood("bread")]

    game.do(1, c.GiveGood("bread"))
    assert game.seat(1).goods.counts() == {"grain": 2, "wood": 1}
    assert game.seat(1).owed.value == 0


def test_stories_food_choice__all_goods_needed() -> None:
    """Two kinds, and both are needed: no decision."""
    game = create_hungry_game(4).goods(1, grain=1, fish=1)
    events = game.turn(5, "A5").enter("round_bonus")
    assert [event.detail for event in named(events, "GoodGiven")] == [e.GoodGiven("grain"), e.GoodGiven("fish")]


def test_stories_food_own_goods() -> None:
    game = create_hungry_game(1).goods(1, grain=1, fish=1, wood=1)
    end_round(game)
    game.reject(1, c.GiveGood("wood"), "stories.food.what_counts", "NOT_ASKED_FOR")
    game.reject(1, c.GiveGood("bread"), "stories.food.own_goods", "NO_SUCH_GOOD")


def test_stories_food_paid() -> None:
    """Default of reading ``paid_food``: paid food leaves the game."""
    game = create_hungry_game(1).goods(1, wine=1)
    end_round(game)
    assert game.counts("removed") == {"wine": 1}


def test_stories_food_back_to_market() -> None:
    """Reading ``paid_food``: it returns to the market."""
    game = create_hungry_game(1, paid_food="back_to_market").goods(1, wine=1)
    before = game.counts("goods_market")["wine"]
    end_round(game)
    assert game.counts("goods_market")["wine"] == before + 1
    assert game.counts("removed") == {}


def test_stories_food_back_to_market__not_what_is_lost() -> None:
    """With this reading, goods that bandits take still leave the game."""
    game = StoriesGame(2, paid_food="back_to_market").goods(1, grain=1).goods(2, wood=1)
    game.strike("B6")
    assert game.counts("removed")["grain"] == 1
    assert game.counts("removed")["wood"] == 1


@pytest.mark.parametrize(("card", "back"), [("A1", 0), ("B1", 2), ("D1", 1)])
def test_stories_food_of_the_card(card: str, back: int) -> None:
    """The card Lean Times says that its food leaves the game, so the reading does not apply to it."""
    game = StoriesGame(2, paid_food="back_to_market").goods(1, wine=3).goods(2, wood=1)
    before = game.counts("goods_market")["wine"]
    game.strike(card)
    assert game.counts("goods_market")["wine"] == before + back
    assert game.counts("removed").get("wine", 0) == (0 if back else 1)


def test_stories_torture_what_is_there_first__of_food() -> None:
    """The seat gives the food that it has, and is tortured for the missing food."""
    game = create_hungry_game(7).goods(1, grain=1)
    events = game.turn(5, "A5").enter("round_bonus")
    assert details(events, e.GoodsMissing)[1] == e.GoodsMissing(2)
    assert game.seat(1).goods.counts() == {}
    assert game.decision(1) == "torture"
    assert game.seat(1).debt.value == 2
    game.do(1, c.SurrenderSettler(), c.SurrenderSettler())
    assert game.seat(1).debt.value == 0


def test_stories_events_seat_order__of_hunger() -> None:
    """Seats pay in turn order from the start player, each after the seat before it has paid."""
    game = create_hungry_game(1).goods(1, grain=1, fish=1).era(2, 2).goods(2, grain=1, fish=1)
    end_round_of_both = game.turn(5, "A5").enter("round_bonus", start=2)
    assert list(details(end_round_of_both, e.RoundBonusCarriedOut)) == [2]
    assert game.deciding() == [2]
    game.do(2, c.GiveGood("fish"))
    assert game.deciding() == [1]


# --- the Food Depot ------------------------------------------------------------------------------------------


def create_depot_game(**readings: str) -> StoriesGame:
    """The Food Depot lacks only a trader, and seat 1 has one in its Town Hall."""
    game = StoriesGame(2, **readings).on_deed("food_depot", **{**DEPOT, "trader": 0}).fill(1, "town_hall", "trader")
    game.enter("actions")
    return game


def test_stories_hunger_defeated() -> None:
    """The last follower of the Food Depot ends hunger for all seats at once, permanently."""
    game = create_depot_game().era(1, 2).era(2, 2).goods(1).goods(2)
    events = game.do(1, c.SendToDeed("town_hall", "any", "food_depot"))
    assert detail(events, e.FollowerSentToDeed).completed
    assert game.t.completed["food_depot"].value == 1
    game.turn(5, "A5")
    bonuses = details(game.idle_round(), e.RoundBonusCarriedOut)
    assert bonuses == {1: e.RoundBonusCarriedOut(2), 2: e.RoundBonusCarriedOut(2)}


@pytest.mark.parametrize("deed", ["alchemy", "barter", "embankment", "hospice", "town_wall"])
def test_stories_hunger_defeated__by_no_other_deed(deed: str) -> None:
    game = create_hungry_game(1).goods(1, grain=1)
    game.at(0, **{f"deed.{deed}.completed": 1})
    assert end_round(game).food == 1


def test_stories_hunger_defeated__not_by_almost_all_followers() -> None:
    game = create_depot_game().era(1, 2).goods(1, grain=1)
    assert end_round(game).food == 1


def test_stories_hunger_defeated__flipped_depot() -> None:
    """Reading ``deeds_flip``: hunger stays defeated while the flipped deed is empty."""
    game = create_depot_game(deeds_flip="yes").era(1, 2).goods(1)
    game.do(1, c.SendToDeed("town_hall", "any", "food_depot"))
    assert game.counts("deed.food_depot") == {}
    assert end_round(game).food == 0


@pytest.mark.parametrize(("areas", "other", "coins"), [(3, 2, 3), (3, 3, 0), (2, 3, 0)])
def test_stories_hunger_sole_leader(areas: int, other: int, coins: int) -> None:
    """After hunger, era II gives three coins to the seat with more areas than every other seat; none in a tie."""
    game = create_hungry_game(areas).at(0, **{"deed.food_depot.completed": 1})
    for area in ("c7r2", "c6r3")[: other - 1]:
        game.settle(area, 2)
    assert end_round(game) == e.RoundBonusCarriedOut(2, coins=coins)
    assert game.seat(1).coins.value == coins


def test_stories_hunger_sole_leader__leader_in_another_era() -> None:
    """All seats are compared, but only a seat in era II receives the coins."""
    game = create_hungry_game(1).at(0, **{"deed.food_depot.completed": 1}).settle("c7r2", 2).era(2, 4)
    assert end_round(game).coins == 0
    assert game.seat(1).coins.value == 0
    assert game.seat(2).coins.value == 1, "for the village in era IV"
