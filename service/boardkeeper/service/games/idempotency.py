"""Requests that create games or take seats, and that may be repeated with the same id."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from uuid import UUID

import msgspec
from msgspec import Struct

from boardkeeper.service.auth.seat_tokens import derive_token, hash_token, new_token
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.changes import NewRequest
from boardkeeper.service.storage.rows import RequestRow
from boardkeeper.service.storage.sql import Change

SALT_BYTES = 32


class Seated(Struct, frozen=True):
    """A game, and the tokens of the seats that the request took, by seat."""

    game: UUID
    tokens: dict[int, str]


class IdempotentRequest:
    """An idempotent request. Without an id, every call is a new request."""

    def __init__(self, kind: str, id: str, content: object) -> None:
        self.id = id
        self.key = hash_token(f"{kind}:{id}")
        # Sort the keys: a repeated request may contain its maps in a different order.
        self.content = hashlib.sha256(msgspec.json.encode(content, order="deterministic")).digest()

    async def find_earlier(self, registry: GameRegistry) -> Seated | None:
        """Return the result of an earlier request with the same id. Raises ``REQUEST_ID_REUSED``."""
        if not self.id:
            return None
        row = await registry.read(partial(registry.application.game_tables.request, self.key))
        if row is None:
            return None
        if row.content != self.content:
            raise ApiError("REQUEST_ID_REUSED")
        return Seated(row.game_id, {seat: self.token(row.salt, seat) for seat in row.seats})

    def token(self, salt: bytes, seat: int) -> str:
        """Return the token of a seat for this request: with an id always the same token, without one a new token."""
        return derive_token(salt, self.id, seat) if self.id else new_token()

    def changes(self, salt: bytes, game: UUID, seats: Sequence[int], time: int) -> list[Change]:
        """Return the changes that store the request with its result."""
        if not self.id:
            return []
        return [NewRequest(RequestRow(self.key, self.content, salt, game, tuple(seats)), time)]


def token_expiry(seconds: int, now: int) -> int | None:
    """Return when a token issued now expires; ``None``: never."""
    return now + 1000 * seconds if seconds else None
