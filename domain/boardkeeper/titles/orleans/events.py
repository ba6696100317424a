"""The detail of an event of Orléans. The event envelope has the seat.

The detail describes the event in the terms of the rulebook; the effects in the envelope list the changes on the table.
Ids are as in commands.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers import ids
from boardkeeper.families.followers.events import *
from boardkeeper.titlekit.catalogue_title import structs_in


class TableLaid(Struct, frozen=True, gc=False):
    """The table was set up: goods on the map, supplies, starting followers and coins."""

    players: int  #: Number of seats.
    goods_on_map: int  #: Number of goods tiles on the map.
    goods_removed: dict[str, int]  #: Goods tiles removed for this number of players, by good id.


# --- the round -----------------------------------------------------------------------------------------


class HourGlassTurned(Struct, frozen=True, gc=False):
    """Phase 1: a round began and its hour glass tile was turned over."""

    round: int  #: The round, 1 to 18.
    event: str  #: The event id ("harvest").
    strength: str  #: The group of the tile: "START", "A", "B", "C", or "U" for tiles without letters.
    start_seat: int  #: The seat of the start player.


class CensusHeld(Struct, frozen=True, gc=False):
    """Phase 2: the sole leader on the farmers track received a coin; the sole last seat must pay one."""

    leader: int  #: The sole leading seat on the farmers track, which received a coin. 0 if none.
    last: int  #: The sole last seat on the farmers track, which must pay a coin. 0 if none.


# --- actions -------------------------------------------------------------------------------------------


class FollowerRecruited(Struct, frozen=True, gc=False):
    """A seat recruited a follower, put it in its bag and received the rewards of the track."""

    place: str  #: The place that recruited.
    character: str  #: The recruited character ("knight").
    position: int  #: The new position of the marker, in spaces from the start of the track.
    good: str = ""  #: The good received. Empty if none.
    coins: int = 0  #: Number of coins received.
    technology: bool = False  #: Whether the seat received a technology tile.
    place_tile: str = ""  #: The place tile received. Empty if none.
    development: int = 0  #: Number of development points received.
    citizen: bool = False  #: Whether the seat received a citizen.


class MerchantMoved(Struct, frozen=True, gc=False):
    """A merchant travelled along a road or waterway."""

    place: str  #: The place used to travel.
    origin: str  #: The town that the merchant left.
    town: str  #: The town that the merchant reached.
    way: str  #: The road or waterway used.
    good: str  #: The good taken from the road or waterway. Empty if none.


class TradingStationBuilt(Struct, frozen=True, gc=False):
    """A seat built a trading station in the town of its merchant."""

    place: str  #: The place used to build.
    town: str  #: The town id ("orleans").


class PlaceUsed(Struct, frozen=True, gc=False):
    """A seat used a place and received its rewards."""

    place: ids.Place
    coins: int = 0  #: Number of coins received.
    development: int = 0  #: Number of development points received.
    good: str = ""  #: The good received. Empty if none.
    technology: bool = False  #: Whether the seat received a technology tile.


class FollowerSentToDeed(Struct, frozen=True, gc=False):
    """A seat sent a follower to a beneficial deed."""

    place: str  #: The place that sent the follower.
    follower: ids.Follower
    deed: ids.Deed
    coins: int  #: Number of coins received.
    development: int  #: Number of development points received.
    completed: bool  #: Whether this completed the deed, which gives its citizen.


class DevelopmentBought(Struct, frozen=True, gc=False):
    """Pharmacy: a seat paid coins for development points."""

    place: ids.Place
    paid: int  #: Number of coins paid.


# --- development track ---------------------------------------------------------------------------------


class DevelopmentAdvanced(Struct, frozen=True, gc=False):
    """A seat advanced on the development track and received the coins and citizens it reached or passed."""

    position: int  #: The new position of the marker, in spaces from the start of the track.
    status: int  #: The new development status.
    coins: int  #: Number of coins received.
    citizens: int  #: Number of citizens received.


# --- events of the hour glass --------------------------------------------------------------------------


class IncomeReceived(Struct, frozen=True, gc=False):
    """Income: a seat received coins for its development status."""

    coins: int  #: Number of coins received.


class TradingDayHeld(Struct, frozen=True, gc=False):
    """Trading Day: a seat received coins for its trading stations."""

    coins: int  #: Number of coins received.
    stations: int  #: Number of trading stations built by the seat.


class FoodGiven(Struct, frozen=True, gc=False):
    """Harvest: a seat returned a food item to the goods market."""

    good: str  #: The food item: "grain", "cheese" or "wine".


class FoodPaidFor(Struct, frozen=True, gc=False):
    """Harvest: a seat paid coins for a missing food item."""

    paid: int  #: Number of coins paid.
    missing: int  #: Number of coins still missing, to be replaced by torture.


class TaxesPaid(Struct, frozen=True, gc=False):
    """Taxes: a seat paid coins for its goods."""

    goods: int  #: Number of goods tiles of the seat.
    paid: int  #: Number of coins paid.
    missing: int  #: Number of coins still missing, to be replaced by torture.


class CensusPaid(Struct, frozen=True, gc=False):
    """Census: the last seat on the farmers track paid its coin."""

    paid: int  #: Number of coins paid.
    missing: int  #: Number of coins still missing, to be replaced by torture.


class PlagueStruck(Struct, frozen=True, gc=False):
    """Plague: a seat drew a follower from its bag."""

    follower: str  #: The drawn follower. Empty if the bag was empty.
    lost: bool  #: Whether the seat lost the follower. A seat does not lose its own followers.


# --- torture -------------------------------------------------------------------------------------------


class TradingStationSurrendered(Struct, frozen=True, gc=False):
    """Torture: a seat gave up a trading station."""

    town: str  #: The town of the trading station. Empty: one from the seat's supply.
    missing: int  #: Number of coins still missing, to be replaced by torture.


class FollowerSurrendered(Struct, frozen=True, gc=False):
    """Torture: a seat gave up a random follower from its bag."""

    follower: ids.Follower
    spared: int  #: Number of the seat's own followers that were drawn first and put back.
    missing: int  #: Number of coins still missing, to be replaced by torture.


class DevelopmentSurrendered(Struct, frozen=True, gc=False):
    """Torture: a seat moved back one space on the development track."""

    position: int  #: The new position of the marker, in spaces from the start of the track.
    status: int  #: The new development status.
    missing: int  #: Number of coins still missing, to be replaced by torture.


class GoodSurrendered(Struct, frozen=True, gc=False):
    """Torture: a seat gave up a goods tile."""

    good: ids.Good
    missing: int  #: Number of coins still missing, to be replaced by torture.


class PlaceTileSurrendered(Struct, frozen=True, gc=False):
    """Torture: a seat gave up a place tile. For pieces on it see the reading ``torture_place_followers``."""

    place: str  #: The place tile id.
    missing: int  #: Number of coins still missing, to be replaced by torture.


# --- the end -------------------------------------------------------------------------------------------


class MostStationsRewarded(Struct, frozen=True, gc=False):
    """The last citizen went to the seat with the most trading stations. In a tie the ``seat`` of the event is 0."""

    stations: int  #: Number of trading stations built by that seat, or by each tied seat.


class SeatScored(Struct, frozen=True, gc=False):
    """The final score of one seat."""

    coins: int  #: Number of coins; each scores 1 point.
    goods: dict[str, int]  #: Number of goods, by good id.
    goods_points: int  #: Points for goods.
    stations: int  #: Number of trading stations built.
    citizens: int  #: Number of citizens.
    status: int  #: The development status.
    status_points: int  #: Points for trading stations and citizens: development status × (stations + citizens).
    total: int  #: Total points.
    rank: int  #: The rank, from 1. Tied seats have the same rank.


EVENTS = structs_in(globals(), Placement)
