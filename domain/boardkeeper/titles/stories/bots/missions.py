"""Known nations of other seats, and whether the seat's own mission is certainly fulfilled."""

from __future__ import annotations

from collections.abc import Callable

from boardkeeper.table.visibility import HIDDEN
from boardkeeper.titles.stories.bots.valuation import Valuation
from boardkeeper.titles.stories.control import landscape_of
from boardkeeper.titles.stories.data import MANOR
from boardkeeper.titles.stories.material import Area, Seat


def known_nations(valuation: Valuation) -> dict[int, str]:
    """Return the known nations by seat: from visible cards, or from notes if looks are secret."""
    seen = {seat.number: nation for seat in valuation.t.seats for nation in seat.nation.items if nation != HIDDEN}
    if valuation.t.data.chosen.look_is_public == "no":
        for note in valuation.me.noted.value.split():
            number, _, nation = note.partition(":")
            seen[int(number)] = nation
    return seen


def known_teammates(valuation: Valuation) -> list[Seat]:
    """Return the seats that certainly belong to the seat's nation, including itself."""
    seen = known_nations(valuation)
    own = seen[valuation.me.number]
    others = [number for number, nation in seen.items() if nation != own]
    all_known = len(others) == valuation.data.nations[own]
    is_teammate = {seat.number: all_known or seen.get(seat.number) == own for seat in valuation.t.seats}
    return [seat for seat in valuation.t.seats if is_teammate[seat.number] and seat.number not in others]


def is_surely_fulfilled(valuation: Valuation) -> bool:
    """Return whether the known seats of the nation fulfil its mission under every reading.

    An unknown teammate cannot change that: it can only add areas and goods.
    """
    t, team = valuation.t, known_teammates(valuation)
    cards = t.mission[known_nations(valuation)[valuation.me.number]].items
    mission = next((valuation.data.missions[card] for card in cards if card in valuation.data.missions), None)
    if mission is None:
        return False
    held = [area for area in t.areas.values() if any(seat.settler in area.pile.items for seat in team)]
    enough = all(
        sum(1 for area in held if _is_of_kind(valuation, area, kind)) >= least for kind, least in mission.areas.items()
    )
    goods = mission.goods.items()
    return enough and all(sum(seat.goods.items.get(good, 0) for seat in team) >= count for good, count in goods)


def _is_of_kind(valuation: Valuation, area: Area, kind: str) -> bool:
    """Return whether an area is of a kind under every reading; a village may not count as an area."""
    if kind in valuation.data.landscape_goods:
        return MANOR in area.pile.items or landscape_of(valuation.t, area) == kind
    return _AREA_KINDS[kind](valuation, area)


def _is_at_forest_edge(valuation: Valuation, area: Area) -> bool:
    if area.is_village() or area.id not in valuation.data.edge:
        return False
    beside = (valuation.area_at(id) for id in area.neighbours)
    return any(landscape_of(valuation.t, each) == "forest" and each.cell.side == area.cell.side for each in beside)


_AREA_KINDS: dict[str, Callable[[Valuation, Area], bool]] = {
    "village": lambda _, area: area.is_village(),
    "north": lambda _, area: area.cell.side == "north" and not area.is_village(),
    "south": lambda _, area: area.cell.side == "south" and not area.is_village(),
    "forest_edge": _is_at_forest_edge,
}
"""Kinds of areas in missions, besides landscapes, with the function that checks an area under every reading."""
