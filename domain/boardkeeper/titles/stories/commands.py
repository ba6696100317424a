"""A command of Orléans Stories, which a seat submits.

Ids are strings, as listed in the catalogue: followers by their characters (``farmer``), places and place cards
(``farm``, ``pub``), spaces of a place by their required character (``knight``; ``farmer_2`` for the second farmer
space), goods, deeds, and spaces of the map by column and row (``c4r2``). The market is the village green.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers import ids
from boardkeeper.families.followers.commands import *
from boardkeeper.titlekit.catalogue_title import structs_in

# --- actions -------------------------------------------------------------------------------------------------


class RecruitFollower(Struct, frozen=True, gc=False):
    """Use a place that offers several followers: recruit this one and receive the extras shown with it."""

    place: str  #: The place that recruits.
    character: str  #: The character to recruit ("craftsman").


class Expand(Struct, frozen=True, gc=False):
    """Expand: put a settler from the supply or a town on a free area, or at peace on a shared area."""

    place: str  #: The place used. Empty if the event of the round allows the command.
    area: str  #: The map space id ("c4r2").
    town: str = ""  #: The town that the settler comes from. Empty: from the supply.


class Conquer(Struct, frozen=True, gc=False):
    """Conquer: drive another seat's settler from an area and put one from the supply or a town there."""

    place: ids.Place
    area: str  #: The map space id ("c4r2").
    town: str = ""  #: The town that the settler comes from. Empty: from the supply.


class EnterTown(Struct, frozen=True, gc=False):
    """Put a settler from the supply into a town."""

    place: str  #: The place used.
    town: str  #: The town, by its map space id.


class Build(Struct, frozen=True, gc=False):
    """Build a village, a fortress or a church on an area, depending on the place."""

    place: str  #: The place used. Empty if a fame tile allows the command.
    area: str  #: The map space id ("c4r2").


class TakePlaceCard(Struct, frozen=True, gc=False):
    """Take a place card of a category that the era allows."""

    place: str  #: The place used. Empty if a fame tile allows the command.
    card: str  #: The place card to take.


class ProduceGoods(Struct, frozen=True, gc=False):
    """Harvest the goods of all the seat's areas of one landscape."""

    place: ids.Place
    landscape: str  #: The landscape id ("field").


class ConvertCoins(Struct, frozen=True, gc=False):
    """Turn coins into fame: 1 fame for each coin."""

    place: ids.Place
    coins: int  #: Number of coins, from 1.


class ExchangeGoods(Struct, frozen=True, gc=False):
    """Exchange goods for the same number of the good that the place offers."""

    place: ids.Place
    count: int  #: Number of goods, from 1.


class SellGood(Struct, frozen=True, gc=False):
    """Sell a good for coins equal to its value. The good is removed from the game."""

    good: ids.Good


class BuyGood(Struct, frozen=True, gc=False):
    """Buy a good for coins equal to its value."""

    good: ids.Good


class FinishTrading(Struct, frozen=True, gc=False):
    """Stop trading before all trades are used."""


# --- fame ----------------------------------------------------------------------------------------------------


class UnlockPlace(Struct, frozen=True, gc=False):
    """Fame bonus: open one of the seat's base place cards."""

    place: str  #: The base place card id ("castle").


class AdvanceEra(Struct, frozen=True, gc=False):
    """Fame bonus: advance to the next era."""


class TakeCitizen(Struct, frozen=True, gc=False):
    """Fame bonus: take a citizen."""


class TakeGood(Struct, frozen=True, gc=False):
    """Take a good of the seat's choice from the market board."""

    good: ids.Good


class TakeCoins(Struct, frozen=True, gc=False):
    """Take the rest of the offered value in coins."""


class RazeFortress(Struct, frozen=True, gc=False):
    """Remove a fortress of any seat from the game."""

    area: str  #: The map space of the fortress.


class LookAtNation(Struct, frozen=True, gc=False):
    """Look at the nation card of another seat."""

    of: int  #: The seat with the nation card.


class TakeBonus(Struct, frozen=True, gc=False):
    """Accept the bonus."""


class DeclineBonus(Struct, frozen=True, gc=False):
    """Decline the bonus."""


# --- events and the round bonus ------------------------------------------------------------------------------


class GiveGood(Struct, frozen=True, gc=False):
    """Give a required good: food, wood, or any good."""

    good: ids.Good


class PayCoins(Struct, frozen=True, gc=False):
    """Pay the coins that an event requires."""


class TakeFollower(Struct, frozen=True, gc=False):
    """Put a follower offered by an event into the bag."""

    character: str  #: The character id ("knight").


class ReturnSettler(Struct, frozen=True, gc=False):
    """Return a settler from an area or a town to the supply because the seat cannot feed it."""

    area: str  #: The map space of the area or town that the settler leaves.


# --- nations -------------------------------------------------------------------------------------------------


class KeepMessage(Struct, frozen=True, gc=False):
    """Keep one of the dealt secret messages. The other is returned unseen."""

    message: str  #: The secret message to keep.


class DeclareMission(Struct, frozen=True, gc=False):
    """Declare the mission of the seat's nation fulfilled, which ends the game."""


class KeepSilent(Struct, frozen=True, gc=False):
    """Do not declare the mission fulfilled."""


# --- torture: one command replaces one missing thing ---------------------------------------------------------


class SurrenderSettler(Struct, frozen=True, gc=False):
    """Give up a settler: from ``area``, or from the seat's supply if ``area`` is empty."""

    area: str = ""  #: The map space. Empty: from the seat's supply.


class SurrenderFortress(Struct, frozen=True, gc=False):
    """Give up a fortress: from ``area``, or from the seat's supply if ``area`` is empty."""

    area: str = ""  #: The map space. Empty: from the seat's supply.


class SurrenderPlaceCard(Struct, frozen=True, gc=False):
    """Give up an open place card."""

    place: str  #: The place card or base place card.


class SurrenderCitizen(Struct, frozen=True, gc=False):
    """Give up a citizen."""


COMMANDS = structs_in(globals(), StoreFollower, FinishStoring)
