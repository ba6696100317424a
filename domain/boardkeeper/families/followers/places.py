"""The places of one seat, bound to the zones and markers of a table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, TypeVar

from boardkeeper.families.followers.commands import TakeBackFollower, WithdrawFollower
from boardkeeper.families.followers.data import Place, Space, SpaceIndex
from boardkeeper.table.indexed_mapping import IndexedMapping
from boardkeeper.table.visibility import PUBLIC
from boardkeeper.table.zones import FreeSpaces, Number, Pile
from boardkeeper.titlekit.binding import Material

P = TypeVar("P", bound=Place)

NAME = "{component}: {symbol}"
PLACED = "{component}: {symbol}, placed in this round"
PLACED_DE = "{component}: {symbol}, in dieser Runde eingesetzt"


class BoundSpace:
    """An action space of one seat, with its pile, which holds at most one follower or technology tile.

    ``placed`` is the round in which its follower was placed during planning: the seat can withdraw it until that
    planning phase ends. The number is negative if the follower came from a place that extends the market.
    """

    __slots__ = ("bit", "pile", "placed", "space")

    def __init__(self, space: Space, pile: Pile, placed: Number) -> None:
        self.space = space
        self.bit = space.bit
        self.pile = pile
        self.placed = placed

    @property
    def id(self) -> str:
        """The space id within the place."""
        return self.space.id

    @property
    def items(self) -> Mapping[str, int]:
        """The components on the space."""
        return self.pile.items

    @property
    def place(self) -> str:
        """The place id."""
        return self.space.place

    @property
    def requires(self) -> str:
        """The required character."""
        return self.space.requires

    @property
    def withdraw(self) -> WithdrawFollower:
        """The command that withdraws the follower."""
        return self.space.withdraw

    @property
    def take_back(self) -> TakeBackFollower:
        """The command that takes the follower back."""
        return self.space.take_back

    def occupant(self) -> str:
        """Return the component on the space; empty if the space is free."""
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
        """The place id."""
        return self.place.id

    def is_active(self, free: int) -> bool:
        """Return whether enough spaces are filled. ``free`` is the mask of the seat's free spaces."""
        if self.place.filled_at_least:
            return (free & self.mask) != self.mask
        return self.mask != 0 and not free & self.mask


class Estate(Generic[P]):
    """All places of a seat: those of its player board and its place tiles.

    ``spaces`` has the spaces by place and space id. ``actions`` are the places with an action in phase 5, ``shields``
    the places that can cancel an event, and ``storage`` the spaces that extend the market.
    """

    __slots__ = ("_groups", "actions", "index", "places", "shields", "spaces", "storage")

    def __init__(self, index: SpaceIndex, places: tuple[BoundPlace[P], ...]) -> None:
        self.index = index
        self.places = {place.id: place for place in places}
        self.spaces = IndexedMapping(index.order, [space for place in places for space in place.spaces])
        self.actions = tuple(place for place in places if place.mask and not place.place.cancels_event)
        self.shields = tuple(place for place in places if place.place.cancels_event)
        self.storage = tuple(space for place in places if place.place.market_extension for space in place.spaces)
        groups = [space.pile.group for place in places for space in place.spaces[:1]]
        self._groups = tuple(group for group in dict.fromkeys(groups) if group is not None)

    def free(self) -> int:
        """Return the mask of free spaces."""
        free = 0
        for group in self._groups:
            free |= group.mask
        return free & self.index.mask  # groups also have spaces of places that the seat does not own

    def occupied(self, free: int) -> list[BoundSpace]:
        """Return the spaces that are not in the mask of free spaces in order. Usually they are few."""
        index = self.index
        index_of, spaces = index.index_of, self.spaces.entries
        left = index.mask & ~free
        found: list[BoundSpace] = []
        while left:
            bit = left & -left
            left ^= bit
            found.append(spaces[index_of[bit]])
        if not index.is_in_bit_order and len(found) > 1:
            found.sort(key=lambda space: index_of[space.bit])
        return found


def bind_place(place: P, m: Material, group: FreeSpaces, visibility: str = PUBLIC) -> BoundPlace[P]:
    """Declare the zones and markers of a place in ``m``, the owner's part of the material; return the bound place.

    Its spaces join ``group``.
    """
    id = place.id
    spaces = []
    for space in place.spaces:
        symbol = space.symbol
        pile = m.pile(space.zone, "space", NAME, NAME, visibility, id, symbol)
        placed = m.number(space.placed, "flag", PLACED, PLACED_DE, visibility, id, symbol, space.zone)
        pile.join(group, space.bit)
        spaces.append(BoundSpace(space, pile, placed))
    return BoundPlace(place, tuple(spaces))


class BoundPlaces(Generic[P]):
    """Places by id. A place is bound at the first access, because most place tiles stay in the box.

    ``ids`` are the places whose zones are in ``m``; ``others`` has places whose zones are elsewhere.
    """

    __slots__ = ("_bound", "_group", "_ids", "_m", "_others", "_places", "_visibility")

    def __init__(
        self,
        ids: Sequence[str],
        places: Mapping[str, P],
        m: Material,
        visibility: str = PUBLIC,
        others: BoundPlaces[P] | None = None,
    ) -> None:
        self._ids = ids
        self._places = places
        self._m = m
        self._visibility = visibility
        self._others = others
        self._group = FreeSpaces()
        self._bound: dict[str, BoundPlace[P]] = {}
        if m.declares:
            for id in ids:
                bind_place(places[id], m, self._group, visibility)

    def __getitem__(self, id: str) -> BoundPlace[P]:
        """Return a place; raises ``KeyError`` for an unknown id."""
        bound = self._bound.get(id)
        if bound is not None:
            return bound
        if id in self._ids:
            bound = self._bound[id] = bind_place(self._places[id], self._m, self._group, self._visibility)
            return bound
        if self._others is None:
            raise KeyError(id)
        return self._others[id]

    def all(self) -> Iterator[BoundPlace[P]]:
        """Yield all places."""
        if self._others is not None:
            yield from self._others.all()
        for id in self._ids:
            yield self[id]
