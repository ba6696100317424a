"""The end of a game: the score sheets and ranks."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracle.paladins import facts
from tests.oracle.paladins.sheet import Sheet, Side

COUNTED: dict[str, Callable[[Sheet, Side], int]] = {
    "per_2_commission": lambda _, side: side.times("commission") // 2,
    "per_2_fortify": lambda _, side: side.times("fortify") // 2,
    "per_2_garrison": lambda _, side: side.times("garrison") // 2,
    "per_2_absolve": lambda _, side: side.times("absolve") // 2,
    "per_2_develop": lambda _, side: sum(side.workshops(action) for action in facts.RIGHT) // 2,
    "per_2_hired_townsfolk": lambda _, side: len(side.townsfolk) // 2,
    "per_attacked_saracen": lambda _, side: _attacked(side, "saracen"),
    "per_attacked_byzantine": lambda _, side: _attacked(side, "byzantine"),
    "per_attacked_viking": lambda _, side: _attacked(side, "viking"),
    "per_4_faith": lambda _, side: side.attributes["faith"] // 4,
    "per_4_strength": lambda _, side: side.attributes["strength"] // 4,
    "per_4_influence": lambda _, side: side.attributes["influence"] // 4,
    "per_paid_debt": lambda _, side: side.paid,
    "per_suspicion": lambda _, side: len(side.suspicion),
    "per_unpaid_debt_minus_less": lambda _, side: side.unpaid,
    "one_plus_per_fulfilled_order": lambda sheet, side: 1 + len(_orders(sheet, side)),
    "one_plus_per_converted_mercenary": lambda _, side: 1 + sum(card[:4] == "merc" for card in side.converted),
}
"""The points of a converted outsider, by its rule."""


def _attacked(side: Side, suit: str) -> int:
    return sum(facts.OUTSIDERS[card].suit == suit for card in side.attacked)


def _orders(sheet: Sheet, side: Side) -> dict[str, int]:
    return {
        order: points for order, points in zip(sheet.orders, facts.ORDER_POINTS, strict=False) if side.times(order) >= 5
    }


def finish(sheet: Sheet) -> None:
    """Fill in the score sheets."""
    for side in sheet.sides:
        sheet.scores[side.seat] = lines(sheet, side)
    best = sorted(sheet.sides, key=lambda side: _merit(sheet, side), reverse=True)
    for side in sheet.sides:
        better = sum(_merit(sheet, other) > _merit(sheet, side) for other in best)
        sheet.scores[side.seat]["rank"] = better + 1


def _merit(sheet: Sheet, side: Side) -> tuple[int, int, int]:
    points = sheet.scores[side.seat]["total"]
    assert isinstance(points, int)
    return points, sum(_orders(sheet, side).values()), -len(side.suspicion)


def lines(sheet: Sheet, side: Side) -> dict[str, object]:
    """Return the score sheet of a seat."""
    developed = 0 if side.automaton else side.developed
    numbers = {action: side.times(action) for action in ("commission", "fortify", "garrison", "absolve")}
    found: dict[str, int] = {
        action: facts.TIMES_POINTS[action].get(times, 0) for action, times in (numbers | {"develop": developed}).items()
    }
    found |= {name: facts.ATTRIBUTE_POINTS[side.attributes[name]] for name in facts.ATTRIBUTES}
    found["walls"] = sum(facts.WALLS[card].points for card in side.walls)
    found["paid_debts"] = side.paid
    found["unpaid_debts"] = -3 * side.unpaid
    found["goods"] = 0 if side.automaton else (side.silver + side.provisions) // 3
    orders = _orders(sheet, side)
    outsiders = _outsiders(sheet, side)
    total = sum(found.values()) + sum(orders.values()) + sum(outsiders.values())
    return {**found, "orders": orders, "outsiders": outsiders, "total": total}


def _outsiders(sheet: Sheet, side: Side) -> dict[str, int]:
    points: dict[str, int] = {}
    traitors = 0
    for card in side.converted:
        rule = facts.OUTSIDERS[card].points
        points[card] = COUNTED[rule](sheet, side)
        if rule == "per_unpaid_debt_minus_less":
            traitors += 1
            if traitors > 1 and sheet.choices["second_traitor"] == "once_per_debt":
                points[card] = 0
        if side.automaton:
            points[card] = max(1, points[card])
    return points
