"""Every command a seat can give in Orléans, one frozen struct each.

Ids are strings: followers as in ``components.toml`` (``farmer``, or ``own_farmer`` for the marked follower of
the seat's own colour), places (``ship``, ``school``), spaces of a place by the character they ask for
(``knight``; ``farmer_2`` for the second farmer space), goods, towns and deeds.
"""

from __future__ import annotations

from msgspec import Struct

# --- phase 3: followers --------------------------------------------------------------------------------


class TakeBackFollower(Struct, frozen=True, gc=False):
    """Give up one draw to put a placed follower back on the market."""

    place: str
    space: str


class DrawFollowers(Struct, frozen=True, gc=False):
    """Draw that many followers, from none to as many as allowed, all at once."""

    count: int


class FinishTakingBack(Struct, frozen=True, gc=False):
    """After drawing: put no further placed follower back on the market."""


class KeepFollower(Struct, frozen=True, gc=False):
    """Bathhouse of the first printings: put one of the extra followers drawn on the market."""

    follower: str


class StoreFollower(Struct, frozen=True, gc=False):
    """Put a follower from the market on the Gunpowder Tower."""

    follower: str
    space: str


class FinishStoring(Struct, frozen=True, gc=False):
    """Put no further follower on the Gunpowder Tower."""


# --- phase 4: planning ---------------------------------------------------------------------------------


class PlaceFollower(Struct, frozen=True, gc=False):
    """Put a follower from the market, or from the Gunpowder Tower, on an action space."""

    follower: str
    place: str
    space: str
    from_tower: bool = False


class WithdrawFollower(Struct, frozen=True, gc=False):
    """Change one's mind: put back a follower that was placed in this planning phase."""

    place: str
    space: str


class FinishPlanning(Struct, frozen=True, gc=False):
    """Declare one's planning finished; it can no longer be changed."""


# --- phase 5: actions ----------------------------------------------------------------------------------


class UsePlace(Struct, frozen=True, gc=False):
    """Carry out the action of an activated place that leaves nothing to choose."""

    place: str


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


class SendToDeed(Struct, frozen=True, gc=False):
    """Send a follower from the Town Hall or the Gunpowder Tower to a beneficial deed.

    ``reward`` is ``coins`` or ``development``; only the canalization leaves the choice.
    """

    place: str
    space: str
    deed: str
    reward: str = "coins"


class FinishDeeds(Struct, frozen=True, gc=False):
    """Leave the second follower where it is and end the action."""


class BuyDevelopment(Struct, frozen=True, gc=False):
    """Pharmacy: pay one to three coins and advance as many spaces on the development track."""

    place: str
    coins: int


class PlaceDrawnFollower(Struct, frozen=True, gc=False):
    """Bathhouse: put one of the two drawn followers on an action space."""

    follower: str
    place: str
    space: str


class Pass(Struct, frozen=True, gc=False):
    """Carry out no further action in this round."""


class PlaceTechnology(Struct, frozen=True, gc=False):
    """Put a technology tile on an action space, for the rest of the game."""

    place: str
    space: str


class KeepTechnology(Struct, frozen=True, gc=False):
    """Place no further technology tile in this round."""


# --- phase 6: events -----------------------------------------------------------------------------------


class UseSacristy(Struct, frozen=True, gc=False):
    """Return the monk from the Sacristy instead of suffering the event."""


class SufferEvent(Struct, frozen=True, gc=False):
    """Keep the Sacristy activated and suffer the event."""


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
"""Every command of the title, in the order of this module."""
