"""The start of a round: its event card, in stories with events."""

from __future__ import annotations

from boardkeeper.titles.stories.events import RoundBegun
from boardkeeper.titles.stories.material import Stories


def begin(t: Stories) -> None:
    """Begin the next round and reveal its event. Source: stories.events.turned.

    Event cards are drawn here and not during setup: the probabilities are equal, and no card is hidden.
    """
    t.set(t.round, t.round.value + 1)
    for seat in t.seats:
        t.set(seat.passed, 0)
    event = _turn(t) if t.events else ""
    t.set(t.event, event)
    t.emit(None, RoundBegun(t.round.value, t.start.value, event))
    t.enter("followers")


def _turn(t: Stories) -> str:
    for card in t.turned_now.counts():
        t.move(card, t.turned_now, t.turned)
    letter = t.data.event_letters[(t.round.value - 1) // t.data.events_each]
    (card,) = t.recorder.draw(t.events[letter], t.turned_now)
    return card
