"""Phase 2: the seat with the most farmers receives a coin, the one with the fewest pays one. Ties have no effect."""

from __future__ import annotations

from tests.oracle.orleans import sacristy
from tests.oracle.orleans.money import pay, receive
from tests.oracle.orleans.sheet import Sheet, Side
from tests.oracle.orleans.torture import settle


def leader(sheet: Sheet) -> Side | None:
    """Return the seat whose marker is ahead of all others."""
    for side in sheet.sides:
        if all(side.tracks["farmers"] > other.tracks["farmers"] for other in sheet.sides if other is not side):
            return side
    return None


def last(sheet: Sheet) -> Side | None:
    """Return the seat whose marker is behind all others. With two players, no seat is last."""
    if len(sheet.sides) == 2:
        return None
    for side in sheet.sides:
        if all(side.tracks["farmers"] < other.tracks["farmers"] for other in sheet.sides if other is not side):
            return side
    return None


def run(sheet: Sheet) -> None:
    """Run the phase until a seat must choose."""
    first = leader(sheet)
    if first:
        receive(first, 1)
    behind = last(sheet)
    if not behind:
        return
    if sheet.choices["sacristy_scope"] == "census_too" and sacristy.is_activated(behind):
        if sheet.choices["sacristy_use"] == "automatic":
            sacristy.use(behind)
        else:
            behind.choice = sacristy.ASKED
        return
    pay_up(sheet, behind)


def pay_up(sheet: Sheet, side: Side) -> None:
    """Let the last seat pay a coin."""
    pay(side, 1)
    settle(sheet, side)
