"""Reading and writing rows of any table, with the columns that the database reports.

Tables and columns that a migration adds need no entry here. Both databases use the same names; in SQLite, views provide
them for tables that are named differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from boardkeeper.service.storage.sql import Change, Check, Reader, Statement, placeholders

RowDict = dict[str, Any]

PAGE_SIZE = 500
_ROWS_PER_INSERT = 100
_COLUMNS = (
    "{sqlite:SELECT t.name, c.name, lower(c.type) FROM sqlite_master t, pragma_table_info(t.name) c"
    " WHERE t.type IN ('table', 'view') ORDER BY t.name, c.cid}"
    "{postgres:SELECT t.relname, a.attname, format_type(a.atttypid, NULL)"
    " FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid WHERE t.relnamespace = current_schema()::regnamespace"
    " AND t.relkind IN ('r', 'p') AND NOT t.relispartition AND a.attnum > 0 AND NOT a.attisdropped"
    " ORDER BY t.relname, a.attnum}"
)
_NUMBERED = {
    *(("access_keys", "number"), ("games", "number"), ("invitations", "number"), ("results", "position")),
    *(("removed_games", "first_number"), ("removed_games", "last_number"), ("webhook_endpoints", "number")),
}
"""Columns with numbers that the database assigns; they are not copied to another database."""


class InsertRows(Change, frozen=True):
    """Insert rows of another database. ``game`` is the game to which they belong, if it must be reported as changed."""

    rows: Sequence[Statement | Check]
    game: UUID | None = None

    @property
    def changed_game(self) -> UUID | None:
        return self.game

    def statements(self) -> Sequence[Statement | Check]:
        return self.rows


class DatabaseTables:
    """Reads and writes the tables of a database with the schema of this release."""

    def __init__(self, reader: Reader) -> None:
        self.columns: dict[str, dict[str, str]] = {}
        """The types of the columns, by table."""
        self._reader = reader
        for table, column, kind in reader.fetch_tuples(tuple[str, str, str], _COLUMNS):
            self.columns.setdefault(table, {})[column] = kind

    def rows(self, table: str, rest: str = "", *parameters: object) -> list[RowDict]:
        """Return rows of a table; ``rest`` is the end of the query."""
        names = self.columns[table]
        found = self._reader.fetch(f"SELECT {', '.join(names)} FROM {table} {rest}", parameters)
        return [dict(zip(names, row, strict=True)) for row in found]

    def rows_of(self, table: str, games: Sequence[UUID]) -> list[RowDict]:
        """Return the rows of games, ordered by number if the table has one."""
        order = " ORDER BY number" if (table, "number") in _NUMBERED else ""
        return self.rows(table, f"WHERE game = ANY(?){order}", list(games))

    def pages(
        self, table: str, by: str, rest: str = "", *parameters: object, after: int = 0
    ) -> Iterator[list[RowDict]]:
        """Yield pages of the rows whose number in column ``by`` is greater than ``after``."""
        while page := self.rows(table, f"WHERE {by} > ? {rest} ORDER BY {by} LIMIT {PAGE_SIZE}", after, *parameters):
            yield page
            after = page[-1][by]

    def insert(self, table: str, rows: Sequence[RowDict], end: str = "") -> Iterator[Statement]:
        """Yield statements that insert rows of another database, without columns that do not exist in this one."""
        if not rows:
            return
        types = {name: kind for name, kind in self.columns[table].items() if name in rows[0]}
        names = [name for name in types if (table, name) not in _NUMBERED]
        for at in range(0, len(rows), _ROWS_PER_INSERT):
            part = rows[at : at + _ROWS_PER_INSERT]
            sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES {placeholders(len(names), len(part))}{end}"
            yield Statement(sql, tuple(_convert_value(row[name], types[name]) for row in part for name in names))


def game_id(row: RowDict) -> UUID:
    """Return the id of the game that a row belongs to."""
    return UUID(row["game"]) if isinstance(row["game"], str) else row["game"]


def _convert_value(value: object, kind: str) -> object:
    """Convert a value to the type of a column; SQLite stores ids as text and booleans as numbers."""
    match kind, value:
        case "uuid", str():
            return UUID(value)
        case "boolean", int():
            return bool(value)
        case "bytea" | "blob", str():  # some releases stored text there
            return value.encode()
    return value
