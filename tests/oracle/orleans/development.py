"""The development track: coins, citizens and status, steps forwards and, under torture, backwards."""

from __future__ import annotations

from tests.oracle.orleans import tables
from tests.oracle.orleans.money import receive
from tests.oracle.orleans.sheet import Sheet, Side


def status_at(space: int) -> int:
    """Return the number on the last status space that is not after a space."""
    value = 0
    for at in range(space + 1):
        value = tables.DEVELOPMENT_STATUS.get(at, value)
    return value


def status(sheet: Sheet, side: Side) -> int:
    """Return the development status of a seat."""
    if sheet.choices["torture_status"] == "kept":
        return status_at(max(side.farthest, side.development))
    return status_at(side.development)


def advance(sheet: Sheet, side: Side, points: int) -> None:
    """Advance one space per point and receive the coins and citizens there. Points after the end are lost."""
    for _ in range(points):
        if side.development == tables.DEVELOPMENT_END:
            return
        side.development += 1
        if side.development > side.farthest or sheet.choices["coin_space_again"] == "each_time":
            receive(side, tables.DEVELOPMENT_COINS.get(side.development, 0))
        side.farthest = max(side.farthest, side.development)
        citizen = f"development.{side.development}"
        if citizen in sheet.citizens:
            sheet.citizens.remove(citizen)
            side.citizens += 1


def can_step_back(sheet: Sheet, side: Side) -> bool:
    """Return whether torture can take a step: not onto or over a space with coins, and not from the first space."""
    if side.development == 0:
        return False
    if side.development in tables.DEVELOPMENT_COINS and sheet.choices["torture_from_coin_space"] == "closed":
        return False
    return side.development - 1 not in tables.DEVELOPMENT_COINS
