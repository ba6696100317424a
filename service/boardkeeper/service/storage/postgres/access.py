"""The keys of platforms and whose the games are, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, LiteralString, NamedTuple
from uuid import UUID

import msgspec

from boardkeeper.service.storage.access import EndKey, GameAccess, GiveToken, KeyRow, LimitKey, NewKey, OwnGame, UseKeys
from boardkeeper.service.storage.postgres.readers import Readers
from boardkeeper.service.storage.rows import DamagedLineError, encode

MIGRATION: LiteralString = """
CREATE TABLE access_keys (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key_id text NOT NULL UNIQUE,
    name text NOT NULL,
    platform text NOT NULL,
    scopes bytea NOT NULL,
    secret_hash bytea,
    certificate text NOT NULL,
    create_time bigint NOT NULL,
    expire_time bigint,
    revoke_time bigint,
    use_time bigint
);
CREATE UNIQUE INDEX access_keys_by_certificate ON access_keys (certificate)
    WHERE certificate <> '' AND revoke_time IS NULL;
CREATE TABLE game_access (game uuid PRIMARY KEY, platform text NOT NULL, spectators boolean);
ALTER TABLE games ADD COLUMN platform text NOT NULL DEFAULT '';
CREATE INDEX games_by_platform ON games (platform, number) WHERE platform <> '';
CREATE INDEX games_by_platform_and_title ON games (platform, title, number) WHERE platform <> '';
CREATE INDEX games_by_platform_and_status ON games (platform, status, number) WHERE platform <> '';
"""
"""What they are kept in, beside what was there before."""

_COLUMNS: LiteralString = (
    "key_id, name, platform, scopes, secret_hash, certificate, create_time, expire_time, revoke_time, use_time, limits"
)
_HOUR = 3_600_000
_decode_scopes = msgspec.json.Decoder(tuple[str, ...]).decode


class Statement(NamedTuple):
    """SQL and its parameters."""

    sql: LiteralString
    parameters: tuple[object, ...] = ()


class PostgresAccess:
    """Reads them (:class:`~boardkeeper.service.storage.access.AccessTables`)."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def all_keys(self) -> list[KeyRow]:
        """All keys, in the order in which they were made."""
        rows = self._readers.rows("SELECT " + _COLUMNS + " FROM access_keys ORDER BY number")
        try:
            return [_key(*row) for row in rows]
        except msgspec.MsgspecError as error:
            raise DamagedLineError(f"a key of a platform cannot be read: {error}") from error

    def game_access(self, game: UUID) -> GameAccess | None:
        """Whose a game is or was; ``None`` if there is none of that id."""
        rows = self._readers.rows(
            "SELECT platform, spectators, by_invitation, token_seconds FROM game_access WHERE game = %b"
            " UNION ALL SELECT '', NULL, false, 0 FROM games WHERE game = %b LIMIT 1",
            (game, game),
        )
        return GameAccess(*rows[0]) if rows else None


def _key(
    id: str,
    name: str,
    platform: str,
    scopes: bytes,
    secret_hash: bytes | None,
    certificate: str,
    made: int,
    *others: Any,
) -> KeyRow:
    return KeyRow(id, name, platform, _decode_scopes(scopes), secret_hash, certificate, made, *others)


# --- writing ------------------------------------------------------------------------------------------------


def _new_key(it: NewKey) -> list[Statement]:
    row = it.row
    insert: LiteralString = "INSERT INTO access_keys (" + _COLUMNS + ") VALUES (%b,%b,%b,%b,%b,%b,%b,%b,%b,%b,%b)"
    values = (row.key_id, row.name, row.platform, encode(row.scopes), row.secret_hash, row.certificate)
    others = (row.create_time, row.expire_time, row.revoke_time, row.use_time, row.limits)
    return [Statement(insert, (*values, *others))]


def _end_key(it: EndKey) -> list[Statement]:
    update: LiteralString = (
        "UPDATE access_keys SET expire_time = least(expire_time, %b::bigint),"
        " revoke_time = coalesce(revoke_time, %b::bigint) WHERE key_id = %b"
    )
    return [Statement(update, (it.expire_time, it.revoke_time, it.key_id))]


def _use_keys(it: UseKeys) -> list[Statement]:
    hour = it.time - it.time % _HOUR
    update: LiteralString = (
        "UPDATE access_keys SET use_time = %b::bigint WHERE key_id = ANY(%b)"
        " AND (use_time IS NULL OR use_time < %b::bigint)"
    )
    return [Statement(update, (hour, list(it.key_ids), hour))]


def _limit_key(it: LimitKey) -> list[Statement]:
    return [Statement("UPDATE access_keys SET limits = %b WHERE key_id = %b", (it.limits, it.key_id))]


def _own_game(it: OwnGame) -> list[Statement]:
    game, access = it.game, it.access
    return [
        Statement(
            "INSERT INTO game_access (game, platform, spectators, by_invitation, token_seconds)"
            " VALUES (%b, %b, %b, %b, %b)",
            (game, access.platform, access.spectators, access.by_invitation, access.token_seconds),
        ),
        Statement("UPDATE games SET platform = %b WHERE game = %b", (access.platform, game)),
    ]


def owned_again(game: UUID) -> Statement:
    """Puts down whose a game is in its line in the lobby, which may have been lost."""
    update: LiteralString = (
        "UPDATE games g SET platform = a.platform FROM game_access a WHERE a.game = g.game AND g.game = %b"
    )
    return Statement(update, (game,))


def _give_token(it: GiveToken) -> list[Statement]:
    # What is taken cannot be null, which makes this conflict where somebody else has replaced the token.
    update: LiteralString = (
        "UPDATE seats SET token_hash = %b::bytea, token_expires = %b::bigint,"
        " taken = CASE WHEN token_hash IS NOT DISTINCT FROM %b::bytea THEN taken END WHERE game = %b AND seat = %b"
    )
    return [Statement(update, (it.token_hash, it.expires, it.before, it.game, it.seat))]


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {
    NewKey: _new_key,
    EndKey: _end_key,
    UseKeys: _use_keys,
    LimitKey: _limit_key,
    OwnGame: _own_game,
    GiveToken: _give_token,
}
"""How each of these changes is written."""
