"""Suspicion cards and taxes: what they take from the tax supply, and when that calls the inquisition.

Source: paladins.suspicion.*, paladins.tax.*.
"""

from __future__ import annotations

from boardkeeper.titlekit.turn_flow import PendingRewards
from boardkeeper.titles.paladins.data import CRIMINAL
from boardkeeper.titles.paladins.events import Gained, SuspicionDiscarded, SuspicionLapsed, SuspicionTaken, TaxTaken
from boardkeeper.titles.paladins.material import Paladins, Seat, Side
from boardkeeper.titles.paladins.phases import inquisition, supply

_BRING_CRIMINALS = ("conspire", "recruit", "attack")
"""The actions of a board that bring criminals: by themselves, or by who is sent away or attacked."""


def draw(t: Paladins, side: Side) -> tuple[str, bool]:
    """Put the next suspicion card on a seat's stack; says which, and whether the deck had run out before.

    No card (an empty string) if none was discarded, either. Source: paladins.suspicion.reshuffle.
    """
    deck = t.suspicion_deck
    reshuffled = not deck.items
    if reshuffled:
        for card, count in sorted(t.suspicion_discard.items.items()):
            t.move(card, t.suspicion_discard, deck, count)
    if not deck.items:
        return "", reshuffled
    return t.recorder.draw(deck, side.suspicion)[0], reshuffled


def none_left(t: Paladins, side: Side, due: PendingRewards) -> None:
    """No card is left to take: an inquisition first, if that frees some. Source: paladins.suspicion.none_left."""
    if max(seat.suspicion.total() for seat in t.seats) > 1:
        inquisition.begin(t, "suspicion")
    else:
        due.settle("suspicion")
        t.emit(side, SuspicionLapsed())


def take(t: Paladins, seat: Seat) -> None:
    """Take one suspicion card that is due, with its tax at once. Source: paladins.suspicion.one_by_one."""
    card, reshuffled = draw(t, seat)
    if not card:
        none_left(t, seat, seat.due)
        return
    seat.due.settle("suspicion")
    from_tax, from_supply = _collect(t, seat, t.data.suspicion[card])
    t.emit(seat, SuspicionTaken(card, from_tax, from_supply, reshuffled))
    call_if_empty(t, from_tax)


def pay_tax(t: Paladins, seat: Seat, silver: int) -> None:
    """Take so much silver from the tax supply, what is missing from the general one. Source: paladins.tax.mandatory."""
    from_tax, from_supply = _collect(t, seat, silver)
    t.emit(seat, TaxTaken(from_tax, from_supply))
    call_if_empty(t, from_tax)


def _collect(t: Paladins, seat: Seat, silver: int) -> tuple[int, int]:
    """Give a seat silver: from the tax supply, and what is missing there from the general one; how much of each."""
    from_tax = min(silver, t.tax.value)
    from_supply = supply.receive_silver(t, seat, silver - from_tax)
    t.set(t.tax, t.tax.value - from_tax)
    t.set(seat.silver, seat.silver.value + from_tax)
    return from_tax, from_supply


def call_if_empty(t: Paladins, taken: int) -> None:
    """Call the inquisition if the last silver has just left the tax supply. Source: paladins.tax.last_silver."""
    if taken and not t.tax.value:
        inquisition.begin(t, "tax")


def criminal_from(t: Paladins) -> str:
    """Where a criminal that is due comes from: the action, or else somebody whom it let send away for free."""
    action = t.action.value
    favour = t.data.favours.get(action)
    if favour is not None:
        brings = any(kind == CRIMINAL for kind, _ in favour.gain.dues)
    else:
        brings = action in _BRING_CRIMINALS or action not in t.data.actions
    return action if brings else "free_recruit"


def take_criminal(t: Paladins, seat: Seat) -> None:
    """Take a criminal, and with it a suspicion card. Source: paladins.suspicion.with_each_criminal."""
    came = supply.receive_worker(t, seat, CRIMINAL)
    t.emit(seat, Gained((CRIMINAL,), criminal_from(t), () if came else (CRIMINAL,)))
    if came:
        seat.due.owe("suspicion")


def discard(t: Paladins, side: Side) -> str:
    """Discard a seat's newest card; returns it, or an empty string. Source: paladins.suspicion.newest_first."""
    if not side.suspicion.order:
        return ""
    card = side.suspicion.order[-1]
    t.move(card, side.suspicion, t.suspicion_discard)
    t.emit(side, SuspicionDiscarded(card))
    return card
