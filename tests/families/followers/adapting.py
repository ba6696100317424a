"""What the adapters of the family's titles tell the test kit alike."""

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
"""What a seat does that wants to do nothing in the family's phases."""


def alike(command: Struct) -> tuple[type[Struct], str]:
    """One kind of command at one place, wherever followers are put."""
    return type(command), "" if isinstance(command, PlaceFollower) else getattr(command, "place", "")


def simultaneous(play: Any, setup: Setup) -> str | None:
    """Seats draw at the same time, and plan at the same time unless they do so in turn."""
    phase: str = play.t.phase.value
    phases = ("followers",) if setup.options["planning"] == "in_turn" else ("followers", "planning")
    return phase if phase in phases else None
