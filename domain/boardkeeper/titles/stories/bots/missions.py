"""What a seat knows of the nations: whose cards it has seen, and whether its own mission is fulfilled for certain."""

from __future__ import annotations

from collections.abc import Callable

from boardkeeper.table.visibility import HIDDEN
from boardkeeper.titles.stories.bots.outlook import Outlook
from boardkeeper.titles.stories.control import landscape_of
from boardkeeper.titles.stories.data import MANOR
from boardkeeper.titles.stories.material import Area, Seat


def known_nations(outlook: Outlook) -> dict[int, str]:
    """The nation of each seat whose card the seat has seen, or noted where no other seat learns whose it was."""
    seen = {seat.number: nation for seat in outlook.t.seats for nation in seat.nation.items if nation != HIDDEN}
    if outlook.t.data.chosen.look_is_public == "no":
        for note in outlook.me.noted.value.split():
            number, _, nation = note.partition(":")
            seen[int(number)] = nation
    return seen


def mates(outlook: Outlook) -> list[Seat]:
    """The seat and whoever is certain to play with it: whose card it saw, or who is left when both others are known."""
    seen = known_nations(outlook)
    own = seen[outlook.me.number]
    others = [number for number, nation in seen.items() if nation != own]
    all_known = len(others) == outlook.data.nations[own]
    is_mate = {seat.number: all_known or seen.get(seat.number) == own for seat in outlook.t.seats}
    return [seat for seat in outlook.t.seats if is_mate[seat.number] and seat.number not in others]


def is_surely_fulfilled(outlook: Outlook) -> bool:
    """Whether what the known seats of the nation have is enough for its mission, however open rules are read.

    A mate that is not known can only add to it.
    """
    t, team = outlook.t, mates(outlook)
    cards = t.mission[known_nations(outlook)[outlook.me.number]].items
    mission = next((outlook.data.missions[card] for card in cards if card in outlook.data.missions), None)
    if mission is None:
        return False
    held = [area for area in t.areas.values() if any(seat.settler in area.pile.items for seat in team)]
    enough = all(
        sum(1 for area in held if _counts(outlook, area, kind)) >= least for kind, least in mission.areas.items()
    )
    goods = mission.goods.items()
    return enough and all(sum(seat.goods.items.get(good, 0) for seat in team) >= count for good, count in goods)


def _counts(outlook: Outlook, area: Area, kind: str) -> bool:
    """Whether it is an area of that kind under every reading: no village where only areas may count."""
    if kind in outlook.data.landscape_goods:
        return MANOR in area.pile.items or landscape_of(outlook.t, area) == kind
    return KINDS[kind](outlook, area)


def _is_at_forest_edge(outlook: Outlook, area: Area) -> bool:
    if area.is_village() or area.id not in outlook.data.edge:
        return False
    beside = (outlook.areas[id] for id in area.neighbours)
    return any(landscape_of(outlook.t, each) == "forest" and each.cell.side == area.cell.side for each in beside)


KINDS: dict[str, Callable[[Outlook, Area], bool]] = {
    "village": lambda _, area: area.is_village(),
    "north": lambda _, area: area.cell.side == "north" and not area.is_village(),
    "south": lambda _, area: area.cell.side == "south" and not area.is_village(),
    "forest_edge": _is_at_forest_edge,
}
"""What missions ask for besides landscapes."""
