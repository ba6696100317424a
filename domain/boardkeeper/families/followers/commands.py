"""The commands that all titles of the family have, one frozen struct each.

A title stores them as its own, so they never change: what needs a new field is a struct of the title's own. Ids are
strings: followers as in a title's tables (``farmer``, or ``own_farmer`` for one marked with the colour of its seat),
places, spaces of a place by the character they ask for (``knight``; ``farmer_2`` for the second farmer space), deeds.
"""

from __future__ import annotations

from msgspec import Struct


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


class UsePlace(Struct, frozen=True, gc=False):
    """Carry out the action of an activated place that leaves nothing to choose."""

    place: str


class SendToDeed(Struct, frozen=True, gc=False):
    """Send a follower from a place to a beneficial deed, for one of the rewards that the deed offers."""

    place: str
    space: str
    deed: str
    reward: str = "coins"


class FinishDeeds(Struct, frozen=True, gc=False):
    """Leave the second follower where it is and end the action."""


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


class UseSacristy(Struct, frozen=True, gc=False):
    """Return the monk from the Sacristy instead of suffering the event."""


class SufferEvent(Struct, frozen=True, gc=False):
    """Keep the Sacristy activated and suffer the event."""


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
    | SendToDeed
    | FinishDeeds
    | PlaceDrawnFollower
    | Pass
    | PlaceTechnology
    | KeepTechnology
    | UseSacristy
    | SufferEvent
)
