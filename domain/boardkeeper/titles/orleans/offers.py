"""Commands as they are to_offer to a seat, where the command alone would not say what it does.

A command names spaces; the person who chooses wants to know who stands there and what comes of it.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.phases.verbs.deeds import spaces_left
from boardkeeper.titles.orleans.commands import SendToDeed
from boardkeeper.titles.orleans.material import Orleans, Seat
from boardkeeper.titles.orleans.phases.verbs.deeds import coins_and_development


class DeedOffer(Struct, frozen=True, gc=False):
    """``SendToDeed``: the follower that would go, and what the seat would receive."""

    place: str
    space: str
    follower: str
    deed: str
    coins: int
    development: int
    completes: bool


OFFERS: tuple[type[Struct], ...] = (DeedOffer,)
"""Every offer that is told in words of its own."""


def to_offer(t: Orleans, seat: Seat, command: Struct) -> Struct:
    """A legal command as it is to_offer to a seat; itself if it says everything."""
    if not isinstance(command, SendToDeed):
        return command
    follower = seat.estate().spaces[command.place, command.space].occupant()
    deed = t.data.deeds[command.deed]
    coins, development = coins_and_development(deed, command.reward)
    left = sum(spaces_left(t, deed, character) for character in deed.spaces)
    return DeedOffer(command.place, command.space, follower, deed.id, coins, development, completes=left == 1)
