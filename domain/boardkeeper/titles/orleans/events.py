"""Every event of Orléans: a small typed detail for people and clients.

The effects beside a detail say what changed on the table; the detail says what a rulebook would say.
``coins`` is always what the seat received; ``paid`` what it gave.
"""

from __future__ import annotations

from msgspec import Struct


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


class FollowersDrawn(Struct, frozen=True, gc=False):
    """Phase 3: a seat drew followers from its bag, in this order."""

    followers: tuple[str, ...]


class FollowerTakenBack(Struct, frozen=True, gc=False):
    """Phase 3: a seat gave up a draw and put a placed follower back on its market."""

    follower: str
    place: str
    space: str


class TakingBackFinished(Struct, frozen=True, gc=False):
    """Phase 3: a seat that has drawn takes nobody else back."""


class FollowerStored(Struct, frozen=True, gc=False):
    """Phase 3: a follower went from the market to the Gunpowder Tower."""

    follower: str
    space: str


class StoringFinished(Struct, frozen=True, gc=False):
    """Phase 3: a seat puts nothing more on its Gunpowder Tower."""


class FollowerPlaced(Struct, frozen=True, gc=False):
    """Phase 4: a follower went to an action space."""

    follower: str
    place: str
    space: str
    from_tower: bool


class FollowerWithdrawn(Struct, frozen=True, gc=False):
    """Phase 4: a follower placed in this phase went back to where it came from."""

    follower: str
    place: str
    space: str


class Placement(Struct, frozen=True, gc=False):
    """One follower of a revealed plan and where it was placed."""

    follower: str
    place: str
    space: str


class PlansRevealed(Struct, frozen=True, gc=False):
    """Phase 4, sealed planning: what a seat placed behind its screen."""

    placements: tuple[Placement, ...]


class FollowerKept(Struct, frozen=True, gc=False):
    """Phase 3, Bathhouse of the first printings: one of the extra followers drawn went to the market."""

    follower: str


class PlanningFinished(Struct, frozen=True, gc=False):
    """Phase 4: a seat declared its planning finished."""


class PhaseBegun(Struct, frozen=True, gc=False):
    """A phase of the round began."""

    phase: str


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


class DeedsFinished(Struct, frozen=True, gc=False):
    """A seat sent no second follower."""

    place: str


class DevelopmentBought(Struct, frozen=True, gc=False):
    """Pharmacy: coins were spent for development."""

    place: str
    paid: int


class BathhouseVisited(Struct, frozen=True, gc=False):
    """Bathhouse: followers were drawn, one of which may be placed."""

    place: str
    followers: tuple[str, ...]


class DrawnFollowerPlaced(Struct, frozen=True, gc=False):
    """Bathhouse: one drawn follower went to an action space, the other back to the bag."""

    follower: str
    place: str
    space: str


class DrawnFollowersReturned(Struct, frozen=True, gc=False):
    """Bathhouse: no drawn follower fitted anywhere; all went back to the bag."""

    followers: tuple[str, ...]


class Passed(Struct, frozen=True, gc=False):
    """A seat passed for the rest of the round."""


class TechnologyPlaced(Struct, frozen=True, gc=False):
    """A technology tile replaces a follower on a space for the rest of the game."""

    place: str
    space: str


class TechnologyKept(Struct, frozen=True, gc=False):
    """A seat that has passed places no technology tile now."""


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


class SacristyUsed(Struct, frozen=True, gc=False):
    """The monk left the Sacristy for the bag and the event passed the seat by."""

    event: str


class EventSuffered(Struct, frozen=True, gc=False):
    """A seat kept its Sacristy activated and suffers the event."""

    event: str


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


class DebtLapsed(Struct, frozen=True, gc=False):
    """Torture: nothing was left to give, so the rest of the debt lapses."""

    missing: int


class DebtCarried(Struct, frozen=True, gc=False):
    """Torture: nothing was left to give; the seat owes the rest and pays it from the next coins it receives."""

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


EVENTS: tuple[type[Struct], ...] = tuple(
    value
    for value in list(globals().values())
    if isinstance(value, type) and issubclass(value, Struct) and value not in (Struct, Placement)
)
"""Every event of the title, in the order of this module."""
