"""The end of the game: the last citizen, the points and the ranks."""

from __future__ import annotations

from tests.oracle.orleans import tables
from tests.oracle.orleans.development import status
from tests.oracle.orleans.sheet import Line, Sheet, Side


def most_stations(sheet: Sheet) -> Side | None:
    """Return the seat with more trading stations than all others."""
    for side in sheet.sides:
        if all(len(side.stations) > len(other.stations) for other in sheet.sides if other is not side):
            return side
    return None


def goods_points(side: Side) -> int:
    """Return the points for goods."""
    return sum(tables.GOODS_POINTS[good] * side.goods[good] for good in tables.GOODS)


def status_points(sheet: Sheet, side: Side) -> int:
    """Return the points for stations and citizens: each is worth the development status."""
    return (len(side.stations) + side.citizens) * status(sheet, side)


def total(sheet: Sheet, side: Side) -> int:
    """Return all points of a seat."""
    return side.coins + goods_points(side) + status_points(sheet, side)


def rank(sheet: Sheet, side: Side) -> int:
    """Return the rank of a seat. The development track breaks ties."""
    mine = (total(sheet, side), side.development)
    return 1 + sum((total(sheet, other), other.development) > mine for other in sheet.sides)


def finish(sheet: Sheet) -> None:
    """End the game and fill in the score sheet."""
    best = most_stations(sheet)
    if best and "most_stations" in sheet.citizens:
        sheet.citizens.remove("most_stations")
        best.citizens += 1
    sheet.phase = "over"
    sheet.scores = {
        side.seat: Line(
            side.coins,
            goods_points(side),
            len(side.stations),
            side.citizens,
            status(sheet, side),
            status_points(sheet, side),
            total(sheet, side),
            rank(sheet, side),
        )
        for side in sheet.sides
    }
