"""The features that the golden games of Orléans have together, besides all commands, events and choices."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from boardkeeper.game.events import GameEvent
from boardkeeper.table.effects import Effect, Move
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans.data import data_for


def shows(event: GameEvent) -> Iterator[str]:
    """Yield the features of an event: places, tiles, deeds, characters, citizens, the hour glass and torture."""
    yield from _detail_features(event.detail)
    for effect in event.effects:
        if home := _citizen_from(effect):
            yield f"citizen:{home}"


def to_show() -> frozenset[str]:
    """Return all features of these kinds."""
    data = data_for(Setup("capstone-2021", 5))
    wanted = {f"used:{place.id}" for place in data.places.values() if place.spaces}
    wanted |= {f"tile:{tile}" for tile in data.place_tiles}
    wanted |= {f"deed:{deed.id}:{follower}" for deed in data.deeds.values() for follower in deed.spaces}
    wanted |= {f"hour_glass:{event}.{pile}" for pile, events in data.piles.items() for event in events}
    wanted |= {f"recruited:{character}" for character in (*data.track_of, "monk")}
    wanted |= {f"citizen:track.development.{space}" for space in data.development_citizens}
    wanted |= {f"citizen:track.{track}" for track in data.track_citizens}
    wanted |= {f"citizen:deed.{deed}" for deed in data.deeds} | {"citizen:most_stations"}
    kinds = ("station_built", "station_supply", "technology_placed", "technology_held")
    wanted |= {f"torture:{kind}" for kind in kinds}
    return frozenset(wanted)


NEVER_SHOWN = {
    "citizen:deed.canalization": "its ten spaces are rarely filled; test_deeds.py completes every deed",
}
"""Features that no golden game has, with the reason."""


def _citizen_from(effect: Effect) -> str:
    """Return the zone from which a seat took a citizen; empty if it took none."""
    took = isinstance(effect, Move) and effect.component == "citizen" and effect.target.startswith("seat.")
    return effect.source if took and isinstance(effect, Move) else ""


def _detail_features(detail: Struct) -> Iterator[str]:
    name = type(detail).__name__
    place = getattr(detail, "place", "")
    if place and name in _USES:
        yield f"used:{place}"
    if name == "SacristyUsed":
        yield "used:sacristy"
    if name == "FollowerStored":
        yield "used:gunpowder_tower"
    if name == "FollowerRecruited":
        yield f"recruited:{getattr(detail, 'character', '')}"
        tile = getattr(detail, "place_tile", "")
        if tile:
            yield f"tile:{tile}"
    if name == "FollowerSentToDeed":
        yield f"deed:{getattr(detail, 'deed', '')}:{getattr(detail, 'follower', '')}"
    if name == "HourGlassTurned":
        yield f"hour_glass:{getattr(detail, 'event', '')}.{getattr(detail, 'strength', '')}"
    if name == "TradingStationSurrendered":
        yield "torture:station_built" if getattr(detail, "town", "") else "torture:station_supply"
    if name == "TechnologySurrendered":
        yield "torture:technology_placed" if place else "torture:technology_held"


_USES = (
    "FollowerRecruited",
    "MerchantMoved",
    "TradingStationBuilt",
    "PlaceUsed",
    "FollowerSentToDeed",
    "DevelopmentBought",
    "BathhouseVisited",
)
