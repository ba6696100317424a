"""How the table of Orléans is laid: its zones and markers, and what lies where when the game starts."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from boardkeeper.families.followers.data import CITIZEN, OWN, TECHNOLOGY
from boardkeeper.families.followers.places import lay
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.visibility import PUBLIC, behind, only
from boardkeeper.titles.orleans.bindings import Orleans
from boardkeeper.titles.orleans.data import STATION, TRACKS, Data
from boardkeeper.titles.orleans.events import TableLaid

COUNTED = (
    "coins",
    "development",
    "best_development",
    "passed",
    "planned",
    "given_up_draws",
    "technology_placed",
    "farmer_only_technology",
    "food_due",
    "debt",
    "arrears",
)
"""The integer markers of a seat besides its tracks."""


@lru_cache(maxsize=64)
def layout(data: Data, players: int) -> TableLayout:
    """The zones and markers for that many players, with everything still in the box.

    All games of a kind share one layout, and with it the strings of their ids.
    """
    zones = [ZoneSpec("box", contents=box(data))]
    zones += [ZoneSpec(id) for id in ("removed", "supply", "technology", "goods", "goods_market", "most_stations")]
    zones += [ZoneSpec(f"place_tiles.{category}") for category in ("1", "2")]
    zones += [ZoneSpec(f"hour_glass.{pile}") for pile in (*data.piles, "current", "past")]
    zones += [ZoneSpec(f"way.{way.id}") for way in data.ways]
    zones += [ZoneSpec(f"town.{town}") for town in data.towns]
    zones += [ZoneSpec(f"deed.{deed}") for deed in data.deeds]
    zones += [ZoneSpec(f"track.development.{space}") for space in data.development_citizens]
    zones += [ZoneSpec(f"track.{track}") for track in data.track_citizens]
    markers = [MarkerSpec(id) for id in ("round", "start_seat", "acting_seat", "cursor")]
    markers += [MarkerSpec(id, "") for id in ("phase", "event", "strength", "action_place")]
    lay([data.places[tile] for tile in data.place_tiles], "place", PUBLIC, zones, markers)
    for number in range(1, players + 1):
        own = f"seat.{number}"
        zones.append(ZoneSpec(f"{own}.bag", only(number)))
        public = ("drawn", "goods", "citizens", "stations", "technology", "place_tiles")
        zones += [ZoneSpec(f"{own}.{zone}") for zone in public]
        markers += [MarkerSpec(f"{own}.{marker}") for marker in (*TRACKS, *COUNTED)]
        if data.takes_back_after_drawing:
            markers.append(MarkerSpec(f"{own}.draws_made"))
        markers.append(MarkerSpec(f"{own}.merchant", data.start_town))
        screen = behind(f"{own}.screen") if data.options.planning == "sealed" else PUBLIC
        zones.append(ZoneSpec(f"{own}.market", screen))
        markers.append(MarkerSpec(f"{own}.screen", ""))
        lay([data.places[id] for id in data.board_places], own, screen, zones, markers)
    return TableLayout(players, tuple(zones), tuple(markers))


def box(data: Data) -> dict[str, int]:
    """Every component of the edition, before anything is taken out of the box."""
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


def unused(data: Data, players: int) -> dict[str, int]:
    """What so many players leave in the box, but for the goods that chance removes."""
    supply, largest = data.supplies[players], data.supplies[max(data.supplies)]
    left = {follower: count - supply.followers[follower] for follower, count in largest.followers.items()}
    left[TECHNOLOGY] = largest.technology - supply.technology
    left |= {OWN + follower: max(data.supplies) - players for follower in data.start_followers}
    left |= {f"{STATION}.{seat}": data.stations for seat in range(players + 1, max(data.supplies) + 1)}
    return {component: count for component, count in left.items() if count}


def tile(event: str, pile: str) -> str:
    """The component id of an hour glass tile."""
    return f"{event}.{pile}"


def set_up(t: Orleans) -> None:
    """Lay the table and go on to the first decision. Source: orleans.setup.*."""
    data = t.data
    supply = data.supplies[len(t.seats)]
    for follower, count in supply.followers.items():
        t.move(follower, t.box, t.supply, count)
    t.move(TECHNOLOGY, t.box, t.technology, supply.technology)
    for id in data.place_tiles:
        t.move(id, t.box, t.place_tiles[data.places[id].category])
    for pile, events in data.piles.items():
        for event in events:
            t.move(tile(event, pile), t.box, t.hour_glass[pile])
    for home in (*t.deeds.values(), *t.development_citizens.values(), *t.track_citizens.values()):
        t.move(CITIZEN, t.box, home)
    t.move(CITIZEN, t.box, t.citizen_of_stations)
    on_map = _lay_goods(t)
    for seat in t.seats:
        for follower in data.start_followers:
            t.move(OWN + follower, t.box, seat.market)
        t.move(seat.station, t.box, seat.stations, data.stations)
        t.set(seat.coins, data.start_coins)
    t.set(t.start, 1)
    removed = {good: t.box.items[good] for good in data.good_tiles if good in t.box.items}
    t.emit(None, TableLaid(len(t.seats), on_map, removed))
    t.enter("hour_glass")
    t.advance()


def _lay_goods(t: Orleans) -> int:
    """Remove goods at random, fill the map at random, put the rest on the market; returns the goods on the map."""
    supply = t.data.supplies[len(t.seats)]
    for good, count in t.data.good_tiles.items():
        t.move(good, t.box, t.goods_pile, count)
    if supply.goods_removed:
        t.recorder.draw(t.goods_pile, t.box, supply.goods_removed)
    spaces = [way.id for way in t.data.ways for mark in way.spaces if mark not in supply.empty_way_marks]
    for good, way in zip(t.recorder.pick(t.goods_pile, len(spaces)), spaces, strict=True):
        t.move(good, t.goods_pile, t.ways[way])
    for good, count in t.goods_pile.counts().items():
        t.move(good, t.goods_pile, t.goods_market, count)
    return len(spaces)
