"""Every command a seat can give in Orléans Stories, one frozen struct each: its own, and those of the family.

Ids are strings: followers by their characters (``farmer``), places and place cards (``farm``, ``pub``), spaces of a
place by the character they ask for, goods, deeds, and spaces of the map by column and row (``c4r2``).
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.commands import (
    DrawFollowers,
    FinishDeeds,
    FinishPlanning,
    FinishTakingBack,
    KeepFollower,
    KeepTechnology,
    Pass,
    PlaceDrawnFollower,
    PlaceFollower,
    PlaceTechnology,
    SendToDeed,
    SufferEvent,
    TakeBackFollower,
    UsePlace,
    UseSacristy,
    WithdrawFollower,
)

# --- actions -------------------------------------------------------------------------------------------


class RecruitFollower(Struct, frozen=True, gc=False):
    """Use a place that leaves the choice between followers: take this one and what comes with it."""

    place: str
    character: str


class Expand(Struct, frozen=True, gc=False):
    """Put a settler on a free area, or on a shared one in peace: from the supply, or from that town."""

    place: str
    area: str
    town: str = ""


class Conquer(Struct, frozen=True, gc=False):
    """Drive another seat's settler from an area and put one's own there: from the supply, or from that town."""

    place: str
    area: str
    town: str = ""


class EnterTown(Struct, frozen=True, gc=False):
    """Put a settler from the supply into a town."""

    place: str
    town: str


class Build(Struct, frozen=True, gc=False):
    """Build what the place builds (a village, a fortress or a church) on an area."""

    place: str
    area: str


class TakePlaceCard(Struct, frozen=True, gc=False):
    """Take a place card of a category that the era opens."""

    place: str
    card: str


class ProduceGoods(Struct, frozen=True, gc=False):
    """Take the goods of all one's areas of one landscape."""

    place: str
    landscape: str


class ConvertCoins(Struct, frozen=True, gc=False):
    """Turn coins into as many steps of fame."""

    place: str
    coins: int


class ExchangeGoods(Struct, frozen=True, gc=False):
    """Exchange so many goods for the same number of what the place gives for them."""

    place: str
    count: int


class SellGood(Struct, frozen=True, gc=False):
    """Sell a good for its value; it leaves the game."""

    good: str


class BuyGood(Struct, frozen=True, gc=False):
    """Buy a good for its value."""

    good: str


class FinishTrading(Struct, frozen=True, gc=False):
    """Trade no more, though more would be allowed."""


# --- fame ----------------------------------------------------------------------------------------------


class UnlockPlace(Struct, frozen=True, gc=False):
    """Fame bonus: open one of one's base place cards."""

    place: str


class AdvanceEra(Struct, frozen=True, gc=False):
    """Fame bonus: go on to the next era."""


class TakeCitizen(Struct, frozen=True, gc=False):
    """Fame bonus: a citizen."""


class TakeGood(Struct, frozen=True, gc=False):
    """Take a good of one's choice from the market."""

    good: str


class TakeCoins(Struct, frozen=True, gc=False):
    """Take the rest of what is offered in coins."""


class RazeFortress(Struct, frozen=True, gc=False):
    """Take a fortress out of the game, whoever's it is."""

    area: str


class LookAtNation(Struct, frozen=True, gc=False):
    """Look at the nation card of another seat: of that one."""

    of: int


class TakeBonus(Struct, frozen=True, gc=False):
    """Take what is offered."""


class DeclineBonus(Struct, frozen=True, gc=False):
    """Do without what is offered."""


# --- events and the round bonus ------------------------------------------------------------------------


class GiveGood(Struct, frozen=True, gc=False):
    """Give a good that is asked for: food, wood, or any good."""

    good: str


class PayCoins(Struct, frozen=True, gc=False):
    """Pay the coins that an event asks for."""


class TakeFollower(Struct, frozen=True, gc=False):
    """Take a follower that an event offers into the bag."""

    character: str


class ReturnSettler(Struct, frozen=True, gc=False):
    """Take a settler that one cannot feed from an area or a town back to the supply."""

    area: str


# --- nations -------------------------------------------------------------------------------------------


class KeepMessage(Struct, frozen=True, gc=False):
    """Keep one of the secret messages that one was dealt; the other is given back unseen."""

    message: str


class DeclareMission(Struct, frozen=True, gc=False):
    """Declare the mission of one's nation fulfilled; the game ends."""


class KeepSilent(Struct, frozen=True, gc=False):
    """Declare nothing."""


# --- torture: one command replaces one missing thing ---------------------------------------------------


class SurrenderSettler(Struct, frozen=True, gc=False):
    """Give up a settler from that area, or one from the own supply if ``area`` is empty."""

    area: str = ""


class SurrenderFortress(Struct, frozen=True, gc=False):
    """Give up a fortress from that area, or one from the own supply if ``area`` is empty."""

    area: str = ""


class SurrenderTechnology(Struct, frozen=True, gc=False):
    """Give up a technology tile: the one on that space, or one not placed yet if both are empty."""

    place: str = ""
    space: str = ""


class SurrenderPlaceCard(Struct, frozen=True, gc=False):
    """Give up a place card that one has open."""

    place: str


class SurrenderCitizen(Struct, frozen=True, gc=False):
    """Give up a citizen."""


Command = (
    TakeBackFollower
    | DrawFollowers
    | FinishTakingBack
    | PlaceFollower
    | WithdrawFollower
    | FinishPlanning
    | UsePlace
    | RecruitFollower
    | Expand
    | Conquer
    | EnterTown
    | Build
    | TakePlaceCard
    | ProduceGoods
    | ConvertCoins
    | ExchangeGoods
    | SellGood
    | BuyGood
    | FinishTrading
    | SendToDeed
    | FinishDeeds
    | PlaceDrawnFollower
    | KeepFollower
    | Pass
    | PlaceTechnology
    | KeepTechnology
    | UnlockPlace
    | AdvanceEra
    | TakeCitizen
    | TakeGood
    | TakeCoins
    | RazeFortress
    | LookAtNation
    | TakeBonus
    | DeclineBonus
    | UseSacristy
    | SufferEvent
    | GiveGood
    | PayCoins
    | TakeFollower
    | ReturnSettler
    | KeepMessage
    | DeclareMission
    | KeepSilent
    | SurrenderSettler
    | SurrenderFortress
    | SurrenderTechnology
    | SurrenderPlaceCard
    | SurrenderCitizen
)

COMMANDS: tuple[type[Struct], ...] = Command.__args__
"""Every command of the title, in the order of the phases."""
