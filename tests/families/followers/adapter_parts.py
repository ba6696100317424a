"""Parts of test adapters (:class:`boardkeeper.testkit.adapters.Adapter`) that all titles of the family share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from boardkeeper.families.followers.commands import (
    DrawFollowers,
    FinishPlanning,
    FinishStoring,
    FinishTakingBack,
    KeepTechnology,
    Pass,
    PlaceFollower,
    SufferEvent,
)
from boardkeeper.titlekit.title import Setup

IDLE: Sequence[Struct] = (
    DrawFollowers(0),
    FinishTakingBack(),
    FinishStoring(),
    FinishPlanning(),
    Pass(),
    KeepTechnology(),
    SufferEvent(),
)
"""Commands with which a seat does nothing in the family's phases."""


def alike(command: Struct) -> tuple[type[Struct], str]:
    """Group commands by type and place; all placements of followers are one group."""
    return type(command), "" if isinstance(command, PlaceFollower) else getattr(command, "place", "")


def simultaneous(play: Any, setup: Setup) -> str | None:
    """Return the phase if all seats decide in it at the same time (see ``Adapter.simultaneous``)."""
    phase: str = play.t.phase.value
    phases = ("followers",) if setup.options["planning"] == "in_turn" else ("followers", "planning")
    return phase if phase in phases else None
