"""Shared parts of the titles' bots: the valuation of a seat's state, and planning.

A job is a set of spaces to fill together. A plan is a set of jobs that share neither followers nor spaces. The bot
computes the plan with the highest total value again before each placement.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from msgspec import Struct

from boardkeeper.families.followers.commands import (
    DrawFollowers,
    FinishDeeds,
    FinishPlanning,
    FinishStoring,
    FinishTakingBack,
    KeepTechnology,
    Pass,
    PlaceFollower,
    PlaceTechnology,
    SufferEvent,
)
from boardkeeper.families.followers.data import TECHNOLOGY, Space
from boardkeeper.families.followers.planner import Job, Planner, price, tables_for
from boardkeeper.families.followers.table import AnySeat, AnyTable

T = TypeVar("T", bound=AnyTable)
S = TypeVar("S", bound=AnySeat)


class SeatValuation(Generic[T, S]):
    """Values of components for the seat ``me``. ``left`` is the number of rounds after this one.

    Searches call it for each position, so it computes only what a decision needs.
    """

    FOLLOWER: ClassVar[float]
    """Average value of a follower on the market."""
    SCARCITY: ClassVar[tuple[float, ...]]
    """The factor for the value of another follower if the seat has 0, 1, 2 … followers more than its draw limit."""

    def __init__(self, t: T, me: S) -> None:
        self.data = t.data
        self.left = self.rounds_left(t)
        self.plan: Plan | None = None
        """The plan at the beginning of the last planning phase, see :func:`find_plan`."""
        self.bind(t, me)

    def bind(self, t: T, me: S) -> None:
        """Use another table with an equal :meth:`snapshot`."""
        self.t = t
        self.me = me
        self.market: Mapping[str, int] = me.market.items
        self.estate = me.estate()
        self.places: Mapping[str, Any] = self.estate.places
        self.spaces = self.estate.spaces
        self.free = self.estate.free()
        self.occupied = [it for it in self.estate.occupied(self.free) if TECHNOLOGY not in it.pile.items]
        """The spaces with a follower."""
        self.followers = len(self.occupied) + sum(self.market.values()) + sum(me.bag.items.values())
        """The number of followers in the bag, on the market and on places."""

    @staticmethod
    def rounds_left(t: T) -> int:
        """Return the number of rounds after this one."""
        raise NotImplementedError

    def stock(self) -> object:
        """Return what values depend on about the followers that the seat has."""
        return self.followers

    @classmethod
    def snapshot(cls, t: T, me: S) -> list[object]:
        """Return everything on which values in the planning phase depend, except the seat's followers."""
        raise NotImplementedError

    @cached_property
    def draw_limit(self) -> int:
        """The number of followers that the seat may draw in a round."""
        return self.t.hooks.draw_limit(self.t, self.me)

    def draw_value(self, followers: int) -> float:
        """Return the value, for the rest of the game, of another follower for a seat that has ``followers``."""
        return self.left * self.FOLLOWER * self.scarcity(followers)

    def scarcity(self, followers: int) -> float:
        """Return the factor of :attr:`SCARCITY` for another follower for a seat that has ``followers``."""
        surplus = followers - self.draw_limit
        return self.SCARCITY[0 if surplus < 0 else surplus if surplus < len(self.SCARCITY) else -1]

    @cached_property
    def loss(self) -> float:
        """The value, for the rest of the game, of one of the followers that the seat has."""
        return self.draw_value(self.followers - 1)

    def is_active(self, place: str) -> bool:
        """Return whether the action of a place can be carried out; false for a place that the seat does not own."""
        return place in self.places and self.places[place].is_active(self.free)

    def count_empty_spaces(self, place: str) -> int:
        """Return the number of empty spaces of a place."""
        empty: int = self.places[place].mask & self.free
        return empty.bit_count()

    def market_overflow(self) -> int:
        """Return how many followers of the next draw find no room on the market; 0 or negative if all do."""
        size: int = self.t.data.market_size
        return sum(self.market.values()) + self.draw_limit - size


def count_spaces(seat: AnySeat) -> tuple[int, int, int]:
    """Return the numbers of a seat's spaces with followers and with technology, and of its activated places."""
    estate = seat.estate()
    free = estate.free()
    occupied = estate.occupied(free)
    technology = sum(TECHNOLOGY in space.pile.items for space in occupied)
    return len(occupied) - technology, technology, sum(place.is_active(free) for place in estate.actions)


V = TypeVar("V", bound=SeatValuation[Any, Any])

ValueFunction = Callable[[Any, Any], float]
"""A function that returns the value of a command. Values are comparable within one decision only."""


def zero_value(*_: Any) -> float:
    """Return 0, the value of a command that declines or ends a decision."""
    return 0.0


VALUE_FUNCTIONS: Mapping[type[Struct], ValueFunction] = {
    DrawFollowers: lambda _, command: float(command.count),
    **dict.fromkeys((FinishTakingBack, FinishStoring, FinishDeeds, Pass, KeepTechnology, SufferEvent), zero_value),
}


PlanValues = Callable[[V, Sequence[Struct]], list[float]]
"""A function that returns the value of each command of the planning phase."""


def score_commands(
    kind: type[V],
    t: AnyTable,
    me: AnySeat,
    commands: Sequence[Struct],
    value_functions: Mapping[type[Struct], ValueFunction],
    plan: PlanValues[V],
) -> list[float]:
    """Return the value of each command for a seat: with ``plan`` in the planning phase, else with its function."""
    for command in reversed(commands):
        if type(command) is FinishPlanning:
            return _score_planning(kind, t, me, commands, plan)
    valuation = kind(t, me)
    return [value_functions[type(command)](valuation, command) for command in commands]


_planning: dict[tuple[type, int], tuple[Any, Any, Any]] = {}
"""The last snapshot, stock and valuation in a planning phase, by type of valuation and seat."""


def _score_planning(
    kind: type[V], t: AnyTable, me: AnySeat, commands: Sequence[Struct], plan: PlanValues[V]
) -> list[float]:
    """Return the values of the commands of the planning phase, in which most values stay the same for many commands.

    Reuse the last valuation of the seat if everything that it depends on is equal. The result is then the same as
    without reuse. No other thread gets the valuation while it is used.
    """
    snapshot = kind.snapshot(t, me)
    known, stock, valuation = _planning.pop((kind, me.number), (None, None, None))
    if known == snapshot:
        valuation.bind(t, me)
    if known != snapshot or valuation.stock() != stock:
        snapshot = [it.copy() if type(it) is dict else it for it in snapshot]
        valuation = kind(t, me)
        stock = valuation.stock()
    scores = plan(valuation, commands)
    _planning[kind, me.number] = snapshot, stock, valuation
    return scores


def forget_valuations() -> None:
    """Forget all reusable valuations, for tests."""
    _planning.clear()


KEPT_FOLLOWER = 0.15
"""Value of a follower that stays on the market for the next round, as a share of :attr:`SeatValuation.FOLLOWER`."""

_LATER_STEP, _MAX_LATER = 0.5, 2.0
"""The lower value of each later step of a plan, so that searches try few orders of the same placements."""

_WITHDRAWN, _WASTED, _FINISHED = 4.0, 3.0, 4.0
"""The loss if a follower is withdrawn, if it is placed where it has no use, and if planning ends before its time."""


Jobs = Callable[[V, Planner], list[Job]]
"""A function that returns the jobs with a gain that the followers of a planner can do."""


class Plan(NamedTuple):
    """A plan for the followers that a seat can place: ``free`` spaces, and followers on the market and the tower.

    ``best`` has the highest gain of a job by place. ``steps`` has the follower and the job for each space to fill.
    """

    free: int
    market: dict[str, int]
    tower: dict[str, int]
    best: dict[str, float]
    steps: dict[tuple[str, str], tuple[str, Job]]


def make_plan(
    valuation: V, free: int, market: dict[str, int], tower: dict[str, int], jobs: Jobs[V], max_jobs: int
) -> Plan:
    """Return the best plan with the ``max_jobs`` best jobs."""
    index, forbidden = valuation.estate.index, valuation.t.forbidden_follower()
    usable = {who: market[who] for who in sorted(market) if index.fits[who] & free and who != forbidden}
    now, valuation.free = valuation.free, free
    planner = Planner(tables_for(valuation.data, index), usable, tower)
    found = jobs(valuation, planner)
    valuation.free = now
    best: dict[str, float] = {}
    for job in found:
        place = job.need.spaces[0].place
        if job.gain > best.get(place, 0.0):
            best[place] = job.gain
    steps = {
        (step.place, step.space): (step.follower, job)
        for job, step in planner.placements(planner.best_plan(found, max_jobs))
    }
    return Plan(free, market, tower, best, steps)


def find_plan(valuation: V, jobs: Jobs[V], max_jobs: int) -> Plan:
    """Return the plan for the rest of the planning phase.

    It is the best plan at the beginning of the phase as long as the seat follows it, so that searches can reuse it for
    many commands. Otherwise, and after its last step, it is the best plan from now on. It follows from the table alone.
    """
    round = valuation.t.round.value
    free, market = valuation.free, valuation.market
    tower: dict[str, int] = {}
    for space in valuation.estate.storage:
        for follower in space.pile.items:
            tower[follower] = tower.get(follower, 0) + 1
    first_market, first_tower = dict(market), tower
    placed: list[tuple[tuple[str, str], str]] = []
    for space in valuation.occupied:
        since = space.placed.value
        if since == round or since == -round:
            for follower in space.pile.items:
                placed.append((space.space.key, follower))
                if since < 0:
                    first_tower = first_tower | {follower: first_tower.get(follower, 0) + 1}
                else:
                    first_market[follower] = first_market.get(follower, 0) + 1
            free |= space.bit
    plan = valuation.plan
    if plan is None or plan.free != free or plan.market != first_market or plan.tower != first_tower:
        plan = valuation.plan = make_plan(valuation, free, first_market, first_tower, jobs, max_jobs)
    steps = plan.steps
    if not placed:
        return plan
    for key, follower in placed:
        if key not in steps or steps[key][0] != follower:
            break
    else:
        done = {key for key, _ in placed}
        if len(done) < len(steps):
            return plan._replace(steps={key: step for key, step in steps.items() if key not in done})
    return make_plan(valuation, valuation.free, dict(market), tower, jobs, max_jobs)


def score_plan(
    valuation: V,
    commands: Sequence[Struct],
    plan: Plan,
    value_in_advance: Callable[[str, Space], float],
    technology: Callable[[PlaceTechnology], float],
) -> list[float]:
    """Return the values of the commands of the planning phase: the gain of ``plan``, less what each command prevents.

    ``value_in_advance`` returns the value of a follower that waits on a space for the next round, and ``technology``
    that of placing a technology tile.
    """
    worth = later = 0.0
    lost: dict[str, float] = {}
    last: Job | None = None
    ranks: dict[tuple[str, str], tuple[str, float]] = {}
    for key, (follower, job) in plan.steps.items():
        if job is not last:
            last = job
            worth += job.gain
        ranks[key] = follower, later
        later = min(later + _LATER_STEP, _MAX_LATER)
        lost[follower] = job.gain + _WASTED  # the job with the lowest gain that uses the follower
    best, is_done = plan.best, not plan.steps
    scores: list[float] = []
    for command in commands:
        if type(command) is PlaceFollower:
            follower, place = command.follower, command.place
            rank = ranks.get((place, command.space))
            if rank is None:
                loss = lost.get(follower, _WASTED)
                if place in best:
                    loss = max(_WASTED / 2, loss - best[place])
                scores.append(worth - loss)
            elif rank[0] == follower:
                scores.append(worth - rank[1])
            else:
                scores.append(worth - lost.get(follower, _WASTED))
        elif type(command) is FinishPlanning:
            scores.append(0.0 if is_done else -_FINISHED)
        elif type(command) is PlaceTechnology:
            scores.append(2.0 + 0.01 * technology(command) if is_done else worth - _WASTED)
        else:
            scores.append(worth - _WITHDRAWN)
    if is_done and valuation.left and valuation.market_overflow() > 0:
        _score_in_advance(valuation, commands, scores, value_in_advance)
    return scores


def _score_in_advance(
    valuation: SeatValuation[Any, Any],
    commands: Sequence[Struct],
    scores: list[float],
    value_in_advance: Callable[[str, Space], float],
) -> None:
    """Raise the score of the best placement on a place that stays incomplete: the market lacks room for a draw."""
    cheapest: dict[int, tuple[float, int, Space, str]] = {}
    for at, command in enumerate(commands):
        if type(command) is PlaceFollower:
            space = valuation.spaces[command.place, command.space].space
            cost = price(command.follower, space)
            if space.bit not in cheapest or cost < cheapest[space.bit][0]:
                cheapest[space.bit] = cost, at, space, command.follower
    best, best_at = 0.0, -1
    for _, at, space, follower in cheapest.values():
        value = value_in_advance(follower, space) / (1 + valuation.count_empty_spaces(space.place))
        if value > best:
            best, best_at = value, at
    if best_at >= 0:
        scores[best_at] = 1.0
