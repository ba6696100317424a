"""Pub and Bakery: exchange coins for fame, and goods for other goods."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.commands import Command, ConvertCoins, ExchangeGoods
from boardkeeper.titles.stories.events import CoinsConverted, GoodsExchanged
from boardkeeper.titles.stories.material import BoundPlace, Seat, Stories
from boardkeeper.titles.stories.phases.fame import gain_fame, steps_left


def max_coins(t: Stories, seat: Seat, place: BoundPlace) -> int:
    """Return the maximum number of coins that the seat can turn into fame at the place."""
    return min(steps_left(t, seat, place.place.convert_coins), seat.coins.value)


def max_goods(t: Stories, seat: Seat, place: BoundPlace) -> int:
    """Return the maximum number of goods that the seat can exchange at the place."""
    data = place.place
    available = t.goods_market.items.get(data.exchange_to, 0)
    return min(data.exchange_most, seat.goods.items.get(data.exchange_from, 0), available)


def convert(t: Stories, seat: Seat, command: ConvertCoins, place: BoundPlace) -> Rejection | None:
    """Turn coins into fame. Source: stories.cards.coins_for_fame."""
    most = max_coins(t, seat, place)
    if not 1 <= command.coins <= most:
        values = {"coins": str(command.coins), "most": str(most), "place": place.id}
        return Rejection("WRONG_NUMBER", "stories.cards.coins_for_fame", values)
    t.set(seat.coins, seat.coins.value - command.coins)
    action.return_followers(t, seat, place)
    t.emit(seat, CoinsConverted(place.id, command.coins, command.coins))
    gain_fame(t, seat, command.coins)
    action.end(t, seat)
    return None


def exchange(t: Stories, seat: Seat, command: ExchangeGoods, place: BoundPlace) -> Rejection | None:
    """Exchange goods one for one. The goods that the seat pays are removed from the game.

    Source: stories.cards.exchange.
    """
    most, data = max_goods(t, seat, place), place.place
    if not 1 <= command.count <= most:
        values = {"count": str(command.count), "most": str(most), "place": place.id}
        return Rejection("WRONG_NUMBER", "stories.cards.exchange", values)
    t.move(data.exchange_from, seat.goods, t.removed, command.count)
    t.move(data.exchange_to, t.goods_market, seat.goods, command.count)
    action.return_followers(t, seat, place)
    t.emit(seat, GoodsExchanged(place.id, data.exchange_from, data.exchange_to, command.count))
    action.end(t, seat)
    return None


def legal_convert(t: Stories, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return a command for each possible number of coins."""
    return [ConvertCoins(place.id, coins) for coins in range(1, max_coins(t, seat, place) + 1)]


def legal_exchange(t: Stories, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return a command for each possible number of goods."""
    return [ExchangeGoods(place.id, count) for count in range(1, max_goods(t, seat, place) + 1)]
