"""The zones and markers of Orléans, named as in the rulebook."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from boardkeeper.families.followers import places
from boardkeeper.families.followers.data import CITIZEN, OWN, TECHNOLOGY
from boardkeeper.families.followers.table import FollowersSeat, FollowersTable, Hooks, plan_visibility
from boardkeeper.titlekit.binding import Material
from boardkeeper.titlekit.known_ids import KnownIds
from boardkeeper.titles.orleans.data import CHARACTERS, GOODS, STATION, TRACKS, Data, Place

BoundPlace = places.BoundPlace[Place]
"""A place of one seat with its spaces."""


@lru_cache(maxsize=64)
def box(data: Data) -> dict[str, int]:
    """Return the contents of the box before setup, for the largest number of players."""
    largest = data.supplies[max(data.supplies)]
    contents = dict(largest.followers)
    contents[TECHNOLOGY] = largest.technology
    contents |= {OWN + follower: max(data.supplies) for follower in data.start_followers}
    contents |= data.good_tiles
    contents |= {f"{STATION}.{seat}": data.stations for seat in range(1, max(data.supplies) + 1)}
    contents |= dict.fromkeys(data.place_tiles, 1)
    contents |= Counter(tile(event, pile) for pile, events in data.piles.items() for event in events)
    contents[CITIZEN] = len(data.deeds) + len(data.development_citizens) + len(data.track_citizens) + 1
    return contents


@lru_cache(maxsize=64)
def known_ids(data: Data) -> KnownIds:
    """Return the ids that each field of commands accepts."""
    return KnownIds({
        "place": data.places, "place_tile": data.place_tiles, "follower": data.followers, "character": CHARACTERS,
        "good": GOODS, "town": data.towns, "deed": data.deeds,
    })  # fmt: skip


def tile(event: str, pile: str) -> str:
    """Return the component id of an hour glass tile."""
    return f"{event}.{pile}"


class Seat(FollowersSeat[Place]):
    """The components and markers of one seat."""

    __slots__ = (
        "_towns", "best_development", "citizens", "development", "food_due", "goods", "merchant", "station", "stations",
        "track",
    )  # fmt: skip

    _data: Data

    def __init__(self, t: Orleans, m: Material, number: int) -> None:
        super().__init__(m, t.data, number)
        self.tiles = t.tiles
        self._towns = t.towns
        self.station = f"{STATION}.{number}"
        # fmt: off
        self.place_tiles = m.pile("place_tiles", "places", "Place tiles", "Ortskarten")
        self.market = m.pile("market", "market", visibility=plan_visibility(t.data, number), component="market")
        self.goods = m.pile("goods", "goods", "Goods", "Waren")
        self.citizens = m.pile("citizens", "citizens", "Citizens", "Bürger", component=CITIZEN)
        self.stations = m.pile("stations", "stations", "Unbuilt trading stations", "Noch nicht gebaute Kontore",
                               component=self.station)
        self.track = {track: m.number(track, "track", component=track, chart=True) for track in TRACKS}
        self.development = m.number("development", "track", component="development", chart=True)
        self.best_development = m.number("best_development", "track_best", "{component}: highest space so far",
                                         "{component}: bisher am weitesten", component="development")
        self.farmer_only = m.number("farmer_only_technology", "flag", "Technology tile can replace only a farmer",
                                    "Technikplättchen darf nur einen Bauern ersetzen", component=TECHNOLOGY)
        self.food_due = m.number("food_due", "due", "Food still due", "Zu zahlende Nahrung")
        self.debt = m.number("debt", "due", "Coins still due", "Zu zahlende Münzen")
        self.merchant = m.word("merchant", "town", component="merchant", words_of=("town",), value=t.data.start_town)
        # fmt: on

    def status(self) -> int:
        """Return the development status. Moving back lowers it unless the reading ``torture_status`` is ``kept``."""
        data = self._data
        kept = data.readings.torture_status == "kept"
        return data.status_at[self.furthest_development() if kept else self.development.value]

    def furthest_development(self) -> int:
        """Return the furthest position of the marker on the development track so far."""
        return max(self.development.value, self.best_development.value)

    def built_stations(self) -> int:
        """Return the number of the seat's trading stations on the map."""
        station = self.station
        return sum(1 for town in self._towns.values() if station in town.items)


class Orleans(FollowersTable[Seat]):
    """The table of Orléans."""

    __slots__ = (
        "box", "citizen_of_stations", "cursor", "development_citizens", "goods_market", "goods_pile", "hour_glass",
        "place_tiles", "strength", "supply", "towns", "track_citizens", "turned", "turned_now", "ways",
    )  # fmt: skip

    data: Data

    def __init__(self, m: Material, data: Data, players: int, hooks: Hooks) -> None:
        super().__init__(m, data, hooks)
        # fmt: off
        self.cursor = m.number("cursor", "internal", "Progress of the event of the round",
                               "Wie weit das Ereignis der Runde gediehen ist")
        self.strength = m.word("strength", "event", "Stack of the event of the round",
                               "Stapel, von dem das Ereignis der Runde ist", words="piles")
        self.box = m.pile("box", "box", "Box", "Schachtel", contents=box(data))
        self.supply = m.pile("supply", "supply", "Character tiles", "Personenplättchen")
        self.goods_pile = m.pile("goods", "deck", "Goods to lay out", "Auszulegende Waren")
        self.goods_market = m.pile("goods_market", "supply", "Goods market", "Warenmarkt")
        self.place_tiles = {it: m.pile(f"place_tiles.{it}", "row", "Place tiles {position}", "Ortskarten {position}")
                            for it in ("1", "2")}
        self.hour_glass = {it: m.pile(f"hour_glass.{it}", "deck", "Hour glass tiles, {piles}",
                                      "Stundenglasplättchen, {piles}") for it in data.piles}
        self.turned_now = m.pile("hour_glass.current", "event", "Event of the round", "Ereignis der Runde")
        self.turned = m.pile("hour_glass.past", "discard", "Past events", "Vergangene Ereignisse")
        self.ways = {way.id: m.pile(f"way.{way.id}", "way", component=way.id) for way in data.ways}
        self.towns = {town: m.pile(f"town.{town}", "town", component=town) for town in data.towns}
        self.development_citizens = {
            space: m.pile(f"track.development.{space}", "track_space", "{component}, space {position}",
                          "{component}, Feld {position}", component="development")
            for space in data.development_citizens
        }
        self.track_citizens = {
            track: m.pile(f"track.{track}", "track_end", "End of the track: {component}",
                          "Ende der Leiste: {component}", component=track)
            for track in data.track_citizens
        }
        self.citizen_of_stations = m.pile("most_stations", "bonus", "Citizen for the most trading stations",
                                          "Bürger für die meisten Kontore", component=CITIZEN)
        # fmt: on
        self.tiles = places.BoundPlaces(data.place_tiles, data.places, m.part("place."))
        self.seats = tuple(Seat(self, m.seat(number), number) for number in range(1, players + 1))
