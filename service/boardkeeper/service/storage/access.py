"""API keys and the owners of games.

They are not in the event log, so the record of a game does not reveal which platform created the game.
"""

from __future__ import annotations

from uuid import UUID

from msgspec import Struct

from boardkeeper.service.storage.sql import (
    Change,
    Statement,
    Tables,
    bind,
    columns,
    insert_row,
    placeholders,
    stored_values,
)

_HOUR = 3_600_000


class KeyRow(Struct, frozen=True):
    """An API key of a platform. Times are milliseconds since 1970; ``None`` means "not set".

    ``limits`` are the key's own rate limits in text form (:mod:`~boardkeeper.service.limits.limits`). ``secret_hash``
    is the SHA-256 of the key; it is ``None`` if the client identifies itself with a TLS certificate, whose name is
    ``certificate``. ``use_time`` is when the key was last used, rounded down to the hour.
    """

    key_id: str
    name: str
    platform: str
    scopes: tuple[str, ...]
    secret_hash: bytes | None
    certificate: str
    create_time: int
    expire_time: int | None = None
    revoke_time: int | None = None
    use_time: int | None = None
    limits: str = ""


class GameAccess(Struct, frozen=True):
    """The owner of a game and who may join it. It is set when the game is created and never changes.

    ``platform`` is empty for a game without an owner. ``spectators`` says whether spectators are allowed (``None``: not
    specified). With ``by_invitation`` open seats need an invitation. ``token_seconds`` is how long seat tokens are
    valid; 0 means without a limit.
    """

    platform: str = ""
    spectators: bool | None = None
    by_invitation: bool = False
    token_seconds: int = 0


UNOWNED = GameAccess()


class NewKey(Change, frozen=True):
    """Insert an API key. Conflicts if its id or certificate exists."""

    row: KeyRow

    def statements(self) -> list[Statement]:
        return [insert_row("access_keys", self.row)]


class EndKey(Change, frozen=True):
    """Revoke a key at ``revoke_time``, or let it expire at ``expire_time`` unless it expires earlier."""

    key_id: str
    revoke_time: int | None = None
    expire_time: int | None = None

    def statements(self) -> list[Statement]:
        update = (
            "UPDATE access_keys SET revoke_time = coalesce(revoke_time, ?revoke_time::bigint), expire_time ="
            " least(coalesce(expire_time, ?expire_time::bigint), coalesce(?expire_time::bigint, expire_time))"
            " WHERE key_id = ?key_id"
        )
        return bind(self, update)


class RecordKeyUse(Change, frozen=True):
    """Store the hour in which keys were last used."""

    key_ids: tuple[str, ...]
    time: int

    def statements(self) -> list[Statement]:
        hour = self.time - self.time % _HOUR
        update = (
            "UPDATE access_keys SET use_time = ?::bigint WHERE key_id = ANY(?)"
            " AND (use_time IS NULL OR use_time < ?::bigint)"
        )
        return [Statement(update, (hour, list(self.key_ids), hour))]


class SetKeyLimits(Change, frozen=True):
    """Replace all rate limits of a key."""

    key_id: str
    limits: str

    def statements(self) -> list[Statement]:
        return bind(self, "UPDATE access_keys SET limits = ?limits WHERE key_id = ?key_id")


class SetGameOwner(Change, frozen=True):
    """Store the owner of a new game; runs after ``NewGame``. The row remains after the game is removed."""

    game: UUID
    access: GameAccess

    def statements(self) -> list[Statement]:
        return [
            Statement(
                f"INSERT INTO game_access (game, {columns(GameAccess)}) VALUES {placeholders(5)}",
                (self.game, *stored_values(self.access)),
            ),
            Statement("UPDATE games SET platform = ? WHERE game = ?", (self.access.platform, self.game)),
        ]


class ReplaceToken(Change, frozen=True):
    """Replace the token hash of a seat. Conflicts unless the current hash is ``before``.

    ``expires`` is in milliseconds since 1970; ``None`` means without a limit.
    """

    game: UUID
    seat: int
    token_hash: bytes | None
    before: bytes | None
    expires: int | None = None

    @property
    def changed_game(self) -> UUID:
        return self.game

    def statements(self) -> list[Statement]:
        # NULL violates a constraint of "taken", so this conflicts if the token was replaced meanwhile.
        update = (
            "UPDATE seats SET token_hash = ?token_hash::bytea, token_expires = ?expires::bigint, taken = CASE WHEN"
            " token_hash IS NOT DISTINCT FROM ?before::bytea THEN taken END WHERE game = ?game AND seat = ?seat"
        )
        return bind(self, update)


def restore_owner(game: UUID) -> Statement:
    """Return the statement that copies the owner of a game from ``game_access`` to the game's restored row."""
    update = "UPDATE games AS g SET platform = a.platform FROM game_access a WHERE a.game = g.game AND g.game = ?"
    return Statement(update, (game,))


def owner_changes(game: UUID, access: GameAccess) -> list[SetGameOwner]:
    """Return the changes that store the access data of a new game; none if it is the default."""
    return [SetGameOwner(game, access)] if access != UNOWNED else []


class AccessTables(Tables):
    """Reads API keys and the owners of games."""

    def all_keys(self) -> list[KeyRow]:
        """Return all keys in the order of their creation. Raises ``DamagedRowError``."""
        return self._reader.fetch_structs(KeyRow, f"SELECT {columns(KeyRow)} FROM access_keys ORDER BY number")

    def game_access(self, game: UUID) -> GameAccess | None:
        """Return the access data of a game, also of a removed one; ``None`` if the game is unknown."""
        select = (
            f"SELECT {columns(GameAccess)} FROM game_access WHERE game = ?"
            " UNION ALL SELECT '', NULL, false, 0 FROM games WHERE game = ? LIMIT 1"
        )
        return self._reader.fetch_first(GameAccess, select, game, game)
