"""Placing followers; an event can forbid a kind. Source: stories.events.crusade."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.families.followers.commands import PlaceDrawnFollower, PlaceFollower
from boardkeeper.families.followers.phases import planning
from boardkeeper.families.followers.phases.verbs import bathhouse
from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.material import Seat, Stories


def _find_event_rejection(t: Stories, follower: str) -> Rejection | None:
    if follower == t.forbidden_follower():
        return Rejection("FORBIDDEN_NOW", "stories.events.crusade", {"follower": follower})
    return None


def place_follower(t: Stories, seat: Seat, command: PlaceFollower) -> Rejection | None:
    """Place a follower, unless the event forbids its kind. Source: stories.events.crusade."""
    return _find_event_rejection(t, command.follower) or planning.place_follower(t, seat, command)


def place_drawn(t: Stories, seat: Seat, command: PlaceDrawnFollower) -> Rejection | None:
    """Place a follower drawn at the Bathhouse, unless the event forbids its kind. Source: stories.events.crusade."""
    return _find_event_rejection(t, command.follower) or bathhouse.place_drawn(t, seat, command)


def legal_plan(t: Stories, seat: Seat) -> Sequence[Struct]:
    """Return the commands of the planning phase, without those that the event forbids."""
    commands, away = planning.legal_plan(t, seat), t.forbidden_follower()
    if not away:
        return commands
    return [command for command in commands if not (isinstance(command, PlaceFollower) and command.follower == away)]
