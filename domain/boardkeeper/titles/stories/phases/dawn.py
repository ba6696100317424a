"""The beginning of a round: the next event card, where a story has them."""

from __future__ import annotations

from boardkeeper.titles.stories.events import RoundBegun
from boardkeeper.titles.stories.material import Stories


def begin(t: Stories) -> None:
    """Turn the next card. Source: stories.events.turned.

    Of each pile only some cards come into play. They are drawn when their turn comes instead of being dealt at set-up:
    the odds are the same, and nothing that lies face down has to be kept secret.
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
