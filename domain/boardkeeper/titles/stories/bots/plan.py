"""Planning: which places to complete with the followers at hand.

A plan is a set of places that can be completed now and whose followers do not overlap, worth as much as possible. It is
made anew for every single placement; as placing goes on the same plan comes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from boardkeeper.families.followers.board import PlaceView
from boardkeeper.families.followers.commands import FinishPlanning, PlaceFollower, PlaceTechnology
from boardkeeper.families.followers.data import ANY, MONK
from boardkeeper.titles.stories.bots.outlook import FOLLOWER, Outlook

SpaceKey = tuple[str, str]

KEPT = 0.15 * FOLLOWER
"""What a follower is worth that stays on the green for the next round."""

MOST_JOBS = 11


class Job(NamedTuple):
    """Spaces to fill together and what that is worth; ``only`` that follower does it, if it matters who."""

    worth: float
    missing: tuple[SpaceKey, ...]
    only: str = ""


class Planner:
    """One planning problem: followers at hand, spaces that they fit on, jobs."""

    def __init__(self, outlook: Outlook, commands: Sequence[Struct]) -> None:
        self.outlook = outlook
        self.kept = KEPT if outlook.left else 0.0
        self.at_hand = dict(outlook.me.market)
        self.fits: dict[SpaceKey, list[str]] = {}
        for command in commands:
            if isinstance(command, PlaceFollower):
                self.fits.setdefault((command.place, command.space), []).append(command.follower)
        asked = {(place.place, space.space): space.requires for place in outlook.me.places for space in place.spaces}
        for key, followers in self.fits.items():
            followers.sort(key=lambda follower: self._price(follower, asked[key]))

    @staticmethod
    def _price(follower: str, asked: str) -> float:
        """How sorry one would be to use a follower there: monks and stand-ins last."""
        price = 2.0 if follower == MONK else 0.0
        return price + (0.0 if asked == ANY or follower in asked.split("|") else 1.0)

    def jobs(self) -> list[Job]:
        """Everything that could be completed with the followers at hand, best first."""
        jobs = [job for place in self.outlook.me.places for job in self._jobs(place)]
        jobs = [job for job in jobs if self._gain(job) > 0.0 and self._assign(job, dict(self.at_hand))]
        return sorted(jobs, key=self._gain, reverse=True)[:MOST_JOBS]

    def _gain(self, job: Job) -> float:
        return job.worth - self.kept * len(job.missing)

    def _jobs(self, view: PlaceView) -> list[Job]:
        outlook, place = self.outlook, self.outlook.data.places[view.place]
        missing = tuple((view.place, space.space) for space in view.spaces if not space.occupant)
        if place.send_to_deeds:
            return [Job(outlook.best_deed(who), (space,), who) for who in self.at_hand for space in missing]
        if place.coins_per_follower:
            each = place.coins_per_follower + outlook.fame(place.fame_bonus) / max(1, place.fame_from)
            return [Job(each, (space,)) for space in missing]
        return [Job(outlook.gains(place), missing)] if missing and not view.active else []

    def _assign(self, job: Job, at_hand: dict[str, int]) -> list[PlaceFollower]:
        """The placements that complete a job; takes the followers from ``at_hand``, or returns nothing."""
        placements: list[PlaceFollower] = []
        # Spaces with the fewest choices first, so that a follower is not given away that another space needs.
        for space in sorted(job.missing, key=lambda space: len(self.fits.get(space, ()))):
            for follower in self.fits.get(space, ()):
                if at_hand.get(follower) and job.only in ("", follower):
                    at_hand[follower] -= 1
                    placements.append(PlaceFollower(follower, *space))
                    break
            else:
                return []
        return placements

    def best(self) -> list[PlaceFollower]:
        """The placements of the best plan, the most valuable place first."""
        jobs = self.jobs()
        gains = [self._gain(job) for job in jobs]
        best: tuple[float, list[PlaceFollower]] = (0.0, [])

        def search(
            at: int, worth: float, at_hand: dict[str, int], filled: frozenset[SpaceKey], plan: list[PlaceFollower]
        ) -> None:
            nonlocal best
            if worth > best[0] + 1e-9:
                best = (worth, plan)
            if at == len(jobs) or worth + sum(gains[at:]) <= best[0] + 1e-9:
                return
            if filled.isdisjoint(jobs[at].missing):
                rest = dict(at_hand)
                placements = self._assign(jobs[at], rest)
                if placements:
                    taken = filled.union(jobs[at].missing)
                    search(at + 1, worth + gains[at], rest, taken, plan + placements)
            search(at + 1, worth, at_hand, filled, plan)

        search(0, 0.0, self.at_hand, frozenset(), [])
        return best[1]

    def in_advance(self) -> PlaceFollower | None:
        """A follower that the green needs gone for the next draw, put where a good place comes nearer to completion."""
        outlook = self.outlook
        crowded = sum(outlook.me.market.values()) + outlook.me.draw_limit - outlook.data.market_size
        if not outlook.left or crowded <= 0:
            return None
        best: tuple[float, PlaceFollower] | None = None
        for (id, space), followers in self.fits.items():
            place = outlook.data.places[id]
            if place.send_to_deeds or place.filled_at_least or followers[0] == MONK:
                continue
            missing = sum(1 for each in outlook.places[id].spaces if not each.occupant)
            worth = outlook.gains(place, assumed=True) / (1 + missing)
            if worth > (best[0] if best else 0.0):
                best = (worth, PlaceFollower(followers[0], id, space))
        return best[1] if best else None


def next_step(outlook: Outlook, commands: Sequence[Struct]) -> Struct:
    """The next placement of the best plan; when it is done, the end of planning."""
    planner = Planner(outlook, commands)
    plan = planner.best()
    if plan:
        return plan[0]
    technology = [command for command in commands if isinstance(command, PlaceTechnology)]
    if technology:
        return max(technology, key=outlook.mechanized)
    return planner.in_advance() or FinishPlanning()
