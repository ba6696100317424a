"""Offers: structs that replace legal commands in sentences, because the sentences show more than the command has."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.phases.verbs.deeds import spaces_left
from boardkeeper.titles.stories.commands import SendToDeed
from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.phases.verbs.deeds import completion_coins


class DeedOffer(Struct, frozen=True, gc=False):
    """``SendToDeed`` with the follower and the reward."""

    place: str
    space: str
    follower: str
    deed: str
    coins: int
    fame: int
    completes: bool


OFFERS: tuple[type[Struct], ...] = (DeedOffer,)
"""All offers. Each has a sentence in ``words/*.toml``."""


def to_offer(t: Stories, seat: Seat, command: Struct) -> Struct:
    """Return the offer for a legal command, or the command if it needs no details."""
    if not isinstance(command, SendToDeed):
        return command
    follower = seat.estate().spaces[command.place, command.space].occupant()
    deed = t.data.deeds[command.deed]
    completes = sum(spaces_left(t, deed, character) for character in deed.spaces) == 1
    coins = deed.coins.get(follower, 0) + (completion_coins(t) if completes else 0)
    return DeedOffer(command.place, command.space, follower, deed.id, coins, deed.fame.get(follower, 0), completes)
