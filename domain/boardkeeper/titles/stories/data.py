"""The tables of one story under one data set, made ready for the rules.

Rules ask this object, never an edition or a data set by its name: what a story does not have is empty here. Everything
is constant for a game; it is built once for each edition and choice and shared by all its games.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from boardkeeper.families.followers import data as family
from boardkeeper.families.followers.data import FollowersData
from boardkeeper.families.followers.readings import FollowersReadings
from boardkeeper.table.choices_file import chosen
from boardkeeper.table.decoding import convert
from boardkeeper.table.title import Setup
from boardkeeper.titles.stories.chosen import Options, Readings
from boardkeeper.titles.stories.meta import META
from boardkeeper.titles.stories.tables import tables_of

CHARACTERS = ("farmer", "fisherman", "craftsman", "trader", "knight", "scholar", "monk")
GOODS = ("grain", "fish", "cheese", "wood", "wine", "bread", "brocade")
CATEGORIES = ("I", "II", "III")
KNIGHT = "knight"
WOOD = "wood"
SETTLER = "settler"
FORTRESS = "fortress"
CHURCH = "church"
VILLAGE = "village"
START_VILLAGE = "start_village"
NOBODY = 0
MANOR = "manor_farm"
NATION = "nation"

Effect = Mapping[str, Any]
"""What a card, tile, era or event does: a word of the closed list each, with its number or target."""


class Gain(Struct, frozen=True):
    """One of several followers between which a place leaves the choice, and what comes with it."""

    recruit: str
    good: str = ""
    coins: int = 0


class Place(family.Place, frozen=True, kw_only=True):
    """A place of the player board, a base place card or a place card: its spaces and what it gives.

    ``produce``: goods of ``areas``, or of ``one_landscape``. ``conquest_strength`` stands for knights, though never
    against villages. ``coins_per_follower`` counts different followers; from ``fame_from`` on there is ``fame_bonus``.
    """

    category: str = ""
    recruit: str = ""
    choose: tuple[Gain, ...] = ()
    good: str = ""
    coins: int = 0
    fame: int = 0
    technology: int = 0
    produce: str = ""
    trades: bool = False
    territory: int = 0
    conquest_strength: int = 0
    build: str = ""
    take_place_card: bool = False
    convert_coins: int = 0
    exchange_from: str = ""
    exchange_to: str = ""
    exchange_most: int = 0
    coins_per_village: int = 0
    coins_per_follower: int = 0
    fame_from: int = 0
    fame_bonus: int = 0
    fame_on_build: int = 0

    @property
    def verb(self) -> str:
        """The kind of action it is: the name of a module in ``phases/verbs``, here or in the family."""
        if self.choose:
            return "choose"
        if self.produce:
            return "produce"
        if self.trades:
            return "market"
        if self.territory:
            return "territory"
        if self.build:
            return "build"
        if self.take_place_card:
            return "construction"
        if self.convert_coins:
            return "convert"
        return super().verb or ("exchange" if self.exchange_from else "gain")


class Deed(family.Deed, frozen=True, kw_only=True):
    """A beneficial deed: which followers it takes, and what each of them brings at once."""

    coins: dict[str, int]
    fame: dict[str, int]


class Era(Struct, frozen=True):
    """An era: how many followers are drawn, which cards may be taken, what the round ends with.

    ``malus`` comes instead of ``bonus`` until the deed ``malus_until_deed`` is complete. ``build_fame``: what building
    brings, by what is built.
    """

    draw: int
    categories: tuple[str, ...]
    bonus: dict[str, Any] = {}
    malus: dict[str, Any] = {}
    malus_until_deed: str = ""
    peace: bool = False
    build_fame: dict[str, int] = {}


class Cell(Struct, frozen=True):
    """A space of the map."""

    id: str
    side: str
    neighbours: tuple[str, ...]


class Mission(Struct, frozen=True):
    """What a nation has to control at least, by landscape or part of the map, and which goods it has to give up."""

    areas: dict[str, int]
    goods: dict[str, int]


class BonusTile(Struct, frozen=True):
    """What a round brings to who is on the era where the tile lies; one of them takes."""

    effect: dict[str, Any]
    malus: bool = False


class Event(Struct, frozen=True):
    """An event card: its pile and what it does."""

    letter: str
    effect: dict[str, Any]


class Data(FollowersData):
    """All tables of one story under one choice of readings and options."""

    places: dict[str, Place]
    deeds: dict[str, Deed]

    def __init__(self, tables: dict[str, Any], readings: Readings, options: Options) -> None:
        super().__init__()
        self.chosen = readings
        self.options = options
        self.readings = _family_readings(readings)
        game = tables["game"]
        self.players: tuple[int, ...] = tuple(tables["edition"]["players"])
        self.rounds: int = game["rounds"]
        self.market_size = game["market_size"]
        self.start_coins: int = game["start_coins"]
        self.start_goods: tuple[str, ...] = tuple(game["start_goods"])
        self.start_followers: tuple[str, ...] = tuple(game["start_followers"])
        self.start_fame: int = game["start_fame"]
        self.settlers: int = tables["pieces"][SETTLER]["each_seat"]
        self.fortresses: int = tables["pieces"][FORTRESS]["each_seat"]
        self.start_settlers: int = tables["start_settlers"]["supply"]
        self.start_fortresses: dict[int, int] = {
            players: tables["start_fortresses"][str(players)]["supply"] for players in self.players
        }
        self.fame_length: int = game["fame_length"]
        self.fame_bonuses: tuple[int, ...] = tuple(tables["fame"]["bonus_spaces"])
        self.points: dict[str, int] = tables["scoring"]
        self.deed_citizens: int = tables.get("deed_completion", {}).get("citizens", 0)
        deck = tables.get("event_deck", {"letters": (), "each": 0})
        self.event_letters: tuple[str, ...] = tuple(deck["letters"])
        self.events_each: int = deck["each"]
        self.knights_for_area: int = tables["expansion"]["knights_for_area"]
        self.knights_for_village: int = tables["expansion"]["knights_for_village"]
        self.colors: tuple[str, ...] = tuple(color["id"] for color in tables["seat_colors"].values())
        self.start_village_tiles: int = tables.get("start_villages", {}).get("tiles", 0)
        self.good_values: dict[str, int] = {good: tables["goods"][good]["value"] for good in GOODS}
        self.food: tuple[str, ...] = tuple(good for good in GOODS if tables["goods"][good]["food"])
        self.landscape_goods: dict[str, str] = {id: each["good"] for id, each in tables["landscapes"].items()}
        self.landscape_tiles: dict[str, int] = {id: each["tiles"] for id, each in tables["landscapes"].items()}
        self.supplies: dict[int, dict[str, int]] = {
            players: {id: count for id, count in tables["supply"][str(players)].items() if id != "provenance"}
            for players in self.players
        }
        self.churches: int = tables["pieces"][CHURCH]["in_box"]
        self.building: dict[str, int] = {id: each["wood"] for id, each in tables["building"].items()}
        self.eras = {int(id): convert(_fields(era, Era), Era) for id, era in tables["eras"].items()}
        self.events = {id: convert(_fields(event, Event), Event) for id, event in tables.get("events", {}).items()}
        self._read_nations(tables)
        self.deeds = {id: convert({"id": id, **_fields(deed, Deed)}, Deed) for id, deed in tables["deeds"].items()}
        self.followers = CHARACTERS
        self._read_places(tables)
        self._map: dict[str, Any] = tables["map"]
        blocked = readings.loire_adjacency == "blocks"
        self._cells = {players: _cells(self._map, players, blocked=blocked) for players in self.players}

    def _read_nations(self, tables: Mapping[str, Any]) -> None:
        """What is there where teams play: nothing of it in other stories."""
        self.fame_tiles: dict[int, Effect] = {
            int(space): tile["effect"] for space, tile in tables.get("fame_tiles", {}).items()
        }
        self.offered_tiles = frozenset(
            int(space) for space, tile in tables.get("fame_tiles", {}).items() if "may" in tile
        )
        tiles = tables.get("bonus_tiles", {})
        self.bonus_tiles = {id: convert(_fields(tile, BonusTile), BonusTile) for id, tile in tiles.items()}
        missions = tables.get("missions", {})
        self.missions = {id: convert(_fields(each, Mission), Mission) for id, each in missions.items()}
        self.messages: dict[str, str] = {id: each["most"] for id, each in tables.get("messages", {}).items()}
        self.nations: dict[str, int] = {id: each["cards"] for id, each in tables.get("nations", {}).items()}
        self.messages_dealt: int = tables.get("secrets", {}).get("messages_dealt", 0)
        self.tortures: bool = "torture" in tables
        self.from_towns: bool = tables["expansion"]["from"] == "towns"
        self.each_town: int = tables["start_settlers"].get("each_town", 0)
        self.manor_tiles: int = tables.get(MANOR, {}).get("tiles", 0)
        self.manor_goods: tuple[str, ...] = tuple(tables.get(MANOR, {}).get("goods", ()))
        self.towns: dict[str, str] = {space: town for town, space in tables["map"].get("towns", {}).items()}
        self.edge: frozenset[str] = frozenset(tables["map"]["edge"])

    def _read_places(self, tables: Mapping[str, Any]) -> None:
        every = {**tables["places"], **tables["base_places"], **tables["place_cards"]}
        rooms = {id: {**table, "market_spaces": table.get("green_spaces", 0)} for id, table in every.items()}
        self.places = self.read_places(rooms, Place)
        self.board_places = tuple(tables["places"])
        self.base_places: tuple[str, ...] = tuple(tables["base_places"])
        self.place_cards: tuple[str, ...] = tuple(tables["place_cards"])
        self.start_places: tuple[str, ...] = tuple(tables["game"]["start_base_places"])

    # --- questions of the rules --------------------------------------------------------------------------

    def cells(self, players: int) -> dict[str, Cell]:
        """The spaces that so many players use, by id, with the spaces beside each."""
        return self._cells[players]

    def start_villages(self, players: int) -> tuple[str, ...]:
        """Where the seats begin, in their order; empty where nobody owns a village at first."""
        return tuple(self._map["players"][str(players)].get("start_villages", ()))


def _family_readings(readings: Readings) -> FollowersReadings:
    """What the family asks, where this title leaves something open or differs from the family's defaults."""
    return FollowersReadings(
        draw_amount=readings.draw_amount,
        taking_back=readings.taking_back,
        taking_back_time=readings.taking_back_time,
        technology_window="after_passing_and_planning",
        technology_on_open_spaces=readings.technology_on_open_spaces,
        technology_on_occupied=readings.technology_on_occupied,
        bathhouse_short_bag=readings.bathhouse_short_bag,
        bathhouse_activator=readings.bathhouse_activator,
        bathhouse_town_hall=readings.bathhouse_town_hall,
        sacristy_use=readings.sacristy_use,
        torture_nothing_left="carried" if readings.torture_empty == "debt_stays" else "lapses",
    )


def _fields(table: Mapping[str, Any], kind: type[Struct]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key in kind.__struct_fields__}


def _cells(table: Mapping[str, Any], players: int, *, blocked: bool) -> dict[str, Cell]:
    """Flat-topped hexes: in one column two half heights apart, in the next one."""
    used = table["players"][str(players)]["spaces"]
    spaces = {id: table["spaces"][id] for id in used}

    def beside(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
        columns, heights = abs(one["column"] - other["column"]), abs(one["y"] - other["y"])
        return (columns, heights) in ((0, 2), (1, 1)) and not (blocked and one["side"] != other["side"])

    return {
        id: Cell(id, space["side"], tuple(other for other in spaces if beside(space, spaces[other])))
        for id, space in spaces.items()
    }


@lru_cache(maxsize=64)
def _data(edition: str, readings: Readings, options: Options) -> Data:
    return Data(tables_of(edition, options.data_set), readings, options)


def data_for(setup: Setup) -> Data:
    """The tables for a game; raises ``ValueError`` for an unknown edition, reading or choice."""
    return _data(setup.edition, *chosen(META, setup, Readings, Options))
