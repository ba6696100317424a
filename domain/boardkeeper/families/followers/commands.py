"""The commands that all titles of the family have.

Titles store them, so they never change; a command with another field is a new struct of the title. Ids are strings:
followers as in the tables of the title (``farmer``, or ``own_farmer`` for one in the colour of its seat), places,
deeds, and spaces by required character (``knight``; ``farmer_2`` for the second farmer space of a place).
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from boardkeeper.families.followers import ids

Command: TypeAlias = Struct
"""A command of the family or of one of its titles."""


class TakeBackFollower(Struct, frozen=True, gc=False):
    """Move a placed follower back to the market instead of drawing one."""

    place: ids.Place
    space: ids.Space


class DrawFollowers(Struct, frozen=True, gc=False):
    """Draw followers from the bag, all at once: from none to as many as allowed."""

    count: int  #: Number of followers to draw, from 0.


class FinishTakingBack(Struct, frozen=True, gc=False):
    """Finish taking followers back after drawing."""


class KeepFollower(Struct, frozen=True, gc=False):
    """Bathhouse: put a drawn follower on the market."""

    follower: ids.Follower


class StoreFollower(Struct, frozen=True, gc=False):
    """Put a follower from the market on the Gunpowder Tower."""

    follower: ids.Follower
    space: str  #: The space id of the Gunpowder Tower.


class FinishStoring(Struct, frozen=True, gc=False):
    """Finish putting followers on the Gunpowder Tower."""


class PlaceFollower(Struct, frozen=True, gc=False):
    """Place a follower from the market on an action space."""

    follower: ids.Follower
    place: ids.Place
    space: ids.Space
    from_tower: bool = False  #: Whether it comes from the Gunpowder Tower, in titles with one, instead of the market.


class WithdrawFollower(Struct, frozen=True, gc=False):
    """Put back a follower that was placed in this planning phase."""

    place: ids.Place
    space: ids.Space


class FinishPlanning(Struct, frozen=True, gc=False):
    """Finish planning. The plan can no longer be changed."""


class UsePlace(Struct, frozen=True, gc=False):
    """Use an activated place whose action has no choice."""

    place: ids.Place


class SendToDeed(Struct, frozen=True, gc=False):
    """Send a follower from a place to a beneficial deed."""

    place: ids.Place
    space: str  #: The action space of the follower.
    deed: ids.Deed
    reward: str = "coins"  #: "coins" or absent: the reward shown. "development": development points, if offered.


class FinishDeeds(Struct, frozen=True, gc=False):
    """End the action and leave the second follower where it is."""


class PlaceDrawnFollower(Struct, frozen=True, gc=False):
    """Bathhouse: place one of the drawn followers on an action space."""

    follower: str  #: The drawn follower to place.
    place: ids.Place
    space: ids.Space


class Pass(Struct, frozen=True, gc=False):
    """Pass. The seat carries out no further action in this round."""


class PlaceTechnology(Struct, frozen=True, gc=False):
    """Place a technology tile on an action space for the rest of the game."""

    place: ids.Place
    space: ids.Space


class KeepTechnology(Struct, frozen=True, gc=False):
    """Keep unplaced technology tiles for a later round."""


class UseSacristy(Struct, frozen=True, gc=False):
    """Return the monk from the Sacristy to the bag instead of suffering the event."""


class SufferEvent(Struct, frozen=True, gc=False):
    """Keep the monk in the Sacristy and suffer the event."""


class SurrenderTechnology(Struct, frozen=True, gc=False):
    """Give up a technology tile: the one on that space, or an unplaced one if both fields are empty."""

    place: str = ""  #: The place of the technology tile. Empty: an unplaced tile.
    space: str = ""  #: The action space of the technology tile. Empty: an unplaced tile.
