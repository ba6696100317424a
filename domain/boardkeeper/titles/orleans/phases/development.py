"""The development track: points, coins, citizens, status."""

from __future__ import annotations

from boardkeeper.families.followers.data import CITIZEN
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.events import DevelopmentAdvanced
from boardkeeper.titles.orleans.material import BoundPlace, Orleans, Seat


def find_track_end_rejection(t: Orleans, seat: Seat, place: BoundPlace) -> Rejection | None:
    """Why a place that brings nothing but development is of no use to the seat (reading ``development_end``)."""
    at_end = seat.development.value == t.data.last_development
    if at_end and place.place.only_development and t.data.readings.development_end == "closes_actions":
        return Rejection("TRACK_END", "orleans.development.end_closes", {"place": place.id})
    return None


def advance_development(t: Orleans, seat: Seat, points: int) -> None:
    """Advance a seat and give it what it reaches or passes. Source: orleans.development.*.

    Points beyond the last space are lost; without a step there is no event. A coin space that steps back lead behind
    pays again only under that reading (``coin_space_again``); a citizen is there once.
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
        t.gain(seat, coins)
    citizens = 0
    for space, pile in t.development_citizens.items():
        if before < space <= after and pile.items:
            t.move(CITIZEN, pile, seat.citizens)
            citizens += 1
    t.emit(seat, DevelopmentAdvanced(after, seat.status(), coins, citizens))
