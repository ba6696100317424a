"""What the family's rules ask of a title's tables: places and their spaces, deeds, and what fits where."""

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
"""Prefix of a follower marked in its seat's colour; such followers never leave their seat."""

COINS = "coins"
"""What a follower that is sent to a deed brings, unless the deed leaves a choice."""


class Space(Struct, frozen=True):
    """One action space: its id within the place, the character it asks for (or ``any``) and its bit in masks.

    A space that takes either of two characters asks for ``farmer|knight``, and ``symbol`` is the first of them.
    ``zone`` and ``placed`` are the ids of its zone and marker in the part of its owner. The commands that name nothing
    but a space are made once for all games.
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
        """How commands name the space: place and space."""
        return (self.place, self.id)

    @property
    def characters(self) -> tuple[str, ...]:
        """The characters that may stand here, ``any`` if all may."""
        return tuple(self.requires.split("|"))


class Place(Struct, frozen=True, kw_only=True):
    """A place that a seat owns, with its spaces and what the family knows that places do; a title adds its own.

    ``mask`` is the bits of all its spaces.
    ``filled_at_least`` followers activate it (0: all spaces have to be filled). ``market_extension``: followers stored
    on it in phase 3 can be planned from it. ``market_spaces``: so many more followers find room on the market.
    ``stands_for``: which characters a follower replaces for its owner.
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
        """The kind of action it is: the name of a module in ``phases/verbs``, empty for none of the family's."""
        if self.send_to_deeds:
            return "deeds"
        return "bathhouse" if self.bathhouse else ""


class Deed(Struct, frozen=True, kw_only=True):
    """A beneficial deed: how many followers of which exact characters it takes."""

    id: str
    spaces: dict[str, int]

    @property
    def rewards(self) -> tuple[str, ...]:
        """What the sender may choose between."""
        return (COINS,)


class SpaceIndex(Struct, frozen=True):
    """What a set of place tiles makes of a seat's spaces.

    ``order`` says of each space, as commands name it, which one it is. ``fits`` maps a follower to the spaces that it
    may be placed on in planning, ``technology`` is the spaces that can ever take a technology tile and ``farmer`` those
    of them that ask for a farmer, all as masks. ``market_spaces`` is how many more followers the market takes.
    """

    places: tuple[Place, ...]
    order: dict[tuple[str, str], int]
    fits: dict[str, int]
    storage: int
    technology: int
    farmer: int
    market_spaces: int


def character(follower: str) -> str:
    """The character of a follower, whether neutral or marked."""
    return follower.removeprefix(OWN)


def is_marked(follower: str) -> bool:
    """Whether a follower carries its seat's colour."""
    return follower.startswith(OWN)


P = TypeVar("P", bound=Place)


class FollowersData:
    """The tables of one edition under one choice of readings, as far as the family's rules ask for them."""

    readings: FollowersReadings
    options: FollowersOptions
    market_size: int
    """How many followers a seat's market holds."""
    followers: tuple[str, ...]
    """Every follower there is, neutral or marked."""
    board_places: tuple[str, ...]
    """The places that every seat owns."""
    places: Mapping[str, Place]
    """All places, those of the player board first."""
    deeds: Mapping[str, Deed]

    def __init__(self) -> None:
        self.space: dict[tuple[str, str], Space] = {}
        self.space_at: dict[int, Space] = {}
        self._indexes: dict[tuple[str, ...], SpaceIndex] = {}
        self._placements: dict[tuple[str, int], list[PlaceFollower]] = {}

    def read_places(self, tables: Mapping[str, dict[str, Any]], kind: type[P]) -> dict[str, P]:
        """Read places from their tables by id, with their spaces; raises ``ValueError`` for a table that is wrong."""
        places: dict[str, P] = {}
        bit = 1
        for id, table in tables.items():
            spaces: list[Space] = []
            for requires in table["spaces"]:
                double = sum(1 for space in spaces if space.requires == requires)
                first = requires.partition("|")[0]
                name = f"{first}_{double + 1}" if double else first
                commands = WithdrawFollower(id, name), TakeBackFollower(id, name)
                spaces.append(Space(name, id, requires, bit, *commands, first, f"{id}.{name}", f"{id}.{name}.placed"))
                bit <<= 1
            places[id] = read_entry(id, table, kind, id=id, spaces=spaces, mask=sum(space.bit for space in spaces))
            for space in spaces:
                self.space[space.key] = space
                self.space_at[space.bit] = space
        return places

    def space_index(self, tiles: tuple[str, ...]) -> SpaceIndex:
        """What a seat can use that owns these place tiles, in this order."""
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
        fits = dict.fromkeys(self.followers, 0)
        for follower in self.followers:
            fitting = {ANY, character(follower), *stands_for.get(character(follower), ())}
            for place in places:
                if place.market_extension or (place.neutral_only and is_marked(follower)):
                    continue
                for space in place.spaces:
                    if follower == MONK or not fitting.isdisjoint(space.characters):
                        fits[follower] |= space.bit
        technology = [space for place in places if self.takes_technology(place) for space in place.spaces]
        technology = [space for space in technology if space.requires != MONK]
        return SpaceIndex(
            places=places,
            order={space.key: at for at, space in enumerate(space for place in places for space in place.spaces)},
            fits=fits,
            storage=sum(place.mask for place in places if place.market_extension),
            technology=sum(space.bit for space in technology),
            farmer=sum(space.bit for space in technology if FARMER in space.characters),
            market_spaces=sum(place.market_spaces for place in places),
        )

    @property
    def takes_back_after_drawing(self) -> bool:
        """Whether a seat that has drawn may still take followers back (reading ``taking_back_time``)."""
        return self.readings.taking_back_time == "before_or_after"

    def takes_technology(self, place: Place) -> bool:
        """Whether a technology tile may ever lie on the place: at least two spaces, and all of them required.

        Under the reading ``technology_on_open_spaces`` = ``open`` also where one follower is enough.
        """
        open_too = self.readings.technology_on_open_spaces == "open"
        return len(place.spaces) > 1 and (open_too or not place.filled_at_least)

    def placements(self, follower: str, mask: int) -> list[PlaceFollower]:
        """The commands that place a follower from the market on each space of a mask."""
        key = (follower, mask)
        commands = self._placements.get(key)
        if commands is None:
            if len(self._placements) > 20_000:
                self._placements.clear()
            spaces = [space for bit, space in self.space_at.items() if bit & mask]
            commands = self._placements[key] = [PlaceFollower(follower, space.place, space.id) for space in spaces]
        return commands
