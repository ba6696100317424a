"""The events that all titles of the family have: typed details for clients.

Titles store them, so they never change; an event with another field is a new struct of the title.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers import ids


class FollowersDrawn(Struct, frozen=True, gc=False):
    """A seat drew followers from its bag."""

    followers: tuple[str, ...]  #: The drawn followers, in the order of the draw.


class FollowerTakenBack(Struct, frozen=True, gc=False):
    """A seat moved a placed follower back to its market instead of drawing one."""

    follower: ids.Follower
    place: str  #: The place that the follower was on.
    space: str  #: The action space that the follower was on.


class TakingBackFinished(Struct, frozen=True, gc=False):
    """A seat finished taking followers back."""


class FollowerStored(Struct, frozen=True, gc=False):
    """A seat put a follower from its market on its Gunpowder Tower."""

    follower: ids.Follower
    space: str  #: The space id of the Gunpowder Tower.


class StoringFinished(Struct, frozen=True, gc=False):
    """A seat finished putting followers on its Gunpowder Tower."""


class FollowerPlaced(Struct, frozen=True, gc=False):
    """A seat placed a follower on an action space."""

    follower: ids.Follower
    place: ids.Place
    space: ids.Space
    from_tower: bool  #: Whether it came from the Gunpowder Tower, in titles with one, instead of the market.


class FollowerWithdrawn(Struct, frozen=True, gc=False):
    """A seat put back a follower placed in this phase."""

    follower: ids.Follower
    place: str  #: The place that the follower was on.
    space: str  #: The action space that the follower was on.


class Placement(Struct, frozen=True, gc=False):
    """A follower of a revealed plan and its space."""

    follower: ids.Follower
    place: ids.Place
    space: ids.Space


class PlansRevealed(Struct, frozen=True, gc=False):
    """Sealed planning: the plan of a seat was revealed."""

    placements: tuple[Placement, ...]  #: The followers placed in this planning phase.


class FollowerKept(Struct, frozen=True, gc=False):
    """Bathhouse: a seat put a drawn follower on its market."""

    follower: ids.Follower


class PlanningFinished(Struct, frozen=True, gc=False):
    """A seat finished planning."""


class StartPlayerChanged(Struct, frozen=True, gc=False):
    """The start player token moved to the next seat: the ``seat`` of the event."""


class PhaseBegun(Struct, frozen=True, gc=False):
    """A phase of the round began."""

    phase: str  #: The phase, as ``Board.phase`` names it ("planning").


class DeedsFinished(Struct, frozen=True, gc=False):
    """A seat ended the action without sending a second follower."""

    place: ids.Place


class BathhouseVisited(Struct, frozen=True, gc=False):
    """Bathhouse: a seat drew followers, one of which may be placed."""

    place: str  #: The place ("bathhouse"), or the number of the fame tile that causes the draw.
    followers: tuple[str, ...]  #: The drawn followers, in the order of the draw.


class DrawnFollowerPlaced(Struct, frozen=True, gc=False):
    """Bathhouse: a seat placed one drawn follower; any other returned to the bag."""

    follower: ids.Follower
    place: ids.Place
    space: ids.Space


class DrawnFollowersReturned(Struct, frozen=True, gc=False):
    """Bathhouse: no drawn follower could be placed; all returned to the bag."""

    followers: tuple[str, ...]  #: The drawn followers.


class Passed(Struct, frozen=True, gc=False):
    """A seat passed for the rest of the round."""


class TechnologyPlaced(Struct, frozen=True, gc=False):
    """A seat placed a technology tile on an action space for the rest of the game."""

    place: ids.Place
    space: ids.Space


class TechnologyKept(Struct, frozen=True, gc=False):
    """A seat kept its unplaced technology tiles for a later round."""


class SacristyUsed(Struct, frozen=True, gc=False):
    """A seat returned the monk from its Sacristy to its bag and avoided the event."""

    event: str  #: The event id ("harvest"). "round_bonus": the malus of an era.


class EventSuffered(Struct, frozen=True, gc=False):
    """A seat kept the monk in its Sacristy and suffers the event."""

    event: str  #: The event id ("harvest"). "round_bonus": the malus of an era.


class TechnologySurrendered(Struct, frozen=True, gc=False):
    """A seat gave up a technology tile."""

    place: str  #: The place that the technology tile was on. Empty: an unplaced tile.
    space: str  #: The action space that the technology tile was on. Empty: an unplaced tile.
    missing: int  #: Number of coins or other items still missing, to be replaced by torture.


class DebtLapsed(Struct, frozen=True, gc=False):
    """Torture: a seat had nothing left to give up; the rest of its debt lapses."""

    missing: int  #: Number of coins or other items that lapse.


class DebtCarried(Struct, frozen=True, gc=False):
    """Torture: a seat had nothing left to give up. It pays the rest of its debt from the next coins it receives."""

    missing: int  #: Number of coins or other items owed.
