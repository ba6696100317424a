"""The tables of one edition, read from ``components.toml`` and made ready for the rules.

Rules ask this object, never an edition by name. Everything here is constant for a game; it is built once for each
edition and choice of readings and shared by all its games.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from msgspec import Struct

from boardkeeper.table.choices_file import chosen
from boardkeeper.table.decoding import convert
from boardkeeper.table.title import Setup
from boardkeeper.titles.orleans import variants
from boardkeeper.titles.orleans.commands import PlaceFollower, TakeBackFollower, WithdrawFollower
from boardkeeper.titles.orleans.meta import META
from boardkeeper.titles.orleans.tables import tables_of

CHARACTERS = ("farmer", "boatman", "craftsman", "trader", "knight", "scholar", "monk")
GOODS = ("grain", "cheese", "wine", "wool", "brocade")
TRACKS = ("farmers", "boatmen", "craftsmen", "traders", "knights", "scholars")
TECHNOLOGY = "technology"
CITIZEN = "citizen"
STATION = "station"
MONK = "monk"
FARMER = "farmer"
ANY = "any"
OWN = "own_"
"""Prefix of a follower marked in its seat's colour; such followers never leave their seat."""


class Readings(Struct, frozen=True):
    """How open rules are read; each field is a named reading, each value one of its choices.

    See ``meta.py`` for what the choices mean. The values here are the defaults.
    """

    first_technology: str = "first_placed"
    draw_amount: str = "up_to"
    technology_window: str = "after_passing"
    technology_on_open_spaces: str = "closed"
    technology_on_occupied: str = "free_only"
    bathhouse_short_bag: str = "draws_fewer"
    bathhouse_activator: str = "after_draw"
    bathhouse_town_hall: str = "allowed"
    bathhouse_tower: str = "forbidden"
    sacristy_use: str = "choice"
    sacristy_scope: str = "negative_events"
    harvest_short_of_coins: str = "food_first"
    event_order: str = "clockwise"
    torture_from_coin_space: str = "open"
    torture_status: str = "follows_marker"
    torture_place_followers: str = "to_bag"
    torture_nothing_left: str = "lapses"
    taking_back: str = "allowed_draws"
    horse_wagon_good: str = "may"
    development_end: str = "points_lost"
    taking_back_time: str = "before_or_after"


class Options(Struct, frozen=True):
    """What a game is played with, chosen when it is created; the values here are the defaults.

    ``hour_glass_split`` and ``bathhouse_space`` settle component facts that are only reconstructed: which pile lacks
    the pilgrimage that opens the game, and what the Bathhouse's space asks for.
    """

    planning: str = "open"
    hour_glass: str = "graded"
    hour_glass_split: str = "a"
    bathhouse: str = "action"
    bathhouse_space: str = "any"


class Space(Struct, frozen=True):
    """One action space: its id within the place, the character it asks for (or ``any``) and its bit in masks.

    The commands that name nothing but a space are made once for all games.
    """

    id: str
    place: str
    requires: str
    bit: int
    withdraw: WithdrawFollower
    take_back: TakeBackFollower

    @property
    def key(self) -> tuple[str, str]:
        """How commands name the space: place and space."""
        return (self.place, self.id)


class Place(Struct, frozen=True, kw_only=True):
    """A place of the player board or a place tile: its spaces and, as verbs with values, what it gives."""

    id: str
    spaces: tuple[Space, ...] = ()
    category: str = ""
    filled_at_least: int = 0
    neutral_only: bool = False
    travel: str = ""
    collects: bool = False
    build_station: bool = False
    recruit: tuple[str, ...] = ()
    send_to_deeds: int = 0
    good: str = ""
    coins: int = 0
    coins_per_status: int = 0
    coins_per_station: int = 0
    development: int = 0
    technology: int = 0
    development_for_coins: int = 0
    bathhouse: int = 0
    extra_draw: int = 0
    cancels_event: bool = False
    market_extension: int = 0
    stands_for: dict[str, tuple[str, ...]] = {}

    @property
    def verb(self) -> str:
        """The kind of action it is: the name of a module in ``phases/verbs``."""
        if self.recruit:
            return "recruit"
        if self.travel:
            return "travel"
        if self.build_station:
            return "station"
        if self.send_to_deeds:
            return "deeds"
        if self.development_for_coins:
            return "pharmacy"
        return "bathhouse" if self.bathhouse else "gain"

    @property
    def only_development(self) -> bool:
        """Whether its action does nothing but advance its seat on the development track."""
        gives_more = self.coins or self.coins_per_status or self.coins_per_station or self.good or self.technology
        return bool(self.development or self.development_for_coins) and not gives_more

    @property
    def mask(self) -> int:
        """The bits of all its spaces."""
        return sum(space.bit for space in self.spaces)


class Route(Struct, frozen=True):
    """One way out of a town."""

    way: str
    town: str


class Way(Struct, frozen=True):
    """A road or waterway with its goods spaces (0: always filled, 3 or 4: empty below that many players)."""

    id: str
    towns: tuple[str, str]
    kind: str
    spaces: tuple[int, ...]


class Deed(Struct, frozen=True):
    """A beneficial deed: the exact characters it takes and the reward for each."""

    id: str
    coins: int
    development: int
    spaces: dict[str, int]


class Supply(Struct, frozen=True):
    """What lies out with some number of players."""

    followers: dict[str, int]
    technology: int
    goods_removed: int
    empty_way_marks: tuple[int, ...]


class Hand(Struct, frozen=True):
    """What a set of place tiles makes of a seat's spaces.

    ``fits`` maps a follower to the spaces that it may be placed on in planning, ``technology`` is the spaces that
    can ever take a technology tile and ``farmer`` those of them that ask for a farmer, all as masks.
    """

    places: tuple[Place, ...]
    fits: dict[str, int]
    storage: int
    technology: int
    farmer: int


def character(follower: str) -> str:
    """The character of a follower, whether neutral or marked."""
    return follower.removeprefix(OWN)


def is_marked(follower: str) -> bool:
    """Whether a follower carries its seat's colour."""
    return follower.startswith(OWN)


class Data:
    """All tables of one edition under one choice of readings."""

    def __init__(self, tables: dict[str, Any], readings: Readings, options: Options) -> None:
        self.readings = readings
        self.options = options
        tables = variants.applied(tables, options)
        game = tables["game"]
        self.rounds: int = game["rounds"]
        self.market_size: int = tables["market"]["spaces"]
        self.start_coins: int = game["start_coins"]
        self.stations: int = game["trading_stations"]
        self.start_town: str = game["start_town"]
        self.shared_station_town: str = game["shared_station_town"]
        self.start_draw: int = game["start_draw"]
        self.start_followers: tuple[str, ...] = tuple(game["start_followers"])
        self.colors: tuple[str, ...] = tuple(color["id"] for color in tables["seat_colors"].values())
        self.good_tiles: dict[str, int] = {good: tables["goods"][good]["tiles"] for good in GOODS}
        self.good_points: dict[str, int] = {good: tables["goods"][good]["points"] for good in GOODS}
        self.food: tuple[str, ...] = tuple(good for good in GOODS if tables["goods"][good]["food"])
        self.supplies = {players: _supply(tables["supply"][str(players)]) for players in tables["edition"]["players"]}
        self.towns: tuple[str, ...] = tuple(tables["map"]["towns"])
        self.ways = tuple(
            Way(id, (way["towns"][0], way["towns"][1]), way["kind"], tuple(way["spaces"]))
            for id, way in tables["map"]["ways"].items()
        )
        self.routes = {kind: _routes(self.towns, self.ways, kind) for kind in ("road", "water")}
        self._read_tracks(tables)
        self._read_development(tables["development"])
        self.deeds = {id: convert({"id": id, **deed}, Deed) for id, deed in tables["deeds"].items()}
        self._read_places(tables)
        hour_glass = tables["hour_glass"]
        self.piles: dict[str, tuple[str, ...]] = {pile: tuple(events) for pile, events in hour_glass["piles"].items()}
        self.strengths: dict[str, dict[str, int]] = hour_glass["strengths"]
        self.negative_events = frozenset(id for id, event in hour_glass["events"].items() if event["negative"])
        self.coins_per_food: int = hour_glass["events"]["harvest"]["coins_per_missing"]
        self.followers: tuple[str, ...] = (
            *CHARACTERS,
            *(OWN + follower for follower in self.start_followers),
        )
        self._hands: dict[tuple[str, ...], Hand] = {}
        self._placements: dict[tuple[str, int], list[PlaceFollower]] = {}

    # --- reading the tables ------------------------------------------------------------------------------

    def _read_tracks(self, tables: dict[str, Any]) -> None:
        tracks = tables["tracks"]
        self.farmers_goods: tuple[str, ...] = tuple(tracks["farmers"]["goods"])
        self.boatmen_coins: tuple[int, ...] = tuple(tracks["boatmen"]["coins"])
        self.knights_draw: tuple[int, ...] = (self.start_draw, *tracks["knights"]["draw"])
        self.scholars_development: tuple[int, ...] = tuple(tracks["scholars"]["development"])
        self.craftsmen_farmer_only: tuple[bool, ...] = tuple(tracks["craftsmen"]["farmer_only"])
        self.traders_tiles: tuple[tuple[str, ...], ...] = tuple(map(tuple, tracks["traders"]["place_tiles"]))
        self.track_of: dict[str, str] = {
            id: entry["track"] for id, entry in tables["characters"].items() if entry["track"]
        }
        kinds = {"farmers": "goods", "boatmen": "coins", "craftsmen": "technology"}
        kinds |= {"traders": "place_tiles", "knights": "draw", "scholars": "development"}
        self.track_length = {track: len(tracks[track][kind]) for track, kind in kinds.items()}
        self.track_citizens: dict[str, int] = {
            track: tracks[track]["citizen"] for track in TRACKS if "citizen" in tracks[track]
        }

    def _read_development(self, table: dict[str, Any]) -> None:
        self.last_development: int = table["last"]
        self.development_coins = {int(space): coins for space, coins in table["coins"].items()}
        self.development_citizens: tuple[int, ...] = tuple(table["citizens"])
        steps = sorted((int(space), status) for space, status in table["status"].items())
        self.status_at: tuple[int, ...] = tuple(
            max(status for space, status in steps if space <= position) for position in range(self.last_development + 1)
        )

    def _read_places(self, tables: dict[str, Any]) -> None:
        self.places: dict[str, Place] = {}
        self.space: dict[tuple[str, str], Space] = {}
        bit = 1
        for id, table in (*tables["places"].items(), *tables["place_tiles"].items()):
            spaces: list[Space] = []
            for requires in table["spaces"]:
                double = sum(1 for space in spaces if space.requires == requires)
                name = f"{requires}_{double + 1}" if double else requires
                spaces.append(Space(name, id, requires, bit, WithdrawFollower(id, name), TakeBackFollower(id, name)))
                bit <<= 1
            fields = {key: value for key, value in table.items() if key in Place.__struct_fields__}
            place = convert({**fields, "id": id, "spaces": spaces}, Place)
            self.places[id] = place
            for space in spaces:
                self.space[space.key] = space
        self.space_at: dict[int, Space] = {space.bit: space for space in self.space.values()}
        self.board_places: tuple[str, ...] = tuple(tables["places"])
        self.place_tiles: tuple[str, ...] = tuple(tables["place_tiles"])

    # --- questions of the rules --------------------------------------------------------------------------

    def hand(self, tiles: tuple[str, ...]) -> Hand:
        """What a seat can use that owns these place tiles, in this order."""
        hand = self._hands.get(tiles)
        if hand is None:
            hand = self._hands[tiles] = self._make_hand(tiles)
        return hand

    def _make_hand(self, tiles: tuple[str, ...]) -> Hand:
        places = tuple(self.places[id] for id in (*self.board_places, *tiles))
        stands_for: dict[str, set[str]] = {}
        for place in places:
            for stand_in, characters in place.stands_for.items():
                stands_for.setdefault(stand_in, set()).update(characters)
        fits = dict.fromkeys(self.followers, 0)
        for follower in self.followers:
            wild = stands_for.get(character(follower), ())
            for place in places:
                if place.market_extension or (place.neutral_only and is_marked(follower)):
                    continue
                for space in place.spaces:
                    if space.requires in (ANY, character(follower)) or space.requires in wild or follower == MONK:
                        fits[follower] |= space.bit
        technology = [space for place in places if self.takes_technology(place) for space in place.spaces]
        technology = [space for space in technology if space.requires != MONK]
        return Hand(
            places=places,
            fits=fits,
            storage=sum(place.mask for place in places if place.market_extension),
            technology=sum(space.bit for space in technology),
            farmer=sum(space.bit for space in technology if space.requires == FARMER),
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

    def draw_limit(self, knights: int) -> int:
        """How many followers a seat may draw at that position of the knights track."""
        return self.knights_draw[knights]

    def status(self, development: int) -> int:
        """The development status at a position of the development track."""
        return self.status_at[development]


def _supply(table: dict[str, Any]) -> Supply:
    followers = {character: table[character] for character in CHARACTERS}
    return Supply(followers, table["technology"], table["goods_removed"], tuple(table["empty_way_marks"]))


def _routes(towns: tuple[str, ...], ways: tuple[Way, ...], kind: str) -> dict[str, tuple[Route, ...]]:
    routes: dict[str, list[Route]] = {town: [] for town in towns}
    for way in ways:
        if way.kind == kind:
            one, other = way.towns
            routes[one].append(Route(way.id, other))
            routes[other].append(Route(way.id, one))
    return {town: tuple(found) for town, found in routes.items()}


# --- editions --------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _data(edition: str, readings: Readings, options: Options) -> Data:
    return Data(tables_of(edition), readings, options)


def data_for(setup: Setup) -> Data:
    """The tables for a game; raises ``ValueError`` for an unknown edition, reading or choice."""
    return _data(setup.edition, *chosen(META, setup, Readings, Options))
