"""The table of events in a file.

It is the eventsourcing library's table with a hash chain, and rows can only be appended.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter

from boardkeeper.service.storage.chain import ChainedRow, compute_links
from boardkeeper.service.storage.errors import is_unavailable

EVENTS = "stored_events"
SNAPSHOTS = "stored_snapshots"
"""The tables of the eventsourcing library."""

TOMBSTONES = "removed_games"
"""The table of removed games."""

ARCHIVED = "archived_games"
"""The table of archived games."""


def select_chain(cursor: sqlite3.Cursor, head_of: str, key: object) -> tuple[list[ChainedRow], object, object]:
    """Return all rows of a game, the head of its chain, and the version of the head.

    ``head_of`` is SQL that selects the head and its version. If SQLite finds the file damaged, the result ends there,
    which counts as damage of the game. Raises ``sqlite3.Error`` if the disk cannot be read.
    """
    head: tuple[object, object] = None, 0
    with _ignore_damage():
        head = cursor.execute(head_of, (key,)).fetchone() or head
    rows: list[ChainedRow] = []
    with _ignore_damage():
        cursor.execute(
            f"SELECT originator_version, topic, state, link FROM {EVENTS} WHERE originator_id=? ORDER BY 1", (key,)
        )
        rows.extend(cursor)
    return rows, *head


@contextmanager
def _ignore_damage() -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        if is_unavailable(error):
            raise


# --- the table --------------------------------------------------------------------------------------------------


def create_statements() -> list[str]:
    """Return SQL that creates the event table and triggers that reject changes of its rows.

    The rows of a game can be deleted only after a row says that the game was removed or archived. A removed game cannot
    get new rows.

    ``INSERT OR REPLACE`` deletes conflicting rows without running the trigger on ``DELETE`` (unless the connection has
    recursive triggers), so a trigger on ``INSERT`` rejects existing keys. ``NEW.rowid`` is -1 if the statement does not
    set it.
    """
    columns = "originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB"
    key = "PRIMARY KEY (originator_id, originator_version)"
    exists = (
        f"EXISTS (SELECT 1 FROM {EVENTS}"
        " WHERE originator_id=NEW.originator_id AND originator_version=NEW.originator_version)"
        f" OR EXISTS (SELECT 1 FROM {EVENTS} WHERE rowid=NEW.rowid)"
    )
    is_removed = f"EXISTS (SELECT 1 FROM {TOMBSTONES} WHERE game={{}}.originator_id)"
    is_archived = f"EXISTS (SELECT 1 FROM {ARCHIVED} WHERE game=OLD.originator_id)"
    triggers = {
        "no_update": "BEFORE UPDATE ON {}",
        "no_delete_but_of_gone": (f"BEFORE DELETE ON {{}} WHEN NOT ({is_removed.format('OLD')} OR {is_archived})"),
        "no_replace": f"BEFORE INSERT ON {{}} WHEN {exists}",
        "no_return": f"BEFORE INSERT ON {{}} WHEN {is_removed.format('NEW')}",
    }
    tombstone = (
        "game TEXT PRIMARY KEY, remove_time INTEGER NOT NULL, head TEXT, key_id TEXT,"
        " first_number INTEGER, last_number INTEGER"
    )
    archived = (
        "game TEXT PRIMARY KEY, archive_time INTEGER NOT NULL, events INTEGER NOT NULL, sha256 TEXT NOT NULL,"
        " size INTEGER NOT NULL, first_number INTEGER NOT NULL, last_number INTEGER NOT NULL"
    )
    return [
        f"CREATE TABLE IF NOT EXISTS {TOMBSTONES} ({tombstone}) WITHOUT ROWID",
        f"CREATE TABLE IF NOT EXISTS {ARCHIVED} ({archived}) WITHOUT ROWID",
        f"CREATE TABLE IF NOT EXISTS {EVENTS} ({columns}, link BLOB, {key})",
        f"CREATE TABLE IF NOT EXISTS {SNAPSHOTS} ({columns}, {key}) WITHOUT ROWID",
        # Triggers of earlier releases, which allowed no removal or no archive.
        *(f"DROP TRIGGER IF EXISTS {EVENTS}_{before}" for before in ("no_delete", "no_delete_but_of_removed")),
        *(
            f"CREATE TRIGGER IF NOT EXISTS {EVENTS}_{name} {when.format(EVENTS)}"
            " BEGIN SELECT RAISE(ABORT, 'stored events are never changed or removed'); END"
            for name, when in triggers.items()
        ),
    ]


def chain_old_rows(cursor: sqlite3.Cursor) -> None:
    """Add links to the rows of a table that a release without hash chains created."""
    columns = [column[1] for column in cursor.execute(f"PRAGMA table_info({EVENTS})").fetchall()]
    if not columns or "link" in columns:
        return
    cursor.execute(f"ALTER TABLE {EVENTS} ADD COLUMN link BLOB")
    select = f"SELECT originator_id, originator_version, topic, state FROM {EVENTS} ORDER BY 1, 2"
    rows = map(tuple, cursor.connection.cursor().execute(select).fetchall())
    for key, group in groupby(rows, itemgetter(0)):
        cursor.executemany(
            f"UPDATE {EVENTS} SET link=? WHERE originator_id=? AND originator_version=?",
            [(link, key, version) for version, link in compute_links(key, (row[1:] for row in group))],
        )
