"""Checks of any board: no component is lost, and redundant fields agree."""

from __future__ import annotations

from collections import Counter
from functools import cache

from tests.oracle.orleans import followers, tables
from tests.oracle.orleans.development import status
from tests.oracle.orleans.sheet import Sheet

from boardkeeper.titles.orleans.board import Board


def count_components(board: Board) -> Counter[str]:
    """Count the components on the table and in the box, by kind."""
    total: Counter[str] = Counter()
    for pile in (board.supply, board.goods_market, board.removed, board.box, board.turned, board.hour_glass.remaining):
        total.update(pile)
    total[tables.TECHNOLOGY] += board.technology
    total.update(board.place_tiles_1)
    total.update(board.place_tiles_2)
    total["citizen"] += len(board.citizens_on_tracks)
    if board.hour_glass.event:
        total[f"{board.hour_glass.event}.{board.hour_glass.strength}"] += 1
    for way in board.ways:
        total.update(way.goods)
    for deed in board.deeds:
        total.update(deed.followers)
        total["citizen"] += deed.citizen
    for seat in board.seats:
        for pile in (seat.goods, seat.market, seat.drawn, seat.bag):
            total.update(pile)
        total["citizen"] += seat.citizens
        total[f"station.{seat.seat}"] += seat.stations_in_supply + len(seat.stations)
        total[tables.TECHNOLOGY] += seat.technology
        for place in seat.places:
            total.update([space.occupant for space in place.spaces if space.occupant])
            if place.place not in tables.PLAYER_BOARD:
                total[place.place] += 1
    return +total


@cache
def box_contents(edition: str) -> Counter[str]:
    """Return the components of an edition as its rulebook lists them, with the pieces of all colours."""
    colours = tables.BOX_COLOURS[edition]
    total: Counter[str] = Counter(tables.BOX_CHARACTERS[edition])
    total.update(tables.GOODS_IN_BOX)
    total.update(dict.fromkeys((*tables.TILES_1, *tables.TILES_2), 1))
    total.update(dict.fromkeys(tables.OWN, colours))
    total.update({f"station.{seat}": tables.STATIONS_EACH for seat in range(1, colours + 1)})
    total[tables.TECHNOLOGY] = tables.BOX_TECHNOLOGY[edition]
    total["citizen"] = tables.CITIZENS
    return total


def wrong_totals(board: Board, edition: str) -> list[str]:
    """Describe components with a wrong total number. Hour glass tiles are counted by event."""
    found = count_components(board)
    for name in [name for name in found if name.split(".")[0] in tables.EVENTS]:
        found[name.split(".")[0]] += found.pop(name)
    expected = box_contents(edition) + Counter(dict.fromkeys(tables.EVENTS, 3))
    return [
        f"there are {found[name]} {name}, not {expected[name]}"
        for name in sorted(found | expected)
        if found[name] != expected[name]
    ]


def wrong_derived_fields(board: Board, sheet: Sheet) -> list[str]:
    """Describe fields of a board that disagree with its other fields, which are on the sheet."""
    lines: list[str] = []
    for seat, side in zip(board.seats, sheet.sides, strict=True):
        facts = {
            "status": (seat.status, status(sheet, side)),
            "draw_limit": (seat.draw_limit, followers.allowance(side)),
            "bag_count": (seat.bag_count, side.bag.total()),
        }
        lines += [
            f"seat {seat.seat}: {name} is {found}, not {expected}"
            for name, (found, expected) in facts.items()
            if found != expected
        ]
        if board.phase == "planning" and side.market.total() > tables.MARKET_SPACES:
            lines.append(f"seat {seat.seat}: {side.market.total()} on the market")
    for deed in board.deeds:
        spaces = Counter(tables.DEEDS[deed.deed][1])
        if spaces != Counter(deed.followers) + Counter(deed.free):
            lines.append(f"{deed.deed}: {deed.followers} and {deed.free} are not its spaces")
        if deed.citizen == (not +Counter(deed.free)):
            lines.append(f"{deed.deed}: the citizen is in the wrong place")
    return lines
