"""Shared parts of the titles' bots: the valuation of a seat's state, and planning.

A job is a set of spaces to fill together. A plan is a set of jobs that share neither followers nor spaces. The bot
computes the plan with the highest total value again before each placement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
    SufferEvent,
)
from boardkeeper.families.followers.data import TECHNOLOGY
from boardkeeper.families.followers.table import AnyPlace, AnySeat, AnyTable
from boardkeeper.table.zones import free_spaces

T = TypeVar("T", bound=AnyTable)
S = TypeVar("S", bound=AnySeat)


class SeatValuation(Generic[T, S]):
    """Values of components for the seat ``me``. ``left`` is the number of rounds after this one."""

    FOLLOWER: ClassVar[float]
    """Average value of a follower on the market."""
    SCARCITY: ClassVar[tuple[float, ...]]
    """The factor for the value of another follower if the seat has 0, 1, 2 … followers more than its draw limit."""

    def __init__(self, t: T, me: S, left: int) -> None:
        self.t = t
        self.me = me
        self.left = left
        self.market = me.market.items
        estate = me.estate()
        self.places: Mapping[str, Any] = estate.places
        self.spaces = estate.spaces
        self._free = estate.free()
        self.placed_followers = [it for space in self.spaces.values() if (it := space.occupant()) and it != TECHNOLOGY]
        self.followers: int = me.bag.total() + me.market.total() + len(self.placed_followers)

    @cached_property
    def draw_limit(self) -> int:
        """The number of followers that the seat may draw in a round."""
        return self.t.hooks.draw_limit(self.t, self.me)

    def draw_value(self, followers: int) -> float:
        """Return the value, for the rest of the game, of another follower for a seat that has ``followers``."""
        return self.left * self.FOLLOWER * self.scarcity(followers)

    def scarcity(self, followers: int) -> float:
        """Return the factor of :attr:`SCARCITY` for another follower for a seat that has ``followers``."""
        return self.SCARCITY[min(max(followers - self.draw_limit, 0), len(self.SCARCITY) - 1)]

    def is_active(self, place: str) -> bool:
        """Return whether the action of a place can be carried out; false for a place that the seat does not own."""
        return place in self.places and self.places[place].is_active(self._free)

    def count_empty_spaces(self, place: str) -> int:
        """Return the number of empty spaces of a place."""
        return len(empty_spaces(self.places[place]))

    def market_overflow(self) -> int:
        """Return how many followers of the next draw find no room on the market; 0 or negative if all do."""
        return self.me.market.total() + self.draw_limit - self.t.data.market_size


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


def choose_command(
    valuation: V,
    commands: Sequence[Struct],
    value_functions: Mapping[type[Struct], ValueFunction],
    plan: Callable[[V, Sequence[Struct]], Struct],
) -> Struct:
    """Return ``plan(valuation, commands)`` in the planning phase, else the first command with the highest value."""
    if any(isinstance(command, FinishPlanning) for command in commands):
        return plan(valuation, commands)
    return max(commands, key=lambda command: value_functions[type(command)](valuation, command))


FollowerKey = tuple[str, bool]
"""A follower id, and whether the follower comes from a place that extends the market."""

SpaceKey = tuple[str, str]
"""A place id and a space id."""


class Job(NamedTuple):
    """Spaces to fill together, and the value of filling them. ``only``: the follower to use; empty: any that fits."""

    worth: float
    missing: tuple[SpaceKey, ...]
    only: str = ""


def empty_spaces(place: AnyPlace) -> tuple[SpaceKey, ...]:
    """Return the empty spaces of a place."""
    return tuple((place.id, space.id) for space in free_spaces(place.spaces))


class Planner:
    """The search for the best plan with the followers ``at_hand`` and the spaces of the commands ``PlaceFollower``.

    ``kept_value`` is the value of a follower that stays on the market.
    """

    def __init__(self, commands: Sequence[Struct], at_hand: dict[FollowerKey, int], kept_value: float) -> None:
        self.at_hand = at_hand
        self.kept_value = kept_value
        self.fits: dict[SpaceKey, list[FollowerKey]] = {}
        for command in commands:
            if isinstance(command, PlaceFollower):
                key = (command.follower, command.from_tower)
                self.fits.setdefault((command.place, command.space), []).append(key)

    def sort(self, price: Callable[[FollowerKey, SpaceKey], float]) -> None:
        """Sort the followers that fit each space by price, lowest first."""
        for space, keys in self.fits.items():
            keys.sort(key=lambda key: price(key, space))

    def plan_ahead(
        self, valuation: SeatValuation[Any, Any], worth: Callable[[FollowerKey, SpaceKey], float]
    ) -> PlaceFollower | None:
        """Return the best placement on a place that stays incomplete, if the market has no room for the next draw.

        ``worth`` returns the value of the place for a follower and a space, or 0 if the follower must not wait there.
        The result is ``None`` if the market has room or no placement has a value.
        """
        best: tuple[float, PlaceFollower | None] = (0.0, None)
        if valuation.left and valuation.market_overflow() > 0:
            for (place, space), (key, *_) in self.fits.items():
                each = worth(key, (place, space)) / (1 + valuation.count_empty_spaces(place))
                best = max(best, (each, PlaceFollower(key[0], place, space, key[1])), key=lambda it: it[0])
        return best[1]

    def best_plan(self, jobs: Iterable[Job], max_jobs: int) -> list[PlaceFollower]:
        """Return the placements of the best plan with the ``max_jobs`` best jobs, those of the most valuable first."""
        choices = sorted(
            (job for job in jobs if self._gain(job) > 0.0 and self._assign(job, dict(self.at_hand))),
            key=self._gain,
            reverse=True,
        )[:max_jobs]
        gains = [self._gain(job) for job in choices]
        best: tuple[float, list[PlaceFollower]] = (0.0, [])

        def search(
            at: int,
            worth: float,
            at_hand: dict[FollowerKey, int],
            filled: frozenset[SpaceKey],
            plan: list[PlaceFollower],
        ) -> None:
            nonlocal best
            if worth > best[0] + 1e-9:
                best = (worth, plan)
            if at == len(choices) or worth + sum(gains[at:]) <= best[0] + 1e-9:
                return
            spaces = choices[at].missing
            if filled.isdisjoint(spaces):
                rest = dict(at_hand)
                placements = self._assign(choices[at], rest)
                if placements:
                    search(at + 1, worth + gains[at], rest, filled.union(spaces), plan + placements)
            search(at + 1, worth, at_hand, filled, plan)

        search(0, 0.0, self.at_hand, frozenset(), [])
        return best[1]

    def _gain(self, job: Job) -> float:
        return job.worth - self.kept_value * len(job.missing)

    def _assign(self, job: Job, at_hand: dict[FollowerKey, int]) -> list[PlaceFollower]:
        """Return the placements for a job and take their followers from ``at_hand``; empty if followers are missing."""
        placements: list[PlaceFollower] = []
        # Spaces with the fewest choices first: they may need a follower that other spaces also accept.
        for space in sorted(job.missing, key=lambda space: len(self.fits.get(space, ()))):
            for key in self.fits.get(space, ()):
                if at_hand.get(key) and job.only in ("", key[0]):
                    at_hand[key] -= 1
                    placements.append(PlaceFollower(key[0], *space, key[1]))
                    break
            else:
                return []
        return placements
