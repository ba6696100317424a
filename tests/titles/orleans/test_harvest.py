"""Harvest: seats give food, or five coins for each missing item."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e


def harvest(strength: str, **goods: int) -> OrleansGame:
    """Begin a harvest in which seat 1 has these goods and 20 coins, and seat 2 has only food."""
    game = OrleansGame(2).at(1, coins=20).goods(1, **goods).at(2, coins=0).goods(2, grain=3)
    game.strike("harvest", strength)
    return game


def give_until_done(game: OrleansGame) -> int:
    """Let seat 1 give grain until its harvest ends; return the number."""
    count = 0
    while game.decision(1) == "harvest":
        game.do(1, c.GiveFood("grain"))
        count += 1
    return count


def test_orleans_harvest_strength_a() -> None:
    """Page 7: one food item."""
    game = harvest("A", grain=6)
    assert give_until_done(game) == 1
    assert game.decision(2) == "harvest"
    assert game.seat(1).coins.value == 20


def test_orleans_harvest_strength_b() -> None:
    """Page 7: two food items, or coins for each of them."""
    game = harvest("B", grain=6)
    assert give_until_done(game) == 2
    game = harvest("B", grain=6)
    game.do(1, c.PayForFood(), c.GiveFood("grain"))
    assert game.decision(1) == ""
    assert game.seat(1).coins.value == 15
    assert game.seat(1).goods.counts() == {"grain": 5}


def test_orleans_harvest_strength_c() -> None:
    """Page 7: three food items, or five coins for each that is missing."""
    game = harvest("C", grain=6)
    assert give_until_done(game) == 3
    game = harvest("C", grain=1)
    game.do(1, c.GiveFood("grain"))
    game.reject(1, c.GiveFood("grain"), "orleans.harvest.own_food")
    game.do(1, c.PayForFood(), c.PayForFood())
    assert game.decision(1) == ""
    assert game.seat(1).coins.value == 10


@pytest.mark.parametrize("food", ["grain", "cheese", "wine"])
def test_orleans_harvest_food(food: str) -> None:
    """Page 7: grain, cheese and wine are food."""
    game = harvest("A", **{food: 1})
    assert detail(game.do(1, c.GiveFood(food)), e.FoodGiven) == e.FoodGiven(food)
    assert game.seat(1).goods.counts() == {}


@pytest.mark.parametrize("good", ["wool", "brocade"])
def test_orleans_harvest_food__not_wool_or_brocade(good: str) -> None:
    """Page 7: wool and brocade are not food."""
    game = harvest("A", wool=2, brocade=2)
    assert game.legal(1) == [c.PayForFood()]
    game.reject(1, c.GiveFood(good), "orleans.harvest.food", "NOT_FOOD")
    for nothing in ("gold", ""):
        game.reject(1, c.GiveFood(nothing), "table.known_ids", "UNKNOWN_ID")


def test_orleans_harvest_own_food() -> None:
    """Page 7: a seat gives only its own food."""
    game = harvest("A", wine=1)
    assert "grain" in game.seat(2).goods.items
    game.reject(1, c.GiveFood("grain"), "orleans.harvest.own_food")
    game.reject(1, c.GiveFood("cheese"), "orleans.harvest.own_food")
    game.do(1, c.GiveFood("wine"))


def test_orleans_harvest_to_market() -> None:
    """Page 7: the food goes to the goods market, also if the good had run out there."""
    game = OrleansGame(2).goods(1, wine=1)
    game.empty(game.t.goods_market)
    game.strike("harvest", "A")
    game.do(1, c.GiveFood("wine"))
    assert game.t.goods_market.counts() == {"wine": 1}
    assert game.t.removed.counts() == {}


def test_orleans_harvest_coins_instead() -> None:
    """Page 7: a seat may pay five coins for an item even if it has food."""
    game = harvest("A", grain=2)
    assert set(game.legal(1)) == {c.GiveFood("grain"), c.PayForFood()}
    paid = detail(game.do(1, c.PayForFood()), e.FoodPaidFor)
    assert paid == e.FoodPaidFor(paid=5, missing=0)
    assert game.seat(1).coins.value == 15
    assert game.seat(1).goods.counts() == {"grain": 2}


def test_orleans_harvest_coins_instead__the_price_is_five_for_all_strengths() -> None:
    """Page 7: each of two items costs five coins."""
    game = OrleansGame(2).at(1, coins=10).goods(1, grain=2)
    game.strike("harvest", "B")
    game.do(1, c.PayForFood(), c.PayForFood())
    assert game.seat(1).coins.value == 0
    assert game.decision(1) == ""


def test_orleans_harvest_food_before_torture() -> None:
    """Our ruling: a seat with four coins and a wine must give the wine; only seats without food are tortured."""
    game = OrleansGame(2).at(1, coins=4).goods(1, wine=1, wool=1)
    game.strike("harvest", "B")
    assert game.legal(1) == [c.GiveFood("wine")]
    rejection = game.reject(1, c.PayForFood(), "orleans.harvest.food_before_torture", "NOT_ENOUGH_COINS")
    assert rejection.values == {"coins": "4", "needed": "5"}

    game.do(1, c.GiveFood("wine"))

    assert game.seat(1).coins.value == 0, "the second item is paid for as far as the coins go"
    assert game.seat(1).debt.value == 1
    assert game.decision(1) == "torture"


def test_orleans_harvest_torture() -> None:
    """Page 7: a seat without food pays its coins and is tortured for the missing ones, item by item."""
    game = OrleansGame(2).at(1, coins=7).goods(1, wool=2, brocade=2).bag(1)
    game.strike("harvest", "B")
    assert game.legal(1) == [c.PayForFood()]
    paid = [x.detail for x in game.do(1, c.PayForFood()) if isinstance(x.detail, e.FoodPaidFor)]
    assert paid == [e.FoodPaidFor(paid=5, missing=0), e.FoodPaidFor(paid=2, missing=3)]
    assert game.decision(1) == "torture"
    assert game.deciding() == [1]
    game.do(1, c.SurrenderGood("wool"), c.SurrenderGood("brocade"), c.SurrenderTradingStation())
    assert game.decision(1) != "torture"
    assert game.seat(1).food_due.value == 0


def test_orleans_harvest_torture__three_items_cost_fifteen() -> None:
    """Page 7: a seat without food and coins is tortured for 15 coins at strength C."""
    game = OrleansGame(2).at(1, coins=0).at(2, coins=20).goods(1, brocade=10).bag(1)
    game.strike("harvest", "C")
    for _ in range(10):
        game.do(1, c.SurrenderGood("brocade"))
    for _ in range(5):
        assert game.decision(1) == "torture"
        game.do(1, c.SurrenderTradingStation())
    assert game.decision(1) == ""
    assert game.decision(2) == "harvest"
    assert game.seat(1).stations.total() == 5


def test_orleans_harvest_torture_allowed() -> None:
    """The other reading: a seat short of coins may keep its food and be tortured for the missing coins."""
    game = OrleansGame(2, harvest_short_of_coins="torture_allowed").at(1, coins=4).goods(1, wine=1, wool=1)
    game.strike("harvest", "A")
    assert set(game.legal(1)) == {c.GiveFood("wine"), c.PayForFood()}
    paid = detail(game.do(1, c.PayForFood()), e.FoodPaidFor)
    assert paid == e.FoodPaidFor(paid=4, missing=1)
    assert game.decision(1) == "torture"
    game.do(1, c.SurrenderTradingStation())
    assert game.seat(1).goods.counts() == {"wine": 1, "wool": 1}
    assert game.decision(1) != "torture"


def test_orleans_harvest_torture_allowed__no_choice_without_food() -> None:
    """The other reading: a seat without food and without five coins has no choice."""
    game = OrleansGame(2, harvest_short_of_coins="torture_allowed").at(1, coins=4).goods(1, wool=1)
    game.strike("harvest", "A")
    assert game.decision(1) == "torture"
    assert game.seat(1).debt.value == 1
