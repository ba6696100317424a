"""Pharmacy: development points for coins."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.commands import BuyDevelopment, Command
from boardkeeper.titles.orleans.events import DevelopmentBought
from boardkeeper.titles.orleans.material import BoundPlace, Orleans, Seat
from boardkeeper.titles.orleans.phases.development import advance_development, find_track_end_rejection


def buy(t: Orleans, seat: Seat, command: BuyDevelopment, place: BoundPlace) -> Rejection | None:
    """Pay one to three coins and advance as many spaces. Source: orleans.pharmacy.*."""
    rejection = find_track_end_rejection(t, seat, place)
    if rejection:
        return rejection
    coins = command.coins
    values = {
        "coins": str(coins),
        "most": str(place.place.development_for_coins),
        "owned": str(seat.coins.value),
    }
    if not 1 <= coins <= place.place.development_for_coins:
        return Rejection("WRONG_PRICE", "orleans.pharmacy.coins", values)
    if coins > seat.coins.value:
        return Rejection("NOT_ENOUGH_COINS", "orleans.pharmacy.own_coins", values)
    t.set(seat.coins, seat.coins.value - coins)
    action.return_followers(t, seat, place)
    t.emit(seat, DevelopmentBought(place.id, coins))
    advance_development(t, seat, coins)
    action.end(t, seat)
    return None


def legal(t: Orleans, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return a command for each price that the seat can pay."""
    if find_track_end_rejection(t, seat, place):
        return ()
    most = min(place.place.development_for_coins, seat.coins.value)
    return [BuyDevelopment(place.id, coins) for coins in range(1, most + 1)]
