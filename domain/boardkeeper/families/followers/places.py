"""The places of one seat, bound to the zones and markers of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from boardkeeper.families.followers.commands import TakeBackFollower, WithdrawFollower
from boardkeeper.families.followers.data import Hand, Place, Space
from boardkeeper.table.layout import MarkerSpec, ZoneSpec
from boardkeeper.table.named import Named
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Number, Pile

P = TypeVar("P", bound=Place)


class BoundSpace:
    """An action space of one seat: its pile (one follower or technology tile at most) and what it asks for.

    ``placed`` is the round in which its follower was put there in the planning phase, negative if that follower
    came from a place that extends the market; while that round's planning lasts, the placement may be changed.
    """

    __slots__ = ("bit", "pile", "placed", "space")

    def __init__(self, space: Space, pile: Pile, placed: Number) -> None:
        self.space = space
        self.bit = space.bit
        self.pile = pile
        self.placed = placed

    @property
    def id(self) -> str:
        """Its id within the place."""
        return self.space.id

    @property
    def place(self) -> str:
        """The id of its place."""
        return self.space.place

    @property
    def requires(self) -> str:
        """The character that it asks for."""
        return self.space.requires

    @property
    def withdraw(self) -> WithdrawFollower:
        """The command that withdraws its follower."""
        return self.space.withdraw

    @property
    def take_back(self) -> TakeBackFollower:
        """The command that takes its follower back."""
        return self.space.take_back

    def occupant(self) -> str:
        """What lies here, or an empty string."""
        for component in self.pile.items:
            return component
        return ""


class BoundPlace(Generic[P]):
    """A place of one seat with its spaces."""

    __slots__ = ("mask", "place", "spaces", "verb")

    def __init__(self, place: P, spaces: tuple[BoundSpace, ...]) -> None:
        self.place = place
        self.spaces = spaces
        self.mask = place.mask
        self.verb = place.verb

    @property
    def id(self) -> str:
        """The place's id."""
        return self.place.id

    def is_active(self, free: int) -> bool:
        """Whether enough of its spaces are filled, given the seat's free spaces as a mask."""
        if self.place.filled_at_least:
            return (free & self.mask) != self.mask
        return self.mask != 0 and not free & self.mask


class Estate(Generic[P]):
    """What a seat owns: the places of its player board and its place tiles.

    ``spaces`` are by place and space, as commands name them. ``actions`` are the places that can be used in phase 5,
    ``storage`` the spaces that extend the market.
    """

    __slots__ = ("actions", "hand", "places", "shields", "spaces", "storage")

    def __init__(self, hand: Hand, places: tuple[BoundPlace[P], ...]) -> None:
        self.hand = hand
        self.places = {place.id: place for place in places}
        self.spaces = Named(hand.order, [space for place in places for space in place.spaces])
        self.actions = tuple(place for place in places if place.mask and not place.place.cancels_event)
        self.shields = tuple(place for place in places if place.place.cancels_event)
        self.storage = tuple(space for place in places if place.place.market_extension for space in place.spaces)

    def free(self) -> int:
        """The spaces on which nothing lies, as a mask."""
        free = 0
        for space in self.spaces.values():
            if not space.pile.items:
                free |= space.bit
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


class BoundPlaces(Generic[P]):
    """Places by their ids that are bound when they are first asked for, such as place tiles: most stay in the box.

    Those of ``ids`` have their zones under the name of ``owner``; what is not among them is one of ``others``.
    """

    __slots__ = ("_bound", "_ids", "_others", "_owner", "_places", "_table")

    def __init__(
        self,
        ids: Sequence[str],
        places: Mapping[str, P],
        table: Table,
        owner: str,
        others: BoundPlaces[P] | None = None,
    ) -> None:
        self._ids = ids
        self._places = places
        self._table = table
        self._owner = owner
        self._others = others
        self._bound: dict[str, BoundPlace[P]] = {}

    def __getitem__(self, id: str) -> BoundPlace[P]:
        """The place of that id; raises ``KeyError`` if there is none."""
        bound = self._bound.get(id)
        if bound is not None:
            return bound
        if id in self._ids:
            bound = self._bound[id] = bind(self._places[id], self._table, self._owner)
            return bound
        if self._others is None:
            raise KeyError(id)
        return self._others[id]

    def all(self) -> Iterator[BoundPlace[P]]:
        """Each of them."""
        if self._others is not None:
            yield from self._others.all()
        for id in self._ids:
            yield self[id]
