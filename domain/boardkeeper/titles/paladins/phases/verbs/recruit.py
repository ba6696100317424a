"""Recruit: discard townsfolk with one worker, hire them with two. Source: paladins.recruit.*."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.commands import DiscardTownsfolk, HireTownsfolk
from boardkeeper.titles.paladins.data import DEBT
from boardkeeper.titles.paladins.events import TownsfolkDiscarded, TownsfolkHired
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import debts, gains
from boardkeeper.titles.paladins.phases.verbs.verb import finish, short_of_silver

SILVER = "silver"


def _can_pay_with_debt(t: Paladins, column: int, workers: int) -> bool:
    """Return whether a seat can take a debt instead of paying silver for the card in this column.

    With one worker (to discard the card), only if the reading ``debt_for_discard`` is ``allowed``.
    """
    allowed = workers == 2 or t.data.readings.debt_for_discard == "allowed"
    return allowed and t.data.row_debt[column] and bool(t.debts.items)


def _payments(t: Paladins, seat: Seat, workers: int) -> Iterator[tuple[str, str]]:
    """Yield each pair of townsfolk card and payment with which the seat can recruit."""
    silver = seat.silver.value
    for column, price in enumerate(seat.active_paladin().recruiting):
        for card in t.townsfolk[column].items:
            if price <= silver:
                yield card, SILVER
            if _can_pay_with_debt(t, column, workers):
                yield card, DEBT


def find_rejection(t: Paladins, seat: Seat, workers: int) -> Rejection | None:
    """Return a rejection if the row is empty or the seat can pay for none of its cards.

    Source: paladins.recruit.price.
    """
    silver, prices = seat.silver.value, seat.active_paladin().recruiting
    for column, place in enumerate(t.townsfolk):
        if place.items and (prices[column] <= silver or _can_pay_with_debt(t, column, workers)):
            return None
    taken = [column for column, place in enumerate(t.townsfolk) if place.items]
    if not taken:
        return Rejection("NOBODY_ON_DISPLAY", "paladins.recruit.on_display")
    return short_of_silver(silver, min(prices[column] for column in taken), "paladins.recruit.price")


def legal(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return a command for each townsfolk card and each payment that the seat can afford.

    One worker discards the card, two workers hire it.
    """
    workers = t.action_workers.value
    kind = DiscardTownsfolk if workers == 1 else HireTownsfolk
    return [kind(card, payment) for card, payment in _payments(t, seat, workers)]


def legal_free_recruits(t: Paladins) -> Sequence[Struct]:
    """Return the commands to hire for free and, if the reading ``free_recruit`` allows it, to discard."""
    cards = [card for place in t.townsfolk for card in place.items]
    commands: list[Struct] = [HireTownsfolk(card) for card in cards]
    if t.data.readings.free_recruit == "hire_or_discard":
        commands += [DiscardTownsfolk(card) for card in cards]
    return commands


# --- the first townsfolk ----------------------------------------------------------------------------------------------


def legal_first_townsfolk(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return a command for each townsfolk card on display. Source: paladins.setup.first_townsfolk."""
    return [HireTownsfolk(card) for place in t.townsfolk for card in place.items]


def hire_first_townsfolk(t: Paladins, seat: Seat, command: HireTownsfolk) -> Rejection | None:
    """Hire a seat's first townsfolk card for free, before the first round.

    Source: paladins.setup.first_townsfolk.
    """
    rejection = _find_rejection_of_free_recruit(t, command, "paladins.setup.first_townsfolk")
    if rejection is None:
        _take_card(t, seat, command, 0)
    return rejection


# --- hiring and discarding --------------------------------------------------------------------------------------------


def take_for_free(t: Paladins, seat: Seat, command: HireTownsfolk | DiscardTownsfolk) -> Rejection | None:
    """Hire townsfolk as a reward, or discard them if the reading ``free_recruit`` is ``hire_or_discard``.

    Source: paladins.rewards.free_recruit.
    """
    if isinstance(command, DiscardTownsfolk) and t.data.readings.free_recruit == "hire":
        return Rejection("HIRE_ONLY", "paladins.rewards.free_recruit_hires", {"townsfolk": command.townsfolk})
    if not seat.due["free_recruit"]:
        return Rejection("NOT_DUE", "paladins.rewards.any_order", {"reward": "free_recruit"})
    rejection = _find_rejection_of_free_recruit(t, command, "paladins.rewards.free_recruit")
    if rejection is None:
        seat.due.settle("free_recruit")
        _take_card(t, seat, command, 0)
    return rejection


def _find_rejection_of_free_recruit(
    t: Paladins, command: HireTownsfolk | DiscardTownsfolk, rule: str
) -> Rejection | None:
    if t.index_in(t.townsfolk, command.townsfolk) < 0:
        return Rejection("NOT_ON_DISPLAY", "paladins.recruit.on_display", {"townsfolk": command.townsfolk})
    if command.payment:
        return Rejection("NOTHING_TO_PAY", rule, {"payment": command.payment})
    return None


def recruit(t: Paladins, seat: Seat, command: HireTownsfolk | DiscardTownsfolk) -> Rejection | None:
    """Pay with silver or a debt, and hire or discard townsfolk. Source: paladins.recruit.price."""
    workers = t.action_workers.value
    values = {"townsfolk": command.townsfolk, "payment": command.payment}
    if isinstance(command, HireTownsfolk) != (workers == 2):
        rule = "paladins.recruit.two_hire" if workers == 1 else "paladins.recruit.one_discards"
        return Rejection("WRONG_NUMBER_OF_WORKERS", rule, values | {"workers": str(workers)})
    column = t.index_in(t.townsfolk, command.townsfolk)
    if column < 0:
        return Rejection("NOT_ON_DISPLAY", "paladins.recruit.on_display", values)
    silver = 0
    if command.payment == DEBT:
        if not _can_pay_with_debt(t, column, workers):
            return Rejection("NO_DEBT_HERE", "paladins.recruit.debt_on_the_left", values)
    elif command.payment == SILVER:
        silver = seat.active_paladin().recruiting[column]
        if seat.silver.value < silver:
            return short_of_silver(seat.silver.value, silver, "paladins.recruit.price")
    else:
        return Rejection("NO_SUCH_PAYMENT", "paladins.recruit.price", values)
    if command.payment == DEBT:
        debts.take(t, seat)
    else:
        t.pay(seat, silver)
    _take_card(t, seat, command, silver)
    return None


def _take_card(t: Paladins, seat: Seat, command: HireTownsfolk | DiscardTownsfolk, silver: int) -> None:
    """Move the card and grant its reward. Source: paladins.recruit.one_discards, .two_hire, .instant."""
    id = command.townsfolk
    card = t.data.townsfolk[id]
    place = t.townsfolk[t.index_in(t.townsfolk, id)]
    if isinstance(command, HireTownsfolk):
        t.move(id, place, seat.townsfolk)
        t.emit(seat, TownsfolkHired(id, command.payment, silver))
        gains.grant(t, seat, card.instant, id)
        at_once = t.data.readings.new_townsfolk_trigger == "at_once"
        if at_once and card.trigger == t.action.value:
            gains.grant(t, seat, card.reward, id)
    else:
        t.move(id, place, t.townsfolk_discard)
        t.emit(seat, TownsfolkDiscarded(id, command.payment, silver))
        gains.grant(t, seat, card.discard, id)
    finish(t, seat)
