"""Sealed planning: if the option ``planning`` is ``sealed``, seats plan behind screens until all have finished.

The market and the spaces of a seat have the visibility of its screen, so one effect hides or reveals all of them.
Spaces that are occupied when planning begins cannot change during planning and stay public.
"""

from __future__ import annotations

from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.families.followers.events import Placement, PlansRevealed
from boardkeeper.families.followers.places import BoundSpace
from boardkeeper.families.followers.table import AnySeat, AnyTable
from boardkeeper.table.visibility import PUBLIC, same_as, secret


def is_planning_sealed(t: AnyTable) -> bool:
    """Return whether plans are sealed in this game."""
    return t.data.options.planning == "sealed"


def raise_all(t: AnyTable) -> None:
    """Raise the screens, which hide the plans."""
    if not is_planning_sealed(t):
        return
    for seat in t.seats:
        for space in seat.estate().spaces.values():
            if TECHNOLOGY in space.pile.items or (space.pile.items and not space.bit & seat.estate().index.storage):
                _set_visibility(t, space, PUBLIC)
        t.recorder.reveal(seat.screen, secret(seat.number))


def lower_all(t: AnyTable) -> None:
    """Lower the screens and reveal the plans."""
    if not is_planning_sealed(t):
        return
    for seat in t.seats:
        t.recorder.reveal(seat.screen, PUBLIC)
        for space in seat.estate().spaces.values():
            _set_visibility(t, space, same_as(seat.screen.id))
        t.emit(seat, PlansRevealed(tuple(list_placements(t, seat))))


def show_space(t: AnyTable, seat: AnySeat, space: BoundSpace) -> None:
    """Make a space public if the screens are up: it receives a technology tile, which is public and stays."""
    if seat.screen.visibility != PUBLIC:
        _set_visibility(t, space, PUBLIC)


def hide_place(t: AnyTable, seat: AnySeat, place: str) -> None:
    """Put the spaces of a new place tile behind the screen of its owner."""
    if is_planning_sealed(t):
        for space in seat.tiles[place].spaces:
            _set_visibility(t, space, same_as(seat.screen.id))


def show_place(t: AnyTable, seat: AnySeat, place: str) -> None:
    """Make the spaces of a lost place tile public."""
    for space in seat.tiles[place].spaces:
        _set_visibility(t, space, PUBLIC)


def _set_visibility(t: AnyTable, space: BoundSpace, visibility: str) -> None:
    t.recorder.reveal(space.pile, visibility)
    t.recorder.reveal(space.placed, visibility)


def list_placements(t: AnyTable, seat: AnySeat) -> list[Placement]:
    """Return the followers that the seat has placed in this planning phase."""
    return [
        Placement(space.occupant(), space.place, space.id)
        for space in seat.estate().spaces.values()
        if space.pile.items and abs(space.placed.value) == t.round.value
    ]
