"""Phase 1: the start player turns the next hour glass tile."""

from __future__ import annotations

from boardkeeper.titles.orleans.events import HourGlassTurned
from boardkeeper.titles.orleans.material import Orleans


def begin(t: Orleans) -> None:
    """Begin the round: turn an hour glass tile, then begin the census. Source: orleans.round.hour_glass.

    The tile is a random draw from its pile. Shuffling the piles at setup has equal probabilities, but a secret order.
    """
    for tile in t.turned_now.counts():
        t.move(tile, t.turned_now, t.turned)
    pile = next(pile for pile in t.hour_glass.values() if pile.items)
    (tile,) = t.recorder.draw(pile, t.turned_now)
    event, _, strength = tile.partition(".")
    t.set(t.round, t.round.value + 1)
    t.set(t.event, event)
    t.set(t.strength, strength)
    for seat in t.seats:
        t.set(seat.passed, 0)
    t.emit(None, HourGlassTurned(t.round.value, event, strength, t.start.value))
    t.enter("census")
