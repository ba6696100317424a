"""Placing followers where the event of the round keeps some away (stories.events.crusade)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.families.followers.commands import PlaceDrawnFollower, PlaceFollower
from boardkeeper.families.followers.phases import planning
from boardkeeper.families.followers.phases.verbs import bathhouse
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.material import Seat, Stories


def _why_forbidden(t: Stories, follower: str) -> Rejection | None:
    if follower == t.kept_away():
        return Rejection("FORBIDDEN_NOW", "stories.events.crusade", {"follower": follower})
    return None


def place_follower(t: Stories, seat: Seat, command: PlaceFollower) -> Rejection | None:
    """Put a follower on a space, unless the event forbids that one."""
    return _why_forbidden(t, command.follower) or planning.place_follower(t, seat, command)


def place_drawn(t: Stories, seat: Seat, command: PlaceDrawnFollower) -> Rejection | None:
    """Put a follower drawn at the Bathhouse on a space, unless the event forbids that one."""
    return _why_forbidden(t, command.follower) or bathhouse.place_drawn(t, seat, command)


def legal_plan(t: Stories, seat: Seat) -> Sequence[Struct]:
    """Everything a seat may do while it plans."""
    commands, away = planning.legal_plan(t, seat), t.kept_away()
    if not away:
        return commands
    return [command for command in commands if not (isinstance(command, PlaceFollower) and command.follower == away)]
