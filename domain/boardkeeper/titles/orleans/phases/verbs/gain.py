"""Places that give coins, development, a good or a technology tile."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.commands import Command, UsePlace
from boardkeeper.titles.orleans.events import PlaceUsed
from boardkeeper.titles.orleans.material import BoundPlace, Orleans, Seat
from boardkeeper.titles.orleans.phases.development import advance_development, find_track_end_rejection


def find_rejection(t: Orleans, seat: Seat, place: BoundPlace) -> Rejection | None:
    """Return a rejection if the seat cannot receive the reward of the place, or ``None``.

    Source: orleans.goods.available.
    """
    gives = place.place
    if gives.good and gives.good not in t.goods_market.items:
        return Rejection("GOOD_SOLD_OUT", "orleans.goods.available", {"place": place.id, "good": gives.good})
    if gives.technology and not t.technology.items:
        return Rejection("NO_TECHNOLOGY_LEFT", "orleans.laboratory.technology_available", {"place": place.id})
    return find_track_end_rejection(t, seat, place)


def use(t: Orleans, seat: Seat, place: BoundPlace) -> Rejection | None:
    """Give the seat the rewards of the place."""
    rejection = find_rejection(t, seat, place)
    if rejection:
        return rejection
    gives = place.place
    coins = gives.coins + gives.coins_per_status * seat.status() + gives.coins_per_station * seat.built_stations()
    action.return_followers(t, seat, place)
    if coins:
        t.give_coins(seat, coins)
    if gives.good:
        t.move(gives.good, t.goods_market, seat.goods)
    if gives.technology:
        t.move(TECHNOLOGY, t.technology, seat.technology)
    t.emit(seat, PlaceUsed(place.id, coins, gives.development, gives.good, bool(gives.technology)))
    advance_development(t, seat, gives.development)
    action.end(t, seat)
    return None


def legal(t: Orleans, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return the command to use the place, if it gives anything."""
    return () if find_rejection(t, seat, place) else (UsePlace(place.id),)
