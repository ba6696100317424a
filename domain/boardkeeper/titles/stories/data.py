"""The data of one edition (a story) with a data set and chosen readings and options, as the rules need it.

Rules never check which edition or data set a game has: they use :class:`Data`, in which the tables that a story does
not have are empty. It never changes; all games with the same edition, readings and options share it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from boardkeeper.families.followers.data import FollowersData
from boardkeeper.families.followers.readings import FollowersOptions, FollowersReadings
from boardkeeper.titlekit.choices import Chosen, chosen_type, data_reader
from boardkeeper.titlekit.entries import read_entries
from boardkeeper.titles.stories import cards
from boardkeeper.titles.stories.meta import META
from boardkeeper.titles.stories.tables import tables_of

Readings = chosen_type("Readings", META.readings, Chosen)
Options = chosen_type("Options", META.options, FollowersOptions)

KNIGHT = "knight"
WOOD = "wood"
SETTLER = "settler"
FORTRESS = "fortress"
CHURCH = "church"
VILLAGE = "village"
START_VILLAGE = "start_village"
NO_SEAT = 0
MANOR = "manor_farm"
NATION = "nation"


class Data(FollowersData):
    """The data of one story with chosen readings and options.

    ``chosen`` has all readings; ``readings`` has those of the family.
    """

    places: dict[str, cards.Place]
    deeds: dict[str, cards.Deed]

    def __init__(self, tables: dict[str, Any], readings: Chosen, options: FollowersOptions) -> None:
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
        self.good_values: dict[str, int] = {good: tables["goods"][good]["value"] for good in cards.GOODS}
        self.food: tuple[str, ...] = tuple(good for good in cards.GOODS if tables["goods"][good]["food"])
        self.landscape_goods: dict[str, str] = {id: each["good"] for id, each in tables["landscapes"].items()}
        self.landscape_tiles: dict[str, int] = {id: each["tiles"] for id, each in tables["landscapes"].items()}
        self.supplies: dict[int, dict[str, int]] = {
            players: {id: count for id, count in tables["supply"][str(players)].items() if id != "provenance"}
            for players in self.players
        }
        self.churches: int = tables["pieces"][CHURCH]["in_box"]
        self.building: dict[str, int] = {id: each["wood"] for id, each in tables["building"].items()}
        self.eras = {int(id): era for id, era in read_entries("eras", tables["eras"], cards.Era).items()}
        self.events = read_entries("events", tables.get("events", {}), cards.Event)
        effects = {id: event.effect for id, event in self.events.items()}
        self.draw_modifiers: dict[str, int] = {id: effect.get("draw_modifier", 0) for id, effect in effects.items()}
        self.forbidden_placing: dict[str, str] = {
            id: str(effect.get("forbid_placing", "")) for id, effect in effects.items()
        }
        self._read_nations(tables)
        self.deeds = read_entries("deeds", tables["deeds"], cards.Deed)
        self.followers = cards.CHARACTERS
        self._read_places(tables)
        self._map: dict[str, Any] = tables["map"]
        blocked = readings.loire_adjacency == "blocks"
        spaces = read_entries("map.spaces", self._map["spaces"], cards.Space)
        used = {players: self._map["players"][str(players)]["spaces"] for players in self.players}
        self._cells = {
            players: cards.cells({id: spaces[id] for id in ids}, is_blocked=blocked) for players, ids in used.items()
        }

    def _read_nations(self, tables: Mapping[str, Any]) -> None:
        """Read the tables of stories with nations; they are empty in other stories."""
        self.fame_tiles: dict[int, cards.Effect] = {
            int(space): tile["effect"] for space, tile in tables.get("fame_tiles", {}).items()
        }
        ends = [space for space, effect in self.fame_tiles.items() if "end_game" in effect]
        self.end_fame: int | None = min(ends, default=None)
        self.offered_tiles = frozenset(
            int(space) for space, tile in tables.get("fame_tiles", {}).items() if "may" in tile
        )
        self.bonus_tiles = read_entries("bonus_tiles", tables.get("bonus_tiles", {}), cards.BonusTile)
        self.missions = read_entries("missions", tables.get("missions", {}), cards.Mission)
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
        self.places = self.read_places(every, cards.Place)
        self.board_places = tuple(tables["places"])
        self.base_places: tuple[str, ...] = tuple(tables["base_places"])
        self.place_cards: tuple[str, ...] = tuple(tables["place_cards"])
        self.start_places: tuple[str, ...] = tuple(tables["game"]["start_base_places"])

    def cells(self, players: int) -> dict[str, cards.Cell]:
        """Return the spaces of the map for a number of players, by id."""
        return self._cells[players]

    def start_villages(self, players: int) -> tuple[str, ...]:
        """Return the start village of each seat; empty in stories without start villages."""
        return tuple(self._map["players"][str(players)].get("start_villages", ()))


def _family_readings(readings: Chosen) -> FollowersReadings:
    """Return the family's readings: those of the title with the same name; others have another name or are fixed."""
    same = {name: getattr(readings, name) for name in FollowersReadings.__struct_fields__ if hasattr(readings, name)}
    return FollowersReadings(
        **same,
        technology_window="after_passing_and_planning",
        torture_nothing_left="carried" if readings.torture_empty == "debt_stays" else "lapses",
    )


data_for = data_reader(
    META,
    Readings,
    Options,
    lambda edition, readings, options: Data(tables_of(edition, options.data_set), readings, options),
)
"""Return the data for a :class:`Setup`; raises ``ValueError`` for an unknown edition, reading or choice."""
