"""The data of one edition with chosen readings and options, as the rules need it.

Rules never check which edition a game has: they use :class:`Data`. It never changes; all games with the same edition,
readings and options share it.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from boardkeeper.families.followers import data as family
from boardkeeper.families.followers.data import COINS, OWN, FollowersData
from boardkeeper.families.followers.readings import FollowersOptions, FollowersReadings
from boardkeeper.table.decoding import convert
from boardkeeper.titlekit.choices import chosen_type, data_reader
from boardkeeper.titles.orleans import variants
from boardkeeper.titles.orleans.meta import META, tables_of

CHARACTERS = ("farmer", "boatman", "craftsman", "trader", "knight", "scholar", "monk")
GOODS = ("grain", "cheese", "wine", "wool", "brocade")
TRACKS = ("farmers", "boatmen", "craftsmen", "traders", "knights", "scholars")
STATION = "station"
DEVELOPMENT = "development"
"""The reward that a sender can choose instead of :data:`COINS`, at the Canalization."""


Readings = chosen_type("Readings", META.readings, FollowersReadings)
Options = chosen_type("Options", META.options, FollowersOptions)


class Place(family.Place, frozen=True, kw_only=True):
    """A place of the player board or a place tile.

    ``category``: the category of a place tile, ``1`` or ``2``. ``travel``: ``road`` or ``water`` if the merchant
    travels; ``collects``: it must take a good. ``recruit``: the characters to choose from. ``development_for_coins``:
    the maximum number of coins to pay for development points. The other fields are the rewards of the action.
    """

    category: str = ""
    travel: str = ""
    collects: bool = False
    build_station: bool = False
    recruit: tuple[str, ...] = ()
    good: str = ""
    coins: int = 0
    coins_per_status: int = 0
    coins_per_station: int = 0
    development: int = 0
    technology: int = 0
    development_for_coins: int = 0

    @property
    def verb(self) -> str:
        """The kind of action: the name of a module in ``phases/verbs``, here or in the family."""
        if self.recruit:
            return "recruit"
        if self.travel:
            return "travel"
        if self.build_station:
            return "station"
        if self.development_for_coins:
            return "pharmacy"
        return super().verb or "gain"

    @property
    def only_development(self) -> bool:
        """True if its action only advances the seat on the development track."""
        gives_more = self.coins or self.coins_per_status or self.coins_per_station or self.good or self.technology
        return bool(self.development or self.development_for_coins) and not gives_more


class Route(Struct, frozen=True):
    """A way that begins in a town, and the town at its other end."""

    way: str
    town: str


class Way(Struct, frozen=True):
    """A road or waterway. ``spaces`` has the printed mark of each goods space (see :attr:`Supply.empty_way_marks`)."""

    id: str
    towns: tuple[str, str]
    kind: str
    spaces: tuple[int, ...]


class Deed(family.Deed, frozen=True, kw_only=True):
    """A beneficial deed. Each follower sent to it gives ``coins``, or ``development`` if the sender chooses it."""

    coins: int
    development: int

    @property
    def rewards(self) -> tuple[str, ...]:
        """Coins, and development points if the deed offers a choice."""
        return (COINS, DEVELOPMENT) if self.development else (COINS,)


class Supply(Struct, frozen=True):
    """The setup for one number of players. Goods spaces with a mark in ``empty_way_marks`` get no goods."""

    followers: dict[str, int]
    technology: int
    goods_removed: int
    empty_way_marks: tuple[int, ...]


class Data(FollowersData):
    """The data of one edition with chosen readings and options."""

    places: dict[str, Place]
    deeds: dict[str, Deed]

    def __init__(self, tables: dict[str, Any], readings: FollowersReadings, options: FollowersOptions) -> None:
        super().__init__()
        self.readings = readings
        self.options = options
        tables = variants.apply_options(tables, options)
        game = tables["game"]
        self.rounds: int = game["rounds"]
        self.market_size = tables["market"]["spaces"]
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
        self.players: tuple[int, ...] = tuple(tables["edition"]["players"])
        self.supplies = {players: _supply(tables["supply"][str(players)]) for players in self.players}
        self.towns: tuple[str, ...] = tuple(tables["map"]["towns"])
        self.ways = tuple(
            Way(id, (way["towns"][0], way["towns"][1]), way["kind"], tuple(way["spaces"]))
            for id, way in tables["map"]["ways"].items()
        )
        self.routes = {kind: _routes(self.towns, self.ways, kind) for kind in ("road", "water")}
        self._read_tracks(tables)
        self._read_development(tables["development"])
        self.deeds = {id: convert({"id": id, **deed}, Deed) for id, deed in tables["deeds"].items()}
        self.places = self.read_places({**tables["places"], **tables["place_tiles"]}, Place)
        self.board_places = tuple(tables["places"])
        self.place_tiles: tuple[str, ...] = tuple(tables["place_tiles"])
        hour_glass = tables["hour_glass"]
        self.piles: dict[str, tuple[str, ...]] = {pile: tuple(events) for pile, events in hour_glass["piles"].items()}
        self.strengths: dict[str, dict[str, int]] = hour_glass["strengths"]
        self.negative_events = frozenset(id for id, event in hour_glass["events"].items() if event["negative"])
        self.coins_per_food: int = hour_glass["events"]["harvest"]["coins_per_missing"]
        self.followers = (*CHARACTERS, *(OWN + follower for follower in self.start_followers))

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

    def draw_limit(self, knights: int) -> int:
        """Return the draw limit at a position of the knights track."""
        return self.knights_draw[knights]


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


data_for = data_reader(META, Readings, Options, lambda edition, *chosen: Data(tables_of(edition), *chosen))
"""Return the data for a :class:`Setup`; raises ``ValueError`` for an unknown edition, reading or choice."""
