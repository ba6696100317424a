"""Where a game's chance comes from: the seed that is handed in, else the operating system's."""

from __future__ import annotations

import hashlib
import secrets
from uuid import UUID

from boardkeeper.engine.errors import MisuseError
from boardkeeper.table.dice import SECRET_BYTES

Seed = int | str | bytes
"""What makes a game reproducible; whoever knows it knows every draw to come."""

_PREFIX = b"boardkeeper-rules-1:"


def secret_of(seed: Seed | None, purpose: str = "game") -> bytes:
    """The secret that a seed gives for a purpose, or a new one that nobody can guess where there is no seed.

    Raises :class:`MisuseError` for what would not give the same game again.
    """
    if seed is None:
        return secrets.token_bytes(SECRET_BYTES)
    kind = type(seed)
    if kind not in (int, str, bytes):
        raise MisuseError(f"seed must be an int, a str or bytes, not {seed!r}; convert other numbers with int(…)")
    try:
        given = seed if isinstance(seed, bytes) else f"{kind.__name__}:{seed}".encode()
    except ValueError as error:  # a lone surrogate, or more digits than Python makes a text of
        raise MisuseError(f"this seed cannot be encoded; use bytes: {error}") from None
    return hashlib.sha256(_PREFIX + purpose.encode() + b":" + given).digest()


def id_of(secret: bytes) -> UUID:
    """The id of the game with that secret, which it does not give away."""
    return UUID(bytes=hashlib.sha256(_PREFIX + b"id:" + secret).digest()[:16], version=4)
