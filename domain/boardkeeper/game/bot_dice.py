"""The random numbers of bots."""

from __future__ import annotations

import hmac


def chance_of(key: bytes, version: int) -> float:
    """Return the random number in [0, 1) for a bot's decision at a version; always the same for the same key.

    The key is secret, so that players cannot compute in advance what a bot will do.
    """
    digest = hmac.digest(key, str(version).encode(), "sha256")[:8]
    return (int.from_bytes(digest, "big") >> 11) / (1 << 53)
