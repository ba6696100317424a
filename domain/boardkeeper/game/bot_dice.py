"""What bots are given as chance."""

from __future__ import annotations

import hmac


def chance_of(key: bytes, version: int) -> float:
    """What a bot is given as chance: in [0, 1), the same whenever the same decision is taken again.

    Only who knows the game's key for bots can tell beforehand; else all could work out what a bot plans in secret.
    """
    digest = hmac.digest(key, str(version).encode(), "sha256")[:8]
    return (int.from_bytes(digest, "big") >> 11) / (1 << 53)
