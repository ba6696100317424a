"""Territory: expand to an area, conquer it, or enter a town."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.data import MONK
from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.commands import Command, Conquer, EnterTown, Expand
from boardkeeper.titles.stories.control import (
    find_conquest_rejection,
    find_entry_rejection,
    other_seats_on,
    reachable_spaces,
    settler_origins,
    settler_source,
)
from boardkeeper.titles.stories.data import KNIGHT
from boardkeeper.titles.stories.events import AreaConquered, AreaEntered, TownEntered
from boardkeeper.titles.stories.material import Area, BoundPlace, Seat, Stories


def strength(t: Stories, place: BoundPlace) -> int:
    """Return the strength of a place for a conquest: that of the card, or the number of knights on the place.

    If the reading ``monk_as_knight`` is ``yes``, monks on spaces for knights count too.
    """
    if place.place.conquest_strength:
        return place.place.conquest_strength
    followers = [(space.occupant(), space.requires) for space in place.spaces]
    knights = sum(1 for follower, _ in followers if follower == KNIGHT)
    if t.data.chosen.monk_as_knight == "yes":
        knights += sum(1 for follower, required in followers if follower == MONK and KNIGHT in required)
    return knights


def find_area_rejection(t: Stories, area: str) -> Rejection | None:
    """Return a rejection if the game has no such area, or ``None``. Source: stories.map.spaces."""
    return None if area in t.areas else Rejection("UNKNOWN_AREA", "stories.map.spaces", {"area": area})


def expand(t: Stories, seat: Seat, command: Expand, place: BoundPlace) -> Rejection | None:
    """Put a settler on a free area or, at peace, on a shared one. Source: stories.expansion.*."""
    if place.place.conquest_strength:
        return Rejection("WRONG_COMMAND", "stories.actions.matching_command", {"place": place.id})
    rejection = find_area_rejection(t, command.area) or find_entry_rejection(
        t, seat, t.areas[command.area], command.town
    )
    if rejection:
        return rejection
    enter(t, seat, place.id, t.areas[command.area], command.town)
    action.return_followers(t, seat, place)
    action.end(t, seat)
    return None


def enter(t: Stories, seat: Seat, place: str, area: Area, town: str = "") -> None:
    """Move a settler from a town or the supply to an area."""
    t.move(seat.settler, settler_source(t, seat, town), area.pile)
    t.emit(seat, AreaEntered(place, area.id, town))


def enter_town(t: Stories, seat: Seat, command: EnterTown, place: BoundPlace) -> Rejection | None:
    """Put a settler from the supply into a town. Source: stories.towns.enter."""
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
    """Replace the settler of another seat. Source: stories.conquest.*."""
    knights, areas_only = strength(t, place), bool(place.place.conquest_strength)
    rejection = find_area_rejection(t, command.area)
    rejection = rejection or find_conquest_rejection(
        t, seat, t.areas[command.area], knights, areas_only=areas_only, town=command.town
    )
    if rejection:
        return rejection
    area = t.areas[command.area]
    (loser,) = other_seats_on(t, seat, area)
    t.move(loser.settler, area.pile, loser.settlers)
    t.move(seat.settler, settler_source(t, seat, command.town), area.pile)
    action.return_followers(t, seat, place)
    t.emit(seat, AreaConquered(place.id, area.id, loser.number, knights, command.town))
    action.end(t, seat)
    return None


def legal(t: Stories, seat: Seat, place: BoundPlace) -> Sequence[Command]:
    """Return a command for each area that the place can enter or conquer, and for each town."""
    commands: list[Command] = []
    knights, areas_only = strength(t, place), bool(place.place.conquest_strength)
    for town in settler_origins(t, seat):
        reach = reachable_spaces(t, seat, town)
        for area in (area for id, area in t.areas.items() if id in reach):
            if not areas_only and not find_entry_rejection(t, seat, area, town):
                commands.append(Expand(place.id, area.id, town))
            if knights and not find_conquest_rejection(t, seat, area, knights, areas_only=areas_only, town=town):
                commands.append(Conquer(place.id, area.id, town))
    if seat.settlers.items and not areas_only:
        commands += [EnterTown(place.id, town) for town in t.towns]
    return commands
