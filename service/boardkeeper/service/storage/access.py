"""Access rights: the keys of platforms, and the owners of games.

They are beside the events and never in them: a game's record does not say which platform made it.
"""

from __future__ import annotations

from uuid import UUID

from msgspec import Struct

from boardkeeper.service.storage.sql import Change, Statement, Tables, columns, insert_row, placeholders, stored_values

_HOUR = 3_600_000


class KeyRow(Struct, frozen=True):
    """A key of a platform. Times are milliseconds since 1970; those that are ``None`` are not set.

    ``limits`` are figures of its own, as they are written (:mod:`~boardkeeper.service.limits.limits`).
    ``secret_hash`` is the SHA-256 of the key as it is sent, ``None`` for a key that is a client's certificate:
    then ``certificate`` is a name in that. ``use_time`` is when it was last used, to the hour.
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
    """Whose a game is: the id of a platform, empty if it is nobody's. It is so from the game's first event for ever.

    ``spectators`` tells whether anybody may watch it; ``None`` if nothing was said of that. With ``by_invitation`` free
    seats are taken with one only. ``token_seconds`` is how long tokens of its seats hold; 0: for ever.
    """

    platform: str = ""
    spectators: bool | None = None
    by_invitation: bool = False
    token_seconds: int = 0


UNOWNED = GameAccess()


class NewKey(Change, frozen=True):
    """A key that is made; a second one with its id, or with its certificate, conflicts."""

    row: KeyRow

    def statements(self) -> list[Statement]:
        return [insert_row("access_keys", self.row)]


class EndKey(Change, frozen=True):
    """A key ends: at once (``revoke_time``), or at a time unless it ends before (``expire_time``)."""

    key_id: str
    revoke_time: int | None = None
    expire_time: int | None = None

    def statements(self) -> list[Statement]:
        update = (
            "UPDATE access_keys SET"
            " expire_time = least(coalesce(expire_time, ?::bigint), coalesce(?::bigint, expire_time)),"
            " revoke_time = coalesce(revoke_time, ?::bigint) WHERE key_id = ?"
        )
        return [Statement(update, (self.expire_time, self.expire_time, self.revoke_time, self.key_id))]


class RecordKeyUse(Change, frozen=True):
    """Keys were used, at a time; the hour of it is stored."""

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
    """A key has other limits of its own from now on, in place of all that it had."""

    key_id: str
    limits: str

    def statements(self) -> list[Statement]:
        return [Statement("UPDATE access_keys SET limits = ? WHERE key_id = ?", (self.limits, self.key_id))]


class SetGameOwner(Change, frozen=True):
    """The owner of a new game; comes behind its ``NewGame``. It stays stored after the game was removed."""

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
    """A seat has another token, by its hash, until a time, or without a limit.

    It conflicts unless the token before has the hash ``before``.
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
        # "taken" cannot be null, so this conflicts if the token was replaced meanwhile.
        update = (
            "UPDATE seats SET token_hash = ?::bytea, token_expires = ?::bigint,"
            " taken = CASE WHEN token_hash IS NOT DISTINCT FROM ?::bytea THEN taken END WHERE game = ? AND seat = ?"
        )
        return [Statement(update, (self.token_hash, self.expires, self.before, self.game, self.seat))]


def restore_owner(game: UUID) -> Statement:
    """Write the owner of a game into its row, which may have been lost."""
    update = "UPDATE games AS g SET platform = a.platform FROM game_access a WHERE a.game = g.game AND g.game = ?"
    return Statement(update, (game,))


def owner_changes(game: UUID, access: GameAccess) -> list[SetGameOwner]:
    """What belongs to a new game of that owner; nothing if it is nobody's, and nothing was said of it."""
    return [SetGameOwner(game, access)] if access != UNOWNED else []


class AccessTables(Tables):
    """Reads the keys of platforms and the owners of games."""

    def all_keys(self) -> list[KeyRow]:
        """Return all keys, in the order in which they were made. Raises ``DamagedLineError``."""
        return self._reader.fetch_structs(KeyRow, f"SELECT {columns(KeyRow)} FROM access_keys ORDER BY number")

    def game_access(self, game: UUID) -> GameAccess | None:
        """Return the owner of a game, also of a removed one; ``None`` if there is no owner and no game of that id."""
        select = (
            f"SELECT {columns(GameAccess)} FROM game_access WHERE game = ?"
            " UNION ALL SELECT '', NULL, false, 0 FROM games WHERE game = ? LIMIT 1"
        )
        return self._reader.fetch_first(GameAccess, select, game, game)
