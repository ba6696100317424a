"""How each change is written in SQLite, as statements that may break a constraint."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from boardkeeper.service.storage.changes import (
    Change,
    ForgetSnapshots,
    NewGame,
    NewImport,
    NewRequest,
    Probe,
    PutGame,
    PutSeat,
    PutSnapshots,
    PutTombstone,
    RemoveGame,
    TakeSeat,
)
from boardkeeper.service.storage.rows import LobbyRow, encode
from boardkeeper.service.storage.sqlite import access, archive, expiries, feed, invitations, players, quotas, webhooks
from boardkeeper.service.storage.sqlite.events_table import ARCHIVED, TOMBSTONES
from boardkeeper.service.storage.sqlite.schema import GAME_COLUMNS

Row = tuple[object, ...]
Statement = tuple[str, Row]
"""SQL and its parameters."""

EVENTS = "stored_events"
SNAPSHOTS = "stored_snapshots"
_OF_LIBRARY = (EVENTS, SNAPSHOTS)
_OURS = (
    "games",
    "seats",
    "dice_secrets",
    "requests",
    "imports",
    ARCHIVED,
    "webhook_deliveries",
    "expiries",
    *players.OF_A_GAME,
    *invitations.OF_A_GAME,
)


_INSERT_SEAT = "INSERT INTO seats (game_id, seat, kind, name, taken, token_hash, token_expires) VALUES (?,?,?,?,?,?,?)"


def statements(change: Change) -> Sequence[Statement]:
    """What carries a change out."""
    return _WAYS[type(change)](change)


def _new_game(it: NewGame) -> list[Statement]:
    game = it.line.game_id.hex
    return [
        (f"INSERT INTO games ({GAME_COLUMNS}) VALUES (NULL,?,?,?,?,?,?,?,?,?,?)", _line(it.line)),
        ("INSERT INTO dice_secrets VALUES (?,?)", (game, it.secret)),
        *(
            (
                _INSERT_SEAT,
                (game, seat.seat, seat.kind, seat.name, seat.taken, seat.token_hash, seat.token_expires),
            )
            for seat in it.line.seats
        ),
    ]


def _line(row: LobbyRow) -> Row:
    """The values of the lobby's line of a game, but for its number."""
    return (
        row.game_id.hex,
        row.title,
        encode(row.setup),
        row.commitment,
        row.create_time,
        row.update_time,
        row.version,
        row.status,
        encode(row.decisions),
        encode(row.standings),
    )


def _put_game(it: PutGame) -> list[Statement]:
    updates = ", ".join(f"{column}=excluded.{column}" for column in [*GAME_COLUMNS.split(", ")[2:], "chain"])
    insert = f"INSERT INTO games ({GAME_COLUMNS}, chain) VALUES (NULL,?,?,?,?,?,?,?,?,?,?,?)"
    # Its line may have been lost.
    owned = "UPDATE games SET platform=a.platform FROM game_access a WHERE a.game_id=games.game_id AND games.game_id=?"
    return [
        (f"{insert} ON CONFLICT (game_id) DO UPDATE SET {updates}", (*_line(it.line), it.chain)),
        (owned, (it.line.game_id.hex,)),
        players.numbered_again(it.line.game_id.hex),
    ]


def _put_seat(it: PutSeat) -> list[Statement]:
    seat = it.seat
    return [
        (
            f"{_INSERT_SEAT} ON CONFLICT (game_id, seat) DO UPDATE SET kind=excluded.kind, taken=excluded.taken",
            (it.game.hex, seat.seat, seat.kind, seat.name, seat.taken, seat.token_hash, seat.token_expires),
        )
    ]


def _take_seat(it: TakeSeat) -> list[Statement]:
    return [
        (
            "UPDATE seats SET name=?, taken=1, token_hash=?, token_expires=? WHERE game_id=? AND seat=?",
            (it.seat.name, it.seat.token_hash, it.seat.token_expires, it.game.hex, it.seat.seat),
        )
    ]


def _new_request(it: NewRequest) -> list[Statement]:
    row = it.row
    values = (row.request, row.content, row.salt, row.game_id.hex, encode(row.seats), it.time)
    return [("INSERT INTO requests VALUES (?,?,?,?,?,?)", values)]


def _new_import(it: NewImport) -> list[Statement]:
    row = it.row
    insert = "INSERT INTO imports (game_id, key_id, seal, import_time, record_id, head) VALUES (?,?,?,?,?,?)"
    return [(insert, (row.game_id.hex, row.key_id, row.seal, row.import_time, row.record_id.hex, row.head))]


def _remove_game(it: RemoveGame) -> list[Statement]:
    key = it.game.hex
    tombstone = (
        f"INSERT OR IGNORE INTO {TOMBSTONES}"
        " SELECT ?, ?, (SELECT head FROM imports WHERE game_id=?), (SELECT key_id FROM imports WHERE game_id=?),"
        f" min(rowid), max(rowid) FROM {EVENTS} WHERE originator_id=?"
    )
    return [
        *feed.game_removed(it.game, it.time, TOMBSTONES),
        (tombstone, (key, it.time, key, key, key)),
        quotas.game_removed(key),
        *((f"DELETE FROM {table} WHERE originator_id=?", (key,)) for table in _OF_LIBRARY),
        *((f"DELETE FROM {table} WHERE game_id=?", (key,)) for table in _OURS),
    ]


def _put_tombstone(it: PutTombstone) -> list[Statement]:
    row = it.row
    insert = f"INSERT OR IGNORE INTO {TOMBSTONES} (game_id, remove_time, head, key_id) VALUES (?,?,?,?)"
    return [(insert, (row.game_id.hex, row.time, row.head, row.key_id))]


def _put_snapshots(it: PutSnapshots) -> list[Statement]:
    remove = f"DELETE FROM {SNAPSHOTS} WHERE originator_id=? AND originator_version=?"
    insert = (
        f"INSERT INTO {SNAPSHOTS} (originator_id, originator_version, topic, state)"
        f" SELECT ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM {TOMBSTONES} WHERE game_id=?)"
    )
    return [
        *((remove, (key(row.originator_id), row.originator_version)) for row in it.misfits),
        *(
            (
                insert,
                (key(row.originator_id), row.originator_version, row.topic, row.state, key(row.originator_id)),
            )
            for row in it.rows
        ),
    ]


def _forget_snapshots(_: ForgetSnapshots) -> list[Statement]:
    return [(f"DELETE FROM {SNAPSHOTS}", ())]


def _probe(it: Probe) -> list[Statement]:
    if not it.size:
        return [("DELETE FROM probes", ())]
    return [
        ("CREATE TABLE IF NOT EXISTS probes (id INTEGER PRIMARY KEY, filling BLOB NOT NULL)", ()),
        ("INSERT OR REPLACE INTO probes VALUES (1, zeroblob(?))", (it.size,)),
    ]


_WAYS: dict[type[Change], Callable[[Any], Sequence[Statement]]] = {
    NewGame: _new_game,
    TakeSeat: _take_seat,
    NewRequest: _new_request,
    NewImport: _new_import,
    RemoveGame: _remove_game,
    PutTombstone: _put_tombstone,
    PutGame: _put_game,
    PutSeat: _put_seat,
    PutSnapshots: _put_snapshots,
    ForgetSnapshots: _forget_snapshots,
    Probe: _probe,
    **archive.WAYS,
    **access.WAYS,
    **quotas.WAYS,
    **players.WAYS,
    **expiries.WAYS,
    **feed.WAYS,
    **invitations.WAYS,
    **webhooks.WAYS,
}


def key(id: UUID | str) -> str:
    """A game's id as a file has it."""
    return id.hex if isinstance(id, UUID) else id
