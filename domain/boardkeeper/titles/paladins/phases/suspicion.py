"""Suspicion cards and taxes. An empty tax supply causes an inquisition.

Source: paladins.suspicion.*, paladins.tax.*.
"""

from __future__ import annotations

from boardkeeper.titlekit.turn_flow import PendingRewards
from boardkeeper.titles.paladins.data import CRIMINAL
from boardkeeper.titles.paladins.events import Gained, SuspicionDiscarded, SuspicionLapsed, SuspicionTaken, TaxTaken
from boardkeeper.titles.paladins.material import Paladins, Seat, Side
from boardkeeper.titles.paladins.phases import gains, inquisition

_ACTIONS_WITH_CRIMINALS = ("conspire", "recruit", "attack")
"""Actions whose own rewards can include a criminal."""


def draw(t: Paladins, side: Side) -> tuple[str, bool]:
    """Move the next suspicion card to a seat; return its id and whether the deck was reshuffled.

    The id is empty if deck and discard pile are empty. Source: paladins.suspicion.reshuffle.
    """
    deck = t.suspicion_deck
    reshuffled = not deck.items
    if reshuffled:
        for card, count in sorted(t.suspicion_discard.items.items()):
            t.move(card, t.suspicion_discard, deck, count)
    if not deck.items:
        return "", reshuffled
    return t.recorder.draw(deck, side.suspicion)[0], reshuffled


def handle_empty_deck(t: Paladins, side: Side, due: PendingRewards) -> None:
    """Begin an inquisition if a seat would discard cards in it; otherwise the pending suspicion card lapses.

    Source: paladins.suspicion.none_left.
    """
    if max(seat.suspicion.total() for seat in t.seats) > 1:
        inquisition.begin(t, "suspicion")
    else:
        due.settle("suspicion")
        t.emit(side, SuspicionLapsed())


def take(t: Paladins, seat: Seat) -> None:
    """Take one pending suspicion card and the silver that it shows. Source: paladins.suspicion.one_by_one."""
    card, reshuffled = draw(t, seat)
    if not card:
        handle_empty_deck(t, seat, seat.due)
        return
    seat.due.settle("suspicion")
    from_tax, from_supply = _collect(t, seat, t.data.suspicion[card])
    t.emit(seat, SuspicionTaken(card, from_tax, from_supply, reshuffled))
    call_inquisition_if_empty(t, from_tax)


def pay_tax(t: Paladins, seat: Seat, silver: int) -> None:
    """Take silver from the tax supply, the rest from the general supply. Source: paladins.tax.mandatory."""
    from_tax, from_supply = _collect(t, seat, silver)
    t.emit(seat, TaxTaken(from_tax, from_supply))
    call_inquisition_if_empty(t, from_tax)


def _collect(t: Paladins, seat: Seat, silver: int) -> tuple[int, int]:
    """Give a seat silver from the tax supply, the rest from the general supply; return both amounts."""
    from_tax = min(silver, t.tax.value)
    from_supply = gains.receive_silver(t, seat, silver - from_tax)
    t.set(t.tax, t.tax.value - from_tax)
    t.set(seat.silver, seat.silver.value + from_tax)
    return from_tax, from_supply


def call_inquisition_if_empty(t: Paladins, taken: int) -> None:
    """Begin an inquisition if silver was taken and the tax supply is empty now. Source: paladins.tax.last_silver."""
    if taken and not t.tax.value:
        inquisition.begin(t, "tax")


def criminal_source(t: Paladins) -> str:
    """Return the source of a pending criminal for the event: the action in progress, if its rewards include criminals.

    Otherwise the criminal comes from townsfolk discarded for free: ``free_recruit``.
    """
    action = t.action.value
    favour = t.data.favours.get(action)
    if favour is not None:
        has_criminal = any(kind == CRIMINAL for kind, _ in favour.gain.pending)
    else:
        has_criminal = action in _ACTIONS_WITH_CRIMINALS or action not in t.data.actions
    return action if has_criminal else "free_recruit"


def take_criminal(t: Paladins, seat: Seat) -> None:
    """Take a criminal and add a pending suspicion card. Source: paladins.suspicion.with_each_criminal."""
    is_received = gains.receive_worker(t, seat, CRIMINAL)
    t.emit(seat, Gained((CRIMINAL,), criminal_source(t), () if is_received else (CRIMINAL,)))
    if is_received:
        seat.due.owe("suspicion")


def discard(t: Paladins, side: Side) -> str:
    """Discard the newest card of a seat; return its id, or an empty string. Source: paladins.suspicion.newest_first."""
    if not side.suspicion.order:
        return ""
    card = side.suspicion.order[-1]
    t.move(card, side.suspicion, t.suspicion_discard)
    t.emit(side, SuspicionDiscarded(card))
    return card
