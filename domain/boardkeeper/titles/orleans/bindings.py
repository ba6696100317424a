"""The names of Orléans bound to the zones and markers of one table, once.

Rules say ``seat.merchant`` and ``t.supply``; only this module, the family's and ``setup.py`` know ids.
"""

from __future__ import annotations

from boardkeeper.families.followers import places
from boardkeeper.families.followers.table import FollowersSeat, FollowersTable, Hooks
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.titles.orleans import data as tables
from boardkeeper.titles.orleans.data import TRACKS, Data, Place

BoundPlace = places.BoundPlace[Place]
"""A place of one seat with its spaces."""


class Seat(FollowersSeat[Place]):
    """One player's side of the table."""

    __slots__ = (
        "_towns", "best_development", "citizens", "development", "food_due", "goods", "merchant", "station", "stations",
        "track",
    )  # fmt: skip

    _data: Data

    def __init__(self, t: Orleans, number: int) -> None:
        table = t.table
        super().__init__(table, t.data, t.tiles, number)
        own = f"seat.{number}"
        self._towns = t.towns
        self.station = f"{tables.STATION}.{number}"
        self.goods = table.pile(f"{own}.goods")
        self.citizens = table.pile(f"{own}.citizens")
        self.stations = table.pile(f"{own}.stations")
        self.track = {track: table.number(f"{own}.{track}") for track in TRACKS}
        self.development = table.number(f"{own}.development")
        self.merchant = table.word(f"{own}.merchant")
        self.best_development = table.number(f"{own}.best_development")
        self.food_due = table.number(f"{own}.food_due")

    def status(self) -> int:
        """The development status (reading ``torture_status``: where the marker is, or the best it ever was)."""
        data = self._data
        kept = data.readings.torture_status == "kept"
        return data.status_at[self.furthest_development() if kept else self.development.value]

    def furthest_development(self) -> int:
        """The furthest that the marker has been on the development track; steps back remember where they began."""
        return max(self.development.value, self.best_development.value)

    def built_stations(self) -> int:
        """How many trading stations the seat has on the map."""
        station = self.station
        return sum(1 for town in self._towns.values() if station in town.items)


class Orleans(FollowersTable[Seat]):
    """One table of Orléans: its zones and markers by the names of the rulebook."""

    __slots__ = (
        "box", "citizen_of_stations", "cursor", "development_citizens", "goods_market", "goods_pile", "hour_glass",
        "place_tiles", "strength", "supply", "towns", "track_citizens", "turned", "turned_now", "ways",
    )  # fmt: skip

    data: Data

    def __init__(self, table: Table, dice: Dice, data: Data, players: int, hooks: Hooks) -> None:
        super().__init__(table, dice, data, hooks)
        self.cursor = table.number("cursor")
        self.strength = table.word("strength")
        self.box = table.pile("box")
        self.supply = table.pile("supply")
        self.goods_pile = table.pile("goods")
        self.goods_market = table.pile("goods_market")
        self.place_tiles = {category: table.pile(f"place_tiles.{category}") for category in ("1", "2")}
        self.hour_glass = {pile: table.pile(f"hour_glass.{pile}") for pile in data.piles}
        self.turned_now = table.pile("hour_glass.current")
        self.turned = table.pile("hour_glass.past")
        self.ways = {way.id: table.pile(f"way.{way.id}") for way in data.ways}
        self.towns = {town: table.pile(f"town.{town}") for town in data.towns}
        self.development_citizens = {
            space: table.pile(f"track.development.{space}") for space in data.development_citizens
        }
        self.track_citizens = {track: table.pile(f"track.{track}") for track in data.track_citizens}
        self.citizen_of_stations = table.pile("most_stations")
        self.tiles = places.BoundPlaces(data.place_tiles, data.places, table, "place")
        self.seats = tuple(Seat(self, number) for number in range(1, players + 1))
