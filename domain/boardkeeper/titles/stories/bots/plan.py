"""Planning of the bot: the places to complete with its followers (see :mod:`boardkeeper.families.followers.bots`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from boardkeeper.families.followers.bots import FollowerKey, Job, Planner, SpaceKey, empty_spaces
from boardkeeper.families.followers.commands import FinishPlanning, PlaceTechnology
from boardkeeper.families.followers.data import ANY, MONK
from boardkeeper.titles.stories.bots.valuation import FOLLOWER, Valuation

_KEPT_FOLLOWER = 0.15 * FOLLOWER
"""Value of a follower that stays on the green for the next round."""

_MAX_JOBS = 11
"""Number of jobs from which the search chooses."""


def next_step(valuation: Valuation, commands: Sequence[Struct]) -> Struct:
    """Return the next placement of the best plan, or the command that ends planning."""

    def price(key: FollowerKey, space: SpaceKey) -> float:
        """Return the cost of using a follower on a space: higher for monks and replacements."""
        characters = valuation.data.space[space].characters
        return (2.0 if key[0] == MONK else 0.0) + (0.0 if ANY in characters or key[0] in characters else 1.0)

    at_hand = {(follower, False): count for follower, count in valuation.market.items()}
    planner = Planner(commands, at_hand, _KEPT_FOLLOWER if valuation.left else 0.0)
    planner.sort(price)
    plan = planner.best_plan(_jobs(valuation), _MAX_JOBS)
    if plan:
        return plan[0]
    technology = [command for command in commands if isinstance(command, PlaceTechnology)]
    if technology:
        return max(technology, key=valuation.technology_on)

    def value_in_advance(key: FollowerKey, space: SpaceKey) -> float:
        place = valuation.data.places[space[0]]
        is_wasted = place.send_to_deeds or place.filled_at_least or key[0] == MONK
        return 0.0 if is_wasted else valuation.gains(place, assumed=True)

    return planner.plan_ahead(valuation, value_in_advance) or FinishPlanning()


def _jobs(valuation: Valuation) -> Iterator[Job]:
    """Yield a job for each way to fill the empty spaces of a place."""
    for id, bound in valuation.places.items():
        place, spaces = bound.place, empty_spaces(bound)
        if place.send_to_deeds:
            yield from (Job(valuation.best_deed(who), (space,), who) for who in valuation.market for space in spaces)
        elif place.coins_per_follower:
            each = place.coins_per_follower + valuation.fame(place.fame_bonus) / max(1, place.fame_from)
            yield from (Job(each, (space,)) for space in spaces)
        elif spaces and not valuation.is_active(id):
            yield Job(valuation.gains(place), spaces)
