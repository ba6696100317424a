"""What time people have to decide, and what happens when it has run out: chosen when a game is made."""

from __future__ import annotations

from msgspec import Struct

MOVE = "move"
GAME = "game"
KINDS = (MOVE, GAME)
BOT = "bot"
RESIGN = "resign"
ON_EXPIRY = (BOT, RESIGN)

LONGEST = 366 * 24 * 60 * 60
"""Seconds that a control may give at most, and add."""


class TimeControl(Struct, frozen=True):
    """How much time each seat of a person has.

    ``move``: ``seconds`` anew whenever the seat has to decide. ``game``: ``seconds`` for the whole game, and
    ``increment`` more each time that the seat has decided. ``on_expiry``: a ``bot`` plays on, or the seat has to
    ``resign``.
    """

    kind: str
    seconds: int
    increment: int
    on_expiry: str

    @property
    def bank(self) -> int:
        """Milliseconds that a clock begins with."""
        return self.seconds * 1_000

    @property
    def added(self) -> int:
        """Milliseconds that are added when a seat has decided."""
        return self.increment * 1_000
