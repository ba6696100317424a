"""What the bots of the family share: a seat's valuation of the table, and plans.

A plan is a set of jobs that can be done now and share neither followers nor spaces, worth as much as possible. It is
made again for every single placement; while it is carried out, the same plan results.
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
    """A seat's valuation of the table, as the seat sees it; ``left`` is how many rounds follow this one."""

    FOLLOWER: ClassVar[float]
    """What a follower at hand brings on average."""
    SCARCITY: ClassVar[tuple[float, ...]]
    """How much of its draw another follower is worth: 0, 1, 2 … more followers than the seat draws in a round."""

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
        """How many followers the seat may draw in a round."""
        return self.t.hooks.draw_limit(self.t, self.me)

    def draw_value(self, followers: int) -> float:
        """What one more than that many followers brings for the rest of the game."""
        return self.left * self.FOLLOWER * self.scarcity(followers)

    def scarcity(self, followers: int) -> float:
        """How much of its draw one more than that many followers is worth."""
        return self.SCARCITY[min(max(followers - self.draw_limit, 0), len(self.SCARCITY) - 1)]

    def is_active(self, place: str) -> bool:
        """Return whether the action of a place can be carried out; false for a place that the seat does not own."""
        return place in self.places and self.places[place].is_active(self._free)

    def count_empty_spaces(self, place: str) -> int:
        """Return how many spaces of a place are empty."""
        return len(empty_spaces(self.places[place]))

    def market_overflow(self) -> int:
        """Return how many followers more than the market holds would be there after the next draw."""
        return self.me.market.total() + self.draw_limit - self.t.data.market_size


V = TypeVar("V", bound=SeatValuation[Any, Any])

Worth = Callable[[Any, Any], float]
"""What a command is worth to a valuation; commands of one decision are compared with each other only."""


def worth_nothing(*_: Any) -> float:
    """Return what a command is worth that ends a decision, or does without."""
    return 0.0


WORTH: Mapping[type[Struct], Worth] = {
    DrawFollowers: lambda _, command: float(command.count),
    **dict.fromkeys((FinishTakingBack, FinishStoring, FinishDeeds, Pass, KeepTechnology, SufferEvent), worth_nothing),
}


def decide(
    valuation: V,
    commands: Sequence[Struct],
    worth: Mapping[type[Struct], Worth],
    plan: Callable[[V, Sequence[Struct]], Struct],
) -> Struct:
    """Return the next step of a plan while the seat plans, else the command of most worth, the first of equals."""
    if any(isinstance(command, FinishPlanning) for command in commands):
        return plan(valuation, commands)
    return max(commands, key=lambda command: worth[type(command)](valuation, command))


Key = tuple[str, bool]
"""A kind of follower, and whether it comes from a place that extends the market."""

SpaceKey = tuple[str, str]
"""A place and one of its spaces."""


class Job(NamedTuple):
    """Spaces to fill together and what that is worth; ``only``: the only kind of follower that counts."""

    worth: float
    missing: tuple[SpaceKey, ...]
    only: str = ""


def empty_spaces(place: AnyPlace) -> tuple[SpaceKey, ...]:
    """Return the empty spaces of a place."""
    return tuple((place.id, space.id) for space in free_spaces(place.spaces))


class Planner:
    """One planning problem: followers at hand, and the spaces that they fit on.

    ``kept_value`` is what a follower is worth that stays on the market.
    """

    def __init__(self, commands: Sequence[Struct], at_hand: dict[Key, int], kept_value: float) -> None:
        self.at_hand = at_hand
        self.kept_value = kept_value
        self.fits: dict[SpaceKey, list[Key]] = {}
        for command in commands:
            if isinstance(command, PlaceFollower):
                key = (command.follower, command.from_tower)
                self.fits.setdefault((command.place, command.space), []).append(key)

    def sort(self, price: Callable[[Key, SpaceKey], float]) -> None:
        """Sort the followers for each space: first those that are least needed elsewhere."""
        for space, keys in self.fits.items():
            keys.sort(key=lambda key: price(key, space))

    def plan_ahead(
        self, valuation: SeatValuation[Any, Any], worth: Callable[[Key, SpaceKey], float]
    ) -> PlaceFollower | None:
        """Return a placement for the next draw if the market gets too full: where a good place comes nearer to use.

        ``worth`` is what the place of a space brings if that follower may wait on it, or 0. Any other follower stays on
        the market, where all ways are open.
        """
        best: tuple[float, PlaceFollower | None] = (0.0, None)
        if valuation.left and valuation.market_overflow() > 0:
            for (place, space), (key, *_) in self.fits.items():
                each = worth(key, (place, space)) / (1 + valuation.count_empty_spaces(place))
                best = max(best, (each, PlaceFollower(key[0], place, space, key[1])), key=lambda it: it[0])
        return best[1]

    def best(self, jobs: Iterable[Job], most: int) -> list[PlaceFollower]:
        """Return the placements of the best plan, the most valuable job first; it considers so many jobs."""
        choices = sorted(
            (job for job in jobs if self._gain(job) > 0.0 and self._assign(job, dict(self.at_hand))),
            key=self._gain,
            reverse=True,
        )[:most]
        gains = [self._gain(job) for job in choices]
        best: tuple[float, list[PlaceFollower]] = (0.0, [])

        def search(
            at: int, worth: float, at_hand: dict[Key, int], filled: frozenset[SpaceKey], plan: list[PlaceFollower]
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

    def _assign(self, job: Job, at_hand: dict[Key, int]) -> list[PlaceFollower]:
        """Return the placements that do a job, and take the followers from ``at_hand``; empty if it cannot be done."""
        placements: list[PlaceFollower] = []
        # Spaces with the fewest choices first, so that a follower is not given away that another space needs.
        for space in sorted(job.missing, key=lambda space: len(self.fits.get(space, ()))):
            for key in self.fits.get(space, ()):
                if at_hand.get(key) and job.only in ("", key[0]):
                    at_hand[key] -= 1
                    placements.append(PlaceFollower(key[0], *space, key[1]))
                    break
            else:
                return []
        return placements
