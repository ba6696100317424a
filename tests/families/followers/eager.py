"""A policy that makes progress: it draws as many followers as possible, fills whole places, and passes late.

Its games reach situations in which tiles run out and deeds are complete. Uniformly random seats rarely use a place.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

from msgspec import Struct

from boardkeeper.families.followers.commands import (
    DrawFollowers,
    FinishDeeds,
    FinishPlanning,
    Pass,
    PlaceFollower,
    TakeBackFollower,
)
from boardkeeper.families.followers.table import AnyPlace, AnySeat, AnyTable

LAST_COMMANDS = (Pass, FinishDeeds)
"""Commands that the policy chooses rarely while it has others."""


def choose(random: Random, t: AnyTable, number: int, legal: Sequence[Struct], seldom: Collection[str] = ()) -> Struct:
    """Choose a legal command; ``seldom`` are places that the policy rarely fills."""
    seat = t.seats[number - 1]
    if t.table.decisions[number] == "draw":
        back = [command for command in legal if isinstance(command, TakeBackFollower)]
        if back and random.random() < 0.6:
            return random.choice(back)
        return max((command for command in legal if isinstance(command, DrawFollowers)), key=_count)
    if FinishPlanning() in legal:
        placement = _placement(random, seat, seldom)
        return placement if placement is not None and placement in legal else FinishPlanning()
    if random.random() < 0.8:
        legal = [command for command in legal if type(command) not in LAST_COMMANDS] or legal
    return random.choice(legal)


def _placement(random: Random, seat: AnySeat, seldom: Collection[str]) -> Struct | None:
    """Return the first placement for a place that the market can fill; prefer places that have followers."""
    fits = seat.estate().index.fits
    places = list(seat.estate().places.values())
    random.shuffle(places)
    places.sort(key=_is_empty)
    for place in places:
        if place.id in seldom and random.random() < 0.9:
            continue
        market = dict(seat.market.items)
        first: Struct | None = None
        for space in place.spaces:
            if space.pile.items:
                continue
            follower = next((it for it, count in market.items() if count and fits[it] & space.bit), "")
            if not follower:
                break
            market[follower] -= 1
            first = first or PlaceFollower(follower, place.id, space.id)
        else:
            if first:
                return first
    return None


def _is_empty(place: AnyPlace) -> bool:
    return not any(space.pile.items for space in place.spaces)


def _count(command: DrawFollowers) -> int:
    return command.count
