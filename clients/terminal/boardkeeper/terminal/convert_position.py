"""Convert position files of version 0.1, which are typed boards of Orléans, to tables.

``python -m boardkeeper.terminal.convert_position OLD.json > NEW.json``
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from google.protobuf.json_format import MessageToJson, Parse, ParseDict, ParseError

from boardkeeper import engine
from boardkeeper.orleans.v1 import board_pb2
from boardkeeper.v1 import games_pb2, table_pb2

_TECHNOLOGY, _CITIZEN = "technology", "citizen"
_PILES = ("box", "removed", "supply", "goods_market")
_SEAT_PILES = ("bag", "market", "drawn", "goods")
_SEAT_NUMBERS = (
    "coins", "development", "given_up_draws", "draws_made", "debt", "arrears", "best_development", "food_due",
    "technology_placed", "farmer_only_technology",
)  # fmt: skip

ZoneCount = tuple[str, str, int]
"""A zone, a component, and the number of them."""


def is_old(file: Mapping[str, Any]) -> bool:
    """Return whether a position file, decoded from JSON, has a typed board."""
    position = file.get("position")
    return isinstance(position, dict) and "orleans" in position


def converted(file: Mapping[str, Any]) -> games_pb2.CreateGameRequest:
    """Return the new form of a position file. Raises ``ParseError`` or ``engine.RulesError``."""
    board = ParseDict(file["position"]["orleans"], board_pb2.Board())
    request = ParseDict({key: value for key, value in file.items() if key != "position"}, games_pb2.CreateGameRequest())
    fresh = engine.create(
        "orleans", len(board.seats), edition=request.edition, options=request.options, readings=request.readings, seed=0
    )
    Parse(engine.table_to_json(fresh.table(engine.OPERATOR)), request.position)
    _fill(request.position, board)
    return request


def _fill(table: table_pb2.Table, board: board_pb2.Board) -> None:
    """Fill a new table with the contents of a board."""
    zones = {zone.id: zone for zone in table.zones}
    markers = {marker.id: marker for marker in table.markers}
    contents: dict[str, dict[str, int]] = {id: {} for id in zones}
    for id, component, count in _contents(zones, board):
        if count:
            contents[id][component] = contents[id].get(component, 0) + count
    for zone in table.zones:
        zone.ClearField("contents")
        zone.ClearField("count")
        zone.contents.extend(table_pb2.Held(component=it, count=count) for it, count in contents[zone.id].items())
        zone.draws = board.draws.get(zone.id, 0)
    for id, value in _markers(zones, board):
        if isinstance(value, str):
            markers[id].value.word = value
        elif id in markers:  # some rules interpretations have no markers that count draws
            markers[id].value.number = value
    for id, visibility in _visibilities(zones, board):
        (zones if id in zones else markers)[id].visibility = visibility
    table.decisions[:] = [seat.decision for seat in board.seats]


def _contents(zones: Mapping[str, table_pb2.Zone], board: board_pb2.Board) -> Iterator[ZoneCount]:
    for name in _PILES:
        yield from ((name, *held) for held in getattr(board, name).items())
    yield from (("hour_glass.past", *held) for held in board.turned.items())
    yield from (
        (f"hour_glass.{tile.partition('.')[2]}", tile, count) for tile, count in board.hour_glass.remaining.items()
    )
    yield "hour_glass.current", f"{board.hour_glass.event}.{board.hour_glass.strength}", 1
    yield "technology", _TECHNOLOGY, board.technology
    yield from (("place_tiles.1", tile, 1) for tile in board.place_tiles_1)
    yield from (("place_tiles.2", tile, 1) for tile in board.place_tiles_2)
    for home in board.citizens_on_tracks:
        yield home if home == "most_stations" else f"track.{home}", _CITIZEN, 1
    for way in board.ways:
        yield from ((f"way.{way.way}", *held) for held in way.goods.items())
    for deed in board.deeds:
        yield f"deed.{deed.deed}", _CITIZEN, int(deed.citizen)
        yield from ((f"deed.{deed.deed}", *held) for held in deed.followers.items())
    for seat in board.seats:
        own, station = f"seat.{seat.seat}", f"station.{seat.seat}"
        for name in _SEAT_PILES:
            yield from ((f"{own}.{name}", *held) for held in getattr(seat, name).items())
        yield f"{own}.citizens", _CITIZEN, seat.citizens
        yield f"{own}.technology", _TECHNOLOGY, seat.technology
        yield f"{own}.stations", station, seat.stations_in_supply
        yield from ((f"town.{town}", station, 1) for town in seat.stations)
        yield from ((f"{own}.place_tiles", it.place, 1) for it in seat.places if _is_tile(zones, seat.seat, it))
        for id, space in _spaces(zones, seat):
            yield id, space.occupant, int(bool(space.occupant))


def _is_tile(zones: Mapping[str, table_pb2.Zone], seat: int, place: Any) -> bool:
    """Return whether a place is a place tile. The ids of its spaces do not contain a seat."""
    return not any(id.startswith(f"seat.{seat}.{place.place}.") for id in zones)


def _spaces(zones: Mapping[str, table_pb2.Zone], seat: board_pb2.SeatView) -> Iterator[tuple[str, Any]]:
    """Yield the spaces of a seat with the ids of their zones."""
    for place in seat.places:
        owner = "place" if _is_tile(zones, seat.seat, place) else f"seat.{seat.seat}"
        yield from ((f"{owner}.{place.place}.{space.space}", space) for space in place.spaces)


def _markers(zones: Mapping[str, table_pb2.Zone], board: board_pb2.Board) -> Iterator[tuple[str, int | str]]:
    yield from (("round", board.round), ("start_seat", board.start_seat), ("acting_seat", board.acting_seat))
    yield from (("phase", board.phase), ("action_place", board.action_place), ("cursor", board.event_seats))
    yield from (("event", board.hour_glass.event), ("strength", board.hour_glass.strength))
    for seat in board.seats:
        own = f"seat.{seat.seat}"
        yield from ((f"{own}.{name}", getattr(seat, name)) for name in _SEAT_NUMBERS)
        yield from ((f"{own}.{track}", space) for track, space in seat.tracks.items())
        yield from ((f"{own}.passed", int(seat.passed)), (f"{own}.planned", int(seat.planning_finished)))
        yield f"{own}.merchant", seat.merchant
        for id, space in _spaces(zones, seat):
            yield f"{id}.placed", (-board.round if space.from_tower else board.round) if space.placed_now else 0


def _visibilities(zones: Mapping[str, table_pb2.Zone], board: board_pb2.Board) -> Iterator[tuple[str, str]]:
    """Yield the visibility of screens and of the spaces behind them."""
    for seat in board.seats:
        screen = f"seat.{seat.seat}.screen"
        if zones[f"seat.{seat.seat}.market"].visibility != f"as:{screen}":
            continue
        plans = board.phase == "planning"
        yield screen, f"secret.{seat.seat}" if plans else "public"
        for id, space in _spaces(zones, seat):
            lasts = space.occupant == _TECHNOLOGY or ".gunpowder_tower." not in id
            fixed = plans and space.occupant and not space.placed_now and lasts
            for subject in (id, f"{id}.placed"):
                yield subject, "public" if fixed else f"as:{screen}"


def main() -> int:
    """Convert the file named on the command line."""
    if len(sys.argv) != 2:
        sys.stderr.write("usage: python -m boardkeeper.terminal.convert_position OLD.json > NEW.json\n")
        return 2
    try:
        file = json.loads(Path(sys.argv[1]).read_text("utf-8"))
        if not is_old(file):
            raise ParseError("it has no typed board of Orléans")
        position = converted(file)
    except (OSError, ValueError, AttributeError, LookupError, ParseError, engine.RulesError) as error:
        sys.stderr.write(f"convert_position: {sys.argv[1]} cannot be converted: {error}\n")
        return 1
    sys.stdout.write(
        MessageToJson(position, preserving_proto_field_name=True, sort_keys=True, ensure_ascii=False) + "\n"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
