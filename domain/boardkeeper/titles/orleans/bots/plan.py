"""Planning of the bot: the places to complete with its followers (see :mod:`boardkeeper.families.followers.bots`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from boardkeeper.families.followers.bots import FollowerKey, Job, Planner, SpaceKey, empty_spaces
from boardkeeper.families.followers.data import ANY, MONK, character, is_marked
from boardkeeper.titles.orleans.bots.valuation import FOLLOWER, Valuation
from boardkeeper.titles.orleans.commands import FinishPlanning, PlaceFollower, PlaceTechnology

_KEPT_FOLLOWER = 0.15 * FOLLOWER
"""Value of a follower that stays on the market for the next round."""

_MAX_JOBS = 12
"""Number of jobs from which the search chooses."""

TOWN_HALL, GUILDHALL, TOWER = "town_hall", "guildhall", "gunpowder_tower"
JOURNEYS = ("ship", "wagon", "horse_wagon")
"""Places with which the merchant travels."""


def next_step(valuation: Valuation, commands: Sequence[Struct]) -> Struct:
    """Return the next placement of the best plan, or the command that ends planning."""
    at_hand: dict[FollowerKey, int] = {}
    for command in commands:
        if isinstance(command, PlaceFollower) and not command.from_tower:
            at_hand[command.follower, False] = valuation.market[command.follower]
    for space in valuation.places[TOWER].spaces if TOWER in valuation.places else ():
        if space.pile.items:
            at_hand[space.occupant(), True] = at_hand.get((space.occupant(), True), 0) + 1
    planner = Planner(commands, at_hand, _KEPT_FOLLOWER if valuation.left else 0.0)
    planner.sort(lambda key, space: _price(valuation, key, space))
    plan = planner.best_plan(_jobs(valuation, at_hand), _MAX_JOBS)

    def value_in_advance(key: FollowerKey, space: SpaceKey) -> float:
        is_wasted = space[0] == TOWN_HALL or character(key[0]) == MONK or valuation.is_exhausted(space[0])
        return 0.0 if is_wasted or _price(valuation, key, space) >= 1.0 else valuation.use(space[0], may_build=True)

    step = plan[0] if plan else planner.plan_ahead(valuation, value_in_advance)
    return step or next((it for it in commands if isinstance(it, PlaceTechnology)), FinishPlanning())


def _price(valuation: Valuation, key: FollowerKey, space: SpaceKey) -> float:
    """Return the cost of using a follower on a space: high for monks and replacements, lowest for marked followers."""
    follower, from_tower = key
    who, requires = character(follower), valuation.data.space[space].requires
    price = 0.0 if is_marked(follower) else 0.1
    if who == MONK:
        price += 2.0
    if requires == ANY:
        price += valuation.lost_follower(follower) + (0.5 if who in ("knight", "scholar") else 0.0)
    elif requires != who:
        price += 1.0
    return price - (0.05 if from_tower else 0.0)


def _jobs(valuation: Valuation, at_hand: dict[FollowerKey, int]) -> Iterator[Job]:
    """Yield a job for each way to fill the empty spaces of a place."""
    will_build, can_build = valuation.is_active(GUILDHALL), valuation.is_site()
    may_build = any(map(valuation.is_active, JOURNEYS))
    for id, place in valuation.places.items():
        spaces = empty_spaces(place)
        if not spaces or valuation.is_active(id):
            continue
        if id == TOWN_HALL:
            sent = [who for who, from_tower in at_hand if not is_marked(who) and not from_tower]
            yield from (Job(valuation.best_deed(who), (space,), who) for who in sent for space in spaces)
            continue
        yield Job(valuation.use(id, will_build=will_build and not can_build, may_build=may_build), spaces)
        if place.place.travel and not will_build and not can_build:
            yield Job(valuation.use(id, will_build=True), spaces + empty_spaces(valuation.places[GUILDHALL]))
