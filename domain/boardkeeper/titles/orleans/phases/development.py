"""The development track: points, coins, citizens and status."""

from __future__ import annotations

from boardkeeper.families.followers.data import CITIZEN
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.events import DevelopmentAdvanced
from boardkeeper.titles.orleans.material import BoundPlace, Orleans, Seat


def find_track_end_rejection(t: Orleans, seat: Seat, place: BoundPlace) -> Rejection | None:
    """Return a rejection if the place gives only development points and the marker is on the last space, else ``None``.

    Only if the reading ``development_end`` is ``closes_actions``.
    """
    at_end = seat.development.value == t.data.last_development
    if at_end and place.place.only_development and t.data.readings.development_end == "closes_actions":
        return Rejection("TRACK_END", "orleans.development.end_closes", {"place": place.id})
    return None


def advance_development(t: Orleans, seat: Seat, points: int) -> None:
    """Advance a seat and give it the coins and citizens that it reaches or passes. Source: orleans.development.*.

    Points beyond the last space are lost; without a step there is no event. A seat that moved back receives the coins
    of a space again only if the reading ``coin_space_again`` is ``each_time``.
    """
    before = seat.development.value
    again = t.data.readings.coin_space_again == "each_time"
    rewarded = before if again else seat.furthest_development()
    after = min(before + points, t.data.last_development)
    if after == before:
        return
    t.set(seat.development, after)
    coins = sum(coins for space, coins in t.data.development_coins.items() if rewarded < space <= after)
    if coins:
        t.give_coins(seat, coins)
    citizens = 0
    for space, pile in t.development_citizens.items():
        if before < space <= after and pile.items:
            t.move(CITIZEN, pile, seat.citizens)
            citizens += 1
    t.emit(seat, DevelopmentAdvanced(after, seat.status(), coins, citizens))
