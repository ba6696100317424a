"""Commands as they are offered to a seat, where the command alone would not say what it does."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.phases.verbs.deeds import spaces_left
from boardkeeper.titles.stories.commands import SendToDeed
from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.phases.verbs.deeds import completion_coins


class DeedOffer(Struct, frozen=True, gc=False):
    """``SendToDeed``: the follower that would go, and what the seat would receive."""

    place: str
    space: str
    follower: str
    deed: str
    coins: int
    fame: int
    completes: bool


OFFERS: tuple[type[Struct], ...] = (DeedOffer,)
"""Every offer that is told in words of its own."""


def offered(t: Stories, seat: Seat, command: Struct) -> Struct:
    """A legal command as it is offered to a seat; itself if it says everything."""
    if not isinstance(command, SendToDeed):
        return command
    follower = seat.estate().spaces[command.place, command.space].occupant()
    deed = t.data.deeds[command.deed]
    completes = sum(spaces_left(t, deed, character) for character in deed.spaces) == 1
    coins = deed.coins.get(follower, 0) + (completion_coins(t) if completes else 0)
    return DeedOffer(command.place, command.space, follower, deed.id, coins, deed.fame.get(follower, 0), completes)
