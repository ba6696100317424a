"""Every command a seat can give in Paladins of the West Kingdom, one frozen struct each.

Ids are strings as in ``components.toml``: workers (``scout``), actions (``commission``, ``hunt``), cards
(``abbot_1``, ``archer_viking``, ``favour_03``, ``anseis``), spaces of the main board (``r2c``) and for jars (``pray``).
"""

from __future__ import annotations

from msgspec import Struct

# --- the round begins ------------------------------------------------------------------------------------------


class ChoosePaladin(Struct, frozen=True, gc=False):
    """Of the three paladins on the hand, lay one face down for this round and put one on top of the deck.

    The third goes under the deck.
    """

    paladin: str
    top: str


class TakeTavernCard(Struct, frozen=True, gc=False):
    """Take a tavern card and the four workers that it shows."""

    tavern: str


# --- actions ---------------------------------------------------------------------------------------------------


class BeginAction(Struct, frozen=True, gc=False):
    """Begin an action of the own board with that many workers.

    Hunt, trade and recruit are for one worker or for two; everything else takes what its free spaces ask for.
    """

    action: str
    workers: int


class UseFavour(Struct, frozen=True, gc=False):
    """Begin the action of a King's Favour that lies open."""

    favour: str


class PlaceWorker(Struct, frozen=True, gc=False):
    """Put a worker on the next free space of the action that was begun."""

    worker: str


class Pass(Struct, frozen=True, gc=False):
    """Carry out no further action in this round."""


class ReturnWorker(Struct, frozen=True, gc=False):
    """After passing: give an unused worker back."""

    worker: str


class KeepWorkers(Struct, frozen=True, gc=False):
    """After passing: take the unused workers, three at most, into the next round."""


# --- what an action is about -----------------------------------------------------------------------------------


class HireTownsfolk(Struct, frozen=True, gc=False):
    """Take one of the townsfolk on display into the own following.

    ``payment`` is ``silver``, or ``debt`` where its place allows that; empty where hiring is free.
    """

    townsfolk: str
    payment: str = ""


class DiscardTownsfolk(Struct, frozen=True, gc=False):
    """Send one of the townsfolk on display away for the reward at its top; ``payment`` as in :class:`HireTownsfolk`."""

    townsfolk: str
    payment: str = ""


class PlaceWorkshop(Struct, frozen=True, gc=False):
    """Put the leftmost workshop on the first or second space (``slot`` 1, 2) of an action of the right side."""

    action: str
    slot: int


class ClearArea(Struct, frozen=True, gc=False):
    """Pray: give all workers of one own action area back to the supply."""

    action: str


class PlaceMonk(Struct, frozen=True, gc=False):
    """Send the leftmost monk to a space of the main board."""

    space: str


class PlaceOutpost(Struct, frozen=True, gc=False):
    """Build the leftmost outpost on a space of the main board."""

    space: str


class PlaceJar(Struct, frozen=True, gc=False):
    """Put the leftmost jar on a free space with that reward."""

    space: str


class AttackOutsider(Struct, frozen=True, gc=False):
    """Attack an outsider on display, paying silver for missing strength."""

    outsider: str


class ConvertOutsider(Struct, frozen=True, gc=False):
    """Convert an outsider on display."""

    outsider: str


# --- rewards and inquisitions ----------------------------------------------------------------------------------


class TakeReward(Struct, frozen=True, gc=False):
    """Take that reward next."""

    reward: str


class ChooseReward(Struct, frozen=True, gc=False):
    """Take the first or the second (1, 2, …) of the options of a reward."""

    reward: str
    option: int


class ForgoReward(Struct, frozen=True, gc=False):
    """Do without a reward that nobody has to take."""

    reward: str


class UseTownsfolk(Struct, frozen=True, gc=False):
    """In an inquisition: use the ability of one of the own townsfolk next."""

    townsfolk: str


Command = (
    ChoosePaladin
    | TakeTavernCard
    | BeginAction
    | UseFavour
    | PlaceWorker
    | Pass
    | ReturnWorker
    | KeepWorkers
    | HireTownsfolk
    | DiscardTownsfolk
    | PlaceWorkshop
    | ClearArea
    | PlaceMonk
    | PlaceOutpost
    | PlaceJar
    | AttackOutsider
    | ConvertOutsider
    | TakeReward
    | ChooseReward
    | ForgoReward
    | UseTownsfolk
)

COMMANDS: tuple[type[Struct], ...] = Command.__args__
"""Every command of the title."""
