"""Requests that create games or take seats. A client can repeat one with the same id and gets the first result."""

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
    """The result of a request: the game, and the token of each seat that the request took, by seat number."""

    game: UUID
    tokens: dict[int, str]


class IdempotentRequest:
    """A request with the id that its client chose. With an empty id, every call is a new request."""

    def __init__(self, kind: str, id: str, content: object) -> None:
        """``kind`` separates the ids of different operations; ``content`` is everything else in the request."""
        self.id = id
        self.key = hash_token(f"{kind}:{id}")
        # "deterministic" sorts keys: a repeated request may contain its maps in a different order.
        self.content = hashlib.sha256(msgspec.json.encode(content, order="deterministic")).digest()

    async def find_earlier(self, registry: GameRegistry) -> Seated | None:
        """Return the result of an earlier request with the same kind and id; ``None`` if there is none, or no id.

        Raises ``REQUEST_ID_REUSED`` if the earlier request had other content.
        """
        if not self.id:
            return None
        row = await registry.read(partial(registry.application.game_tables.request, self.key))
        if row is None:
            return None
        if row.content != self.content:
            raise ApiError("REQUEST_ID_REUSED")
        return Seated(row.game_id, {seat: self.token(row.salt, seat) for seat in row.seats})

    def token(self, salt: bytes, seat: int) -> str:
        """Return a seat token. With an id it depends only on salt, id and seat; without one it is random."""
        return derive_token(salt, self.id, seat) if self.id else new_token()

    def changes(self, salt: bytes, game: UUID, seats: Sequence[int], time: int) -> list[Change]:
        """Return the changes that store the request and its result; none without an id. ``time`` is in milliseconds."""
        if not self.id:
            return []
        return [NewRequest(RequestRow(self.key, self.content, salt, game, tuple(seats)), time)]


def token_expiry(seconds: int, now: int) -> int | None:
    """Return when a token issued now expires, in milliseconds since 1970, like ``now``.

    ``seconds`` is its lifetime. If it is 0, the token never expires, and the result is ``None``.
    """
    return now + 1000 * seconds if seconds else None
