"""Planning of the bot: the places to complete with its followers (see :mod:`boardkeeper.families.followers.bots`)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.families.followers.bots import KEPT_FOLLOWER, find_plan, score_plan, zero_value
from boardkeeper.families.followers.data import ANY, MONK, Space, character, is_marked
from boardkeeper.families.followers.planner import Job, Planner, price
from boardkeeper.titles.orleans.bots.valuation import FOLLOWER, Valuation

_MAX_JOBS = 12
"""Number of jobs from which the search chooses."""

TOWN_HALL, GUILDHALL = "town_hall", "guildhall"
JOURNEYS = ("ship", "wagon", "horse_wagon")
"""Places with which the merchant travels."""


def score_placements(valuation: Valuation, commands: Sequence[Struct]) -> list[float]:
    """Return the value of each command of the planning phase."""
    plan = find_plan(valuation, _jobs, _MAX_JOBS)

    def value_in_advance(follower: str, space: Space) -> float:
        if space.place == TOWN_HALL or character(follower) == MONK or valuation.is_exhausted(space.place):
            return 0.0
        cost = price(follower, space) + (valuation.lost_follower(follower) if space.requires == ANY else 0.0)
        return 0.0 if cost >= 1.0 else valuation.use(space.place, may_build=True)

    return score_plan(valuation, commands, plan, value_in_advance, zero_value)


def _jobs(valuation: Valuation, planner: Planner) -> list[Job]:
    """Return the jobs that the followers at hand can do and that have a gain: those that complete a place."""
    jobs: list[Job] = []
    free, have, tables = valuation.free, planner.have, planner.tables
    kept = KEPT_FOLLOWER * FOLLOWER if valuation.left else 0.0
    guildhall = valuation.places[GUILDHALL].mask & free
    may_travel: bool | None = None
    for id, place in valuation.places.items():
        missing = place.mask & free
        if not missing:
            continue
        if id == TOWN_HALL:
            if missing == place.mask:
                jobs += _deed_jobs(valuation, planner, missing, kept)
            continue
        need = tables.need(missing)
        if not planner.take(have, need):
            continue
        travel = place.place.travel
        if travel:
            will_build, can_build = not guildhall, valuation.is_site()
            worth = valuation.use(id, will_build=will_build and not can_build)
            if not will_build and not can_build:
                both = tables.need(missing | guildhall)
                if planner.take(have, both):
                    gain = valuation.use(id, will_build=True) - kept * len(both.spaces)
                    if gain > 0.0:
                        jobs.append(Job(gain, missing | guildhall, both))
        else:
            if id == GUILDHALL and may_travel is None:
                may_travel = any(map(valuation.is_active, JOURNEYS))
            worth = valuation.use(id, may_build=bool(may_travel))
        gain = worth - kept * len(need.spaces)
        if gain > 0.0:
            jobs.append(Job(gain, missing, need))
    return jobs


def _deed_jobs(valuation: Valuation, planner: Planner, missing: int, kept: float) -> list[Job]:
    """Return a job for each follower and space of the Town Hall."""
    gains = [(valuation.best_deed(who) - kept, who) for who in planner.market if not is_marked(who)]
    bits = [1 << at for at in range(missing.bit_length()) if missing >> at & 1]
    return [Job(gain, bit, planner.tables.need_of(bit, who), who) for gain, who in gains if gain > 0.0 for bit in bits]
