"""Building a village, a fortress or a church. Source: stories.building.*."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.commands import Build, Command
from boardkeeper.titles.stories.control import landscape_of
from boardkeeper.titles.stories.data import CHURCH, FORTRESS, MANOR, VILLAGE, WOOD
from boardkeeper.titles.stories.events import Built
from boardkeeper.titles.stories.material import Area, BoundPlace, Seat, Stories
from boardkeeper.titles.stories.phases.fame import gain_fame
from boardkeeper.titles.stories.phases.verbs.territory import find_area_rejection


def find_cost_rejection(t: Stories, seat: Seat, building: str) -> Rejection | None:
    """Return a rejection if wood or the piece is missing, or ``None``.

    Source: stories.building.wood, .own_fortresses, .churches.
    """
    values = {"building": building, "wood": str(t.data.building[building])}
    if seat.goods.items.get(WOOD, 0) < t.data.building[building]:
        return Rejection("NOT_ENOUGH_WOOD", "stories.building.wood", values)
    if building == FORTRESS and not seat.fortresses.items:
        return Rejection("NO_FORTRESS", "stories.building.own_fortresses", values)
    if building == CHURCH and not t.churches.items:
        return Rejection("NO_CHURCH", "stories.building.churches", values)
    return None


def find_site_rejection(t: Stories, seat: Seat, building: str, area: Area) -> Rejection | None:
    """Return why the seat cannot place a building on an area, or ``None``. Source: stories.building.*."""
    values = {"building": building, "area": area.id}
    if seat.settler not in area.pile.items:
        return Rejection("NOT_YOUR_AREA", "stories.building.own_area", values)
    if building == VILLAGE and not landscape_of(t, area):
        return Rejection("NO_LANDSCAPE", "stories.building.village_on_landscape", values)
    if building == FORTRESS and area.fortified_by():
        return Rejection("FORTRESS_THERE", "stories.building.one_fortress", values)
    if building == FORTRESS and len(list(area.settled_by())) > 1:
        return Rejection("AREA_SHARED", "stories.building.fortress_alone", values)
    if building == CHURCH and not area.is_village():
        return Rejection("NO_VILLAGE", "stories.building.church_in_village", values)
    if building == CHURCH and area.has_church():
        return Rejection("CHURCH_THERE", "stories.building.one_church", values)
    return None


def build(t: Stories, seat: Seat, command: Build, place: BoundPlace) -> Rejection | None:
    """Pay the wood, which is removed from the game, and build. Source: stories.building.*."""
    building = place.place.build
    rejection = find_cost_rejection(t, seat, building) or find_area_rejection(t, command.area)
    rejection = rejection or find_site_rejection(t, seat, building, t.areas[command.area])
    if rejection:
        return rejection
    wood, area = t.data.building[building], t.areas[command.area]
    if wood:
        t.move(WOOD, seat.goods, t.removed, wood)
    place_building(t, seat, building, area)
    action.return_followers(t, seat, place)
    fame = building_fame(t, seat, building)
    if building == FORTRESS and MANOR in area.pile.items and t.data.chosen.manor_fortress_fame == "no":
        fame = 0
    t.emit(seat, Built(place.id, area.id, building, wood, fame))
    gain_fame(t, seat, fame)
    action.end(t, seat)
    return None


def place_building(t: Stories, seat: Seat, building: str, area: Area) -> None:
    """Place a fortress or a church, or turn a tile to its village side."""
    if building == VILLAGE:
        t.set(area.village, 1)
    elif building == FORTRESS:
        t.move(seat.fortress, seat.fortresses, area.pile)
    else:
        place_church(t, seat, area)


def place_church(t: Stories, seat: Seat, area: Area) -> None:
    """Place a church and count it for the seat."""
    t.move(CHURCH, t.churches, area.pile)
    t.set(seat.churches_built, seat.churches_built.value + 1)


def building_fame(t: Stories, seat: Seat, building: str) -> int:
    """Return the fame for building in the seat's era and with its cards.

    Source: stories.building.fame, stories.carpentry.fame.
    """
    of_era = seat.era().build_fame
    fame = of_era.get(building, 0)
    if of_era and t.data.chosen.carpentry_in_evf == "none":
        return fame
    return fame + sum(place.place.fame_on_build for place in seat.estate().places.values())


def legal(t: Stories, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return a command for each area on which the place can build."""
    building = place.place.build
    if find_cost_rejection(t, seat, building):
        return ()
    sites = (area for area in t.areas.values() if not find_site_rejection(t, seat, building, area))
    return [Build(place.id, area.id) for area in sites]
