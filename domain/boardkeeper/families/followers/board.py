"""What boards of the family show of a seat's places, made for one viewer.

A title's board has these structs as its own, and a message of its own for each: they never change.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.places import BoundSpace
from boardkeeper.families.followers.table import AnyPlace, AnySeat, AnyTable
from boardkeeper.table.visibility import sees


class SpaceView(Struct, frozen=True):
    """One action space: what it asks for and what lies on it (empty: nothing; ``technology``; or a follower).

    ``placed_now``: it was placed in the planning phase under way, from the Gunpowder Tower if ``from_tower``;
    ``changeable``: it may still be withdrawn, because its seat has not finished planning.
    """

    space: str
    requires: str
    occupant: str
    changeable: bool
    from_tower: bool = False
    placed_now: bool = False


class PlaceView(Struct, frozen=True):
    """One place of a seat with its spaces; ``active`` if its action can be carried out."""

    place: str
    spaces: tuple[SpaceView, ...]
    active: bool


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
