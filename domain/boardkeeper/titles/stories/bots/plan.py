"""Planning of the bot: the places to complete with its followers (see :mod:`boardkeeper.families.followers.bots`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from boardkeeper.families.followers.bots import KEPT_FOLLOWER, find_plan, score_plan
from boardkeeper.families.followers.data import MONK, Space
from boardkeeper.families.followers.planner import Job, Planner
from boardkeeper.titles.stories.bots.valuation import FOLLOWER, Valuation

_MAX_JOBS = 11
"""Number of jobs from which the search chooses."""


def score_placements(valuation: Valuation, commands: Sequence[Struct]) -> list[float]:
    """Return the value of each command of the planning phase."""
    plan = find_plan(valuation, lambda *at: [job for job in _jobs(*at) if job.gain > 0.0], _MAX_JOBS)

    def value_in_advance(follower: str, space: Space) -> float:
        place = valuation.data.places[space.place]
        is_wasted = place.send_to_deeds or place.filled_at_least or follower == MONK
        return 0.0 if is_wasted else valuation.gains(place, assumed=True)

    return score_plan(valuation, commands, plan, value_in_advance, valuation.technology_on)


def _jobs(valuation: Valuation, planner: Planner) -> Iterator[Job]:
    """Yield the jobs that the followers at hand can do: those that complete a place, or use one of its spaces."""
    free, have, tables = valuation.free, planner.have, planner.tables
    kept = KEPT_FOLLOWER * FOLLOWER if valuation.left else 0.0
    for bound in valuation.places.values():
        missing = bound.mask & free
        if not missing:
            continue
        place = bound.place
        if place.send_to_deeds:
            for who in planner.market:
                gain = valuation.best_deed(who) - kept
                if gain > 0.0:
                    yield from (Job(gain, bit, tables.need_of(bit, who), who) for bit in _bits(missing))
        elif place.coins_per_follower:
            each = place.coins_per_follower + valuation.fame(place.fame_bonus) / max(1, place.fame_from)
            for bit in _bits(missing):
                need = tables.need(bit)
                if planner.take(have, need):
                    yield Job(each - kept, bit, need)
        elif not bound.is_active(free):
            need = tables.need(missing)
            if planner.take(have, need):
                yield Job(valuation.gains(place) - kept * len(need.spaces), missing, need)


def _bits(mask: int) -> list[int]:
    return [1 << at for at in range(mask.bit_length()) if mask >> at & 1]
