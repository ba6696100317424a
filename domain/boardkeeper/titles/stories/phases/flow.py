"""The phases of a round and all that the family asks of Orléans Stories, in one place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from boardkeeper.families.followers.phases import actions, followers, planning
from boardkeeper.families.followers.table import Listing, Phase, Sent
from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.phases import bonuses, dawn, declaring, events, round_bonus, secrets, shift, torture
from boardkeeper.titles.stories.phases.verbs import LEGAL
from boardkeeper.titles.stories.phases.verbs.deeds import reward

PHASES: dict[str, Phase] = {
    "secrets": Phase(secrets.begin, secrets.proceed),
    "dawn": Phase(dawn.begin),
    "followers": Phase(followers.begin, followers.proceed),
    "planning": Phase(planning.begin, planning.proceed),
    "actions": Phase(actions.begin, partial(bonuses.first, actions.proceed)),
    "event": Phase(events.begin, partial(bonuses.first, events.proceed), suffer=events.suffer),
    "round_bonus": Phase(
        round_bonus.begin, partial(bonuses.first, round_bonus.proceed), suffer=round_bonus.suffer, strikes="round_bonus"
    ),
    "declaring": Phase(declaring.begin, declaring.proceed),
    "shift": Phase(shift.begin),
}
"""All phases; which of them a story has, its tables say. How a round ends is how the last of them ends."""


class StoriesHooks:
    """See :class:`boardkeeper.families.followers.table.Hooks`."""

    title = "stories"
    phases: Mapping[str, Phase] = PHASES
    verbs: Mapping[str, Listing] = LEGAL

    def draw_limit(self, t: Stories, seat: Seat) -> int:
        """What the seat's era allows, and the event of the round takes off (stories.drawing.limit)."""
        modifier: int = t.card().get("draw_modifier", 0)
        return seat.era().draw + modifier

    def reward(self, t: Stories, seat: Seat, sent: Sent) -> bool:
        """What the deed gives (stories.deeds.reward); fame tiles that it brings may interrupt the action."""
        reward(t, seat, sent)
        return bonuses.interrupt(t, seat)

    def can_surrender(self, t: Stories, seat: Seat) -> bool:
        """Whether anything is left that replaces what is missing (stories.torture.any_mix)."""
        return bool(torture.legal_torture(t, seat))


HOOKS = StoriesHooks()
