"""Every event of Orléans Stories, its own and those of the family: a small typed detail for people and clients.

The effects beside a detail say what changed on the table; the detail says what a rulebook would say. ``coins`` is what
the seat received, ``paid`` what it gave, ``missing`` what is still to be replaced.
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
    FollowerTakenBack,
    FollowerWithdrawn,
    Passed,
    PhaseBegun,
    PlanningFinished,
    PlansRevealed,
    SacristyUsed,
    TakingBackFinished,
    TechnologyKept,
    TechnologyPlaced,
)


class TableLaid(Struct, frozen=True, gc=False):
    """The table was set up: the landscape dealt to each space of the map, and who begins."""

    players: int
    landscapes: dict[str, str]
    start_seat: int


# --- the round -----------------------------------------------------------------------------------------


class RoundBegun(Struct, frozen=True, gc=False):
    """A round began; ``event`` is the card that was turned, if there are any."""

    round: int
    start_seat: int
    event: str = ""


class StartPlayerChanged(Struct, frozen=True, gc=False):
    """The start player token went on; ``seat`` of the event is the new start player."""


# --- actions -------------------------------------------------------------------------------------------


class PlaceUsed(Struct, frozen=True, gc=False):
    """A place gave what it shows."""

    place: str
    follower: str = ""
    goods: dict[str, int] = {}
    coins: int = 0
    fame: int = 0
    technology: int = 0


class AreaEntered(Struct, frozen=True, gc=False):
    """A settler went to an area, alone or, in peace, beside others: from that town, or from the supply."""

    place: str
    area: str
    town: str = ""


class AreaConquered(Struct, frozen=True, gc=False):
    """A settler drove another seat's from an area; the loser's went back to its supply."""

    place: str
    area: str
    loser: int
    knights: int
    town: str = ""


class TownEntered(Struct, frozen=True, gc=False):
    """A settler went from the supply into a town."""

    place: str
    town: str


class Built(Struct, frozen=True, gc=False):
    """A village, a fortress or a church was built."""

    place: str
    area: str
    building: str
    wood: int
    fame: int


class PlaceCardTaken(Struct, frozen=True, gc=False):
    """A place card came to a seat."""

    place: str
    card: str


class CoinsConverted(Struct, frozen=True, gc=False):
    """Coins became fame."""

    place: str
    paid: int
    fame: int


class GoodsExchanged(Struct, frozen=True, gc=False):
    """Goods were exchanged for as many others."""

    place: str
    given: str
    received: str
    count: int


class TradingBegun(Struct, frozen=True, gc=False):
    """A seat began to trade, so many times at most."""

    place: str
    trades: int


class GoodSold(Struct, frozen=True, gc=False):
    """A good was sold; it left the game."""

    good: str
    coins: int


class GoodBought(Struct, frozen=True, gc=False):
    """A good was bought."""

    good: str
    paid: int


class TradingFinished(Struct, frozen=True, gc=False):
    """A seat traded no more."""


class FollowerSentToDeed(Struct, frozen=True, gc=False):
    """A follower joined a beneficial deed for good; who completes one may receive citizens."""

    place: str
    follower: str
    deed: str
    coins: int
    fame: int
    completed: bool
    citizens: int


# --- fame and eras -------------------------------------------------------------------------------------


class FameGained(Struct, frozen=True, gc=False):
    """A seat advanced on the fame track and passed so many tiles."""

    position: int
    tiles: int


class PlaceUnlocked(Struct, frozen=True, gc=False):
    """Fame bonus: a base place card was opened."""

    place: str


class EraEntered(Struct, frozen=True, gc=False):
    """A seat came into an era; ``peace``: it is at peace from now on."""

    era: int
    peace: bool


class CitizenTaken(Struct, frozen=True, gc=False):
    """Fame bonus: a citizen."""


class TileUsed(Struct, frozen=True, gc=False):
    """A tile of the fame track, a bonus tile or a manor farm gave something."""

    source: str
    coins: int = 0
    goods: dict[str, int] = {}
    technology: int = 0
    follower: str = ""
    card: str = ""


class FortressRazed(Struct, frozen=True, gc=False):
    """A fortress left the game."""

    area: str
    owner: int


class NationSeen(Struct, frozen=True, gc=False):
    """A seat looked at the nation card of another one (0: the others are not told of whom)."""

    of: int


class NationShown(Struct, frozen=True, gc=False):
    """What a seat saw on the nation card of another one. Only who has seen it is told."""

    of: int
    nation: str


class BonusDeclined(Struct, frozen=True, gc=False):
    """A seat did without what was offered."""

    bonus: str


class RoundBonusCarriedOut(Struct, frozen=True, gc=False):
    """The bonus or malus of a seat's era was carried out."""

    era: int
    coins: int = 0
    fame: int = 0
    food: int = 0


# --- events --------------------------------------------------------------------------------------------


class EventCarriedOut(Struct, frozen=True, gc=False):
    """The event of the round brought a seat something, or took something from it."""

    event: str
    coins: int = 0
    fame: int = 0
    citizens: int = 0
    technology: int = 0
    goods: dict[str, int] = {}
    follower: str = ""


class GoodGiven(Struct, frozen=True, gc=False):
    """A good was given that was asked for."""

    good: str


class GoodsMissing(Struct, frozen=True, gc=False):
    """Not enough was there of what was asked for; so many are missing."""

    missing: int


class CoinsPaid(Struct, frozen=True, gc=False):
    """Coins were paid that were asked for."""

    paid: int
    missing: int


class FollowersLost(Struct, frozen=True, gc=False):
    """Followers were drawn blind from the bag and went back to the supply."""

    followers: tuple[str, ...]


class SettlerReturned(Struct, frozen=True, gc=False):
    """A settler that could not be fed went back to the supply."""

    area: str


# --- nations -------------------------------------------------------------------------------------------


class SecretsDealt(Struct, frozen=True, gc=False):
    """The mission of each nation lies open, and every seat chooses a message."""

    missions: dict[str, str]


class CardsDealt(Struct, frozen=True, gc=False):
    """What a seat was dealt: its nation, and the messages of which it keeps one. Only that seat is told."""

    nation: str
    messages: tuple[str, ...]


class MessageChosen(Struct, frozen=True, gc=False):
    """A seat chose its secret message; which one, only it knows."""


class MessageKept(Struct, frozen=True, gc=False):
    """The secret message that a seat kept."""

    message: str


class BonusTilesShifted(Struct, frozen=True, gc=False):
    """The bonus tiles moved on one era; a new one lies on the last."""

    tile: str


class SilenceKept(Struct, frozen=True, gc=False):
    """A seat declared nothing."""


class MissionDeclared(Struct, frozen=True, gc=False):
    """A seat declared its mission fulfilled."""


class NationsRevealed(Struct, frozen=True, gc=False):
    """All nation cards were opened: the nation of each seat, from seat 1."""

    nations: tuple[str, ...]


class MissionJudged(Struct, frozen=True, gc=False):
    """Whether a nation has fulfilled its mission; the goods that it took lie on the card."""

    nation: str
    mission: str
    fulfilled: bool


class MessagesRevealed(Struct, frozen=True, gc=False):
    """All messages that were kept were opened: that of each seat, from seat 1."""

    messages: tuple[str, ...]


class NationScored(Struct, frozen=True, gc=False):
    """The final score of a nation, with its parts; messages are the points of all it has won."""

    nation: str
    mission: int
    messages: int
    majority: int
    areas: int
    villages: int
    churches: int
    coins: int
    goods_points: int
    total: int
    rank: int


class DeclarationFailed(Struct, frozen=True, gc=False):
    """A nation had not fulfilled the mission that was declared: it has lost."""

    nation: str


# --- torture -------------------------------------------------------------------------------------------


class SettlerSurrendered(Struct, frozen=True, gc=False):
    """A settler left the game (empty area: from the supply)."""

    area: str
    missing: int


class FortressSurrendered(Struct, frozen=True, gc=False):
    """A fortress left the game (empty area: from the supply)."""

    area: str
    missing: int


class TechnologySurrendered(Struct, frozen=True, gc=False):
    """A technology tile left the game."""

    place: str
    space: str
    missing: int


class PlaceCardSurrendered(Struct, frozen=True, gc=False):
    """A place card left the game; followers on it went back to the bag, technology is lost with it."""

    place: str
    missing: int


class CitizenSurrendered(Struct, frozen=True, gc=False):
    """A citizen was struck off."""

    missing: int


# --- the end -------------------------------------------------------------------------------------------


class SeatScored(Struct, frozen=True, gc=False):
    """The final score of one seat, with its parts."""

    coins: int
    goods: dict[str, int]
    goods_points: int
    areas: int
    area_points: int
    villages: int
    citizens: int
    citizen_points: int
    churches: int
    church_points: int
    total: int
    rank: int


EVENTS: tuple[type[Struct], ...] = (
    TableLaid,
    RoundBegun,
    FollowersDrawn,
    FollowerTakenBack,
    TakingBackFinished,
    FollowerPlaced,
    FollowerKept,
    FollowerWithdrawn,
    PlansRevealed,
    PlanningFinished,
    PhaseBegun,
    StartPlayerChanged,
    PlaceUsed,
    AreaEntered,
    AreaConquered,
    TownEntered,
    Built,
    PlaceCardTaken,
    CoinsConverted,
    GoodsExchanged,
    TradingBegun,
    GoodSold,
    GoodBought,
    TradingFinished,
    FollowerSentToDeed,
    DeedsFinished,
    BathhouseVisited,
    DrawnFollowerPlaced,
    DrawnFollowersReturned,
    Passed,
    TechnologyPlaced,
    TechnologyKept,
    FameGained,
    PlaceUnlocked,
    EraEntered,
    CitizenTaken,
    TileUsed,
    FortressRazed,
    NationSeen,
    NationShown,
    BonusDeclined,
    RoundBonusCarriedOut,
    SacristyUsed,
    EventSuffered,
    EventCarriedOut,
    GoodGiven,
    GoodsMissing,
    CoinsPaid,
    FollowersLost,
    SettlerReturned,
    SecretsDealt,
    CardsDealt,
    MessageChosen,
    MessageKept,
    BonusTilesShifted,
    SilenceKept,
    MissionDeclared,
    NationsRevealed,
    MissionJudged,
    MessagesRevealed,
    NationScored,
    DeclarationFailed,
    SettlerSurrendered,
    FortressSurrendered,
    TechnologySurrendered,
    PlaceCardSurrendered,
    CitizenSurrendered,
    DebtLapsed,
    DebtCarried,
    SeatScored,
)
"""Every event of the title, in the order of the phases."""
