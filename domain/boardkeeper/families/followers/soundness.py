"""Checks of tables from other programs that all titles share (see :mod:`boardkeeper.titlekit.soundness`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from boardkeeper.families.followers.data import MONK, TECHNOLOGY, FollowersData
from boardkeeper.families.followers.phases import screens
from boardkeeper.families.followers.places import BoundSpace
from boardkeeper.families.followers.table import AnyPlace, AnyTable
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.visibility import PUBLIC, same_as, secret
from boardkeeper.titlekit.soundness import Found, ZoneLimits, visibilities


def all_places(t: AnyTable) -> Iterable[AnyPlace]:
    """Return each place with spaces that a seat owns or can acquire, each place once."""
    bound = (place for seat in t.seats for place in (*seat.estate().places.values(), *seat.tiles.all()))
    return {place.spaces[0].pile.id: place for place in bound if place.spaces}.values()


def number_ranges(t: AnyTable) -> dict[str, tuple[int, int]]:
    """Return the lowest and highest value of markers that all titles have, by pattern of marker ids."""
    seats = len(t.seats)
    return {"start_seat": (1, seats), "acting_seat|cursor": (0, seats), "seat.*.passed|seat.*.planned": (0, 1)}


def zone_limits(t: AnyTable, goods: Collection[str]) -> dict[str, ZoneLimits]:
    """Return the limits of zones that all titles have, by pattern of zone ids."""
    limits = {"technology|seat.*.technology": ZoneLimits((TECHNOLOGY,)), "goods_market|seat.*.goods": ZoneLimits(goods)}
    for place in all_places(t):
        for space in place.spaces:
            takes_technology = t.data.takes_technology(place.place) and space.requires != MONK
            tile = (TECHNOLOGY,) if takes_technology else ()
            limits[space.pile.id] = ZoneLimits({*_allowed_followers(t.data, place, space), *tile}, total=1)
    return limits


def _allowed_followers(data: FollowersData, place: AnyPlace, space: BoundSpace) -> set[str]:
    """Return the followers that a space may hold, if need be with a Herb Garden or School that the seat has lost."""
    if place.place.market_extension:
        return {*data.followers}
    owned = {place.id, *(id for id, other in data.places.items() if other.stands_for)} - {*data.board_places}
    return {who for who, spaces in data.space_index(tuple(sorted(owned))).fits.items() if spaces & space.bit}


def check_visibility(t: AnyTable, layout: TableLayout, shown: Collection[str] = ()) -> Found:
    """Check visibilities: screens are up during sealed planning, and only then.

    Technology, and spaces that were occupied when planning began, stay public. Places that a seat has lost may be
    public. ``shown`` are the last parts of the ids of zones that the rules reveal during a game.
    """
    is_sealed = screens.is_planning_sealed(t)
    is_screen_up = is_sealed and t.phase.value == "planning"
    initial = {spec.id: spec.visibility for spec in layout.zones}
    allowed: dict[str, Collection[str]] = {
        id: (zone.visibility,) for id, zone in t.table.zones.items() if id.rpartition(".")[2] in shown
    }
    for place in all_places(t):
        for space in place.spaces:
            allowed[space.pile.id] = allowed[space.placed.id] = (PUBLIC, initial[space.pile.id])
    for seat in t.seats:
        allowed[seat.screen.id] = (secret(seat.number) if is_screen_up else PUBLIC,)
        for space in seat.estate().spaces.values():
            component = space.occupant()
            stays = component == TECHNOLOGY or not space.bit & seat.estate().index.storage
            is_public = is_screen_up and component and stays and abs(space.placed.value) != t.round.value
            visibility = same_as(seat.screen.id) if is_sealed and not is_public else PUBLIC
            allowed[space.pile.id] = allowed[space.placed.id] = (visibility,)
    yield from visibilities(t.table, layout, allowed)
