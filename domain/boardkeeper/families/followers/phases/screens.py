"""Sealed planning: each seat plans behind a screen until all have finished (option ``planning`` = ``sealed``).

A seat's market and spaces stand behind its screen, so that one effect hides or shows them all. What already lies on a
space when planning begins cannot change in it and stays in the open.
"""

from __future__ import annotations

from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.families.followers.events import Placement, PlansRevealed
from boardkeeper.families.followers.places import BoundSpace
from boardkeeper.families.followers.table import AnySeat, AnyTable
from boardkeeper.table.visibility import PUBLIC, same_as, secret


def is_planning_sealed(t: AnyTable) -> bool:
    """Whether plans are sealed in this game."""
    return t.data.options.planning == "sealed"


def raise_all(t: AnyTable) -> None:
    """Hide what every seat is about to plan."""
    if not is_planning_sealed(t):
        return
    for seat in t.seats:
        for space in seat.estate().spaces.values():
            if TECHNOLOGY in space.pile.items or (space.pile.items and not space.bit & seat.estate().index.storage):
                _set_visibility(t, space, PUBLIC)
        t.recorder.reveal(seat.screen, secret(seat.number))


def lower_all(t: AnyTable) -> None:
    """Show what every seat has planned."""
    if not is_planning_sealed(t):
        return
    for seat in t.seats:
        t.recorder.reveal(seat.screen, PUBLIC)
        for space in seat.estate().spaces.values():
            _set_visibility(t, space, same_as(seat.screen.id))
        t.emit(seat, PlansRevealed(tuple(list_placements(t, seat))))


def show_space(t: AnyTable, seat: AnySeat, space: BoundSpace) -> None:
    """Take a space out from behind a raised screen: what is put there comes from the open and stays."""
    if seat.screen.visibility != PUBLIC:
        _set_visibility(t, space, PUBLIC)


def hide_place(t: AnyTable, seat: AnySeat, place: str) -> None:
    """Let the spaces of a new place tile stand behind its owner's screen."""
    if is_planning_sealed(t):
        for space in seat.tiles[place].spaces:
            _set_visibility(t, space, same_as(seat.screen.id))


def show_place(t: AnyTable, seat: AnySeat, place: str) -> None:
    """Let the spaces of a lost place tile stand behind nobody's screen."""
    for space in seat.tiles[place].spaces:
        _set_visibility(t, space, PUBLIC)


def _set_visibility(t: AnyTable, space: BoundSpace, visibility: str) -> None:
    t.recorder.reveal(space.pile, visibility)
    t.recorder.reveal(space.placed, visibility)


def list_placements(t: AnyTable, seat: AnySeat) -> list[Placement]:
    """What the seat has placed in this round's planning phase."""
    return [
        Placement(space.occupant(), space.place, space.id)
        for space in seat.estate().spaces.values()
        if space.pile.items and abs(space.placed.value) == t.round.value
    ]
