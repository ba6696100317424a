"""Placing technology during the action phase, if the reading ``technology_timing`` is ``any_time``."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.commands import PlaceTechnology
from boardkeeper.families.followers.phases import actions, technology
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.material import Seat, Stories


def is_any_time(t: Stories) -> bool:
    """Return whether a seat can place technology tiles in its turn, before it passes."""
    return t.data.chosen.technology_timing == "any_time"


def place_while_acting(t: Stories, seat: Seat, command: PlaceTechnology) -> Rejection | None:
    """Place a technology tile before passing. Source: stories.technology.any_time."""
    if is_any_time(t):
        return technology.place_technology(t, seat, command)
    return technology.reject_before_passing(t, seat, command)


def legal_act(t: Stories, seat: Seat) -> list[Struct]:
    """Return the actions of activated places and passing, with technology placements if allowed."""
    commands = actions.legal_act(t, seat)
    return [*technology.placements(t, seat), *commands] if is_any_time(t) else commands
