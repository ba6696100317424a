"""Planning: which places to complete with the followers at hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from boardkeeper.families.followers.bots import Job, Key, Planner, SpaceKey, missing
from boardkeeper.families.followers.data import ANY, MONK, character, is_marked
from boardkeeper.titles.orleans.bots.outlook import FOLLOWER, Outlook
from boardkeeper.titles.orleans.commands import FinishPlanning, PlaceFollower, PlaceTechnology

KEPT = 0.15 * FOLLOWER
"""What a follower is worth that stays on the market for the next round."""

MOST_JOBS = 12
TOWN_HALL, GUILDHALL, TOWER = "town_hall", "guildhall", "gunpowder_tower"
JOURNEYS = ("ship", "wagon", "horse_wagon")


def next_step(outlook: Outlook, commands: Sequence[Struct]) -> Struct:
    """The next placement of the best plan; when it is done, the end of planning."""
    at_hand: dict[Key, int] = {}
    for command in commands:
        if isinstance(command, PlaceFollower) and not command.from_tower:
            at_hand[command.follower, False] = outlook.market[command.follower]
    for space in outlook.places[TOWER].spaces if TOWER in outlook.places else ():
        if space.pile.items:
            at_hand[space.occupant(), True] = at_hand.get((space.occupant(), True), 0) + 1
    planner = Planner(commands, at_hand, KEPT if outlook.left else 0.0)
    planner.sort(lambda key, space: _price(outlook, key, space))
    plan = planner.best(_jobs(outlook, at_hand), MOST_JOBS)

    def waits(key: Key, space: SpaceKey) -> float:
        is_wasted = space[0] == TOWN_HALL or character(key[0]) == MONK or outlook.is_dead(space[0])
        return 0.0 if is_wasted or _price(outlook, key, space) >= 1.0 else outlook.use(space[0], may_build=True)

    step = plan[0] if plan else planner.in_advance(outlook, waits)
    return step or next((it for it in commands if isinstance(it, PlaceTechnology)), FinishPlanning())


def _price(outlook: Outlook, key: Key, space: SpaceKey) -> float:
    """How sorry one would be to use a follower there: monks and stand-ins last, marked ones first."""
    follower, from_tower = key
    who, requires = character(follower), outlook.data.space[space].requires
    price = 0.0 if is_marked(follower) else 0.1
    if who == MONK:
        price += 2.0
    if requires == ANY:
        price += outlook.missed(follower) + (0.5 if who in ("knight", "scholar") else 0.0)
    elif requires != who:
        price += 1.0
    return price - (0.05 if from_tower else 0.0)


def _jobs(outlook: Outlook, at_hand: dict[Key, int]) -> Iterator[Job]:
    """Everything that could be completed."""
    will_build, can_build = outlook.is_active(GUILDHALL), outlook.is_site()
    may_build = any(map(outlook.is_active, JOURNEYS))
    for id, place in outlook.places.items():
        spaces = missing(place)
        if not spaces or outlook.is_active(id):
            continue
        if id == TOWN_HALL:
            sent = [who for who, from_tower in at_hand if not is_marked(who) and not from_tower]
            yield from (Job(outlook.best_deed(who), (space,), who) for who in sent for space in spaces)
            continue
        yield Job(outlook.use(id, will_build=will_build and not can_build, may_build=may_build), spaces)
        if place.place.travel and not will_build and not can_build:
            yield Job(outlook.use(id, will_build=True), spaces + missing(outlook.places[GUILDHALL]))
