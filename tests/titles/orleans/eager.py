"""What brings a seat of Orléans on: it plans whole places and acts as long as it can.

So games come to where tiles run out, deeds are completed and tracks end. Seats that choose uniformly hardly ever
activate a place.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans.bindings import BoundPlace, Seat
from boardkeeper.titles.orleans.play import OrleansPlay

RELUCTANT = (c.Pass, c.FinishDeeds)
"""What an eager seat leaves for last."""


def eager(random: Random, play: OrleansPlay, number: int, legal: Sequence[Struct]) -> Struct:
    """Whole places when planning, then actions."""
    seat = play.t.seats[number - 1]
    if play.table.decisions[number] == "draw":
        back = [command for command in legal if isinstance(command, c.TakeBackFollower)]
        if back and random.random() < 0.6:
            return random.choice(back)
        return max((command for command in legal if isinstance(command, c.DrawFollowers)), key=_count)
    if c.FinishPlanning() in legal:
        placement = _placement(random, seat)
        return placement if placement is not None and placement in legal else c.FinishPlanning()
    if random.random() < 0.8:
        legal = [command for command in legal if type(command) not in RELUCTANT] or legal
    return random.choice(legal)


def _placement(random: Random, seat: Seat) -> Struct | None:
    """A step towards some place that the market can fill; places that are begun come first."""
    fits = seat.estate().hand.fits
    places = list(seat.estate().places.values())
    random.shuffle(places)
    places.sort(key=_is_empty)
    for place in places:
        if place.id == "town_hall" and random.random() < 0.9:
            continue  # what goes to the deeds is missing afterwards
        market = dict(seat.market.items)
        first: Struct | None = None
        for space in place.spaces:
            if space.items:
                continue
            follower = next((one for one, count in market.items() if count and fits[one] & space.bit), "")
            if not follower:
                break
            market[follower] -= 1
            first = first or c.PlaceFollower(follower, place.id, space.id)
        else:
            if first:
                return first
    return None


def _is_empty(place: BoundPlace) -> bool:
    return not any(space.items for space in place.spaces)


def _count(command: c.DrawFollowers) -> int:
    return command.count
