"""What boards of the family show of a seat's places, made for one viewer.

A title's board has these structs as its own, and a message of its own for each: they never change.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers import ids
from boardkeeper.families.followers.places import BoundSpace
from boardkeeper.families.followers.table import AnyPlace, AnySeat, AnyTable
from boardkeeper.table.visibility import sees


class SpaceView(Struct, frozen=True):
    """An action space of a place."""

    space: str  #: The space id ("knight", "farmer_2").
    requires: str  #: The required character. "farmer|knight" accepts either of the two, "any" accepts any follower.
    occupant: str  #: The follower on the space, or "technology". Empty if the space is free.
    changeable: bool  #: Whether the follower can still be withdrawn in this planning phase.
    from_tower: bool = False  #: Whether the follower was placed from the Gunpowder Tower in this planning phase.
    placed_now: bool = False  #: Whether the follower was placed in the current planning phase.


class PlaceView(Struct, frozen=True):
    """A place of a seat with its spaces."""

    place: ids.Place
    spaces: tuple[SpaceView, ...]  #: The action spaces.
    active: bool  #: Whether the place is activated, so that its action can be carried out.


def places_of(t: AnyTable, seat: AnySeat, viewer: int) -> tuple[PlaceView, ...]:
    """The places that the seat owns; spaces behind a screen are empty to whoever does not see behind it."""
    planning = t.table.decisions[seat.number] == "plan"
    return tuple(_place(t, place, viewer, planning=planning) for place in seat.estate().places.values())


def _place(t: AnyTable, place: AnyPlace, viewer: int, *, planning: bool) -> PlaceView:
    spaces = []
    free = 0
    for space in place.spaces:
        shown = bool(space.pile.items) and sees(t.table, space.pile, viewer)
        if not shown:
            free |= space.bit
        spaces.append(_space(t, space, planning=planning) if shown else _empty(space))
    return PlaceView(place.id, tuple(spaces), place.is_active(free))


def _empty(space: BoundSpace) -> SpaceView:
    return SpaceView(space.id, space.requires, occupant="", changeable=False)


def _space(t: AnyTable, space: BoundSpace, *, planning: bool) -> SpaceView:
    placed = space.placed.value
    placed_now = t.phase.value == "planning" and abs(placed) == t.round.value
    return SpaceView(
        space=space.id,
        requires=space.requires,
        occupant=space.occupant(),
        changeable=placed_now and planning,
        from_tower=placed_now and placed < 0,
        placed_now=placed_now,
    )
