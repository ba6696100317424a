"""Market: selling and buying goods, one for each village."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.commands import BuyGood, Command, FinishTrading, SellGood, UsePlace
from boardkeeper.titles.stories.control import count_villages, towns_of
from boardkeeper.titles.stories.events import GoodBought, GoodSold, TradingBegun, TradingFinished
from boardkeeper.titles.stories.material import BoundPlace, Seat, Stories
from boardkeeper.titles.stories.phases import trading


def why_not(t: Stories, seat: Seat, place: BoundPlace) -> Rejection | None:
    """Why the seat cannot trade: no village, or nothing to sell and no coin to buy with."""
    if not trades(t, seat):
        return Rejection("NO_TRADE", "stories.market.villages", {"place": place.id})
    if not trading.sales(seat) and not purchases(t, seat):
        return Rejection("NOTHING_TO_TRADE", "stories.market.goods", {"place": place.id})
    return None


def trades(t: Stories, seat: Seat) -> int:
    """One for each village, and one for each town with settlers of the seat (stories.towns.market)."""
    return count_villages(t, seat) + len(towns_of(t, seat))


def purchases(t: Stories, seat: Seat) -> list[Command]:
    """Every good that the market has and the seat can pay."""
    there = t.goods_market.items
    affordable = (good for good, value in t.data.good_values.items() if good in there and value <= seat.coins.value)
    return [BuyGood(good) for good in affordable]


def use(t: Stories, seat: Seat, place: BoundPlace) -> Rejection | None:
    """Begin to trade, as often as the seat has villages. Source: stories.market.*."""
    rejection = why_not(t, seat, place)
    if rejection:
        return rejection
    t.set(seat.trades, trades(t, seat))
    t.set(t.action_place, place.id)
    t.ask(seat, "trade")
    t.emit(seat, TradingBegun(place.id, seat.trades.value))
    return None


def sell(t: Stories, seat: Seat, command: SellGood) -> Rejection | None:
    """Sell a good for its value; it leaves the game (stories.market.sold_goods)."""
    rejection = trading.why_not_sell(seat, command.good)
    if rejection:
        return rejection
    coins = t.data.good_values[command.good]
    t.move(command.good, seat.goods, t.removed)
    t.gain(seat, coins)
    t.emit(seat, GoodSold(command.good, coins))
    _go_on(t, seat)
    return None


def buy(t: Stories, seat: Seat, command: BuyGood) -> Rejection | None:
    """Buy a good for its value (stories.market.buying)."""
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
    _go_on(t, seat)
    return None


def finish(t: Stories, seat: Seat, command: FinishTrading) -> Rejection | None:
    """Trade no more (stories.market.up_to)."""
    t.emit(seat, TradingFinished())
    _end(t, seat)
    return None


def _go_on(t: Stories, seat: Seat) -> None:
    t.set(seat.trades, seat.trades.value - 1)
    if not seat.trades.value or not (trading.sales(seat) or purchases(t, seat)):
        _end(t, seat)


def _end(t: Stories, seat: Seat) -> None:
    t.set(seat.trades, 0)
    action.return_followers(t, seat, seat.estate().places[t.action_place.value])
    t.set(t.action_place, "")
    action.end(t, seat)


def legal(t: Stories, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Beginning to trade."""
    return () if why_not(t, seat, place) else (UsePlace(place.id),)


def legal_trade(t: Stories, seat: Seat) -> list[Command]:
    """Every sale and purchase, and no more."""
    return [*trading.sales(seat), *purchases(t, seat), FinishTrading()]
