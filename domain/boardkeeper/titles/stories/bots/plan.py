"""Planning: which places to complete with the followers at hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from boardkeeper.families.followers.bots import Job, Key, Planner, SpaceKey, missing
from boardkeeper.families.followers.commands import FinishPlanning, PlaceTechnology
from boardkeeper.families.followers.data import ANY, MONK
from boardkeeper.titles.stories.bots.outlook import FOLLOWER, Outlook

KEPT = 0.15 * FOLLOWER
"""What a follower is worth that stays on the green for the next round."""

MOST_JOBS = 11


def next_step(outlook: Outlook, commands: Sequence[Struct]) -> Struct:
    """The next placement of the best plan; when it is done, the end of planning."""

    def price(key: Key, space: SpaceKey) -> float:
        """How sorry one would be to use a follower there: monks and stand-ins last."""
        asked = outlook.data.space[space].characters
        return (2.0 if key[0] == MONK else 0.0) + (0.0 if ANY in asked or key[0] in asked else 1.0)

    at_hand = {(follower, False): count for follower, count in outlook.market.items()}
    planner = Planner(commands, at_hand, KEPT if outlook.left else 0.0)
    planner.sort(price)
    plan = planner.best(_jobs(outlook), MOST_JOBS)
    if plan:
        return plan[0]
    technology = [command for command in commands if isinstance(command, PlaceTechnology)]
    if technology:
        return max(technology, key=outlook.mechanized)

    def waits(key: Key, space: SpaceKey) -> float:
        place = outlook.data.places[space[0]]
        is_wasted = place.send_to_deeds or place.filled_at_least or key[0] == MONK
        return 0.0 if is_wasted else outlook.gains(place, assumed=True)

    return planner.in_advance(outlook, waits) or FinishPlanning()


def _jobs(outlook: Outlook) -> Iterator[Job]:
    """Everything that could be completed."""
    for id, bound in outlook.places.items():
        place, spaces = bound.place, missing(bound)
        if place.send_to_deeds:
            yield from (Job(outlook.best_deed(who), (space,), who) for who in outlook.market for space in spaces)
        elif place.coins_per_follower:
            each = place.coins_per_follower + outlook.fame(place.fame_bonus) / max(1, place.fame_from)
            yield from (Job(each, (space,)) for space in spaces)
        elif spaces and not outlook.is_active(id):
            yield Job(outlook.gains(place), spaces)
