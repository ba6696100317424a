"""Seat tokens: a caller with the token of a seat can act for it. The server stores only hashes of tokens.

A repeated request (same ``request_id``) gets the same tokens. The server derives them from a stored random salt and the
id of the request, of which it stores only a hash. Neither alone is enough to derive a token.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

TOKEN_BYTES = 32


def new_token() -> str:
    """Return a random token, for a request without an id."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def derive_token(salt: bytes, request_id: str, seat: int) -> str:
    """Return the token of a seat that a request with this id gets."""
    digest = hmac.digest(salt, f"{seat}:{request_id}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def hash_token(token: str) -> bytes:
    """Return the hash of a token, or of a request's id, which the server stores."""
    return hashlib.sha256(token.encode()).digest()


def matches_hash(token: str, stored: bytes | None) -> bool:
    """Return whether a token has the stored hash; compares in constant time."""
    return stored is not None and hmac.compare_digest(hash_token(token), stored)
