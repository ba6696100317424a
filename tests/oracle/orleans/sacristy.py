"""The Sacristy: a monk on it protects its owner from a negative event."""

from __future__ import annotations

from tests.oracle.orleans.sheet import Side

PLACE = "sacristy"
ASKED = "sacristy"


def is_activated(side: Side) -> bool:
    """Return whether a monk is on it. No other follower can replace the monk."""
    return "monk" in side.occupants(PLACE).values()


def use(side: Side) -> None:
    """Return the monk to the bag."""
    (space,) = side.occupants(PLACE)
    side.spaces[PLACE, space] = ""
    side.bag["monk"] += 1
