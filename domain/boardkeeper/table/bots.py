"""Choosing for a seat: the kinds of bots that a title has, and the one that every title has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

_B = TypeVar("_B")

Policy = Callable[[_B, int, Sequence[Struct]], Struct]
"""From what a seat sees one of the commands that it may give, of which there are several."""


def choose(
    policies: Mapping[str, Policy[_B]], bot: str, board: _B, seat: int, commands: Sequence[Struct], random: float
) -> Struct:
    """One of ``commands``, of which there is at least one, as that kind of bot would play.

    ``board`` is what the seat sees; ``random`` in [0, 1) is the only source of chance. ``random`` is also the kind that
    plays by it alone. Raises ``ValueError`` for an unknown kind.
    """
    if bot == "random":
        return commands[int(random * len(commands))]
    policy = policies.get(bot)
    if policy is None:
        raise ValueError(f"unknown bot {bot!r}")
    return commands[0] if len(commands) == 1 else policy(board, seat, commands)
