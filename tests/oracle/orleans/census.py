"""Phase 2: who has most farmers receives a coin, who has fewest pays one, if there is but one of them."""

from __future__ import annotations

from tests.oracle.orleans import sacristy
from tests.oracle.orleans.money import pay, receive
from tests.oracle.orleans.sheet import Sheet, Side
from tests.oracle.orleans.torture import settle


def leader(sheet: Sheet) -> Side | None:
    """The seat whose marker is farther than every other one's."""
    for side in sheet.sides:
        if all(side.tracks["farmers"] > other.tracks["farmers"] for other in sheet.sides if other is not side):
            return side
    return None


def last(sheet: Sheet) -> Side | None:
    """The seat whose marker is behind every other one's; with two players nobody counts as last."""
    if len(sheet.sides) == 2:
        return None
    for side in sheet.sides:
        if all(side.tracks["farmers"] < other.tracks["farmers"] for other in sheet.sides if other is not side):
            return side
    return None


def hold(sheet: Sheet) -> None:
    """The whole phase, up to where somebody has to choose."""
    first = leader(sheet)
    if first:
        receive(first, 1)
    behind = last(sheet)
    if not behind:
        return
    if sheet.choices["sacristy_scope"] == "census_too" and sacristy.activated(behind):
        if sheet.choices["sacristy_use"] == "automatic":
            sacristy.use(behind)
        else:
            behind.choice = sacristy.ASKED
        return
    pay_up(sheet, behind)


def pay_up(sheet: Sheet, side: Side) -> None:
    """The last one's coin."""
    pay(side, 1)
    settle(sheet, side)
