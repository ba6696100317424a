"""Every event of Orléans, its own and those of the family: a small typed detail for people and clients.

The effects beside a detail say what changed on the table; the detail says what a rulebook would say.
``coins`` is always what the seat received; ``paid`` what it gave.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.events import (
    BathhouseVisited,
    DebtCarried,
    DebtLapsed,
    DeedsFinished,
    DrawnFollowerPlaced,
    DrawnFollowersReturned,
    EventSuffered,
    FollowerKept,
    FollowerPlaced,
    FollowersDrawn,
    FollowerStored,
    FollowerTakenBack,
    FollowerWithdrawn,
    Passed,
    PhaseBegun,
    PlanningFinished,
    PlansRevealed,
    SacristyUsed,
    StoringFinished,
    TakingBackFinished,
    TechnologyKept,
    TechnologyPlaced,
)


class TableLaid(Struct, frozen=True, gc=False):
    """The table was set up: goods on the map, supplies, starting followers and coins."""

    players: int
    goods_on_map: int
    goods_removed: dict[str, int]


# --- the round -----------------------------------------------------------------------------------------


class HourGlassTurned(Struct, frozen=True, gc=False):
    """Phase 1: a round began with the hour glass tile that it drew. ``strength`` is START, A, B or C."""

    round: int
    event: str
    strength: str
    start_seat: int


class CensusHeld(Struct, frozen=True, gc=False):
    """Phase 2: the sole leader on the farmers track received a coin, the sole last has to pay one (0: nobody)."""

    leader: int
    last: int


class StartPlayerChanged(Struct, frozen=True, gc=False):
    """Phase 7: the start player token went on; ``seat`` of the event is the new start player."""


# --- actions -------------------------------------------------------------------------------------------


class FollowerRecruited(Struct, frozen=True, gc=False):
    """A new follower went to the bag. The other fields tell what the track gave."""

    place: str
    character: str
    position: int
    good: str = ""
    coins: int = 0
    technology: bool = False
    place_tile: str = ""
    development: int = 0
    citizen: bool = False


class MerchantMoved(Struct, frozen=True, gc=False):
    """A merchant travelled along a road or waterway and took a good, or none."""

    place: str
    origin: str
    town: str
    way: str
    good: str


class TradingStationBuilt(Struct, frozen=True, gc=False):
    """A trading station was built in the town of the merchant."""

    place: str
    town: str


class PlaceUsed(Struct, frozen=True, gc=False):
    """A place gave what it shows."""

    place: str
    coins: int = 0
    development: int = 0
    good: str = ""
    technology: bool = False


class FollowerSentToDeed(Struct, frozen=True, gc=False):
    """A follower joined a beneficial deed for good."""

    place: str
    follower: str
    deed: str
    coins: int
    development: int
    completed: bool


class DevelopmentBought(Struct, frozen=True, gc=False):
    """Pharmacy: coins were spent for development."""

    place: str
    paid: int


# --- development track ---------------------------------------------------------------------------------


class DevelopmentAdvanced(Struct, frozen=True, gc=False):
    """A seat advanced on the development track and received what it reached or passed."""

    position: int
    status: int
    coins: int
    citizens: int


# --- events of the hour glass --------------------------------------------------------------------------


class IncomeReceived(Struct, frozen=True, gc=False):
    """Income: coins for the development status."""

    coins: int


class TradingDayHeld(Struct, frozen=True, gc=False):
    """Trading day: coins for built trading stations."""

    coins: int
    stations: int


class FoodGiven(Struct, frozen=True, gc=False):
    """Harvest: a food item went back to the goods market."""

    good: str


class FoodPaidFor(Struct, frozen=True, gc=False):
    """Harvest: coins were paid for a missing food item; ``missing`` coins are left to be tortured for."""

    paid: int
    missing: int


class TaxesPaid(Struct, frozen=True, gc=False):
    """Taxes: coins were paid for goods; ``missing`` coins are left to be tortured for."""

    goods: int
    paid: int
    missing: int


class CensusPaid(Struct, frozen=True, gc=False):
    """Census: the seat with the fewest farmers paid; ``missing`` coins are left to be tortured for."""

    paid: int
    missing: int


class PlagueStruck(Struct, frozen=True, gc=False):
    """Plague: a follower was drawn from the bag (empty: none there); a seat's own followers are spared."""

    follower: str
    lost: bool


# --- torture -------------------------------------------------------------------------------------------


class TradingStationSurrendered(Struct, frozen=True, gc=False):
    """Torture: a trading station was given up (empty town: from the supply)."""

    town: str
    missing: int


class FollowerSurrendered(Struct, frozen=True, gc=False):
    """Torture: a random follower was lost; ``spared`` counts the own followers drawn before it and put back."""

    follower: str
    spared: int
    missing: int


class DevelopmentSurrendered(Struct, frozen=True, gc=False):
    """Torture: the marker on the development track went back one space."""

    position: int
    status: int
    missing: int


class GoodSurrendered(Struct, frozen=True, gc=False):
    """Torture: a goods tile was lost."""

    good: str
    missing: int


class PlaceTileSurrendered(Struct, frozen=True, gc=False):
    """Torture: a place tile was lost; followers on it went back to the bag, technology is lost with it."""

    place: str
    missing: int


class TechnologySurrendered(Struct, frozen=True, gc=False):
    """Torture: a technology tile was lost."""

    place: str
    space: str
    missing: int


# --- the end -------------------------------------------------------------------------------------------


class MostStationsRewarded(Struct, frozen=True, gc=False):
    """The remaining citizen went to the sole owner of the most built trading stations (seat 0: a tie)."""

    stations: int


class SeatScored(Struct, frozen=True, gc=False):
    """The final score of one seat, with its parts."""

    coins: int
    goods: dict[str, int]
    goods_points: int
    stations: int
    citizens: int
    status: int
    status_points: int
    total: int
    rank: int


EVENTS: tuple[type[Struct], ...] = (
    TableLaid,
    HourGlassTurned,
    CensusHeld,
    FollowersDrawn,
    FollowerTakenBack,
    TakingBackFinished,
    FollowerStored,
    StoringFinished,
    FollowerPlaced,
    FollowerWithdrawn,
    PlansRevealed,
    FollowerKept,
    PlanningFinished,
    PhaseBegun,
    StartPlayerChanged,
    FollowerRecruited,
    MerchantMoved,
    TradingStationBuilt,
    PlaceUsed,
    FollowerSentToDeed,
    DeedsFinished,
    DevelopmentBought,
    BathhouseVisited,
    DrawnFollowerPlaced,
    DrawnFollowersReturned,
    Passed,
    TechnologyPlaced,
    TechnologyKept,
    DevelopmentAdvanced,
    IncomeReceived,
    TradingDayHeld,
    SacristyUsed,
    EventSuffered,
    FoodGiven,
    FoodPaidFor,
    TaxesPaid,
    CensusPaid,
    PlagueStruck,
    TradingStationSurrendered,
    FollowerSurrendered,
    DevelopmentSurrendered,
    GoodSurrendered,
    PlaceTileSurrendered,
    TechnologySurrendered,
    DebtLapsed,
    DebtCarried,
    MostStationsRewarded,
    SeatScored,
)
"""Every event of the title, in the order of the phases."""
