"""The places of one seat, bound to the zones and markers of a table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from boardkeeper.families.followers.data import Hand, Place, Space
from boardkeeper.table.layout import MarkerSpec, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Number, Pile

P = TypeVar("P", bound=Place)


class BoundSpace:
    """An action space of one seat: its pile (one follower or technology tile at most) and what it asks for.

    ``placed`` is the round in which its follower was put there in the planning phase, negative if that follower
    came from a place that extends the market; while that round's planning lasts, the placement may be changed.
    """

    __slots__ = ("bit", "id", "items", "pile", "place", "placed", "requires", "take_back", "withdraw")

    def __init__(self, space: Space, pile: Pile, placed: Number) -> None:
        self.id = space.id
        self.place = space.place
        self.requires = space.requires
        self.bit = space.bit
        self.pile = pile
        self.items = pile.items
        self.placed = placed
        self.withdraw = space.withdraw
        self.take_back = space.take_back

    def occupant(self) -> str:
        """What lies here, or an empty string."""
        for component in self.items:
            return component
        return ""


class BoundPlace(Generic[P]):
    """A place of one seat with its spaces."""

    __slots__ = ("filled_at_least", "id", "mask", "place", "spaces", "verb")

    def __init__(self, place: P, spaces: tuple[BoundSpace, ...]) -> None:
        self.id = place.id
        self.place = place
        self.spaces = spaces
        self.mask = place.mask
        self.verb = place.verb
        self.filled_at_least = place.filled_at_least

    def is_active(self, free: int) -> bool:
        """Whether enough of its spaces are filled, given the seat's free spaces as a mask."""
        if self.filled_at_least:
            return (free & self.mask) != self.mask
        return self.mask != 0 and not free & self.mask


class Estate(Generic[P]):
    """What a seat owns: the places of its player board and its place tiles.

    ``actions`` are the places that can be used in phase 5, ``storage`` the spaces that extend the market.
    """

    __slots__ = ("actions", "hand", "places", "shields", "slots", "spaces", "storage")

    def __init__(self, hand: Hand, places: tuple[BoundPlace[P], ...]) -> None:
        self.hand = hand
        self.places = {place.id: place for place in places}
        self.spaces = {(space.place, space.id): space for place in places for space in place.spaces}
        self.slots = tuple((space.bit, space.items) for space in self.spaces.values())
        self.actions = tuple(place for place in places if place.mask and not place.place.cancels_event)
        self.shields = tuple(place for place in places if place.place.cancels_event)
        self.storage = tuple(space for place in places if place.place.market_extension for space in place.spaces)

    def free(self) -> int:
        """The spaces on which nothing lies, as a mask."""
        free = 0
        for bit, items in self.slots:
            if not items:
                free |= bit
        return free


def zone_of(owner: str, space: Space) -> str:
    """The zone of a space; its ``placed`` marker is called like it."""
    return f"{owner}.{space.place}.{space.id}"


def lay(places: Sequence[Place], owner: str, visibility: str, zones: list[ZoneSpec], markers: list[MarkerSpec]) -> None:
    """Add the zones and markers of these places to a layout."""
    for place in places:
        for space in place.spaces:
            zone = zone_of(owner, space)
            zones.append(ZoneSpec(zone, visibility))
            markers.append(MarkerSpec(f"{zone}.placed", 0, visibility))


def bind(place: P, table: Table, owner: str) -> BoundPlace[P]:
    """A place with its spaces' piles; place tiles have spaces of their own, whoever owns them."""
    spaces = []
    for space in place.spaces:
        zone = zone_of(owner, space)
        spaces.append(BoundSpace(space, table.pile(zone), table.number(f"{zone}.placed")))
    return BoundPlace(place, tuple(spaces))
