"""The start of games: secrets from seeds, and games with all seats taken."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from uuid import UUID

from boardkeeper.engine.arguments import Clock
from boardkeeper.engine.errors import MisuseError
from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.forking import Fork
from boardkeeper.game.game import Game
from boardkeeper.game.time_control import TimeControl
from boardkeeper.table.dice import SECRET_BYTES
from boardkeeper.table.visible_table import VisibleTable
from boardkeeper.titlekit.title import Setup, Title

Seed = int | str | bytes
"""The seed of a reproducible game. It determines every random draw, so keep it secret from players."""

BUILD = "boardkeeper.rules"
"""The ``server_build`` of games of this library. Stored games contain it, so it stays the old name of the package."""

_PREFIX = b"boardkeeper-rules-1:"


def secret_of(seed: Seed | None, purpose: str = "game") -> bytes:
    """Return the secret that a seed gives for a purpose; without a seed a random one.

    Raises :class:`MisuseError` for a seed of another type, which might not give the same secret again.
    """
    if seed is None:
        return secrets.token_bytes(SECRET_BYTES)
    kind = type(seed)
    if kind not in (int, str, bytes):
        raise MisuseError(f"seed must be an int, a str or bytes, not {seed!r}; convert other numbers with int(…)")
    try:
        encoded = seed if isinstance(seed, bytes) else f"{kind.__name__}:{seed}".encode()
    except ValueError as error:  # a lone surrogate, or an int with more digits than Python converts
        raise MisuseError(f"this seed cannot be encoded; use bytes: {error}") from None
    return hashlib.sha256(_PREFIX + purpose.encode() + b":" + encoded).digest()


def id_of(secret: bytes) -> UUID:
    """Return the id of the game with this secret. The secret cannot be computed from it."""
    return UUID(bytes=hashlib.sha256(_PREFIX + b"id:" + secret).digest()[:16], version=4)


def start_game(
    title: Title,
    setup: Setup,
    kinds: Sequence[str],
    secret: bytes,
    clock: Clock | None,
    *,
    position: VisibleTable | None = None,
    fork: Fork | None = None,
    time_control: TimeControl | None = None,
) -> tuple[Game, list[GameEvent]]:
    """Create a game, join all seats of people, and return it with its committed events."""
    time = clock() if clock is not None else 0
    arguments = (id_of(secret), title, setup, kinds, secret, BUILD, "create", time)
    game, history = create_game(*arguments, position=position, fork=fork, time_control=time_control)
    game.commit(history)
    free = game.seats.free()
    if free:
        joined = game.join(free, b"", "join", time)
        game.commit(joined)
        history += joined
    return game, history
