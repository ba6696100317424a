"""The phases of a round, and the hooks of the family for Orléans Stories."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from boardkeeper.families.followers.phases import actions, followers, planning
from boardkeeper.families.followers.table import CommandLister, Phase, SentFollower
from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.phases import bonuses, declarations, events, round_bonus, rounds, secrets, torture
from boardkeeper.titles.stories.phases.verbs import LEGAL
from boardkeeper.titles.stories.phases.verbs.deeds import reward

PHASES: dict[str, Phase] = {
    "secrets": Phase(secrets.begin, secrets.proceed),
    "dawn": Phase(rounds.begin_round),
    "followers": Phase(followers.begin, followers.proceed),
    "planning": Phase(planning.begin, planning.proceed),
    "actions": Phase(actions.begin, partial(bonuses.proceed_after_bonuses, actions.proceed)),
    "event": Phase(
        events.begin, partial(bonuses.proceed_after_bonuses, events.proceed), apply_event=events.apply_event
    ),
    "round_bonus": Phase(
        round_bonus.begin,
        partial(bonuses.proceed_after_bonuses, round_bonus.proceed),
        apply_event=round_bonus.apply_malus,
        event_name="round_bonus",
    ),
    "declaring": Phase(declarations.begin, declarations.proceed),
    "shift": Phase(rounds.shift_bonus_tiles),
}
"""All phases. The tables of a story decide which of them it has."""


class StoriesHooks:
    """See :class:`boardkeeper.families.followers.table.Hooks`."""

    title = "stories"
    phases: Mapping[str, Phase] = PHASES
    verbs: Mapping[str, CommandLister] = LEGAL

    def draw_limit(self, t: Stories, seat: Seat) -> int:
        """Return the draw limit of the seat's era, changed by the event of the round. Source: stories.drawing.limit."""
        return seat.era().draw + t.data.draw_modifiers.get(t.event.value, 0)

    def reward(self, t: Stories, seat: Seat, sent: SentFollower) -> bool:
        """Grant the reward of a deed; return whether fame tiles interrupt the action. Source: stories.deeds.reward."""
        reward(t, seat, sent)
        return bonuses.interrupts_action(t, seat)

    def can_surrender(self, t: Stories, seat: Seat) -> bool:
        """Return whether the seat has anything to give up. Source: stories.torture.any_mix."""
        return bool(torture.legal_torture(t, seat))


HOOKS = StoriesHooks()
