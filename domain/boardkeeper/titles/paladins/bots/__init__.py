"""Bots of Paladins: pure functions from what a seat sees to one of the commands that it may give."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.titles.paladins.board import Board
from boardkeeper.titles.paladins.bots import sensible


def choose(bot: str, board: Board, seat: int, commands: Sequence[Struct], random: float) -> Struct:
    """One of ``commands``, of which there is at least one, as that kind of bot would play.

    ``board`` is what the seat sees; ``random`` in [0, 1) is the only source of chance. Raises ``ValueError`` for an
    unknown kind.
    """
    match bot:
        case "sensible":
            return commands[0] if len(commands) == 1 else sensible.choose(board, seat, commands)
        case "random":
            return commands[int(random * len(commands))]
        case _:
            raise ValueError(f"Paladins has no bot {bot!r}")
