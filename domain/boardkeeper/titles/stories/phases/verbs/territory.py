"""Territory: a settler goes to a free area, or drives another one away."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.data import MONK
from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.commands import Command, Conquer, EnterTown, Expand
from boardkeeper.titles.stories.control import (
    origins,
    others_on,
    source,
    why_not_conquer,
    why_not_enter,
    within_reach,
)
from boardkeeper.titles.stories.data import KNIGHT
from boardkeeper.titles.stories.events import AreaConquered, AreaEntered, TownEntered
from boardkeeper.titles.stories.material import Area, BoundPlace, Seat, Stories


def strength(t: Stories, place: BoundPlace) -> int:
    """How many knights stand for a conquest: those on the place, monks in their stead, or what the card is worth."""
    if place.place.conquest_strength:
        return place.place.conquest_strength
    standing = [(space.occupant(), space.requires) for space in place.spaces]
    knights = sum(1 for follower, _ in standing if follower == KNIGHT)
    if t.data.chosen.monk_as_knight == "yes":
        knights += sum(1 for follower, asked in standing if follower == MONK and KNIGHT in asked)
    return knights


def why_no_area(t: Stories, area: str) -> Rejection | None:
    """Whether there is such a space of the map in this game."""
    return None if area in t.areas else Rejection("UNKNOWN_AREA", "stories.map.spaces", {"area": area})


def expand(t: Stories, seat: Seat, command: Expand, place: BoundPlace) -> Rejection | None:
    """Put a settler on a free area, or in peace beside others. Source: stories.expansion.*."""
    if place.place.conquest_strength:
        return Rejection("WRONG_COMMAND", "stories.actions.matching_command", {"place": place.id})
    rejection = why_no_area(t, command.area) or why_not_enter(t, seat, t.areas[command.area], command.town)
    if rejection:
        return rejection
    enter(t, seat, place.id, t.areas[command.area], command.town)
    action.return_followers(t, seat, place)
    action.end(t, seat)
    return None


def enter(t: Stories, seat: Seat, place: str, area: Area, town: str = "") -> None:
    """A settler goes there from a town or the supply."""
    t.move(seat.settler, source(t, seat, town), area.pile)
    t.emit(seat, AreaEntered(place, area.id, town))


def enter_town(t: Stories, seat: Seat, command: EnterTown, place: BoundPlace) -> Rejection | None:
    """Put a settler from the supply into a town, whatever followers stand on the place (stories.towns.enter)."""
    values = {"town": command.town}
    if place.place.conquest_strength:
        return Rejection("WRONG_COMMAND", "stories.actions.matching_command", {"place": place.id})
    if command.town not in t.towns:
        return Rejection("UNKNOWN_TOWN", "stories.towns.enter", values)
    if not seat.settlers.items:
        return Rejection("NO_SETTLER", "stories.expansion.supply", values)
    t.move(seat.settler, seat.settlers, t.towns[command.town].pile)
    t.emit(seat, TownEntered(place.id, command.town))
    action.return_followers(t, seat, place)
    action.end(t, seat)
    return None


def conquer(t: Stories, seat: Seat, command: Conquer, place: BoundPlace) -> Rejection | None:
    """Drive away the settler that stands there. Source: stories.conquest.*."""
    knights, areas_only = strength(t, place), bool(place.place.conquest_strength)
    rejection = why_no_area(t, command.area)
    rejection = rejection or why_not_conquer(
        t, seat, t.areas[command.area], knights, areas_only=areas_only, town=command.town
    )
    if rejection:
        return rejection
    area = t.areas[command.area]
    (loser,) = others_on(t, seat, area)
    t.move(loser.settler, area.pile, loser.settlers)
    t.move(seat.settler, source(t, seat, command.town), area.pile)
    action.return_followers(t, seat, place)
    t.emit(seat, AreaConquered(place.id, area.id, loser.number, knights, command.town))
    action.end(t, seat)
    return None


def legal(t: Stories, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Every area that can be entered or conquered from this place."""
    commands: list[Command] = []
    knights, areas_only = strength(t, place), bool(place.place.conquest_strength)
    for town in origins(t, seat):
        reach = within_reach(t, seat, town)
        for area in (area for id, area in t.areas.items() if id in reach):
            if not areas_only and not why_not_enter(t, seat, area, town):
                commands.append(Expand(place.id, area.id, town))
            if knights and not why_not_conquer(t, seat, area, knights, areas_only=areas_only, town=town):
                commands.append(Conquer(place.id, area.id, town))
    if seat.settlers.items and not areas_only:
        commands += [EnterTown(place.id, town) for town in t.towns]
    return commands
