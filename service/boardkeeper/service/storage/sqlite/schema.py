"""The tables of a SQLite file, and the migration of files of earlier releases.

Before the numbered migrations (:mod:`~boardkeeper.service.storage.schema`), releases added missing tables and columns;
:func:`_make_base` still does so for their files. Columns with a game's id were called ``game_id`` then. A migration is
one transaction.

The event log uses the tables of the eventsourcing library. Views provide them, and the heads of the hash chains, with
the names of PostgreSQL's tables.
"""

from __future__ import annotations

import sqlite3
from importlib.resources import files

from boardkeeper.service.storage import schema
from boardkeeper.service.storage.quotas import COUNT_GAMES
from boardkeeper.service.storage.sql import for_sqlite, sqlite_tables
from boardkeeper.service.storage.sqlite.events_table import chain_old_rows, create_statements

_COLUMNS = {
    ("games", "chain"): """
ALTER TABLE games ADD COLUMN chain BLOB;
UPDATE games SET chain=(
    SELECT link FROM stored_events WHERE originator_id=game ORDER BY originator_version DESC LIMIT 1
);
""",
    ("imports", "head"): """
ALTER TABLE imports ADD COLUMN record_id TEXT;
ALTER TABLE imports ADD COLUMN head TEXT;
UPDATE imports SET record_id=game, head=json_extract(CAST(seal AS TEXT), '$.head');
""",
    ("games", "platform"): "ALTER TABLE games ADD COLUMN platform TEXT NOT NULL DEFAULT '';",
    ("access_keys", "limits"): "ALTER TABLE access_keys ADD COLUMN limits TEXT NOT NULL DEFAULT '';",
    ("game_access", "token_seconds"): """
ALTER TABLE game_access ADD COLUMN by_invitation INTEGER NOT NULL DEFAULT 0;
ALTER TABLE game_access ADD COLUMN token_seconds INTEGER NOT NULL DEFAULT 0;
""",
    ("seats", "token_expires"): "ALTER TABLE seats ADD COLUMN token_expires INTEGER;",
    ("expiries", "clocks"): "ALTER TABLE expiries ADD COLUMN clocks BLOB;",
}
"""Columns that tables of earlier releases lack, and the scripts that add them."""

HEAD_OF = "SELECT chain, version FROM games WHERE game=?"
"""SQL that reads the head of a game's chain and its version."""


def migrate(connection: sqlite3.Connection) -> None:
    """Migrate the tables to this release's schema in one transaction. The schema must not be newer."""
    ((number,),) = connection.execute("PRAGMA user_version").fetchall()
    if number == schema.newest():
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        if number < schema.BASE:
            _make_base(connection)
        for script in schema.MIGRATIONS[max(number - schema.BASE, 0) :]:
            _run(connection, sqlite_tables(script))
        connection.execute(f"PRAGMA user_version={schema.newest()}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _make_base(connection: sqlite3.Connection) -> None:
    """Add the tables and columns that a file of an earlier release lacks."""
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'").fetchall()]
    for table in tables:
        if "game_id" in _columns(connection, table):
            connection.execute(f"ALTER TABLE {table} RENAME COLUMN game_id TO game")
    chain_old_rows(connection.cursor())
    for statement in create_statements():
        connection.execute(statement)
    _run(connection, _script("tables"))
    for (table, column), script in _COLUMNS.items():
        if column not in _columns(connection, table):
            _run(connection, script)
    if "results" not in tables:
        _run(connection, _script("results"))
    _run(connection, _script("views"))
    if "quotas" not in tables:
        connection.execute(for_sqlite(COUNT_GAMES))


def _script(name: str) -> str:
    return (files(__package__) / f"{name}.sql").read_text("utf-8")


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [row[1] for row in connection.execute(f"PRAGMA table_info({table})").fetchall()]


def _run(connection: sqlite3.Connection, script: str) -> None:
    """Run the statements of a script; ``executescript`` would commit first."""
    statement = ""
    for part in script.strip().removesuffix(";").split(";"):
        statement += part + ";"
        if sqlite3.complete_statement(statement):
            connection.execute(statement)
            statement = ""
