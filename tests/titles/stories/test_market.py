"""The Market: one trade for each village, the sale or purchase of one good for its value."""

from __future__ import annotations

import pytest
from tests.titles.stories.kit import StoriesGame, detail

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import events as e

VALUES = {"grain": 1, "fish": 2, "cheese": 2, "wood": 3, "wine": 3, "bread": 4, "brocade": 5}


def start_trading(villages: int = 2, coins: int = 0, **goods: int) -> StoriesGame:
    """Seat 1 has started to trade, with this number of villages and coins, and these goods."""
    game = StoriesGame().goods(1, **goods).coins(1, coins).bag(1).fill(1, "market")
    more = ("c1r3", "c2r2", "c2r3")[: villages - 1]
    for area in more:
        game.settle(area, 1)
    game.village(*more).act(1, c.UsePlace("market"))
    return game


@pytest.mark.parametrize("villages", [1, 2, 4])
def test_stories_market_villages(villages: int) -> None:
    """One trade for each controlled village, the first village included."""
    game = StoriesGame().goods(1, grain=9).coins(1, 9).fill(1, "market")
    for area in ("c1r3", "c2r2", "c2r3")[: villages - 1]:
        game.settle(area, 1).village(area)
    events = game.act(1, c.UsePlace("market"))
    assert detail(events, e.TradingBegun) == e.TradingBegun("market", villages)
    for _ in range(villages):
        assert game.decision(1) == "trade"
        game.do(1, c.SellGood("grain"))
    assert game.decision(1) == ""
    assert game.seat(1).coins.value == 9 + villages


def test_stories_market_villages__none() -> None:
    """A seat without a village cannot trade; areas do not count."""
    game = StoriesGame().goods(1, grain=9).fill(1, "market").settle("c1r2").settle("c2r2", 1)
    game.enter("actions")
    game.reject(1, c.UsePlace("market"), "stories.market.villages", "NO_TRADE")


def test_stories_market_villages__shared_in_peace() -> None:
    """Each seat on a shared village has a trade; with reading ``joint_control``, two halves make one trade."""
    for reading, trades in (("full_each", 3), ("split_down", 2)):
        game = StoriesGame(joint_control=reading).era(1, 5).goods(1, grain=9).fill(1, "market")
        game.settle("c1r3", 1, 2).settle("c2r2", 1, 2).village("c1r3", "c2r2")
        assert detail(game.act(1, c.UsePlace("market")), e.TradingBegun).trades == trades


def test_stories_market_values() -> None:
    assert StoriesGame().data.good_values == VALUES


@pytest.mark.parametrize(("good", "value"), VALUES.items())
def test_stories_market_selling(good: str, value: int) -> None:
    game = start_trading(1, 2, **{good: 1, "grain": 2})
    events = game.do(1, c.SellGood(good))
    assert detail(events, e.GoodSold) == e.GoodSold(good, value)
    assert game.seat(1).coins.value == 2 + value


@pytest.mark.parametrize("good", VALUES)
def test_stories_market_sold_goods(good: str) -> None:
    """Sold goods leave the game."""
    game = start_trading(1, **{good: 1, "grain": 2})
    before = game.t.goods_market.items[good]
    gone = game.t.removed.items.get(good, 0)
    game.do(1, c.SellGood(good))
    assert game.t.goods_market.items[good] == before
    assert game.t.removed.items[good] == gone + 1


def test_stories_market_own_goods() -> None:
    game = start_trading(2, grain=1)
    game.reject(1, c.SellGood("fish"), "stories.market.own_goods", "NO_SUCH_GOOD")


@pytest.mark.parametrize(("good", "value"), VALUES.items())
def test_stories_market_buying(good: str, value: int) -> None:
    """The market must have the good, and the seat enough coins."""
    game = start_trading(3, value - 1, grain=1)
    game.reject(1, c.BuyGood(good), "stories.market.buying", "NOT_ENOUGH_COINS")
    game.do(1, c.SellGood("grain"))
    before = game.t.goods_market.items[good]

    events = game.do(1, c.BuyGood(good))

    assert detail(events, e.GoodBought) == e.GoodBought(good, value)
    assert (game.seat(1).coins.value, game.seat(1).goods.counts()) == (0, {good: 1})
    assert game.t.goods_market.items.get(good, 0) == before - 1


def test_stories_market_buying__sold_out() -> None:
    game = StoriesGame().goods_market(grain=1, fish=1).goods(1).coins(1, 9).settle("c2r2", 1).village("c2r2")
    game.fill(1, "market").act(1, c.UsePlace("market"))
    game.reject(1, c.BuyGood("brocade"), "stories.market.buying", "GOOD_SOLD_OUT")
    game.do(1, c.BuyGood("fish"))
    game.reject(1, c.BuyGood("fish"), "stories.market.buying", "GOOD_SOLD_OUT")
    game.do(1, c.BuyGood("grain"))
    assert game.seat(1).goods.counts() == {"grain": 1, "fish": 1}


def test_stories_market_up_to() -> None:
    """A seat may stop early; the followers return to the bag."""
    game = start_trading(3, grain=2)
    game.do(1, c.SellGood("grain"), c.FinishTrading())

    assert game.seat(1).trades.value == 0
    assert game.seat(1).bag.counts() == {"fisherman": 1, "trader": 1}
    assert game.deciding() == [2]


def test_stories_market_goods() -> None:
    """A seat without goods and coins cannot use the Market."""
    game = StoriesGame().goods(1).fill(1, "market")
    game.enter("actions")
    game.reject(1, c.UsePlace("market"), "stories.market.goods", "NOTHING_TO_TRADE")
    game.coins(1, 1).do(1, c.UsePlace("market"), c.BuyGood("grain"))


def test_stories_market_goods__nothing_affordable() -> None:
    """A coin does not help if no good costs one; trading ends when no trade is possible."""
    game = StoriesGame().goods(1).coins(1, 1).goods_market(wine=2, brocade=1).fill(1, "market")
    game.settle("c2r2", 1).village("c2r2").enter("actions")
    game.reject(1, c.UsePlace("market"), "stories.market.goods", "NOTHING_TO_TRADE")

    game.coins(1, 4).do(1, c.UsePlace("market"), c.BuyGood("wine"))
    assert game.decision(1) == "trade"  # the wine could be sold again

    game = StoriesGame().goods(1, wine=1).goods_market(brocade=1).fill(1, "market")
    game.settle("c2r2", 1).village("c2r2").act(1, c.UsePlace("market"), c.SellGood("wine"))
    assert (game.decision(1), game.seat(1).trades.value, game.seat(1).coins.value) == ("", 0, 3)
    assert game.t.action_place.value == ""
