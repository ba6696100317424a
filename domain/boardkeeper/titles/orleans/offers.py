"""Offers: structs that replace legal commands in sentences, because the sentences show more than the command has."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.phases.verbs.deeds import spaces_left
from boardkeeper.titles.orleans.commands import SendToDeed
from boardkeeper.titles.orleans.material import Orleans, Seat
from boardkeeper.titles.orleans.phases.verbs.deeds import coins_and_development


class DeedOffer(Struct, frozen=True, gc=False):
    """``SendToDeed`` with the follower and the reward."""

    place: str
    space: str
    follower: str
    deed: str
    coins: int
    development: int
    completes: bool


OFFERS: tuple[type[Struct], ...] = (DeedOffer,)
"""All offers. Each has a sentence in ``words/*.toml``."""


def to_offer(t: Orleans, seat: Seat, command: Struct) -> Struct:
    """Return the offer for a legal command, or the command if it needs no details."""
    if not isinstance(command, SendToDeed):
        return command
    follower = seat.estate().spaces[command.place, command.space].occupant()
    deed = t.data.deeds[command.deed]
    coins, development = coins_and_development(deed, command.reward)
    left = sum(spaces_left(t, deed, character) for character in deed.spaces)
    return DeedOffer(command.place, command.space, follower, deed.id, coins, development, completes=left == 1)
