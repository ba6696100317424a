"""The typed board that clients see: everything on the table, by the names of the rulebook."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers import board
from boardkeeper.titles.orleans.events import SeatScored


class SeatView(board.SeatView, frozen=True, kw_only=True):
    """The components and markers of one seat."""

    merchant: str  #: The town of the merchant.
    tracks: dict[str, int]  #: Positions on the character tracks, by track id, in spaces from the start.
    development: int  #: Position on the development track, in spaces from the start.
    status: int  #: The development status.
    stations_in_supply: int  #: Number of unbuilt trading stations.
    stations: tuple[str, ...]  #: The towns with a trading station of the seat.
    food_due: int  #: Number of food items still owed for the Harvest.
    farmer_only_technology: int  #: Number of the seat's technology tiles that can replace only a farmer.
    #: Highest position reached on the development track (used by the reading ``torture_status``).
    best_development: int


class WayView(Struct, frozen=True):
    """A road or waterway and the goods on it."""

    way: str  #: The id of the road or waterway.
    kind: str  #: "road" or "water".
    towns: tuple[str, ...]  #: The two connected towns.
    goods: dict[str, int]  #: Goods tiles on it, by good id.


class HourGlassView(Struct, frozen=True):
    """The hour glass: this round's tile and the remaining face-down tiles."""

    event: str  #: This round's event ("harvest").
    strength: str  #: The group of this round's tile: "START", "A", "B", "C", or "U" for tiles without letters.
    remaining: dict[str, int]  #: Number of face-down tiles left, by tile.


class ScoreView(SeatScored, frozen=True):
    """The score of one seat."""

    seat: int  #: The seat number, from 1.


class Board(board.Board, frozen=True, kw_only=True):
    """The table as one viewer sees it."""

    #: The phase: "census", "followers", "planning", "actions", "event" or "over". Empty before the first round.
    phase: str
    hour_glass: HourGlassView  #: The hour glass tiles.
    place_tiles_1: tuple[str, ...]  #: Place tiles of category I that can be taken.
    place_tiles_2: tuple[str, ...]  #: Place tiles of category II that can be taken.
    #: Places of the citizens not yet taken: spaces of the development track ("development.3"), ends of other tracks
    #: ("boatmen"), and "most_stations" for the citizen for the most trading stations.
    citizens_on_tracks: tuple[str, ...]
    ways: tuple[WayView, ...]  #: All roads and waterways.
    deeds: tuple[board.DeedView, ...]  #: All beneficial deeds.
    seats: tuple[SeatView, ...]  #: The seats, in order from seat 1.
    scores: tuple[ScoreView, ...]  #: The score sheet, best seat first. Empty until the game is over.
    turned: dict[str, int]  #: Hour glass tiles of past rounds, by event id.
    event_seats: int  #: Number of seats already affected by this round's event, in turn order.
    draws: dict[str, int]  #: Number of random draws from each zone so far, by zone id.
