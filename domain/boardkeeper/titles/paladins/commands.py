"""A command of Paladins of the West Kingdom.

Ids are those of the catalogue: workers (``scout``), actions (``commission``), cards (``abbot_1``, ``archer_viking``,
``favour_03``, ``anseis``), spaces of the main board (``r2c``) and jar spaces by their reward (``pray``).
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.titlekit.catalogue_title import structs_in

# --- start of the round -----------------------------------------------------------------------------------------------


class ChoosePaladin(Struct, frozen=True, gc=False):
    """Choose a paladin in hand for this round and put another on top of the deck.

    The third paladin goes to the bottom of the deck.
    """

    paladin: str  #: Id of the paladin for this round.
    top: str  #: Id of the paladin to put on top of the deck.


class TakeTavernCard(Struct, frozen=True, gc=False):
    """Take a tavern card and its four workers."""

    tavern: str  #: Id of the tavern card.


# --- actions ----------------------------------------------------------------------------------------------------------


class BeginAction(Struct, frozen=True, gc=False):
    """Begin an action of the own player board.

    Hunt, Trade and Recruit take 1 or 2 workers. Every other action takes exactly one worker for each free space.
    """

    action: str  #: Id of the action.
    workers: int  #: Number of workers to place.


class UseFavour(Struct, frozen=True, gc=False):
    """Begin a revealed King's Favour."""

    favour: str  #: Id of the King's Favour.


class PlaceWorker(Struct, frozen=True, gc=False):
    """Place a worker on the next free space of the action that was begun."""

    worker: str  #: Kind of the worker.


class Pass(Struct, frozen=True, gc=False):
    """Pass for the rest of the round."""


class ReturnWorker(Struct, frozen=True, gc=False):
    """Return an unused worker to the supply. Only after passing."""

    worker: str  #: Kind of the worker.


class KeepWorkers(Struct, frozen=True, gc=False):
    """Keep the unused workers, at most three, for the next round. Only after passing."""


# --- targets of actions -----------------------------------------------------------------------------------------------


class HireTownsfolk(Struct, frozen=True, gc=False):
    """Hire townsfolk on display."""

    townsfolk: str  #: Id of the card.
    payment: str = ""  #: Payment: ``silver``, or ``debt`` for a card in the two leftmost places. Empty: hiring is free.


class DiscardTownsfolk(Struct, frozen=True, gc=False):
    """Discard townsfolk on display for the reward at the top right of the card."""

    townsfolk: str  #: Id of the card.
    #: Payment: ``silver``, or ``debt`` for a card in the two leftmost places. Empty: discarding is free.
    payment: str = ""


class PlaceWorkshop(Struct, frozen=True, gc=False):
    """Place the leftmost workshop on a space of an action on the right side."""

    action: str  #: Id of the action.
    slot: int  #: Space, 1 or 2, from left to right.


class ClearArea(Struct, frozen=True, gc=False):
    """Pray: return all workers of one own action to the supply."""

    action: str  #: Id of the action.


class PlaceMonk(Struct, frozen=True, gc=False):
    """Send the leftmost monk to a space of the main board."""

    space: str  #: Id of the space.


class PlaceOutpost(Struct, frozen=True, gc=False):
    """Build the leftmost outpost on a space of the main board."""

    space: str  #: Id of the space.


class PlaceJar(Struct, frozen=True, gc=False):
    """Put the leftmost jar on a free jar space."""

    space: str  #: Jar space, by its reward.


class AttackOutsider(Struct, frozen=True, gc=False):
    """Attack an outsider on display; silver is paid for missing strength."""

    outsider: str  #: Id of the card.


class ConvertOutsider(Struct, frozen=True, gc=False):
    """Convert an outsider on display."""

    outsider: str  #: Id of the card.


# --- rewards and inquisitions -----------------------------------------------------------------------------------------


class TakeReward(Struct, frozen=True, gc=False):
    """Take a waiting reward that needs no target."""

    reward: str  #: Kind of the reward.


class ChooseReward(Struct, frozen=True, gc=False):
    """Choose an option of a waiting reward."""

    reward: str  #: Kind of the reward.
    option: int  #: Number of the option, from 1, as printed from left to right.


class ForgoReward(Struct, frozen=True, gc=False):
    """Decline a waiting reward that is not mandatory."""

    reward: str  #: Kind of the reward.


class UseTownsfolk(Struct, frozen=True, gc=False):
    """Use one of the own townsfolk in the inquisition."""

    townsfolk: str  #: Id of the card.


COMMANDS = structs_in(globals())
