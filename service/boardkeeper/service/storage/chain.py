"""The chain over a game's stored rows, which shows whether somebody changed them behind the service's back.

Each row carries a link: SHA-256 over the link before, the row's version, topic and state. The last link, the head, also
stands in the lobby's line of the game and is written in the same transaction, so that rows cut off at the end are
missed too. Whoever may write the file can make a new chain as well: against that, only what was signed and handed out
before helps. The chain finds what tools, hands and failing disks do.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from boardkeeper.service.storage.failures import is_of_the_disk

TOMBSTONES = "removed_games"
"""The table of the games that an operator removed."""

ChainedRow = tuple[Any, Any, Any, Any]
"""Version, topic, state and link of one stored event; whoever changes a row may put anything there."""


class Damage(NamedTuple):
    """The first version of a game whose row cannot be trusted, and what is wrong there."""

    version: int
    problem: str


def start(key: str) -> bytes:
    """What stands for the link before a game's first row; ``key`` is the game's id as it is stored."""
    return sha256(key.encode()).digest()


def link(previous: bytes, version: int, topic: str, state: bytes) -> bytes:
    """The link of a row."""
    return sha256(b"%b%b%b" % (previous, f"{version}:{len(topic)}:{topic}:".encode(), state)).digest()


def links(key: str, rows: Iterable[Sequence[Any]]) -> Iterator[tuple[int, bytes]]:
    """The versions and right links of rows that begin with version, topic and state, from a game's first one on."""
    last = start(key)
    for version, topic, state, *_ in rows:
        last = link(last, version, topic, state)
        yield version, last


def first_damage(key: str, rows: Sequence[ChainedRow], head: object, head_version: object) -> Damage | None:
    """What is wrong with all rows of a game, given its head and the version that the head is said to have."""
    last = start(key)
    extra = 0
    for expected, (version, topic, state, stored) in enumerate(rows, 1):
        if version != expected:
            return Damage(expected, "a row is missing")
        if not (isinstance(topic, str) and isinstance(state, bytes)):
            return Damage(version, "the row has another form")
        if (last := link(last, version, topic, state)) != stored:
            return Damage(version, "the row does not fit its link")
        if last == head:
            extra = version + 1
    if rows and last == head:
        return None
    if extra:
        return Damage(extra, "the row was added behind the head of the chain")
    if isinstance(head_version, int) and len(rows) < head_version:
        return Damage(len(rows) + 1, "a row is missing")
    return Damage(max(1, len(rows)), "the head of the chain is another one")


def sound(previous: bytes, after: int, rows: Sequence[ChainedRow]) -> Sequence[ChainedRow]:
    """Those of the rows behind a version, whose link is ``previous``, that come before anything that does not fit."""
    for expected, (version, topic, state, stored) in enumerate(rows, after + 1):
        well_formed = version == expected and isinstance(topic, str) and isinstance(state, bytes)
        if not well_formed or (previous := link(previous, version, topic, state)) != stored:
            return rows[: expected - after - 1]
    return rows


def select_chain(
    cursor: sqlite3.Cursor, table: str, head_of: str | None, key: object
) -> tuple[list[ChainedRow], object, object]:
    """All rows of a game, and the head of its chain with its version.

    ``head_of`` is SQL that reads these two. Where SQLite finds the file damaged, the rows end, or the head is missing:
    either shows as damage of the game. Raises ``sqlite3.Error`` if the disk cannot be read.
    """
    head: tuple[object, object] = None, 0
    if head_of is not None:
        with _damage_apart():
            head = cursor.execute(head_of, (key,)).fetchone() or head
    rows: list[ChainedRow] = []
    with _damage_apart():
        cursor.execute(
            f"SELECT originator_version, topic, state, link FROM {table} WHERE originator_id=? ORDER BY 1", (key,)
        )
        rows.extend(cursor)
    return rows, *head


@contextmanager
def _damage_apart() -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        if is_of_the_disk(error):
            raise


# --- the table --------------------------------------------------------------------------------------------------


def create_statements(table: str) -> list[str]:
    """SQL for the event table, which only grows: its rows can neither be changed nor removed, nor replaced.

    The one exception are games that an operator removed (:mod:`boardkeeper.service.storage.removal`): rows may go where
    a tombstone stands, and none comes there again.

    ``INSERT OR REPLACE`` removes the rows that are in its way without the trigger on ``DELETE`` being asked (unless a
    connection has recursive triggers), so what is there already has its own trigger. ``rowid`` is -1 if not given.
    """
    columns = "originator_id TEXT, originator_version INTEGER, topic TEXT, state BLOB, link BLOB"
    is_there = (
        f"EXISTS (SELECT 1 FROM {table}"
        " WHERE originator_id=NEW.originator_id AND originator_version=NEW.originator_version)"
        f" OR EXISTS (SELECT 1 FROM {table} WHERE rowid=NEW.rowid)"
    )
    is_removed = f"EXISTS (SELECT 1 FROM {TOMBSTONES} WHERE game_id={{}}.originator_id)"
    triggers = {
        "no_update": "BEFORE UPDATE ON {}",
        "no_delete_but_of_removed": f"BEFORE DELETE ON {{}} WHEN NOT {is_removed.format('OLD')}",
        "no_replace": f"BEFORE INSERT ON {{}} WHEN {is_there}",
        "no_return": f"BEFORE INSERT ON {{}} WHEN {is_removed.format('NEW')}",
    }
    tombstone = (
        "game_id TEXT PRIMARY KEY, remove_time INTEGER NOT NULL, head TEXT, key_id TEXT,"
        " first_number INTEGER, last_number INTEGER"
    )
    return [
        f"CREATE TABLE IF NOT EXISTS {TOMBSTONES} ({tombstone}) WITHOUT ROWID",
        f"CREATE TABLE IF NOT EXISTS {table} ({columns}, PRIMARY KEY (originator_id, originator_version))",
        f"DROP TRIGGER IF EXISTS {table}_no_delete",  # that of releases in which no game could be removed
        *(
            f"CREATE TRIGGER IF NOT EXISTS {table}_{name} {when.format(table)}"
            " BEGIN SELECT RAISE(ABORT, 'stored events are never changed or removed'); END"
            for name, when in triggers.items()
        ),
    ]


def chain_old_rows(cursor: sqlite3.Cursor, table: str) -> None:
    """Give links to the rows of a table that was made before there were any, unless it has them."""
    columns = [column[1] for column in cursor.execute(f"PRAGMA table_info({table})").fetchall()]
    if not columns or "link" in columns:
        return
    cursor.execute(f"ALTER TABLE {table} ADD COLUMN link BLOB")
    select = f"SELECT originator_id, originator_version, topic, state FROM {table} ORDER BY 1, 2"
    rows = map(tuple, cursor.connection.cursor().execute(select).fetchall())
    for key, group in groupby(rows, itemgetter(0)):
        cursor.executemany(
            f"UPDATE {table} SET link=? WHERE originator_id=? AND originator_version=?",
            [(right, key, version) for version, right in links(key, (row[1:] for row in group))],
        )
