"""Changes of a database, stored with or without events. Each change contains its SQL."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import ClassVar, NamedTuple
from uuid import UUID

from eventsourcing.persistence import StoredEvent

from boardkeeper.game.seats import PERSON
from boardkeeper.service.storage import access, feed, players, quotas
from boardkeeper.service.storage.errors import BlockedError, ConflictError
from boardkeeper.service.storage.rows import ImportRow, LobbyRow, RequestRow, SeatRow, encode
from boardkeeper.service.storage.sql import Change, Check, Statement, bind, columns, placeholders, stored_values
from boardkeeper.titlekit.title import Standing


class GameProgress(NamedTuple):
    """The part of a lobby row that a command changes; ``decisions`` and ``standings`` are encoded.

    ``status`` is ``None`` if it is unchanged, because updating an indexed column is expensive. ``bot_decides`` says
    whether a bot has to decide next.
    """

    game: UUID
    version: int
    time: int
    status: str | None
    decisions: bytes
    standings: bytes
    bot_decides: bool


STATE_COLUMNS = GameProgress._fields[2:]
"""The columns of ``progress`` that a command changes, besides the version and the head of the chain."""

PROGRESS_COLUMNS = ", ".join(("game", "version", "chain", *STATE_COLUMNS))
"""All columns of ``progress``."""

_TABLES_OF_A_GAME = (
    *("archived_games", "snapshots", "games", "seats", "dice_secrets", "requests", "imports", "webhook_deliveries"),
    *("players", "seat_results", "results", "expiries", "invitations", "invitation_ends"),
)
"""The tables whose rows are deleted with a game, besides its events and ``progress``."""

_GAMES = "game, title, setup, commitment, create_time, update_time, version, status, decisions, standings"
"""The columns of a lobby row in a SQLite file, without its number. In PostgreSQL some of them are in the table
``progress``."""

_GAMES_ALONE = "game, title, setup, commitment, create_time, status"
_SEATS = f"INSERT INTO seats (game, {columns(SeatRow)}) VALUES "


def _excluded(columns: str) -> str:
    """Return the assignments of an ``ON CONFLICT`` clause for all columns except the first."""
    return ", ".join(f"{column} = excluded.{column}" for column in columns.split(", ")[1:])


_INSERT_FILE_ROW = f"{{sqlite:INSERT INTO games ({_GAMES}) VALUES {placeholders(10)}}}"
_INSERT_GAME = f"{{postgres:INSERT INTO games ({_GAMES_ALONE}) VALUES {placeholders(6)}}}"
# If the same append contains events, the row exists already.
_INSERT_PROGRESS = (
    f"{{postgres:INSERT INTO progress ({PROGRESS_COLUMNS}) VALUES {placeholders(8)} ON CONFLICT (game) DO UPDATE SET"
    f" {_excluded(', '.join(('game', *STATE_COLUMNS)))}}}"
)
_UPSERT_FILE_ROW = (
    f"{{sqlite:INSERT INTO games ({_GAMES}, chain) VALUES {placeholders(11)}"
    f" ON CONFLICT (game) DO UPDATE SET {_excluded(f'{_GAMES}, chain')}}}"
)
# If the game has continued since, its row remains unchanged.
_UPSERT_PROGRESS = (
    f"{{postgres:INSERT INTO progress ({PROGRESS_COLUMNS}) VALUES {placeholders(8)} ON CONFLICT (game) DO UPDATE SET"
    f" {_excluded(PROGRESS_COLUMNS)} WHERE progress.version <= excluded.version}}"
)
_UPSERT_GAME = (
    f"{{postgres:INSERT INTO games ({_GAMES_ALONE}) SELECT game, ?, ?, ?, ?, status FROM progress WHERE game = ?"
    f" ON CONFLICT (game) DO UPDATE SET {_excluded(_GAMES_ALONE)}}}"
)


def not_removed(game: UUID) -> Check:
    """Return the check that a game was not removed. It must run after the insert of the game's progress.

    The insert waits for a transaction that removes the game, so the query sees its tombstone. In SQLite a trigger does
    this.
    """
    return Check("{postgres:SELECT 1 FROM removed_games WHERE game = ?}", (game,), ConflictError)


class NewGame(Change, frozen=True):
    """Insert a new game: its lobby row, seats and dice secret. The database assigns the number of the row."""

    row: LobbyRow
    secret: bytes

    def statements(self) -> list[Statement | Check]:
        row = self.row
        game, values = row.game_id, _lobby_values(row)
        return [
            Statement(_INSERT_FILE_ROW, values),
            Statement(_INSERT_GAME, (*values[:5], row.status)),
            Statement(_INSERT_PROGRESS, _progress_values(row, b"", values)),
            not_removed(game),
            Statement("INSERT INTO dice_secrets (game, secret) VALUES (?, ?)", (game, self.secret)),
            *([_insert_seats(game, row.seats)] if row.seats else ()),
        ]


class TakeSeat(Change, frozen=True):
    """Store the player of an open seat."""

    game: UUID
    seat: SeatRow

    def statements(self) -> list[Statement]:
        seat = self.seat
        update = (
            "UPDATE seats SET name = ?, taken = true, token_hash = ?, token_expires = ? WHERE game = ? AND seat = ?"
        )
        return [Statement(update, (seat.name, seat.token_hash, seat.token_expires, self.game, seat.seat))]


class NewRequest(Change, frozen=True):
    """Insert an idempotent request; ``time`` is in milliseconds since 1970. Conflicts if its id exists."""

    row: RequestRow
    time: int

    def statements(self) -> list[Statement | Check]:
        insert = "INSERT INTO requests (request, content, salt, game, seats, create_time) VALUES (?, ?, ?, ?, ?, ?)"
        return [
            *_unique("requests", "request", self.row.request),
            Statement(insert, (*stored_values(self.row), self.time)),
        ]


class NewImport(Change, frozen=True):
    """Insert the origin of an imported game. Conflicts if the same record was imported before."""

    row: ImportRow

    def statements(self) -> list[Statement | Check]:
        insert = "INSERT INTO imports (game, key_id, seal, import_time, record_id, head) VALUES (?, ?, ?, ?, ?, ?)"
        return [
            *_unique("imports", "head", self.row.head),
            Statement(insert, stored_values(self.row)),
        ]


class RemoveGame(Change, frozen=True):
    """Delete a game and everything that belongs to it, except a tombstone; ``time`` is in milliseconds since 1970."""

    is_counted: ClassVar[bool] = True

    game: UUID
    time: int

    @property
    def changed_game(self) -> UUID:
        return self.game

    def statements(self) -> list[Statement]:
        tombstone = (
            "INSERT INTO removed_games (game, remove_time, head, key_id{sqlite:, first_number, last_number})"
            " SELECT w.game, ?::bigint, i.head, i.key_id"
            "{sqlite:, (SELECT min(rowid) FROM stored_events WHERE originator_id = w.game)}"
            "{sqlite:, (SELECT max(rowid) FROM stored_events WHERE originator_id = w.game)}"
            " FROM (SELECT ?::uuid AS game) w LEFT JOIN imports i ON i.game = w.game WHERE true"
            " ON CONFLICT (game) DO NOTHING"
        )
        events = "{postgres:SELECT remove_events(?)}{sqlite:DELETE FROM stored_events WHERE originator_id = ?}"
        return [
            *feed.remove_game_items(self.game, self.time),
            Statement(tombstone, (self.time, self.game)),
            quotas.uncount_game(self.game),
            Statement(events, (self.game,)),
            *(Statement(f"DELETE FROM {table} WHERE game = ?", (self.game,)) for table in _TABLES_OF_A_GAME),
            Statement("{postgres:DELETE FROM progress WHERE game = ?}", (self.game,)),
        ]


class PutGame(Change, frozen=True):
    """Insert or replace the lobby row of a game. The number of an existing row remains."""

    row: LobbyRow
    chain: bytes

    @property
    def changed_game(self) -> UUID:
        return self.row.game_id

    def statements(self) -> list[Statement | Check]:
        row = self.row
        values = _lobby_values(row)
        return [
            Statement(_UPSERT_FILE_ROW, (*values, self.chain)),
            Statement(_UPSERT_PROGRESS, _progress_values(row, self.chain, values)),
            not_removed(row.game_id),
            Statement(_UPSERT_GAME, (*values[1:5], row.game_id)),
            access.restore_owner(row.game_id),
            players.restore_player_numbers(row.game_id),
        ]


class PutSeat(Change, frozen=True):
    """Insert a seat, or update its kind and whether it is taken; an existing name and token remain."""

    game: UUID
    seat: SeatRow

    @property
    def changed_game(self) -> UUID:
        return self.game

    def statements(self) -> list[Statement]:
        sql, values = _insert_seats(self.game, [self.seat])
        update = " ON CONFLICT (game, seat) DO UPDATE SET kind = excluded.kind, taken = excluded.taken"
        return [Statement(sql + update, values)]


class EraseName(Change, frozen=True):
    """Erase the name of a seat. The player keeps the token."""

    game: UUID
    seat: int

    @property
    def changed_game(self) -> UUID:
        return self.game

    def statements(self) -> list[Statement]:
        return bind(
            self,
            "UPDATE seats SET name = '' WHERE game = ?game AND seat = ?seat",
            # These hashes include the name, which could be guessed from them.
            f"UPDATE requests SET content = {players.ZERO_HASH} WHERE game = ?game",
        )


class PutSnapshots(Change, frozen=True):
    """Store snapshots of a game, and delete ``invalid`` ones."""

    rows: Sequence[StoredEvent]
    invalid: Sequence[StoredEvent] = ()

    def statements(self) -> list[Statement]:
        delete = "DELETE FROM snapshots WHERE game = ? AND version = ?"
        insert = (
            "INSERT INTO snapshots (game, version, topic, state) SELECT ?::uuid, ?::int, ?::text, ?::bytea"
            " WHERE NOT EXISTS (SELECT 1 FROM removed_games WHERE game = ?)"
            "{postgres: ON CONFLICT (game, version) DO NOTHING}"  # another process may have stored it
        )
        return [
            *(Statement(delete, (row.originator_id, row.originator_version)) for row in self.invalid),
            *(
                Statement(insert, (row.originator_id, row.originator_version, row.topic, row.state, row.originator_id))
                for row in self.rows
            ),
        ]


class DeleteSnapshots(Change, frozen=True):
    """Delete all snapshots; they are created again when an old version is read."""

    def statements(self) -> list[Statement]:
        return [Statement("DELETE FROM snapshots")]


class Probe(Change, frozen=True):
    """Store ``size`` bytes to test whether the database accepts writes; 0 deletes them."""

    size: int

    def statements(self) -> list[Statement]:
        if not self.size:
            return [Statement("DELETE FROM probes")]
        return [
            # This fails if another client has locked a whole table, which blocks all commands.
            Statement("{postgres:LOCK TABLE progress, events, games IN ROW EXCLUSIVE MODE}"),
            Statement("INSERT INTO probes (filling) VALUES (?)", (bytes(self.size),)),
        ]


def _unique(table: str, column: str, value: bytes | str) -> list[Check]:
    """Return the checks that a value is new in a column. In SQLite the column has a unique index.

    In PostgreSQL unique keys must contain the game. Therefore processes that write the same value take the same
    advisory lock until their transactions end, and the second query sees the rows of earlier holders of the lock.
    """
    content = value if isinstance(value, bytes) else value.encode()
    lock = int.from_bytes(hashlib.sha256(table.encode() + content).digest()[:8], signed=True)
    return [
        Check("{postgres:SELECT 1 WHERE NOT pg_try_advisory_xact_lock(?::bigint)}", (lock,), BlockedError),
        Check(f"{{postgres:SELECT 1 FROM {table} WHERE {column} = ?}}", (value,), ConflictError),
    ]


def _lobby_values(row: LobbyRow) -> tuple[object, ...]:
    """Return the values of the columns :data:`_GAMES`."""
    return (
        *(row.game_id, row.title, encode(row.setup), row.commitment, row.create_time, row.update_time),
        *(row.version, row.status, encode(row.decisions), encode(row.standings)),
    )


def _progress_values(row: LobbyRow, chain: bytes, values: tuple[object, ...]) -> tuple[object, ...]:
    """Return the values of the columns :data:`PROGRESS_COLUMNS`; ``values`` are those of :data:`_GAMES`."""
    waits = (decision for decision, seat in zip(row.decisions, row.seats, strict=False) if seat.kind != PERSON)
    return row.game_id, row.version, chain, row.update_time, *values[7:], any(waits)


def _insert_seats(game: UUID, seats: Sequence[SeatRow]) -> Statement:
    return Statement(
        _SEATS + placeholders(7, len(seats)), tuple(value for seat in seats for value in (game, *stored_values(seat)))
    )


def encode_progress(
    game: UUID,
    version: int,
    time: int,
    status: str | None,
    decisions: Sequence[str],
    standings: Sequence[Standing],
    *,
    bot_decides: bool = False,
) -> GameProgress:
    """Return the progress of a game after a command; ``time`` is in milliseconds since 1970."""
    return GameProgress(game, version, time, status, encode(decisions), encode(standings), bot_decides)
