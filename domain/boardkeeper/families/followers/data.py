"""Data of an edition for the family's rules: places with their spaces, deeds, and the spaces that followers fit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from msgspec import Struct

from boardkeeper.families.followers.commands import PlaceFollower, TakeBackFollower, WithdrawFollower
from boardkeeper.families.followers.readings import FollowersOptions, FollowersReadings
from boardkeeper.titlekit.entries import read_entry

TECHNOLOGY = "technology"
CITIZEN = "citizen"
MONK = "monk"
FARMER = "farmer"
ANY = "any"
OWN = "own_"
"""Prefix of a follower in the colour of its seat. Such followers never leave their seat."""

COINS = "coins"
"""The reward for a follower sent to a deed, unless the deed offers a choice."""


class Space(Struct, frozen=True):
    """An action space of a place.

    ``requires``: the required character, ``any``, or alternatives (``farmer|knight``); ``symbol`` is the first one.
    ``bit``: a power of 2 that is unique to the space, for sets of spaces as integers (masks). ``withdraw`` and
    ``take_back``: commands about the space, which all games share. ``zone`` and ``placed``: the ids of its zone and its
    marker, without the prefix of the owner.
    """

    id: str
    place: str
    requires: str
    bit: int
    withdraw: WithdrawFollower
    take_back: TakeBackFollower
    symbol: str
    zone: str
    placed: str

    @property
    def key(self) -> tuple[str, str]:
        """The place and space id, as in commands."""
        return (self.place, self.id)

    @property
    def characters(self) -> tuple[str, ...]:
        """The characters that fit the space; ``any`` for all."""
        return tuple(self.requires.split("|"))


class Place(Struct, frozen=True, kw_only=True):
    """A place of a seat, with its spaces and the properties that the family's rules use. A title adds its own.

    ``mask``: the bits of its spaces. ``filled_at_least``: the number of followers that activate it (0: all spaces).
    ``neutral_only``: it takes no followers in the colour of the seat. ``send_to_deeds``, ``bathhouse``,
    ``extra_draw``: the numbers of followers that it sends to deeds, draws as its action, or draws in phase 3.
    ``cancels_event``: it is a Sacristy. ``market_extension``: followers stored on it in phase 3 can be placed from it.
    ``market_spaces``: additional spaces on the market. ``stands_for``: for a follower, the characters that it can
    replace for the owner.
    """

    id: str
    spaces: tuple[Space, ...] = ()
    mask: int = 0
    filled_at_least: int = 0
    neutral_only: bool = False
    send_to_deeds: int = 0
    bathhouse: int = 0
    extra_draw: int = 0
    cancels_event: bool = False
    market_extension: int = 0
    market_spaces: int = 0
    stands_for: dict[str, tuple[str, ...]] = {}

    @property
    def verb(self) -> str:
        """The kind of action: the name of a module in ``phases/verbs``. Empty if the family does not implement it."""
        if self.send_to_deeds:
            return "deeds"
        return "bathhouse" if self.bathhouse else ""


class Deed(Struct, frozen=True, kw_only=True):
    """A beneficial deed. ``spaces``: the number of spaces for each exact character."""

    id: str
    spaces: dict[str, int]

    @property
    def rewards(self) -> tuple[str, ...]:
        """The rewards that the sender can choose."""
        return (COINS,)


class SpaceIndex(Struct, frozen=True):
    """The spaces of a seat with certain place tiles, prepared for fast checks.

    ``order``: the index of each space, by place and space id. ``index_of``: the same by bit. ``is_in_bit_order``: the
    bits have the same order as the indexes. ``market_spaces``: additional spaces on the market. ``extra_draw``: the
    first place with an extra draw in phase 3. The other fields are masks: ``mask`` has all spaces; ``fits`` has those
    on which a follower may be placed in planning, by follower; ``storage`` has those that extend the market,
    ``technology`` those that can take a technology tile, and ``farmer`` those of ``technology`` that require a farmer.
    """

    places: tuple[Place, ...]
    order: dict[tuple[str, str], int]
    index_of: dict[int, int]
    is_in_bit_order: bool
    mask: int
    fits: dict[str, int]
    storage: int
    technology: int
    farmer: int
    market_spaces: int
    extra_draw: Place | None


def character(follower: str) -> str:
    """Return the character of a follower, neutral or marked."""
    return follower.removeprefix(OWN)


def is_marked(follower: str) -> bool:
    """Return whether a follower has the colour of its seat."""
    return follower.startswith(OWN)


P = TypeVar("P", bound=Place)


class FollowersData:
    """The data of one edition with chosen readings and options, for the family's rules."""

    readings: FollowersReadings
    options: FollowersOptions
    market_size: int
    """Number of followers that the market of a seat holds."""
    followers: tuple[str, ...]
    """All follower ids, neutral and marked."""
    board_places: tuple[str, ...]
    """The places on every player board."""
    places: Mapping[str, Place]
    """All places, those of the player board first."""
    deeds: Mapping[str, Deed]

    def __init__(self) -> None:
        self.space: dict[tuple[str, str], Space] = {}
        self.space_at: dict[int, Space] = {}
        self._spaces_for: dict[str, int] = {}  # masks of the spaces of all places, by accepted character
        self._indexes: dict[tuple[str, ...], SpaceIndex] = {}
        self.placements: dict[tuple[str, int], list[PlaceFollower]] = {}
        """The results of :meth:`make_placements`."""

    def read_places(self, tables: Mapping[str, dict[str, Any]], kind: type[P]) -> dict[str, P]:
        """Return the places in ``tables`` by id, as ``kind``, and index their spaces; raises ``ValueError``."""
        places: dict[str, P] = {}
        bit = 1
        for id, table in tables.items():
            spaces: list[Space] = []
            for requires in table["spaces"]:
                equal = sum(1 for space in spaces if space.requires == requires)
                first = requires.partition("|")[0]
                name = f"{first}_{equal + 1}" if equal else first
                commands = WithdrawFollower(id, name), TakeBackFollower(id, name)
                spaces.append(Space(name, id, requires, bit, *commands, first, f"{id}.{name}", f"{id}.{name}.placed"))
                bit <<= 1
            places[id] = read_entry(id, table, kind, id=id, spaces=spaces, mask=sum(space.bit for space in spaces))
            for space in spaces:
                self.space[space.key] = space
                self.space_at[space.bit] = space
                for accepted in space.characters:
                    self._spaces_for[accepted] = self._spaces_for.get(accepted, 0) | space.bit
        return places

    def space_index(self, tiles: tuple[str, ...]) -> SpaceIndex:
        """Return the spaces of a seat that owns these place tiles, in this order."""
        index = self._indexes.get(tiles)
        if index is None:
            index = self._indexes[tiles] = self._make_index(tiles)
        return index

    def _make_index(self, tiles: tuple[str, ...]) -> SpaceIndex:
        places = tuple(self.places[id] for id in (*self.board_places, *tiles))
        stands_for: dict[str, set[str]] = {}
        for place in places:
            for stand_in, characters in place.stands_for.items():
                stands_for.setdefault(stand_in, set()).update(characters)
        mask = sum(place.mask for place in places)
        storage = sum(place.mask for place in places if place.market_extension)
        neutral_only = sum(place.mask for place in places if place.neutral_only)
        fits: dict[str, int] = {}
        for follower in self.followers:
            fitting = -1 if follower == MONK else 0
            for accepted in (ANY, character(follower), *stands_for.get(character(follower), ())):
                fitting |= self._spaces_for.get(accepted, 0)
            fits[follower] = fitting & mask & ~storage & (~neutral_only if is_marked(follower) else -1)
        spaces = [space for place in places for space in place.spaces]
        technology = [space for place in places if self.takes_technology(place) for space in place.spaces]
        technology = [space for space in technology if space.requires != MONK]
        return SpaceIndex(
            places=places,
            order={space.key: at for at, space in enumerate(spaces)},
            index_of={space.bit: at for at, space in enumerate(spaces)},
            is_in_bit_order=spaces == sorted(spaces, key=lambda space: space.bit),
            mask=mask,
            fits=fits,
            storage=storage,
            technology=sum(space.bit for space in technology),
            farmer=sum(space.bit for space in technology if FARMER in space.characters),
            market_spaces=sum(place.market_spaces for place in places),
            extra_draw=next((place for place in places if place.extra_draw), None),
        )

    @property
    def takes_back_after_drawing(self) -> bool:
        """True if a seat may take followers back after drawing: ``taking_back_time`` is ``before_or_after``."""
        return self.readings.taking_back_time == "before_or_after"

    def takes_technology(self, place: Place) -> bool:
        """Return whether a place can take a technology tile: it has several spaces, and all must be filled.

        If the reading ``technology_on_open_spaces`` is ``open``, also a place that fewer followers activate.
        """
        open_too = self.readings.technology_on_open_spaces == "open"
        return len(place.spaces) > 1 and (open_too or not place.filled_at_least)

    def make_placements(self, follower: str, mask: int) -> list[PlaceFollower]:
        """Make, store and return the commands that place a follower from the market on each space of a mask."""
        if len(self.placements) > 20_000:
            self.placements.clear()
        commands: list[PlaceFollower] = []
        left = mask
        while left:
            bit = left & -left
            left ^= bit
            space = self.space_at[bit]
            commands.append(PlaceFollower(follower, space.place, space.id))
        self.placements[follower, mask] = commands  # complete: other threads may read it now
        return commands
