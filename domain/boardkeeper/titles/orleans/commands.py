"""A command of Orléans, which a seat submits.

Ids are strings, as listed in the catalogue: followers (``farmer``, or ``own_farmer`` for the seat's own farmer), places
(``ship``, ``school``), spaces of a place by their required character (``knight``; ``farmer_2`` for the second farmer
space), goods, towns and deeds.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers import ids
from boardkeeper.families.followers.commands import *
from boardkeeper.titlekit.catalogue_title import structs_in

# --- phase 5: actions ----------------------------------------------------------------------------------


class RecruitFollower(Struct, frozen=True, gc=False):
    """Recruit a follower from the game board and advance on its track. A trader also gives the named place tile."""

    place: str  #: The place that recruits.
    character: str  #: The character to recruit ("knight").
    place_tile: str = ""  #: The place tile to take. Required for a trader, otherwise empty.


class Travel(Struct, frozen=True, gc=False):
    """Move the merchant along one road or waterway and take one good from it, or none."""

    place: str  #: The place used to travel. It determines whether the merchant takes a road or a waterway.
    town: str  #: The destination town.
    good: str = ""  #: The good to take from the road or waterway. Empty to take none.


class BuyDevelopment(Struct, frozen=True, gc=False):
    """Pharmacy: pay one to three coins and advance the same number of spaces on the development track."""

    place: ids.Place
    coins: int  #: Number of coins to pay, 1 to 3.


# --- phase 6: events -----------------------------------------------------------------------------------


class GiveFood(Struct, frozen=True, gc=False):
    """Harvest: return one grain, cheese or wine to the goods market."""

    good: str  #: The food item: "grain", "cheese" or "wine".


class PayForFood(Struct, frozen=True, gc=False):
    """Harvest: pay coins instead of one food item."""


# --- torture: one command replaces one missing coin ----------------------------------------------------


class SurrenderTradingStation(Struct, frozen=True, gc=False):
    """Give up a trading station: the one built in ``town``, or one from the seat's supply if ``town`` is empty."""

    town: str = ""  #: The town of the trading station. Empty: one from the seat's supply.


class SurrenderFollower(Struct, frozen=True, gc=False):
    """Give up a random follower from the bag."""


class SurrenderDevelopment(Struct, frozen=True, gc=False):
    """Move back one space on the development track."""


class SurrenderGood(Struct, frozen=True, gc=False):
    """Give up a goods tile."""

    good: ids.Good


class SurrenderPlaceTile(Struct, frozen=True, gc=False):
    """Give up a place tile."""

    place: str  #: The place tile id.


COMMANDS = structs_in(globals())
