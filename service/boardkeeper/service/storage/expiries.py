"""When the clock of somebody will have run out, as a database keeps it: a row for each game in which a clock runs.

It follows from the log (:mod:`boardkeeper.game.clocks`) and is written with each of a game's events, so that whoever
looks for clocks that have run out finds them by an index, however many games there are.
"""

from __future__ import annotations

from typing import Protocol
from uuid import UUID

from msgspec import Struct


class PutExpiry(Struct, frozen=True):
    """When the next clock of a game runs out, in milliseconds since 1970; ``None``: none runs.

    With the game's events it is right. Whoever writes it alone says what ``was`` there, and nothing happens if that is
    not there any more.
    """

    game: UUID
    time: int | None
    was: int | None = None


class ExpiryTable(Protocol):
    """The ways to ask a database for it; they block."""

    def expired(self, until: int, limit: int) -> list[UUID]:
        """Games in which a clock has run out by that time, the longest ago first."""

    def expiry(self, game: UUID) -> int | None:
        """When the next clock of a game runs out, if one runs."""
