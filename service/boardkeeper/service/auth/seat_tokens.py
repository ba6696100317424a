"""Seat tokens: whoever has a seat's token may act for it. The service keeps only their hashes.

An idempotent request gets the same tokens when it is repeated, although they are not stored: they are
derived from a random salt, which is stored, and from the request's id, of which only a hash is. Neither half
is enough alone.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

TOKEN_BYTES = 32


def new_token() -> str:
    """A random token, for a request that nobody will repeat."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def derive_token(salt: bytes, request_id: str, seat: int) -> str:
    """The token that one request gives for a seat, each time it is repeated."""
    digest = hmac.digest(salt, f"{seat}:{request_id}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def hash_token(token: str) -> bytes:
    """What is stored of a token (or of a request's id)."""
    return hashlib.sha256(token.encode()).digest()


def matches_hash(token: str, stored: bytes | None) -> bool:
    """Whether a token is the one whose hash is stored, compared in constant time."""
    return stored is not None and hmac.compare_digest(hash_token(token), stored)
