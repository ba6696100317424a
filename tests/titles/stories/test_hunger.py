"""Era II: food for the areas, until the food depot is complete."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail, details, named

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

MORE = ("c1r3", "c2r2", "c2r3", "c3r2", "c3r3", "c4r2", "c4r3")
"""Areas besides the start village, enough to need three food."""
DEPOT = {"farmer": 2, "fisherman": 2, "craftsman": 1, "trader": 1}


def hungry(areas: int, players: int = 2, **readings: str) -> StoriesGame:
    """Seat 1 is in era II with so many areas and no good; call :func:`end_round` when all is in place."""
    game = StoriesGame(players, **readings).era(1, 2).goods(1)
    start = game.data.start_villages(players)[0]
    if not areas:
        game.fortress(start, 0).settle(start)
    for area in MORE[: max(areas - 1, 0)]:
        game.settle(area, 1)
    return game


def end_round(game: StoriesGame, start: int = 1) -> e.RoundBonusCarriedOut:
    """Come to the bonuses of the round; what is said of seat 1's."""
    return details(game.turn(5, "A5").enter("round_bonus", start), e.RoundBonusCarriedOut)[1]


# --- how much --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("areas", "food"), [(0, 1), (1, 1), (3, 1), (4, 2), (6, 2), (7, 3), (8, 3)])
def test_stories_hunger_by_areas(areas: int, food: int) -> None:
    """One for up to three areas, none at all among them; two for four to six, three from seven on."""
    game = hungry(areas).goods(1, grain=9)
    assert end_round(game) == e.RoundBonusCarriedOut(2, food=food)
    assert game.seat(1).goods.counts() == {"grain": 9 - food}


def test_stories_hunger_by_areas__only_in_era_two() -> None:
    """The other eras know no hunger, and who is in era II pays for itself alone."""
    game = hungry(1).goods(1, grain=1).goods(2, grain=5)
    end_round(game)
    assert game.seat(1).goods.counts() == {}
    assert game.seat(2).goods.counts() == {"grain": 5}


def test_stories_map_village_is_area__in_hunger() -> None:
    """Our ruling: a village is one of the areas that hunger counts."""
    assert end_round(hungry(4).goods(1, grain=9)).food == 2


def test_stories_map_village_is_no_area__in_hunger() -> None:
    """The other reading: it is not."""
    assert end_round(hungry(4, village_is_area="no").goods(1, grain=9)).food == 1


# --- with what -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("good", ["grain", "fish", "cheese", "wine", "bread"])
def test_stories_food_what_counts(good: str) -> None:
    """Grain, fish, cheese, wine and bread are food; any of them does."""
    game = hungry(1).goods(1, **{good: 1})
    end_round(game)
    assert game.seat(1).goods.counts() == {}
    assert game.seat(1).debt.value == 0


def test_stories_food_what_counts__of_an_event_too() -> None:
    """Where an event asks for food no wood can be given, and where hunger does after an event that takes any good."""
    game = StoriesGame(2).goods(1, grain=1, fish=1, wood=1)
    game.strike("A1")
    assert game.legal(1) == [c.GiveGood("grain"), c.GiveGood("fish")]
    game.reject(1, c.GiveGood("wood"), "stories.food.what_counts", "NOT_ASKED_FOR")

    game = hungry(1).goods(1, grain=1, fish=1, wood=1)
    game.turn(5, "B6").enter("round_bonus")
    assert game.legal(1) == [c.GiveGood("grain"), c.GiveGood("fish")]


@pytest.mark.parametrize("good", ["wood", "brocade"])
def test_stories_food_what_counts__not(good: str) -> None:
    """Wood and brocade cannot be eaten: who has nothing else is tortured."""
    game = hungry(1).goods(1, **{good: 5})
    end_round(game)
    assert game.decision(1) == "torture"
    assert game.seat(1).goods.counts() == {good: 5}


def test_stories_food_choice() -> None:
    """Who has several kinds chooses, item by item; what leaves no choice is taken."""
    game = hungry(7).goods(1, grain=2, bread=1, cheese=2, wood=1)
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


def test_stories_food_choice__all_that_there_is() -> None:
    """Two kinds, and both are needed: nobody is asked."""
    game = hungry(4).goods(1, grain=1, fish=1)
    events = game.turn(5, "A5").enter("round_bonus")
    assert [event.detail for event in named(events, "GoodGiven")] == [e.GoodGiven("grain"), e.GoodGiven("fish")]


def test_stories_food_own_goods() -> None:
    """Nothing else can be given."""
    game = hungry(1).goods(1, grain=1, fish=1, wood=1)
    end_round(game)
    game.reject(1, c.GiveGood("wood"), "stories.food.what_counts", "NOT_ASKED_FOR")
    game.reject(1, c.GiveGood("bread"), "stories.food.own_goods", "NO_SUCH_GOOD")


def test_stories_food_paid() -> None:
    """Our ruling: food that is given comes back to nobody."""
    game = hungry(1).goods(1, wine=1)
    end_round(game)
    assert game.counts("removed") == {"wine": 1}


def test_stories_food_back_to_market() -> None:
    """The other reading: it lies on the market again."""
    game = hungry(1, paid_food="back_to_market").goods(1, wine=1)
    before = game.counts("goods_market")["wine"]
    end_round(game)
    assert game.counts("goods_market")["wine"] == before + 1
    assert game.counts("removed") == {}


def test_stories_food_back_to_market__not_what_is_lost() -> None:
    """Under that reading, too, goods that bandits take leave the game, whether they can be eaten or not."""
    game = StoriesGame(2, paid_food="back_to_market").goods(1, grain=1).goods(2, wood=1)
    game.strike("B6")
    assert game.counts("removed")["grain"] == 1
    assert game.counts("removed")["wood"] == 1


@pytest.mark.parametrize(("card", "back"), [("A1", 0), ("B1", 2), ("D1", 1)])
def test_stories_food_of_the_card(card: str, back: int) -> None:
    """Lean Times says itself that its food leaves the game, so that no reading brings it back; other events do not."""
    game = StoriesGame(2, paid_food="back_to_market").goods(1, wine=3).goods(2, wood=1)
    before = game.counts("goods_market")["wine"]
    game.strike(card)
    assert game.counts("goods_market")["wine"] == before + back
    assert game.counts("removed").get("wine", 0) == (0 if back else 1)


def test_stories_torture_what_is_there_first__of_food() -> None:
    """What is there is given first; torture replaces what is missing, one for one."""
    game = hungry(7).goods(1, grain=1)
    told = game.turn(5, "A5").enter("round_bonus")
    assert details(told, e.GoodsMissing)[1] == e.GoodsMissing(2)
    assert game.seat(1).goods.counts() == {}
    assert game.decision(1) == "torture"
    assert game.seat(1).debt.value == 2
    game.do(1, c.SurrenderSettler(), c.SurrenderSettler())
    assert game.seat(1).debt.value == 0


def test_stories_events_seat_order__of_hunger() -> None:
    """One seat after the other, from the start player on; the next one waits until the one before has paid."""
    game = hungry(1).goods(1, grain=1, fish=1).era(2, 2).goods(2, grain=1, fish=1)
    end_round_of_both = game.turn(5, "A5").enter("round_bonus", start=2)
    assert list(details(end_round_of_both, e.RoundBonusCarriedOut)) == [2]
    assert game.deciding() == [2]
    game.do(2, c.GiveGood("fish"))
    assert game.deciding() == [1]


# --- the food depot --------------------------------------------------------------------------------------------


def almost_complete(**readings: str) -> StoriesGame:
    """The trader is missing at the food depot, and seat 1 has one on its town hall."""
    game = StoriesGame(2, **readings).on_deed("food_depot", **{**DEPOT, "trader": 0}).fill(1, "town_hall", "trader")
    game.enter("actions")
    return game


def test_stories_hunger_defeated() -> None:
    """With the last follower of the food depot hunger is defeated at once, for everybody, for the rest of the game."""
    game = almost_complete().era(1, 2).era(2, 2).goods(1).goods(2)
    events = game.do(1, c.SendToDeed("town_hall", "any", "food_depot"))
    assert detail(events, e.FollowerSentToDeed).completed
    assert game.t.completed["food_depot"].value == 1
    game.turn(5, "A5")
    told = details(game.idle_round(), e.RoundBonusCarriedOut)
    assert told == {1: e.RoundBonusCarriedOut(2), 2: e.RoundBonusCarriedOut(2)}


@pytest.mark.parametrize("deed", ["alchemy", "barter", "embankment", "hospice", "town_wall"])
def test_stories_hunger_defeated__by_no_other_deed(deed: str) -> None:
    """No other deed feeds anybody."""
    game = hungry(1).goods(1, grain=1)
    game.at(0, **{f"deed.{deed}.completed": 1})
    assert end_round(game).food == 1


def test_stories_hunger_defeated__not_by_almost_all_followers() -> None:
    """One follower short is not complete."""
    game = almost_complete().era(1, 2).goods(1, grain=1)
    assert end_round(game).food == 1


def test_stories_hunger_defeated__a_flipped_depot() -> None:
    """Under the reading that turns full deeds over it stays defeated while the other side is empty."""
    game = almost_complete(deeds_flip="yes").era(1, 2).goods(1)
    game.do(1, c.SendToDeed("town_hall", "any", "food_depot"))
    assert game.counts("deed.food_depot") == {}
    assert end_round(game).food == 0


@pytest.mark.parametrize(("areas", "other", "coins"), [(3, 2, 3), (3, 3, 0), (2, 3, 0)])
def test_stories_hunger_sole_leader(areas: int, other: int, coins: int) -> None:
    """Then era II brings three coins to who controls more areas than everybody else, and to nobody in a tie."""
    game = hungry(areas).at(0, **{"deed.food_depot.completed": 1})
    for area in ("c7r2", "c6r3")[: other - 1]:
        game.settle(area, 2)
    assert end_round(game) == e.RoundBonusCarriedOut(2, coins=coins)
    assert game.seat(1).coins.value == coins


def test_stories_hunger_sole_leader__who_leads_in_another_era() -> None:
    """All seats are compared, but only who is in era II receives it."""
    game = hungry(1).at(0, **{"deed.food_depot.completed": 1}).settle("c7r2", 2).era(2, 4)
    assert end_round(game).coins == 0
    assert game.seat(1).coins.value == 0
    assert game.seat(2).coins.value == 1, "for the village in era IV"
