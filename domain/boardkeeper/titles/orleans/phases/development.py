"""The development track: points, coins, citizens, status."""

from __future__ import annotations

from boardkeeper.titles.orleans.bindings import Orleans, Seat
from boardkeeper.titles.orleans.data import CITIZEN
from boardkeeper.titles.orleans.events import DevelopmentAdvanced


def advance_development(t: Orleans, seat: Seat, points: int) -> None:
    """Advance a seat and give it what it reaches or passes. Source: orleans.development.*.

    Points beyond the last space are lost; without a step there is no event. What steps back lead away from is not
    given again (orleans.development.coins_once).
    """
    before = seat.development.value
    rewarded = seat.furthest_development()
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
