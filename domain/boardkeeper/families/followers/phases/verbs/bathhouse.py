"""Bathhouse: draw two followers and place one of them at once."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.families.followers.commands import Command, PlaceDrawnFollower, UsePlace
from boardkeeper.families.followers.events import BathhouseVisited, DrawnFollowerPlaced, DrawnFollowersReturned
from boardkeeper.families.followers.phases import planning
from boardkeeper.families.followers.phases.verbs import action
from boardkeeper.families.followers.places import BoundSpace
from boardkeeper.families.followers.table import AnyPlace, AnySeat, AnyTable
from boardkeeper.table.rejections import Rejection


def find_rejection(t: AnyTable, seat: AnySeat, place: AnyPlace) -> Rejection | None:
    """Return a rejection if the reading ``bathhouse_short_bag`` is ``needs_all`` and the bag has too few followers."""
    # The follower on the Bathhouse counts if it returns to the bag before the draw.
    bag = seat.bag.total() + (t.data.readings.bathhouse_activator == "before_draw")
    if t.data.readings.bathhouse_short_bag == "needs_all" and bag < place.place.bathhouse:
        return Rejection("BAG_TOO_SMALL", t.rule("bathhouse.full_draw"), {"place": place.id, "bag": str(bag)})
    return None


def use(t: AnyTable, seat: AnySeat, place: AnyPlace) -> Rejection | None:
    """Draw followers from the bag. Source: bathhouse.*.

    The follower on the Bathhouse returns to the bag after the draw, so it cannot be drawn, unless the reading
    ``bathhouse_activator`` is ``before_draw``. A bag with too few followers is drawn completely (bathhouse.short_bag).
    """
    rejection = find_rejection(t, seat, place)
    if rejection:
        return rejection
    if t.data.readings.bathhouse_activator == "before_draw":
        action.return_followers(t, seat, place)
    count = min(place.place.bathhouse, seat.bag.total())
    drawn = t.recorder.draw(seat.bag, seat.drawn, count)
    t.set(t.action_place, place.id)
    t.emit(seat, BathhouseVisited(place.id, tuple(drawn)))
    if legal_bathhouse(t, seat):
        t.ask(seat, "bathhouse")
        return None
    _return_rest(t, seat)
    t.emit(seat, DrawnFollowersReturned(tuple(drawn)))
    action.end(t, seat)
    return None


def _return_rest(t: AnyTable, seat: AnySeat) -> None:
    for follower, count in seat.drawn.counts().items():
        t.move(follower, seat.drawn, seat.bag, count)
    action.return_followers(t, seat, seat.estate().places[t.action_place.value])
    t.set(t.action_place, "")


def place_drawn(t: AnyTable, seat: AnySeat, command: PlaceDrawnFollower) -> Rejection | None:
    """Place a drawn follower on a free space that fits, except on the Bathhouse itself."""
    values = {"follower": command.follower, "place": command.place, "space": command.space}
    if command.follower not in seat.drawn.items:
        return Rejection("NOT_DRAWN", t.rule("bathhouse.drawn_follower"), values)
    estate = seat.estate()
    space = estate.spaces.get((command.place, command.space))
    if space is None:
        return Rejection("NOT_YOUR_SPACE", t.rule("planning.own_place"), values)
    if command.place == t.action_place.value:
        return Rejection("NOT_ON_BATHHOUSE", t.rule("bathhouse.not_there"), values)
    if not space.bit & _allowed_spaces(t, seat, command.follower):
        return _find_space_rejection(t, seat, command.follower, space, values)
    if space.pile.items:
        return Rejection("SPACE_TAKEN", t.rule("planning.free_space"), values | {"occupant": space.occupant()})
    t.move(command.follower, seat.drawn, space.pile)
    _return_rest(t, seat)
    t.emit(seat, DrawnFollowerPlaced(command.follower, command.place, command.space))
    action.end(t, seat)
    return None


def legal(t: AnyTable, seat: AnySeat, place: AnyPlace) -> Sequence[Command]:
    """Return the command to visit the Bathhouse, if possible."""
    return () if find_rejection(t, seat, place) else (UsePlace(place.id),)


def _allowed_spaces(t: AnyTable, seat: AnySeat, follower: str) -> int:
    """Return the mask of spaces, free or occupied, where a drawn follower may be placed."""
    if follower == t.forbidden_follower():
        return 0
    estate = seat.estate()
    mask = estate.index.fits[follower] & ~estate.places[t.action_place.value].mask
    readings = t.data.readings
    if readings.bathhouse_tower == "allowed":
        mask |= estate.index.storage
    if readings.bathhouse_town_hall == "forbidden":
        places = (bound.place for bound in estate.places.values())
        mask &= ~sum(place.mask for place in places if place.send_to_deeds and not place.market_extension)
    return mask


def _find_space_rejection(
    t: AnyTable, seat: AnySeat, follower: str, space: BoundSpace, values: dict[str, str]
) -> Rejection:
    estate = seat.estate()
    if space.bit & estate.index.storage:
        return Rejection("ONLY_IN_PHASE_THREE", t.rule("bathhouse.not_tower"), values)
    if space.bit & estate.index.fits[follower]:
        return Rejection("NOT_FROM_BATHHOUSE", t.rule("bathhouse.not_town_hall"), values)
    return planning.find_placement_rejection(t, seat, follower, space)


def legal_bathhouse(t: AnyTable, seat: AnySeat) -> list[Command]:
    """Return a command for each drawn follower and free space that fits. Source: bathhouse.must_place."""
    estate = seat.estate()
    free = estate.free()
    return [
        PlaceDrawnFollower(follower, space.place, space.id)
        for follower in sorted(seat.drawn.items)
        for space in estate.spaces.values()
        if space.bit & free & _allowed_spaces(t, seat, follower)
    ]
