"""Taxes, suspicion, debts and the inquisition."""

from __future__ import annotations

from itertools import permutations

from tests.oracle.chance import Chance
from tests.oracle.paladins import facts, stock
from tests.oracle.paladins.marker import move_marker
from tests.oracle.paladins.sheet import Sheet, Side


def tax(sheet: Sheet, side: Side, amount: int) -> None:
    """A seat takes silver from the tax supply, and what is missing from the other; the last brings the inquisition."""
    there = sheet.tax
    sheet.tax = max(0, there - amount)
    if side.automaton:
        move_marker(sheet, side, amount)
    else:
        side.silver += there - sheet.tax
        stock.take(sheet, side, "silver", amount - (there - sheet.tax))
    _look(sheet, there)


def remove(sheet: Sheet) -> None:
    """A silver leaves the tax supply for nobody."""
    there = sheet.tax
    sheet.tax = max(0, there - 1)
    _look(sheet, there)


def _look(sheet: Sheet, there: int) -> None:
    if there and not sheet.tax:
        begin(sheet, "tax")


def draw(sheet: Sheet, side: Side, chance: Chance, inquired: bool) -> bool:
    """A seat takes a suspicion card; ``False`` if an inquisition has to come before."""
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
    """The newest suspicion card goes."""
    sheet.suspicion_discard[side.suspicion.pop()] += 1


# --- the inquisition --------------------------------------------------------------------------------------------------


def begin(sheet: Sheet, reason: str) -> None:
    """All townsfolk that work in an inquisition come to act."""
    sheet.inquisition = reason
    for side in sheet.sides:
        side.inquiry = [card for card in side.townsfolk if sheet.townsman(card).trigger == "inquisition"]


def use(sheet: Sheet, side: Side, card: str) -> None:
    """One of the townsfolk does its work."""
    side.inquiry.remove(card)
    if not works(card, len(side.suspicion)):
        return
    for gain in sheet.townsman(card).reward:
        if gain == "discard_suspicion":
            discard(sheet, side)
        elif gain in facts.ATTRIBUTES:
            side.attributes[gain] = min(12, side.attributes[gain] + 1)
        elif gain not in facts.WORKERS or _may_keep(sheet, side):
            stock.take(sheet, side, gain)


def _may_keep(sheet: Sheet, side: Side) -> bool:
    """Whether a seat may have one worker more."""
    return not side.passed or sheet.choices["workers_gained_after_pass"] == "kept" or side.workers.total() < 3


def works(card: str, suspicion: int) -> bool:
    """Whether one of the townsfolk has something to do with that much suspicion."""
    if card.startswith("squire"):
        return suspicion == 0
    return suspicion >= (2 if card.startswith("peddler") else 1)


def order_matters(side: Side) -> bool:
    """Whether it makes a difference in which order the townsfolk of a seat act."""
    outcomes = set()
    for order in permutations(side.inquiry):
        left, effective = len(side.suspicion), set()
        for card in order:
            if works(card, left):
                effective.add(card)
                left -= card.startswith("conspirator")
        outcomes.add((left, frozenset(card for card in effective if not card.startswith("conspirator"))))
    return len(outcomes) > 1


def end(sheet: Sheet) -> None:
    """Whoever has the most suspicion takes a debt and discards half of it; the tax supply is filled."""
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
