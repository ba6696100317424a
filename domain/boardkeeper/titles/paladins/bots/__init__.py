"""Bots of Paladins: pure functions from what a seat sees to one of the commands that it may give."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.titles.paladins.board import Board


def choose(bot: str, board: Board, seat: int, commands: Sequence[Struct], random: float) -> Struct:
    """One of ``commands``, of which there is at least one, as that kind of bot would play.

    ``board`` is what the seat sees; ``random`` in [0, 1) is the only source of chance. Raises ``ValueError`` for an
    unknown kind.
    """
    if bot not in ("random", "sensible"):
        raise ValueError(f"Paladins has no bot {bot!r}")
    return commands[int(random * len(commands))]
