"""The phases of a round, and the hooks of the family for Orléans."""

from __future__ import annotations

from collections.abc import Mapping

from boardkeeper.families.followers.phases import actions, followers, planning
from boardkeeper.families.followers.table import CommandLister, Phase, SentFollower
from boardkeeper.titles.orleans.material import Orleans, Seat
from boardkeeper.titles.orleans.phases import census, events, hour_glass, torture
from boardkeeper.titles.orleans.phases.verbs import LEGAL
from boardkeeper.titles.orleans.phases.verbs.deeds import reward

PHASES: dict[str, Phase] = {
    "hour_glass": Phase(hour_glass.begin),
    "census": Phase(census.begin, census.proceed, apply_event=census.charge, event_name="census"),
    "followers": Phase(followers.begin, followers.proceed),
    "planning": Phase(planning.begin, planning.proceed),
    "actions": Phase(actions.begin, actions.proceed),
    "event": Phase(events.begin, events.proceed, apply_event=events.apply_event, resume=events.ask_for_food),
}
"""The phases of a round. The event phase ends with phase 7, the change of the start player."""


class OrleansHooks:
    """See :class:`boardkeeper.families.followers.table.Hooks`."""

    title = "orleans"
    phases: Mapping[str, Phase] = PHASES
    verbs: Mapping[str, CommandLister] = LEGAL

    def draw_limit(self, t: Orleans, seat: Seat) -> int:
        """Return the draw limit of the knights track. Source: orleans.drawing.limit."""
        return t.data.knights_draw[seat.track["knights"].value]

    def reward(self, t: Orleans, seat: Seat, sent: SentFollower) -> bool:
        """Grant the reward of a deed, which never interrupts the action. Source: orleans.deeds.reward."""
        reward(t, seat, sent)
        return False

    def can_surrender(self, t: Orleans, seat: Seat) -> bool:
        """Return whether the seat has anything to give up. Source: orleans.torture.any_mix."""
        return bool(torture.legal_torture(t, seat))


HOOKS = OrleansHooks()
