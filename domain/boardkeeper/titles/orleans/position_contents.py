"""What lies where in a position: every component that an operator's board shows, with its zone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from boardkeeper.families.followers.data import CITIZEN, TECHNOLOGY
from boardkeeper.titles.orleans.board import Board, SeatView
from boardkeeper.titles.orleans.data import STATION, Data


class Lying(NamedTuple):
    """That number of components of a kind lies in a zone; ``field`` is where the board says so."""

    field: str
    zone: str
    component: str
    number: int


def contents(data: Data, board: Board) -> Iterator[Lying]:
    """Everything on the board, in its order."""
    for field in ("box", "removed", "supply", "goods_market"):
        yield from _pile(field, field, getattr(board, field))
    yield from _pile("turned", "hour_glass.past", board.turned)
    for tile, count in board.hour_glass.remaining.items():
        yield Lying("hour_glass.remaining", f"hour_glass.{tile.partition('.')[2]}", tile, count)
    turned_now = f"{board.hour_glass.event}.{board.hour_glass.strength}"
    yield Lying("hour_glass", "hour_glass.current", turned_now, 1)
    yield Lying("technology", "technology", TECHNOLOGY, board.technology)
    for category, tiles in (("1", board.place_tiles_1), ("2", board.place_tiles_2)):
        for tile in tiles:
            yield Lying(f"place_tiles_{category}", f"place_tiles.{category}", tile, 1)
    for home in board.citizens_on_tracks:
        zone = home if home == "most_stations" else f"track.{home}"
        yield Lying("citizens_on_tracks", zone, CITIZEN, 1)
    for way in board.ways:
        yield from _pile(f"ways[{way.way}].goods", f"way.{way.way}", way.goods)
    for deed in board.deeds:
        yield Lying(f"deeds[{deed.deed}].citizen", f"deed.{deed.deed}", CITIZEN, int(deed.citizen))
        yield from _pile(f"deeds[{deed.deed}].followers", f"deed.{deed.deed}", deed.followers)
    for seat in board.seats:
        yield from _seat(data, seat)


def _pile(field: str, zone: str, contents: dict[str, int]) -> Iterator[Lying]:
    for component, count in contents.items():
        yield Lying(field, zone, component, count)


def _seat(data: Data, seat: SeatView) -> Iterator[Lying]:
    own, at = f"seat.{seat.seat}", f"seats[{seat.seat}]"
    for pile in ("market", "drawn", "bag", "goods"):
        yield from _pile(f"{at}.{pile}", f"{own}.{pile}", getattr(seat, pile))
    station = f"{STATION}.{seat.seat}"
    yield Lying(f"{at}.citizens", f"{own}.citizens", CITIZEN, seat.citizens)
    yield Lying(f"{at}.technology", f"{own}.technology", TECHNOLOGY, seat.technology)
    yield Lying(f"{at}.stations_in_supply", f"{own}.stations", station, seat.stations_in_supply)
    for town in seat.stations:
        yield Lying(f"{at}.stations", f"town.{town}", station, 1)
    for place in seat.places:
        if place.place in data.place_tiles:
            yield Lying(f"{at}.places", f"{own}.place_tiles", place.place, 1)
        for space in place.spaces:
            if space.occupant:
                field = f"{at}.places[{place.place}].spaces[{space.space}]"
                yield Lying(field, space_zone(data, seat, place.place, space.space), space.occupant, 1)


def space_zone(data: Data, seat: SeatView, place: str, space: str) -> str:
    """The zone of an action space; those of place tiles are the same whoever owns the tile."""
    owner = "place" if place in data.place_tiles else f"seat.{seat.seat}"
    return f"{owner}.{place}.{space}"
