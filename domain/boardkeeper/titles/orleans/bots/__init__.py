"""Bots of Orléans: pure functions from what a seat sees to one of the commands that it may give."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.bots import sensible

BOTS = ("random", "sensible")
"""The kinds of bots: any legal command, or the one that promises most points."""


def choose(bot: str, board: Board, seat: int, commands: Sequence[Struct], random: float) -> Struct:
    """One of ``commands``, of which there is at least one, as that kind of bot would play.

    ``board`` is what the seat sees; ``random`` in [0, 1) is the only source of chance. Raises ``ValueError`` for an
    unknown kind.
    """
    if bot not in BOTS:
        raise ValueError(f"Orléans has no bot {bot!r}")
    if len(commands) == 1:
        return commands[0]
    if bot == "sensible":
        return sensible.choose(board, seat, commands)
    return commands[int(random * len(commands))]
