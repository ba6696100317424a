"""The bots' search for the best plan, with counts of followers packed into integers.

The search only counts followers by character: a follower in the colour of its seat counts like a neutral one, and a
follower from a place that extends the market like one from the market. :meth:`Planner.placements` chooses the actual
followers for the best plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from boardkeeper.families.followers.commands import PlaceFollower
from boardkeeper.families.followers.data import ANY, MONK, FollowersData, Space, SpaceIndex, character, is_marked

_BITS = 8
"""The bits for the count of one character; the highest one is a guard that a subtraction clears if it borrows."""

_MAX_STEPS = 400
"""The number of jobs that one search tries before it takes the best plan so far."""


class Need(NamedTuple):
    """The followers that a set of empty spaces needs.

    ``exact``: a packed count of the required characters, 0 if a space accepts several. ``options``: for each space, the
    packed counts of one follower of each character that fits, cheapest first. Spaces with the fewest options are first,
    because they may need a follower that other spaces also accept.
    """

    exact: int
    options: tuple[tuple[int, ...], ...]
    spaces: tuple[Space, ...]


class Job(NamedTuple):
    """Spaces to fill together. ``gain``: the value of filling them, less the value of keeping the followers.

    ``mask``: the bits of the spaces. ``only``: the follower to use; empty: any that fits.
    """

    gain: float
    mask: int
    need: Need
    only: str = ""


class PlanTables:
    """Facts for planning on the spaces of an index, which all seats and games with these spaces share."""

    def __init__(self, data: FollowersData, index: SpaceIndex) -> None:
        characters = list(dict.fromkeys(map(character, data.followers)))
        self.unit = {follower: 1 << _BITS * characters.index(character(follower)) for follower in data.followers}
        self.guard = sum(1 << _BITS * at + _BITS - 1 for at in range(len(characters)))
        self.has_stand_ins = any(place.stands_for for place in index.places)
        self.monks = (self.unit[MONK] << _BITS - 1) - self.unit[MONK]
        self._space_at = data.space_at
        self.followers = {
            space.bit: tuple(
                sorted(
                    (it for it in data.followers if index.fits[it] & space.bit), key=lambda it: (price(it, space), it)
                )
            )
            for place in index.places
            for space in place.spaces
        }
        """The followers that fit each space, by its bit, cheapest first."""
        self._needs: dict[int, Need] = {}
        self._needs_of: dict[tuple[int, str], Need] = {}

    def need(self, mask: int) -> Need:
        """Return what the spaces of a mask need."""
        need = self._needs.get(mask)
        if need is None:
            spaces = [self._space_at[1 << at] for at in range(mask.bit_length()) if mask >> at & 1]
            options = {
                space.bit: tuple(dict.fromkeys(self.unit[it] for it in self.followers[space.bit])) for space in spaces
            }
            is_exact = all(space.requires in self.unit for space in spaces)
            need = self._needs[mask] = Need(
                exact=sum(self.unit[space.requires] for space in spaces) if is_exact else 0,
                options=tuple(sorted((options[space.bit] for space in spaces), key=len)),
                spaces=tuple(spaces),
            )
        return need

    def need_of(self, bit: int, follower: str) -> Need:
        """Return what a space needs if only one follower may fill it."""
        need = self._needs_of.get((bit, follower))
        if need is None:
            unit = self.unit[follower]
            need = self._needs_of[bit, follower] = Need(unit, ((unit,),), (self._space_at[bit],))
        return need


def price(follower: str, space: Space) -> float:
    """Return the cost of using a follower on a space: high for monks and replacements, lowest for marked followers."""
    who = character(follower)
    cost = (0.0 if is_marked(follower) else 0.1) + (2.0 if who == MONK else 0.0)
    if ANY in space.characters:
        return cost + (0.5 if who in ("knight", "scholar") else 0.0)
    return cost + (0.0 if who in space.characters else 1.0)


_tables: dict[int, tuple[SpaceIndex, PlanTables]] = {}
"""Tables by the identity of an index, which they keep alive."""


def tables_for(data: FollowersData, index: SpaceIndex) -> PlanTables:
    """Return the tables of an index of ``data``."""
    known = _tables.get(id(index))
    if known is None:
        if len(_tables) >= 1 << 12:
            _tables.clear()
        known = _tables[id(index)] = index, PlanTables(data, index)
    return known[1]


class Planner:
    """The search for the best plan with followers of the market and of spaces that extend it, by follower."""

    def __init__(self, tables: PlanTables, market: Mapping[str, int], tower: Mapping[str, int]) -> None:
        self.tables = tables
        self.market = market
        self.tower = tower
        unit = tables.unit
        have = tables.guard
        for follower, count in market.items():
            have += unit[follower] * count
        for follower, count in tower.items():
            have += unit[follower] * count
        self.have = have
        self.is_flexible = tables.has_stand_ins or bool(have & tables.monks)

    def take(self, have: int, need: Need) -> int:
        """Return the followers that remain after meeting a need, or 0 if some are missing."""
        exact, guard = need.exact, self.tables.guard
        if exact:
            rest = have - exact
            if rest & guard == guard:
                return rest
            if not self.is_flexible:
                return 0
        for units in need.options:
            for unit in units:
                if have & (unit << _BITS - 1) - unit:
                    have -= unit
                    break
            else:
                return 0
        return have

    def best_plan(self, jobs: Iterable[Job], max_jobs: int) -> list[Job]:
        """Return the jobs of the best plan with the ``max_jobs`` best jobs, the most valuable first.

        All jobs have a positive gain.
        """
        choices = sorted(jobs, key=lambda job: -job.gain)[:max_jobs]
        ahead = [0.0]
        for job in reversed(choices):
            ahead.append(ahead[-1] + job.gain)
        ahead.reverse()
        best: list[Job] = []
        best_worth, steps = 1e-9, 0
        take = self.take

        def search(at: int, worth: float, have: int, filled: int, plan: list[Job]) -> None:
            nonlocal best, best_worth, steps
            if worth > best_worth:
                best_worth, best = worth + 1e-9, plan
            for number in range(at, len(choices)):
                if worth + ahead[number] <= best_worth or steps > _MAX_STEPS:
                    return
                job = choices[number]
                if job.mask & filled:
                    continue
                steps += 1
                rest = take(have, job.need)
                if rest:
                    search(number + 1, worth + job.gain, rest, filled | job.mask, [*plan, job])

        search(0, 0.0, self.have, 0, [])
        return best

    def placements(self, plan: Sequence[Job]) -> list[tuple[Job, PlaceFollower]]:
        """Return the placements of a plan with their jobs, in the order of the plan."""
        market, tower = dict(self.market), dict(self.tower)
        steps: list[tuple[Job, PlaceFollower]] = []
        for job in plan:
            for space in (
                sorted(job.need.spaces, key=self._count_fitting) if len(job.need.spaces) > 1 else job.need.spaces
            ):
                for follower in (job.only,) if job.only else self.tables.followers[space.bit]:
                    from_tower = bool(tower.get(follower))
                    source = tower if from_tower else market
                    if source.get(follower):
                        source[follower] -= 1
                        steps.append((job, PlaceFollower(follower, space.place, space.id, from_tower)))
                        break
        return steps

    def _count_fitting(self, space: Space) -> int:
        count = 0
        for follower in self.tables.followers[space.bit]:
            count += (follower in self.market) + (follower in self.tower)
        return count
