"""Commands as they are offered to a seat, where the command alone would not say what it does."""

from __future__ import annotations

from msgspec import Struct


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
