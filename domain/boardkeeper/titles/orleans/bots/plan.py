"""Planning: which places to complete with the followers at hand.

A plan is a set of places that can be completed now and whose followers do not overlap, worth as much as possible. It is
made anew for every single placement; as placing goes on the same plan comes out.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.families.followers.board import PlaceView
from boardkeeper.families.followers.data import ANY, MONK, character, is_marked
from boardkeeper.titles.orleans.bots.outlook import FOLLOWER, Outlook
from boardkeeper.titles.orleans.commands import FinishPlanning, PlaceFollower, PlaceTechnology

Key = tuple[str, bool]
"""A kind of follower and whether it comes from the Gunpowder Tower."""

SpaceKey = tuple[str, str]

KEPT = 0.15 * FOLLOWER
"""What a follower is worth that stays on the market for the next round."""

MOST_JOBS = 12


class Job:
    """Places to complete together: the spaces still to fill and what that is worth.

    ``only`` restricts a space to one kind of follower (for the Town Hall, where it matters who is sent).
    """

    __slots__ = ("missing", "only", "places", "worth")

    def __init__(self, worth: float, places: frozenset[str], missing: tuple[SpaceKey, ...], only: str = "") -> None:
        self.worth = worth
        self.places = places
        self.missing = missing
        self.only = only


class Planner:
    """One planning problem: followers at hand, spaces they fit on, jobs."""

    def __init__(self, outlook: Outlook, commands: Sequence[Struct]) -> None:
        self.outlook = outlook
        self.kept = KEPT if outlook.left else 0.0
        self.at_hand: dict[Key, int] = {}
        self.fits: dict[SpaceKey, list[Key]] = {}
        for command in commands:
            if isinstance(command, PlaceFollower):
                key = (command.follower, command.from_tower)
                self.fits.setdefault((command.place, command.space), []).append(key)
                if not command.from_tower:
                    self.at_hand[key] = outlook.me.market[command.follower]
        for space in outlook.places["gunpowder_tower"].spaces if "gunpowder_tower" in outlook.places else ():
            if space.occupant:
                key = (space.occupant, True)
                self.at_hand[key] = self.at_hand.get(key, 0) + 1
        self.requires = {
            (place.place, space.space): space.requires for place in outlook.me.places for space in place.spaces
        }
        for space_key, keys in self.fits.items():
            keys.sort(key=lambda key: self._price(key, space_key))

    def _price(self, key: Key, space: SpaceKey) -> float:
        """How sorry one would be to use a follower here: monks and stand-ins last, marked ones first."""
        follower, from_tower = key
        who = character(follower)
        price = 0.0 if is_marked(follower) else 0.1
        if who == MONK:
            price += 2.0
        if self.requires[space] == ANY:
            price += self.outlook.missed(follower) + (0.5 if who in ("knight", "scholar") else 0.0)
        elif self.requires[space] != who:
            price += 1.0
        return price - (0.05 if from_tower else 0.0)

    # --- jobs ----------------------------------------------------------------------------------------------

    def jobs(self) -> list[Job]:
        """Everything that could be completed with the followers at hand, best first."""
        outlook = self.outlook
        jobs: list[Job] = []
        guildhall = outlook.places["guildhall"]
        will_build = guildhall.active
        can_build = outlook.buildable(outlook.me.merchant)
        for place in outlook.me.places:
            missing = self._missing(place)
            if place.active or not missing:
                continue
            if place.place == "town_hall":
                jobs += self._deeds(place)
                continue
            may_build = any(
                outlook.places[id].active for id in ("ship", "wagon", "horse_wagon") if id in outlook.places
            )
            worth = outlook.use(place.place, will_build=will_build and not can_build, may_build=may_build)
            jobs.append(Job(worth, frozenset((place.place,)), missing))
            if outlook.data.places[place.place].travel and not will_build and not can_build:
                both = missing + self._missing(guildhall)
                worth = outlook.use(place.place, will_build=True)
                jobs.append(Job(worth, frozenset((place.place, "guildhall")), both))
        jobs = [
            job for job in jobs if self._assign(job, dict(self.at_hand)) and job.worth > self.kept * len(job.missing)
        ]
        jobs.sort(key=lambda job: job.worth - self.kept * len(job.missing), reverse=True)
        return jobs[:MOST_JOBS]

    @staticmethod
    def _missing(place: PlaceView) -> tuple[SpaceKey, ...]:
        return tuple((place.place, space.space) for space in place.spaces if not space.occupant)

    def _deeds(self, place: PlaceView) -> list[Job]:
        empty = self._missing(place)
        jobs = []
        for follower, from_tower in self.at_hand:
            if not is_marked(follower) and not from_tower:
                worth = self.outlook.best_deed(follower)
                jobs += [
                    Job(worth, frozenset((f"{space}@town_hall",)), ((place_id, space),), follower)
                    for place_id, space in empty
                ]
        return jobs

    def _assign(self, job: Job, at_hand: dict[Key, int]) -> list[PlaceFollower]:
        """The placements that complete a job; takes the followers from ``at_hand``, or returns nothing."""
        placements: list[PlaceFollower] = []
        # Spaces with the fewest choices first, so that a follower is not given away that another space needs.
        for space in sorted(job.missing, key=lambda space: len(self.fits.get(space, ()))):
            for key in self.fits.get(space, ()):
                if at_hand.get(key) and (not job.only or job.only == key[0]):
                    at_hand[key] -= 1
                    placements.append(PlaceFollower(key[0], space[0], space[1], key[1]))
                    break
            else:
                return []
        return placements

    # --- the best set --------------------------------------------------------------------------------------

    def best(self) -> list[PlaceFollower]:
        """The placements of the best plan, the most valuable place first."""
        jobs = self.jobs()
        gains = [job.worth - self.kept * len(job.missing) for job in jobs]
        best: tuple[float, list[PlaceFollower]] = (0.0, [])

        def search(
            at: int, worth: float, at_hand: dict[Key, int], taken: frozenset[str], plan: list[PlaceFollower]
        ) -> None:
            nonlocal best
            if worth > best[0] + 1e-9:
                best = (worth, plan)
            if at == len(jobs) or worth + sum(gains[at:]) <= best[0] + 1e-9:
                return
            job = jobs[at]
            if not job.places & taken:
                rest = dict(at_hand)
                placements = self._assign(job, rest)
                if placements:
                    search(at + 1, worth + gains[at], rest, taken | job.places, plan + placements)
            search(at + 1, worth, at_hand, taken, plan)

        search(0, 0.0, self.at_hand, frozenset(), [])
        return best[1]

    # --- followers left over ---------------------------------------------------------------------------------

    def in_advance(self) -> PlaceFollower | None:
        """A follower that the market needs gone for the next draw, put where a good place comes nearer to completion.

        Anybody else stays on the market, where all ways are open.
        """
        outlook = self.outlook
        waiting = sum(outlook.me.market.values())
        crowded = waiting + outlook.me.draw_limit - outlook.data.market_size
        if not outlook.left or crowded <= 0:
            return None
        best: tuple[float, PlaceFollower] | None = None
        for space, keys in self.fits.items():
            place = outlook.places[space[0]]
            if place.place == "town_hall" or outlook.is_dead(place.place):
                continue
            missing = len(self._missing(place))
            key = keys[0]
            if character(key[0]) == MONK or self._price(key, space) >= 1.0:
                continue
            worth = outlook.use(place.place, may_build=True) / (1 + missing)
            if best is None or worth > best[0]:
                best = (worth, PlaceFollower(key[0], space[0], space[1], key[1]))
        return best[1] if best and best[0] > 0.0 else None


def next_step(outlook: Outlook, commands: Sequence[Struct]) -> Struct:
    """The next placement of the best plan; when it is done, the end of planning."""
    planner = Planner(outlook, commands)
    plan = planner.best()
    if plan:
        return plan[0]
    advance = planner.in_advance()
    if advance is not None:
        return advance
    technology = [command for command in commands if isinstance(command, PlaceTechnology)]
    return technology[0] if technology else FinishPlanning()
