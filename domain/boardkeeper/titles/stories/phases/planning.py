"""Planning where the event of the round keeps followers away (stories.events.crusade)."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.commands import PlaceFollower
from boardkeeper.families.followers.phases import planning
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.bindings import Seat, Stories


def place_follower(t: Stories, seat: Seat, command: PlaceFollower) -> Rejection | None:
    """Put a follower on a space, unless the event forbids that one."""
    if t.forbids(command.follower):
        return Rejection("FORBIDDEN_NOW", "stories.events.crusade", {"follower": command.follower})
    return planning.place_follower(t, seat, command)


def legal_plan(t: Stories, seat: Seat) -> list[Struct]:
    """Everything a seat may do while it plans."""
    return [
        command
        for command in planning.legal_plan(t, seat)
        if not (isinstance(command, PlaceFollower) and t.forbids(command.follower))
    ]
