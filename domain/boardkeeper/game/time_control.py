"""The time control of a game: how much time its people have, and what happens when it runs out."""

from __future__ import annotations

from msgspec import Struct

MOVE = "move"
GAME = "game"
KINDS = (MOVE, GAME)
BOT = "bot"
RESIGN = "resign"
ON_EXPIRY = (BOT, RESIGN)

MAX_SECONDS = 366 * 24 * 60 * 60
"""The maximum of ``seconds`` and ``increment``."""


class TimeControl(Struct, frozen=True):
    """The time of each person's seat.

    ``kind``: ``move`` gives ``seconds`` for each decision period; ``game`` gives ``seconds`` for the whole game and
    ``increment`` seconds after each decision period. ``on_expiry``: when the time has run out, a ``bot`` takes over or
    the seat has to ``resign``.
    """

    kind: str
    seconds: int
    increment: int
    on_expiry: str

    @property
    def bank(self) -> int:
        """The initial time of a clock, in milliseconds."""
        return self.seconds * 1_000

    @property
    def added(self) -> int:
        """The time that is added after a decision period, in milliseconds."""
        return self.increment * 1_000
