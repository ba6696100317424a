"""Bots: what they see, and the kinds that a title has beside the random one.

A bot reads the title's play on a redacted table. It cannot see what its seat may not know, nor the dice of the game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from boardkeeper.table.table import Table
from boardkeeper.titlekit.redaction import redacted_play
from boardkeeper.titlekit.title import Play, Setup, Title

RANDOM = "random"
"""The kind of bot that every title has: each legal command is equally likely."""

Policy = Callable[[Any, int, Sequence[Struct]], Struct]
"""Choose one of at least two commands of a seat, from the title's play on the table that the seat sees."""


def ask_bot(
    title: Title, setup: Setup, table: Table, bot: str, seat: int, commands: Sequence[Struct], random: float
) -> Struct:
    """Return what a bot of that kind does for a seat: one of ``commands``, of which there is at least one.

    ``random`` in [0, 1) is its only source of chance. Raises ``ValueError`` for an unknown kind.
    """
    if bot == RANDOM or len(commands) == 1:
        return commands[int(random * len(commands))]
    with redacted_play(title, setup, table, seat) as play:
        return title.choose(bot, play, seat, commands, random)


def choose(
    policies: Mapping[str, Policy], bot: str, play: Play, seat: int, commands: Sequence[Struct], random: float
) -> Struct:
    """Return what a bot of one of these kinds, or a random one, does; raises ``ValueError`` for an unknown kind."""
    if bot == RANDOM:
        return commands[int(random * len(commands))]
    policy = policies.get(bot)
    if policy is None:
        raise ValueError(f"unknown bot {bot!r}")
    return commands[0] if len(commands) == 1 else policy(play, seat, commands)
