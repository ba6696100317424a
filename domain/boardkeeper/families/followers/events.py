"""The events that all titles of the family have: small typed details for people and clients.

A title stores them as its own, so they never change: what needs a new field is a struct of the title's own.
"""

from __future__ import annotations

from msgspec import Struct


class FollowersDrawn(Struct, frozen=True, gc=False):
    """Phase 3: a seat drew followers from its bag, in this order."""

    followers: tuple[str, ...]


class FollowerTakenBack(Struct, frozen=True, gc=False):
    """Phase 3: a seat gave up a draw and put a placed follower back on its market."""

    follower: str
    place: str
    space: str


class TakingBackFinished(Struct, frozen=True, gc=False):
    """Phase 3: a seat that has drawn takes nobody else back."""


class FollowerStored(Struct, frozen=True, gc=False):
    """Phase 3: a follower went from the market to the Gunpowder Tower."""

    follower: str
    space: str


class StoringFinished(Struct, frozen=True, gc=False):
    """Phase 3: a seat puts nothing more on its Gunpowder Tower."""


class FollowerPlaced(Struct, frozen=True, gc=False):
    """Phase 4: a follower went to an action space."""

    follower: str
    place: str
    space: str
    from_tower: bool


class FollowerWithdrawn(Struct, frozen=True, gc=False):
    """Phase 4: a follower placed in this phase went back to where it came from."""

    follower: str
    place: str
    space: str


class Placement(Struct, frozen=True, gc=False):
    """One follower of a revealed plan and where it was placed."""

    follower: str
    place: str
    space: str


class PlansRevealed(Struct, frozen=True, gc=False):
    """Phase 4, sealed planning: what a seat placed behind its screen."""

    placements: tuple[Placement, ...]


class FollowerKept(Struct, frozen=True, gc=False):
    """Phase 3, Bathhouse of the first printings: one of the extra followers drawn went to the market."""

    follower: str


class PlanningFinished(Struct, frozen=True, gc=False):
    """Phase 4: a seat declared its planning finished."""


class PhaseBegun(Struct, frozen=True, gc=False):
    """A phase of the round began."""

    phase: str


class DeedsFinished(Struct, frozen=True, gc=False):
    """A seat sent no second follower."""

    place: str


class BathhouseVisited(Struct, frozen=True, gc=False):
    """Bathhouse: followers were drawn, one of which may be placed."""

    place: str
    followers: tuple[str, ...]


class DrawnFollowerPlaced(Struct, frozen=True, gc=False):
    """Bathhouse: one drawn follower went to an action space, the other back to the bag."""

    follower: str
    place: str
    space: str


class DrawnFollowersReturned(Struct, frozen=True, gc=False):
    """Bathhouse: no drawn follower fitted anywhere; all went back to the bag."""

    followers: tuple[str, ...]


class Passed(Struct, frozen=True, gc=False):
    """A seat passed for the rest of the round."""


class TechnologyPlaced(Struct, frozen=True, gc=False):
    """A technology tile replaces a follower on a space for the rest of the game."""

    place: str
    space: str


class TechnologyKept(Struct, frozen=True, gc=False):
    """A seat that has passed places no technology tile now."""


class SacristyUsed(Struct, frozen=True, gc=False):
    """The monk left the Sacristy for the bag and the event passed the seat by."""

    event: str


class EventSuffered(Struct, frozen=True, gc=False):
    """A seat kept its Sacristy activated and suffers the event."""

    event: str


class DebtLapsed(Struct, frozen=True, gc=False):
    """Torture: nothing was left to give, so the rest of the debt lapses."""

    missing: int


class DebtCarried(Struct, frozen=True, gc=False):
    """Torture: nothing was left to give; the seat owes the rest and pays it from the next coins it receives."""

    missing: int
