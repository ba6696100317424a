"""Placing technology tiles: usually after passing, never on a monk space, at most one on each place."""

from __future__ import annotations

from boardkeeper.families.followers.commands import Command, KeepTechnology, PlaceTechnology
from boardkeeper.families.followers.data import MONK, TECHNOLOGY
from boardkeeper.families.followers.events import TechnologyKept, TechnologyPlaced
from boardkeeper.families.followers.phases import screens
from boardkeeper.families.followers.places import BoundSpace
from boardkeeper.families.followers.table import AnySeat, AnyTable
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.zones import free_spaces


def _open_spaces(t: AnyTable, seat: AnySeat) -> int:
    """Return the mask of spaces that can take a technology tile of the seat now."""
    if TECHNOLOGY not in seat.technology.items:
        return 0
    estate = seat.estate()
    mask = estate.index.farmer if _must_replace_farmer(t, seat) else estate.index.technology
    if t.data.readings.technology_on_occupied == "free_only":
        mask &= estate.free()
    for place in estate.places.values():
        if any(TECHNOLOGY in space.pile.items for space in place.spaces):
            mask &= ~place.mask
    return mask & ~_kept_tower_spaces(t, seat)


def _kept_tower_spaces(t: AnyTable, seat: AnySeat) -> int:
    """Return the mask of free tower spaces, if followers that left the tower in this planning phase may need them all.

    Such a follower returns to the tower when the seat withdraws it.
    """
    free = free_spaces(seat.estate().storage)
    if t.phase.value != "planning" or not free:
        return 0
    left = sum(
        1 for space in seat.estate().spaces.values() if space.pile.items and space.placed.value == -t.round.value
    )
    return sum(space.bit for space in free) if left >= len(free) else 0


def _must_replace_farmer(t: AnyTable, seat: AnySeat) -> bool:
    """Return whether the next tile has to replace a farmer.

    If the reading ``first_technology`` is ``first_placed``: the first tile that the seat places. Otherwise: a tile
    from the first craftsmen space, when the seat has no other unplaced tile.
    """
    if t.data.readings.first_technology == "first_placed":
        return not seat.technology_placed.value
    return seat.technology.items[TECHNOLOGY] <= seat.farmer_only.value


def place_technology(t: AnyTable, seat: AnySeat, command: PlaceTechnology) -> Rejection | None:
    """Place a technology tile on a space for the rest of the game. Source: technology.*."""
    space = seat.estate().spaces.get((command.place, command.space))
    if space is None:
        values = {"place": command.place, "space": command.space}
        return Rejection("NOT_YOUR_SPACE", t.rule("technology.own_place"), values)
    if not space.bit & _open_spaces(t, seat):
        return find_space_rejection(t, seat, space)
    occupant = space.occupant()
    screens.show_space(t, seat, space)
    if occupant:
        t.move(occupant, space.pile, seat.bag)
        t.set(space.placed, 0)
    t.move(TECHNOLOGY, seat.technology, space.pile)
    t.set(seat.technology_placed, seat.technology_placed.value + 1)
    if space.bit & seat.estate().index.farmer:
        t.set(seat.farmer_only, 0)
    if t.table.decisions[seat.number] == "technology" and not _open_spaces(t, seat):
        t.ask(seat, "")
    t.emit(seat, TechnologyPlaced(command.place, command.space))
    t.advance()
    return None


def place_while_planning(t: AnyTable, seat: AnySeat, command: PlaceTechnology) -> Rejection | None:
    """Place technology, if the reading ``technology_window`` is ``after_passing_and_planning``."""
    if t.data.readings.technology_window != "after_passing_and_planning":
        return reject_before_passing(t, seat, command)
    return place_technology(t, seat, command)


def reject_before_passing(t: AnyTable, seat: AnySeat, command: PlaceTechnology) -> Rejection:
    """Reject a technology tile of a seat that has not passed. Source: technology.after_passing."""
    values = {"place": command.place, "space": command.space}
    planning_too = t.data.readings.technology_window == "after_passing_and_planning"
    window = "technology.after_passing_and_planning" if planning_too else "technology.after_passing"
    return Rejection("PASS_FIRST", t.rule(window), values)


def find_space_rejection(t: AnyTable, seat: AnySeat, space: BoundSpace) -> Rejection:
    """Return why a space of the seat takes no technology tile."""
    values = {"place": space.place, "space": space.id, "requires": space.requires}
    place = seat.estate().places[space.place]
    if TECHNOLOGY not in seat.technology.items:
        return Rejection("NO_TECHNOLOGY", t.rule("technology.in_hand"), values)
    if len(place.spaces) == 1:
        return Rejection("SINGLE_SPACE", t.rule("technology.never_single_space"), values)
    if space.requires == MONK:
        return Rejection("NEVER_FOR_MONK", t.rule("technology.never_monk"), values)
    if not t.data.takes_technology(place.place):
        return Rejection("NO_FIXED_CHARACTER", t.rule("technology.fixed_character"), values)
    if any(TECHNOLOGY in other.pile.items for other in place.spaces):
        return Rejection("ONE_PER_PLACE", t.rule("technology.one_per_place"), values)
    if space.pile.items and t.data.readings.technology_on_occupied == "free_only":
        return Rejection("SPACE_TAKEN", t.rule("technology.free_space"), values | {"occupant": space.occupant()})
    if space.bit & _kept_tower_spaces(t, seat):
        return Rejection("SPACE_KEPT", t.rule("technology.tower_space_kept"), values)
    first_placed = t.data.readings.first_technology == "first_placed"
    rule = "technology.first_replaces_farmer" if first_placed else "technology.craftsmen_space_replaces_farmer"
    return Rejection("FARMER_ONLY", t.rule(rule), values)


def keep_technology(t: AnyTable, seat: AnySeat, command: KeepTechnology) -> Rejection | None:
    """Place no more technology in this round. Source: technology.may_wait."""
    t.ask(seat, "")
    t.emit(seat, TechnologyKept())
    t.advance()
    return None


def placements(t: AnyTable, seat: AnySeat) -> list[Command]:
    """Return a command for each space that can take a technology tile now."""
    mask = _open_spaces(t, seat)
    return [PlaceTechnology(*key) for key, space in seat.estate().spaces.items() if space.bit & mask] if mask else []


def legal_technology(t: AnyTable, seat: AnySeat) -> list[Command]:
    """Return the technology commands of a seat that has passed."""
    return [*placements(t, seat), KeepTechnology()]
