"""The inquisition. It can interrupt any phase, also during an action.

The marker ``inquisition`` has its reason while it is in progress. First each seat uses its townsfolk with the trigger
``inquisition``, in an order of its choice. Then the seats with the most suspicion take a debt.
Source: paladins.inquisition.*.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.commands import UseTownsfolk
from boardkeeper.titles.paladins.data import DEBT, Townsfolk
from boardkeeper.titles.paladins.events import InquisitionBegun, InquisitionEnded, SeatCondemned, TownsfolkUsed
from boardkeeper.titles.paladins.material import Paladins, Seat, Side
from boardkeeper.titles.paladins.phases import gains

_TRIGGER = "inquisition"


def begin(t: Paladins, reason: str) -> None:
    """Begin an inquisition and set aside the townsfolk that act in it. Source: paladins.inquisition.townsfolk_first."""
    t.set(t.inquisition, reason)
    for seat in t.people:
        for card in sorted(card for card in seat.townsfolk.items if t.data.townsfolk[card].trigger == _TRIGGER):
            t.move(card, seat.townsfolk, seat.inquiry)
    t.emit(None, InquisitionBegun(reason))


def proceed(t: Paladins) -> None:
    """Use townsfolk, or ask their seat if the order matters. After all are used, condemn seats and end it."""
    order = t.clockwise()
    for side in order:
        if isinstance(side, Seat) and side.inquiry.items:
            if _order_matters(t, side):
                t.ask(side, "inquisition")
                if t.data.limited:  # seats compete for the supply, so they act in turn
                    return
            else:
                for card in sorted(side.inquiry.items):
                    _use(t, side, t.data.townsfolk[card])
    if not any(t.table.decisions):
        _judge(t, order)


def _order_matters(t: Paladins, seat: Seat) -> bool:
    """Return whether the order of a seat's townsfolk matters: discarding suspicion can change whether others act."""
    conditions = [t.data.townsfolk[card].condition for card in seat.inquiry.items]
    now = len(seat.suspicion.order)
    least = now - conditions.count("")
    return ("suspicion_2" in conditions and now >= 2 > least) or ("no_suspicion" in conditions and now >= 1 > least)


def use(t: Paladins, seat: Seat, command: UseTownsfolk) -> Rejection | None:
    """Use one of the own townsfolk. Source: paladins.inquisition.any_order."""
    if command.townsfolk not in seat.inquiry.items:
        return Rejection("NOT_IN_THE_INQUIRY", "paladins.inquisition.any_order", {"townsfolk": command.townsfolk})
    _use(t, seat, t.data.townsfolk[command.townsfolk])
    t.ask(seat, "inquisition" if seat.inquiry.items and _order_matters(t, seat) else "")
    t.advance()
    return None


def legal(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return a command for each of the seat's townsfolk that have not acted."""
    return [UseTownsfolk(card) for card in sorted(seat.inquiry.items)]


def _use(t: Paladins, seat: Seat, card: Townsfolk) -> None:
    suspicion = len(seat.suspicion.order)
    t.move(card.id, seat.inquiry, seat.townsfolk)
    if not card.condition:
        if suspicion:
            t.move(seat.suspicion.order[-1], seat.suspicion, t.suspicion_discard)
        t.emit(seat, TownsfolkUsed(card.id, ("discard_suspicion",) if suspicion else (), bool(suspicion)))
        return
    effective = suspicion >= 2 if card.condition == "suspicion_2" else not suspicion
    t.emit(seat, TownsfolkUsed(card.id, card.rewards if effective else (), effective))
    if effective:
        gains.receive(t, seat, card.reward.immediate, card.id)


def _judge(t: Paladins, order: Sequence[Side]) -> None:
    """Condemn the seats with most suspicion and refill the tax supply. Source: paladins.inquisition.most_suspicion."""
    most = max(side.suspicion.total() for side in order)
    if most:
        for side in order:
            if side.suspicion.total() == most:
                _condemn(t, side, most)
    reason = t.inquisition.value
    fills = reason == "tax" or t.data.readings.refill_after_empty_suspicion == "full"
    silver = t.silver_left(t.tax_full - t.tax.value) if fills else 0
    t.set(t.tax, t.tax.value + silver)
    t.set(t.inquisition, "")
    t.emit(None, InquisitionEnded(silver))


def _condemn(t: Paladins, side: Side, suspicion: int) -> None:
    """Give a seat a debt, if one is left, and discard half of its suspicion, rounded down.

    Source: paladins.inquisition.half_discarded, paladins.debts.run_out.
    """
    debt = bool(t.debts.items)
    if debt:
        t.move(DEBT, t.debts, side.unpaid)
    discarded = tuple(reversed(side.suspicion.order[-(suspicion // 2) :])) if suspicion > 1 else ()
    for card in discarded:
        t.move(card, side.suspicion, t.suspicion_discard)
    t.emit(side, SeatCondemned(suspicion, debt, discarded))
