"""The companion tables: what stands beside the event log and is written in the same transactions.

``games`` is the lobby, a projection: everything in it but its number follows from the log, and ``chain``, the head of
the chain over the game's rows, bears witness to it.
"""

from __future__ import annotations

import sqlite3

from eventsourcing.sqlite import SQLiteDatastore

from boardkeeper.service.storage.sqlite import access, expiries, feed, invitations, players, quotas, webhooks

_SCHEMA = """
CREATE TABLE IF NOT EXISTS games (
    number INTEGER PRIMARY KEY,
    game_id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    setup BLOB NOT NULL,
    commitment TEXT NOT NULL,
    create_time INTEGER NOT NULL,
    update_time INTEGER NOT NULL,
    version INTEGER NOT NULL,
    status TEXT NOT NULL,
    decisions BLOB NOT NULL,
    standings BLOB NOT NULL,
    chain BLOB
);
CREATE INDEX IF NOT EXISTS games_by_status ON games (status, number);
CREATE INDEX IF NOT EXISTS games_by_title ON games (title, number);
CREATE INDEX IF NOT EXISTS games_by_title_and_status ON games (title, status, number);
CREATE TABLE IF NOT EXISTS seats (
    game_id TEXT NOT NULL,
    seat INTEGER NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    taken INTEGER NOT NULL,
    token_hash BLOB,
    PRIMARY KEY (game_id, seat)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dice_secrets (
    game_id TEXT PRIMARY KEY,
    secret BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS requests (
    request BLOB PRIMARY KEY,
    content BLOB NOT NULL,
    salt BLOB NOT NULL,
    game_id TEXT NOT NULL,
    seats BLOB NOT NULL,
    create_time INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS imports (
    game_id TEXT PRIMARY KEY,
    key_id TEXT NOT NULL,
    seal BLOB NOT NULL,
    import_time INTEGER NOT NULL,
    record_id TEXT,
    head TEXT
) WITHOUT ROWID;
"""

_ADD_CHAIN = """
BEGIN;
ALTER TABLE games ADD COLUMN chain BLOB;
UPDATE games SET chain=(
    SELECT link FROM stored_events WHERE originator_id=game_id ORDER BY originator_version DESC LIMIT 1
);
COMMIT;
"""
"""For files from before there were chains."""

_ADD_ORIGIN = """
BEGIN;
ALTER TABLE imports ADD COLUMN record_id TEXT;
ALTER TABLE imports ADD COLUMN head TEXT;
UPDATE imports SET record_id=game_id, head=json_extract(CAST(seal AS TEXT), '$.head');
COMMIT;
"""
"""For files from before an imported game could have another id than in its record."""

_INDICES = """
CREATE UNIQUE INDEX IF NOT EXISTS imports_by_head ON imports (head);
CREATE INDEX IF NOT EXISTS games_by_time ON games (create_time, number);
CREATE INDEX IF NOT EXISTS games_that_go_on_by_time ON games (status, create_time, number) WHERE status<>'ended';
CREATE INDEX IF NOT EXISTS games_by_platform_and_time ON games (platform, create_time, number) WHERE platform<>'';
"""


GAME_COLUMNS = (
    "number, game_id, title, setup, commitment, create_time, update_time, version, status, decisions, standings"
)

HEAD_OF = "SELECT chain, version FROM games WHERE game_id=?"
"""SQL that reads the head of a game's chain, and its version."""


def create_tables(datastore: SQLiteDatastore) -> None:
    """Make the tables that are missing."""
    with datastore.get_connection(commit=True) as connection:
        prepare_tables(connection.cursor().sqlite_cursor.connection)


def prepare_tables(connection: sqlite3.Connection) -> None:
    """Make the tables that are missing, and the columns that those of an earlier release lack."""
    connection.executescript(
        _SCHEMA + access.TABLES + feed.TABLES + webhooks.TABLES + players.TABLES + invitations.TABLES
    )
    counts = not _exists(connection, "quotas")
    connection.executescript(quotas.TABLES)
    connection.executescript(expiries.TABLES)
    for table, column, script in (
        ("games", "chain", _ADD_CHAIN),
        ("imports", "head", _ADD_ORIGIN),
        ("games", "platform", access.ADD_PLATFORM),
        ("access_keys", "limits", access.ADD_LIMITS),
        ("game_access", "token_seconds", access.ADD_TERMS),
        ("seats", "token_expires", "ALTER TABLE seats ADD COLUMN token_expires INTEGER"),
        ("expiries", "clocks", expiries.ADD_CLOCKS),
    ):
        if column not in [row[1] for row in connection.execute(f"PRAGMA table_info({table})").fetchall()]:
            connection.executescript(script)
    if not _exists(connection, "results"):
        connection.executescript(players.RESULTS + players.FILL)
    connection.executescript(_INDICES + access.INDICES)
    if counts:
        connection.execute(quotas.COUNT)
        connection.commit()


def _exists(connection: sqlite3.Connection, table: str) -> bool:
    select = "SELECT 1 FROM sqlite_master WHERE type='table' AND name=?"
    return connection.execute(select, (table,)).fetchone() is not None
