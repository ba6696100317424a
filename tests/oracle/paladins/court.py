"""Taxes, suspicion, debts and the inquisition."""

from __future__ import annotations

from itertools import permutations

from tests.oracle.chance import Chance
from tests.oracle.paladins import facts, stock
from tests.oracle.paladins.marker import move_marker
from tests.oracle.paladins.sheet import Sheet, Side


def tax(sheet: Sheet, side: Side, amount: int) -> None:
    """Take silver from the tax supply, and the rest from the general supply. The last silver starts an inquisition."""
    before = sheet.tax
    sheet.tax = max(0, before - amount)
    if side.automaton:
        move_marker(sheet, side, amount)
    else:
        side.silver += before - sheet.tax
        stock.take(sheet, side, "silver", amount - (before - sheet.tax))
    _check_tax(sheet, before)


def remove(sheet: Sheet) -> None:
    """Remove a silver from the tax supply. No seat gets it."""
    before = sheet.tax
    sheet.tax = max(0, before - 1)
    _check_tax(sheet, before)


def _check_tax(sheet: Sheet, before: int) -> None:
    if before and not sheet.tax:
        begin(sheet, "tax")


def draw(sheet: Sheet, side: Side, chance: Chance, inquired: bool) -> bool:
    """Draw a suspicion card. Return ``False`` if an inquisition must come first."""
    if not sheet.suspicion_deck.total():
        sheet.suspicion_deck, sheet.suspicion_discard = sheet.suspicion_discard, sheet.suspicion_deck
    if not sheet.suspicion_deck.total():
        if inquired:
            return True
        begin(sheet, "suspicion")
        return False
    card = chance.draw("suspicion.deck", sheet.suspicion_deck)
    sheet.suspicion_deck[card] -= 1
    side.suspicion.append(card)
    amount = int(card.removeprefix("suspicion_"))
    if amount:
        tax(sheet, side, amount)
    return True


def discard(sheet: Sheet, side: Side) -> None:
    """Discard the newest suspicion card."""
    sheet.suspicion_discard[side.suspicion.pop()] += 1


# --- the inquisition --------------------------------------------------------------------------------------------------


def begin(sheet: Sheet, reason: str) -> None:
    """Start an inquisition: find the townsfolk that act in it."""
    sheet.inquisition = reason
    for side in sheet.sides:
        side.inquiry = [card for card in side.townsfolk if sheet.townsman(card).trigger == "inquisition"]


def use(sheet: Sheet, side: Side, card: str) -> None:
    """Use the ability of one of the townsfolk."""
    side.inquiry.remove(card)
    if not has_effect(card, len(side.suspicion)):
        return
    for gain in sheet.townsman(card).reward:
        if gain == "discard_suspicion":
            discard(sheet, side)
        elif gain in facts.ATTRIBUTES:
            side.attributes[gain] = min(12, side.attributes[gain] + 1)
        elif gain not in facts.WORKERS or _can_keep_worker(sheet, side):
            stock.take(sheet, side, gain)


def _can_keep_worker(sheet: Sheet, side: Side) -> bool:
    """Return whether a seat can get one more worker."""
    return not side.passed or sheet.choices["workers_gained_after_pass"] == "kept" or side.workers.total() < 3


def has_effect(card: str, suspicion: int) -> bool:
    """Return whether one of the townsfolk has an effect with this amount of suspicion."""
    if card.startswith("squire"):
        return suspicion == 0
    return suspicion >= (2 if card.startswith("peddler") else 1)


def order_matters(side: Side) -> bool:
    """Return whether the order in which the townsfolk of a seat act makes a difference."""
    outcomes = set()
    for order in permutations(side.inquiry):
        left, effective = len(side.suspicion), set()
        for card in order:
            if has_effect(card, left):
                effective.add(card)
                left -= card.startswith("conspirator")
        outcomes.add((left, frozenset(card for card in effective if not card.startswith("conspirator"))))
    return len(outcomes) > 1


def end(sheet: Sheet) -> None:
    """End the inquisition: seats with the most suspicion get a debt and discard half of it. Fill the tax supply."""
    most = max(len(side.suspicion) for side in sheet.sides)
    for side in sheet.sides if most else []:
        if len(side.suspicion) == most:
            if sheet.debts:
                sheet.debts -= 1
                side.unpaid += 1
            for _ in range(most // 2):
                discard(sheet, side)
    if sheet.inquisition == "tax" or sheet.choices["refill_after_empty_suspicion"] == "full":
        sheet.tax = min(sheet.full_tax(), sheet.tax + stock.left(sheet, "silver"))
    sheet.inquisition = ""
