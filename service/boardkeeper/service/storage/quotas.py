"""How much platforms have used of what lasts: counted in the database, for all processes and over restarts.

What is counted are the games of platforms alone. It stands beside the events and never in them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from msgspec import Struct

FOR_EVER = 0
"""The period of what is not counted by the day: how many games are stored."""

STORED_GAMES = "games"
DAYS_KEPT = 7


class Spend(Struct, frozen=True):
    """A platform uses so much; conflicts if it would be more than ``most`` then, and all that comes with it.

    ``period`` is the day in UTC since 1970, or ``FOR_EVER``. Days before the last few are forgotten.
    """

    platform: str
    what: str
    period: int
    amount: int
    most: int | None = None


class CountGames(Struct, frozen=True):
    """How many games each platform has is counted anew."""


QuotaChange = Spend | CountGames


class QuotaTables(Protocol):
    """The ways to ask a database for it; they block."""

    def used(self, platform: str) -> Mapping[tuple[str, int], int]:
        """What a platform has used, by what it is and the period."""
