"""What a seat knows of the nations: whose cards it has seen, and whether its own mission is fulfilled for certain."""

from __future__ import annotations

from collections.abc import Callable

from boardkeeper.titles.stories.board import AreaView, SeatView
from boardkeeper.titles.stories.bots.outlook import Outlook


def known_nations(outlook: Outlook) -> dict[int, str]:
    """The nation of each seat whose card the seat has seen, or noted where nobody was to know what it looked at."""
    seen = {seat.seat: seat.nation for seat in outlook.board.seats if seat.nation}
    for note in outlook.me.noted.split():
        number, _, nation = note.partition(":")
        seen[int(number)] = nation
    return seen


def mates(outlook: Outlook) -> list[SeatView]:
    """The seat and whoever is certain to play with it: whose card it saw, or who is left when both others are known."""
    seats, seen = outlook.board.seats, known_nations(outlook)
    others = [number for number, nation in seen.items() if nation != outlook.me.nation]
    all_known = len(others) == outlook.data.nations.get(outlook.me.nation, 0)
    return [
        seat for seat in seats if seen.get(seat.seat) == outlook.me.nation or (all_known and seat.seat not in others)
    ]


def is_surely_fulfilled(outlook: Outlook) -> bool:
    """Whether what the known seats of the nation have is enough for its mission, however open rules are read.

    A mate that is not known can only add to it.
    """
    own = next((each for each in outlook.board.nations if each.nation == outlook.me.nation), None)
    if own is None or own.mission not in outlook.data.missions:
        return False
    mission, team = outlook.data.missions[own.mission], mates(outlook)
    numbers = {seat.seat for seat in team}
    held = [area for area in outlook.board.areas if not area.town and numbers.intersection(area.settlers)]
    enough = all(
        sum(1 for area in held if _counts(outlook, area, kind)) >= least for kind, least in mission.areas.items()
    )
    return enough and all(
        sum(seat.goods.get(good, 0) for seat in team) >= count for good, count in mission.goods.items()
    )


def _counts(outlook: Outlook, area: AreaView, kind: str) -> bool:
    """Whether it is an area of that kind under every reading: no village where only areas may count."""
    if kind in outlook.data.landscape_goods:
        return area.manor_farm or (area.landscape == kind and not area.village)
    return KINDS[kind](outlook, area)


def _is_at_forest_edge(outlook: Outlook, area: AreaView) -> bool:
    if area.village or area.area not in outlook.data.edge:
        return False
    beside = (outlook.areas[id] for id in outlook.cells[area.area].neighbours)
    return any(each.landscape == "forest" and not each.village and each.side == area.side for each in beside)


KINDS: dict[str, Callable[[Outlook, AreaView], bool]] = {
    "village": lambda _, area: area.village,
    "north": lambda _, area: area.side == "north" and not area.village,
    "south": lambda _, area: area.side == "south" and not area.village,
    "forest_edge": _is_at_forest_edge,
}
"""What missions ask for besides landscapes."""
