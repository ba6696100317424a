"""Market: sell and buy goods, one trade for each village. Source: stories.market.*."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.commands import BuyGood, Command, FinishTrading, SellGood, UsePlace
from boardkeeper.titles.stories.control import count_villages, towns_of
from boardkeeper.titles.stories.events import GoodBought, GoodSold, TradingBegun, TradingFinished
from boardkeeper.titles.stories.material import BoundPlace, Seat, Stories


def find_rejection(t: Stories, seat: Seat, place: BoundPlace) -> Rejection | None:
    """Return why the seat cannot trade, or ``None``. Source: stories.market.villages, .goods."""
    if not count_trades(t, seat):
        return Rejection("NO_TRADE", "stories.market.villages", {"place": place.id})
    if not legal_sales(seat) and not legal_purchases(t, seat):
        return Rejection("NOTHING_TO_TRADE", "stories.market.goods", {"place": place.id})
    return None


def count_trades(t: Stories, seat: Seat) -> int:
    """Return the number of trades: one per village, and one per town with settlers. Source: stories.towns.market."""
    return count_villages(t, seat) + len(towns_of(t, seat))


def legal_sales(seat: Seat) -> list[Command]:
    """Return a command for each good that the seat can sell."""
    return [SellGood(good) for good in sorted(seat.goods.items)]


def find_sale_rejection(seat: Seat, good: str) -> Rejection | None:
    """Return a rejection if the seat does not have the good, or ``None``. Source: stories.market.own_goods."""
    if good not in seat.goods.items:
        return Rejection("NO_SUCH_GOOD", "stories.market.own_goods", {"good": good})
    return None


def legal_purchases(t: Stories, seat: Seat) -> list[Command]:
    """Return a command for each good that the seat can buy."""
    market = t.goods_market.items
    affordable = (good for good, value in t.data.good_values.items() if good in market and value <= seat.coins.value)
    return [BuyGood(good) for good in affordable]


def use(t: Stories, seat: Seat, place: BoundPlace) -> Rejection | None:
    """Begin to trade. Source: stories.market.*."""
    rejection = find_rejection(t, seat, place)
    if rejection:
        return rejection
    t.set(seat.trades, count_trades(t, seat))
    t.set(t.action_place, place.id)
    t.ask(seat, "trade")
    t.emit(seat, TradingBegun(place.id, seat.trades.value))
    return None


def sell(t: Stories, seat: Seat, command: SellGood) -> Rejection | None:
    """Sell a good for its value; it is removed from the game. Source: stories.market.sold_goods."""
    rejection = find_sale_rejection(seat, command.good)
    if rejection:
        return rejection
    coins = t.data.good_values[command.good]
    t.move(command.good, seat.goods, t.removed)
    t.give_coins(seat, coins)
    t.emit(seat, GoodSold(command.good, coins))
    _use_trade(t, seat)
    return None


def buy(t: Stories, seat: Seat, command: BuyGood) -> Rejection | None:
    """Buy a good for its value. Source: stories.market.buying."""
    good = command.good
    if good not in t.goods_market.items:
        return Rejection("GOOD_SOLD_OUT", "stories.market.buying", {"good": good})
    value = t.data.good_values[good]
    if value > seat.coins.value:
        values = {"good": good, "coins": str(seat.coins.value), "needed": str(value)}
        return Rejection("NOT_ENOUGH_COINS", "stories.market.buying", values)
    t.set(seat.coins, seat.coins.value - value)
    t.move(good, t.goods_market, seat.goods)
    t.emit(seat, GoodBought(good, value))
    _use_trade(t, seat)
    return None


def finish(t: Stories, seat: Seat, command: FinishTrading) -> Rejection | None:
    """Stop trading. Source: stories.market.up_to."""
    t.emit(seat, TradingFinished())
    _end(t, seat)
    return None


def _use_trade(t: Stories, seat: Seat) -> None:
    t.set(seat.trades, seat.trades.value - 1)
    if not seat.trades.value or not (legal_sales(seat) or legal_purchases(t, seat)):
        _end(t, seat)


def _end(t: Stories, seat: Seat) -> None:
    t.set(seat.trades, 0)
    action.return_followers(t, seat, seat.estate().places[t.action_place.value])
    t.set(t.action_place, "")
    action.end(t, seat)


def legal(t: Stories, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return the command to begin trading, if possible."""
    return () if find_rejection(t, seat, place) else (UsePlace(place.id),)


def legal_trade(t: Stories, seat: Seat) -> list[Command]:
    """Return a command for each sale and purchase, and to stop."""
    return [*legal_sales(seat), *legal_purchases(t, seat), FinishTrading()]
