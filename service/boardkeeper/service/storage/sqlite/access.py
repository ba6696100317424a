"""The keys of platforms and whose the games are, in a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

import msgspec
from eventsourcing.sqlite import SQLiteDatastore

from boardkeeper.service.storage.access import EndKey, GameAccess, GiveToken, KeyRow, LimitKey, NewKey, OwnGame, UseKeys
from boardkeeper.service.storage.rows import DamagedLineError, encode
from boardkeeper.table.decoding import convert

Statement = tuple[str, tuple[object, ...]]

TABLES = """
CREATE TABLE IF NOT EXISTS access_keys (
    number INTEGER PRIMARY KEY,
    key_id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    platform TEXT NOT NULL,
    scopes BLOB NOT NULL,
    secret_hash BLOB,
    certificate TEXT NOT NULL,
    create_time INTEGER NOT NULL,
    expire_time INTEGER,
    revoke_time INTEGER,
    use_time INTEGER
);
CREATE UNIQUE INDEX IF NOT EXISTS access_keys_by_certificate ON access_keys (certificate)
    WHERE certificate<>'' AND revoke_time IS NULL;
CREATE TABLE IF NOT EXISTS game_access (
    game_id TEXT PRIMARY KEY,
    platform TEXT NOT NULL,
    spectators INTEGER
) WITHOUT ROWID;
"""

ADD_LIMITS = "ALTER TABLE access_keys ADD COLUMN limits TEXT NOT NULL DEFAULT ''"
"""For files from before keys had figures of their own."""

ADD_PLATFORM = "ALTER TABLE games ADD COLUMN platform TEXT NOT NULL DEFAULT ''"
"""For files from before there were platforms: their games are nobody's."""

ADD_TERMS = """
BEGIN;
ALTER TABLE game_access ADD COLUMN by_invitation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game_access ADD COLUMN token_seconds INTEGER NOT NULL DEFAULT 0;
COMMIT;
"""
"""For files from before games could say these."""

# Only games of platforms are in these: a file without any pays nothing for them.
INDICES = """
CREATE INDEX IF NOT EXISTS games_by_platform ON games (platform, number) WHERE platform<>'';
CREATE INDEX IF NOT EXISTS games_by_platform_and_title ON games (platform, title, number) WHERE platform<>'';
CREATE INDEX IF NOT EXISTS games_by_platform_and_status ON games (platform, status, number) WHERE platform<>'';
"""

_COLUMNS = (
    "key_id, name, platform, scopes, secret_hash, certificate, create_time, expire_time, revoke_time, use_time, limits"
)
_HOUR = 3_600_000
_decode_scopes = msgspec.json.Decoder(tuple[str, ...]).decode


class SqliteAccess:
    """Reads them (:class:`~boardkeeper.service.storage.access.AccessTables`)."""

    def __init__(self, datastore: SQLiteDatastore) -> None:
        self._datastore = datastore

    def all_keys(self) -> list[KeyRow]:
        """All keys, in the order in which they were made."""
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute(f"SELECT {_COLUMNS} FROM access_keys ORDER BY number", ())
            return [_key(*row) for row in cursor.fetchall()]

    def game_access(self, game: UUID) -> GameAccess | None:
        """Whose a game is or was; ``None`` if there is none of that id."""
        select = (
            "SELECT platform, spectators, by_invitation, token_seconds FROM game_access WHERE game_id=?"
            " UNION ALL SELECT '', NULL, 0, 0 FROM games WHERE game_id=? LIMIT 1"
        )
        with self._datastore.transaction(commit=False) as cursor:
            cursor.execute(select, (game.hex, game.hex))
            rows = cursor.fetchall()
        for platform, spectators, by_invitation, seconds in rows:
            if not isinstance(platform, str):
                raise DamagedLineError(f"whose game {game} is cannot be read")
            watched = None if spectators is None else bool(spectators)
            return GameAccess(platform, watched, bool(by_invitation), int(seconds))
        return None


def _key(
    id: str, name: str, platform: str, scopes: bytes, secret_hash: bytes | None, certificate: str, *others: Any
) -> KeyRow:
    made, *rest = others
    try:
        row = KeyRow(id, name, platform, _decode_scopes(scopes), secret_hash, certificate, made or 0, *rest)
        return convert(msgspec.to_builtins(row, builtin_types=(bytes,)), KeyRow)
    except (msgspec.MsgspecError, TypeError) as error:
        raise DamagedLineError(f"a key of a platform cannot be read: {error}") from error


# --- writing ------------------------------------------------------------------------------------------------


def _new_key(it: NewKey) -> list[Statement]:
    row = it.row
    values = (row.key_id, row.name, row.platform, encode(row.scopes), row.secret_hash, row.certificate)
    others = (row.create_time, row.expire_time, row.revoke_time, row.use_time, row.limits)
    return [(f"INSERT INTO access_keys ({_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?)", (*values, *others))]


def _end_key(it: EndKey) -> list[Statement]:
    update = (
        "UPDATE access_keys SET expire_time=min(coalesce(expire_time, ?), coalesce(?, expire_time)),"
        " revoke_time=coalesce(revoke_time, ?) WHERE key_id=?"
    )
    return [(update, (it.expire_time, it.expire_time, it.revoke_time, it.key_id))]


def _use_keys(it: UseKeys) -> list[Statement]:
    hour = it.time - it.time % _HOUR
    update = "UPDATE access_keys SET use_time=? WHERE key_id=? AND (use_time IS NULL OR use_time<?)"
    return [(update, (hour, id, hour)) for id in it.key_ids]


def _limit_key(it: LimitKey) -> list[Statement]:
    return [("UPDATE access_keys SET limits=? WHERE key_id=?", (it.limits, it.key_id))]


def _own_game(it: OwnGame) -> list[Statement]:
    game, access = it.game.hex, it.access
    return [
        (
            "INSERT INTO game_access (game_id, platform, spectators, by_invitation, token_seconds) VALUES (?,?,?,?,?)",
            (game, access.platform, access.spectators, access.by_invitation, access.token_seconds),
        ),
        ("UPDATE games SET platform=? WHERE game_id=?", (access.platform, game)),
    ]


def _give_token(it: GiveToken) -> list[Statement]:
    # What is taken cannot be null, which makes this conflict where somebody else has replaced the token.
    update = (
        "UPDATE seats SET token_hash=?, token_expires=?, taken=CASE WHEN token_hash IS ? THEN taken END"
        " WHERE game_id=? AND seat=?"
    )
    return [(update, (it.token_hash, it.expires, it.before, it.game.hex, it.seat))]


WAYS: dict[type[Any], Callable[[Any], Sequence[Statement]]] = {
    NewKey: _new_key,
    EndKey: _end_key,
    UseKeys: _use_keys,
    LimitKey: _limit_key,
    OwnGame: _own_game,
    GiveToken: _give_token,
}
"""How each of these changes is written."""
