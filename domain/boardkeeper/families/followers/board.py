"""The parts of the board that all titles have, as one viewer sees them.

Titles use these structs in their API messages, so they never change. The ``Board`` and ``SeatView`` of a title are
subclasses with more fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import asdict

from boardkeeper.families.followers import ids
from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.families.followers.places import BoundSpace
from boardkeeper.families.followers.table import AnyPlace, AnySeat, AnyTable
from boardkeeper.table.visibility import sees
from boardkeeper.titlekit.views import view

V = TypeVar("V", bound=Struct)


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


class DeedView(Struct, frozen=True):
    """A beneficial deed."""

    deed: ids.Deed
    followers: dict[str, int]  #: Followers at the deed, by follower id.
    free: dict[str, int]  #: Free spaces, by required character.
    citizen: bool  #: Whether completing the deed still gives a citizen.


class SeatView(Struct, frozen=True, kw_only=True):
    """The components and markers of one seat."""

    seat: int  #: The seat number, from 1.
    color: str  #: The colour of the seat ("red").
    coins: int  #: Number of coins.
    draw_limit: int  #: Maximum number of followers that the seat may draw in this round.
    goods: dict[str, int]  #: Goods of the seat, by good id.
    citizens: int  #: Number of citizens.
    technology: int  #: Number of unplaced technology tiles.
    market: dict[str, int]  #: Followers on the market, by follower id.
    drawn: dict[str, int]  #: Followers drawn in the Bathhouse and not yet placed or returned, by follower id.
    bag: dict[str, int]  #: Followers in the bag, by follower id. Empty for a viewer who may see only ``bag_count``.
    bag_count: int  #: Number of followers in the bag.
    places: tuple[PlaceView, ...]  #: The places of the player board, and place tiles or place cards of the seat.
    passed: bool  #: Whether the seat has passed in this round.
    planning_finished: bool  #: Whether the seat has finished planning.
    decision: str  #: The open decision of the seat ("plan"). Empty if none.
    debt: int  #: Number of coins or other items still missing, to be replaced by torture.
    arrears: int  #: Coins still owed after torture, to be paid from the next coins received (depends on a reading).
    given_up_draws: int  #: Number of draws given up in this round to take followers back.
    draws_made: int  #: Number of followers drawn in this round, if a reading needs it. Otherwise 0.
    technology_placed: int  #: Number of technology tiles placed so far in the game.


class Board(Struct, frozen=True, kw_only=True):
    """The table as one viewer sees it."""

    round: int  #: The round, from 1. 0 before the first round.
    start_seat: int  #: The seat of the start player.
    acting_seat: int  #: The seat whose turn it is. 0 if no seat has the turn.
    deciding: tuple[int, ...]  #: The seats with an open decision.
    supply: dict[str, int]  #: Followers in the supply, by follower id.
    goods_market: dict[str, int]  #: Goods on the goods market, by good id.
    technology: int  #: Number of technology tiles in the supply.
    removed: dict[str, int]  #: Components removed from the game, by component id.
    box: dict[str, int]  #: Components that stayed in the box, by component id.
    action_place: str  #: The place of an action in progress. Empty if none.


def view_table(kind: type[V], t: AnyTable, viewer: int, **fields: Any) -> V:
    """Return the board of a title. ``fields`` are the values of fields that neither a zone nor a marker has.

    The other fields: see :func:`boardkeeper.titlekit.views.view`.
    """
    return view(
        kind,
        t,
        t.table,
        viewer,
        start_seat=t.start.value,
        acting_seat=t.acting.value,
        deciding=tuple(t.table.deciding()),
        **fields,
    )


def view_seat(kind: type[V], t: AnyTable, seat: AnySeat, viewer: int, **fields: Any) -> V:
    """Return the view of a seat. ``fields`` are the values of fields that neither a zone nor a marker has."""
    return view(
        kind,
        seat,
        t.table,
        viewer,
        seat=seat.number,
        technology=seat.technology.items.get(TECHNOLOGY, 0),
        places=view_places(t, seat, viewer),
        planning_finished=bool(seat.planned.value),
        decision=t.table.decisions[seat.number],
        given_up_draws=seat.given_up.value,
        draws_made=seat.count_draws(),
        **fields,
    )


def view_scores(kind: type[V], sheets: Mapping[int, Any]) -> tuple[V, ...]:
    """Return the score views of seats, best seat first. ``sheets`` are the events ``SeatScored``, by seat number."""
    ranked = sorted(sheets.items(), key=lambda entry: (entry[1].rank, entry[0]))
    return tuple(kind(seat=number, **asdict(sheet)) for number, sheet in ranked)


def view_places(t: AnyTable, seat: AnySeat, viewer: int) -> tuple[PlaceView, ...]:
    """Return the places of a seat. Spaces behind a screen look empty to viewers who cannot see behind it."""
    planning = t.table.decisions[seat.number] == "plan"
    return tuple(_view_place(t, place, viewer, planning=planning) for place in seat.estate().places.values())


def _view_place(t: AnyTable, place: AnyPlace, viewer: int, *, planning: bool) -> PlaceView:
    spaces = []
    free = 0
    for space in place.spaces:
        shown = bool(space.pile.items) and sees(t.table, space.pile, viewer)
        if not shown:
            free |= space.bit
        spaces.append(_view_space(t, space, planning=planning) if shown else _view_free_space(space))
    return PlaceView(place.id, tuple(spaces), place.is_active(free))


def _view_free_space(space: BoundSpace) -> SpaceView:
    return SpaceView(space.id, space.requires, occupant="", changeable=False)


def _view_space(t: AnyTable, space: BoundSpace, *, planning: bool) -> SpaceView:
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
