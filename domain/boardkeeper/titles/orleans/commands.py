"""Every command a seat can give in Orléans, one frozen struct each: its own, and those of the family.

Ids are strings: followers as in ``components.toml`` (``farmer``, or ``own_farmer`` for the marked follower of
the seat's own colour), places (``ship``, ``school``), spaces of a place by the character they ask for
(``knight``; ``farmer_2`` for the second farmer space), goods, towns and deeds.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.commands import (
    DrawFollowers,
    FinishDeeds,
    FinishPlanning,
    FinishStoring,
    FinishTakingBack,
    KeepFollower,
    KeepTechnology,
    Pass,
    PlaceDrawnFollower,
    PlaceFollower,
    PlaceTechnology,
    SendToDeed,
    StoreFollower,
    SufferEvent,
    TakeBackFollower,
    UsePlace,
    UseSacristy,
    WithdrawFollower,
)

# --- phase 5: actions ----------------------------------------------------------------------------------


class RecruitFollower(Struct, frozen=True, gc=False):
    """Take a follower from the game board and advance on its track; a trader brings the named place tile."""

    place: str
    character: str
    place_tile: str = ""


class Travel(Struct, frozen=True, gc=False):
    """Move the merchant along one road or waterway and take one good from it, or none (an empty string)."""

    place: str
    town: str
    good: str = ""


class BuyDevelopment(Struct, frozen=True, gc=False):
    """Pharmacy: pay one to three coins and advance as many spaces on the development track."""

    place: str
    coins: int


# --- phase 6: events -----------------------------------------------------------------------------------


class GiveFood(Struct, frozen=True, gc=False):
    """Harvest: return one grain, cheese or wine to the goods market."""

    good: str


class PayForFood(Struct, frozen=True, gc=False):
    """Harvest: pay coins instead of one food item."""


# --- torture: one command replaces one missing coin ----------------------------------------------------


class SurrenderTradingStation(Struct, frozen=True, gc=False):
    """Give up a built trading station, or one from the own supply if ``town`` is empty."""

    town: str = ""


class SurrenderFollower(Struct, frozen=True, gc=False):
    """Give up a random follower from the bag."""


class SurrenderDevelopment(Struct, frozen=True, gc=False):
    """Go back one space on the development track."""


class SurrenderGood(Struct, frozen=True, gc=False):
    """Give up a goods tile."""

    good: str


class SurrenderPlaceTile(Struct, frozen=True, gc=False):
    """Give up a place tile."""

    place: str


class SurrenderTechnology(Struct, frozen=True, gc=False):
    """Give up a technology tile: the one on that space, or one not placed yet if both are empty."""

    place: str = ""
    space: str = ""


Command = (
    TakeBackFollower
    | DrawFollowers
    | FinishTakingBack
    | KeepFollower
    | StoreFollower
    | FinishStoring
    | PlaceFollower
    | WithdrawFollower
    | FinishPlanning
    | UsePlace
    | RecruitFollower
    | Travel
    | SendToDeed
    | FinishDeeds
    | BuyDevelopment
    | PlaceDrawnFollower
    | Pass
    | PlaceTechnology
    | KeepTechnology
    | UseSacristy
    | SufferEvent
    | GiveFood
    | PayForFood
    | SurrenderTradingStation
    | SurrenderFollower
    | SurrenderDevelopment
    | SurrenderGood
    | SurrenderPlaceTile
    | SurrenderTechnology
)

COMMANDS: tuple[type[Struct], ...] = Command.__args__
"""Every command of the title, in the order of the phases."""
