"""The Sacristy: a monk stands in for its owner when an event does harm."""

from __future__ import annotations

from tests.oracle.orleans.sheet import Side

PLACE = "sacristy"
ASKED = "sacristy"


def activated(side: Side) -> bool:
    """Whether a monk stands there. Nothing can stand in for a monk."""
    return "monk" in side.occupants(PLACE).values()


def use(side: Side) -> None:
    """The monk goes back into the bag."""
    (space,) = side.occupants(PLACE)
    side.spaces[PLACE, space] = ""
    side.bag["monk"] += 1
