"""Bots. A bot gets a play on a redacted table: it does not know the hidden information or the dice of the game."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from boardkeeper.table.table import Table
from boardkeeper.titlekit.redaction import redacted_play
from boardkeeper.titlekit.title import Play, Setup, Title

RANDOM = "random"
"""The kind of bot that every title has: all legal commands are equally likely."""

Policy = Callable[[Any, int, Sequence[Struct]], Struct]
"""Chooses one of at least two legal commands. Takes a play on the redacted table, the seat and the legal commands."""


class Numbers:
    """The numbers of a TOML table as attributes, for example the weights of a bot."""

    def __init__(self, table: Mapping[str, float]) -> None:
        self.__dict__.update(table)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> float:
            """Return the number with this name."""


def chance_of(key: bytes, version: int) -> float:
    """Return the random number in [0, 1) for a bot's decision at a version; always the same for the same key.

    The key is secret, so that players cannot compute in advance what a bot will do.
    """
    digest = hmac.digest(key, str(version).encode(), "sha256")[:8]
    return (int.from_bytes(digest, "big") >> 11) / (1 << 53)


def ask_bot(
    title: Title, setup: Setup, table: Table, bot: str, seat: int, commands: Sequence[Struct], random: float
) -> Struct:
    """Return the command that a bot of this kind chooses for a seat; raises ``ValueError`` for an unknown kind.

    ``commands`` has at least one entry. ``random`` in [0, 1) is the only source of randomness.
    """
    if bot == RANDOM or len(commands) == 1:
        return commands[int(random * len(commands))]
    with redacted_play(title, setup, table, seat) as play:
        return title.choose(bot, play, seat, commands, random)


def choose(
    policies: Mapping[str, Policy], bot: str, play: Play, seat: int, commands: Sequence[Struct], random: float
) -> Struct:
    """Implement :meth:`boardkeeper.titlekit.title.TitleRules.choose` with a policy for each kind of bot."""
    if bot == RANDOM:
        return commands[int(random * len(commands))]
    policy = policies.get(bot)
    if policy is None:
        raise ValueError(f"unknown bot {bot!r}")
    return commands[0] if len(commands) == 1 else policy(play, seat, commands)
