"""The typed board that clients see: everything on the table, by the names of the rulebook."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers import ids
from boardkeeper.families.followers.board import PlaceView
from boardkeeper.titles.orleans.events import SeatScored


class SeatView(Struct, frozen=True):
    """The components and markers of one seat."""

    seat: int  #: The seat number, from 1.
    color: str  #: The colour of the seat ("red").
    coins: int  #: Number of coins.
    merchant: str  #: The town of the merchant.
    tracks: dict[str, int]  #: Positions on the character tracks, by track id, in spaces from the start.
    development: int  #: Position on the development track, in spaces from the start.
    status: int  #: The development status.
    draw_limit: int  #: Maximum number of followers that the seat may draw in a round.
    goods: dict[str, int]  #: Goods tiles, by good id.
    citizens: int  #: Number of citizens.
    stations_in_supply: int  #: Number of unbuilt trading stations.
    stations: tuple[str, ...]  #: The towns with a trading station of the seat.
    technology: int  #: Number of unplaced technology tiles.
    market: dict[str, int]  #: Followers on the market, by follower id.
    drawn: dict[str, int]  #: Followers drawn in the Bathhouse and not yet placed or returned, by follower id.
    bag: dict[str, int]  #: Followers in the bag, by follower id. Empty for a viewer who may see only ``bag_count``.
    bag_count: int  #: Number of followers in the bag.
    places: tuple[PlaceView, ...]  #: The places of the player board and the seat's place tiles.
    passed: bool  #: Whether the seat has passed in this round.
    planning_finished: bool  #: Whether the seat has finished planning.
    decision: str  #: The open decision of the seat ("plan"). Empty if none.
    debt: int  #: Coins still owed under torture.
    given_up_draws: int = 0  #: Number of draws given up in this round to take followers back.
    food_due: int = 0  #: Number of food items still owed for the Harvest.
    technology_placed: int = 0  #: Number of technology tiles placed so far in the game.
    farmer_only_technology: int = 0  #: Number of the seat's technology tiles that can replace only a farmer.
    #: Coins still owed after torture, to be paid from the next coins received (reading ``torture_nothing_left``).
    arrears: int = 0
    #: Highest position reached on the development track (used by the reading ``torture_status``).
    best_development: int = 0
    #: Number of followers drawn in this round. Counted only if followers may be taken back after drawing (reading
    #: ``taking_back_time``).
    draws_made: int = 0


class WayView(Struct, frozen=True):
    """A road or waterway and the goods on it."""

    way: str  #: The id of the road or waterway.
    kind: str  #: "road" or "water".
    towns: tuple[str, ...]  #: The two connected towns.
    goods: dict[str, int]  #: Goods tiles on it, by good id.


class DeedView(Struct, frozen=True):
    """A beneficial deed."""

    deed: ids.Deed
    followers: dict[str, int]  #: Followers at the deed, by follower id.
    free: dict[str, int]  #: Free spaces, by required character.
    citizen: bool  #: Whether the citizen has not been taken yet.


class HourGlassView(Struct, frozen=True):
    """The hour glass: this round's tile and the remaining face-down tiles."""

    event: str  #: This round's event ("harvest").
    strength: str  #: The group of this round's tile: "START", "A", "B", "C", or "U" for tiles without letters.
    remaining: dict[str, int]  #: Number of face-down tiles left, by tile.


class ScoreView(SeatScored, frozen=True):
    """The score of one seat."""

    seat: int  #: The seat number, from 1.


class Board(Struct, frozen=True):
    """The table as one viewer sees it."""

    round: int  #: The round, 1 to 18.
    #: The phase: "census", "followers", "planning", "actions", "event" or "over". Empty before the first round.
    phase: str
    start_seat: int  #: The seat of the start player.
    acting_seat: int  #: The seat whose turn it is. 0 if no seat has the turn.
    deciding: tuple[int, ...]  #: The seats with an open decision.
    hour_glass: HourGlassView  #: The hour glass tiles.
    supply: dict[str, int]  #: Followers in the supply, by follower id.
    goods_market: dict[str, int]  #: Goods tiles on the goods market, by good id.
    technology: int  #: Number of technology tiles in the supply.
    place_tiles_1: tuple[str, ...]  #: Place tiles of category I that can be taken.
    place_tiles_2: tuple[str, ...]  #: Place tiles of category II that can be taken.
    #: Places of the citizens not yet taken: spaces of the development track ("development.3"), ends of other tracks
    #: ("boatmen"), and "most_stations" for the citizen for the most trading stations.
    citizens_on_tracks: tuple[str, ...]
    ways: tuple[WayView, ...]  #: All roads and waterways.
    deeds: tuple[DeedView, ...]  #: All beneficial deeds.
    seats: tuple[SeatView, ...]  #: The seats, in order from seat 1.
    removed: dict[str, int]  #: Components removed from the game, by component id.
    scores: tuple[ScoreView, ...]  #: The score sheet, best seat first. Empty until the game is over.
    box: dict[str, int] = {}  #: Components that stayed in the box, by component id.
    turned: dict[str, int] = {}  #: Hour glass tiles of past rounds, by event id.
    event_seats: int = 0  #: Number of seats already affected by this round's event, in turn order.
    action_place: str = ""  #: The place of an action in progress. Empty if none.
    draws: dict[str, int] = {}  #: Number of random draws from each zone so far, by zone id.
