"""Backup and restore of a PostgreSQL database, also while servers use it: one snapshot of all tables, with ``COPY``.

Tables and columns are read from the system catalogue, so new ones need no change here. A restore creates the
tables with the migrations of the backup's release, fills them, and runs the later migrations, all in one transaction.
No PostgreSQL tools are needed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from graphlib import CycleError, TopologicalSorter
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, LiteralString
from uuid import UUID

import psycopg
import structlog
from psycopg import sql

from boardkeeper.service.errors import AlteredError, StartupError
from boardkeeper.service.storage.backup_file import BackupReader, BackupWriter, Table
from boardkeeper.service.storage.chain import find_damage
from boardkeeper.service.storage.postgres.address import Address
from boardkeeper.service.storage.postgres.database_key import check_key, check_recognised, stored_key_id
from boardkeeper.service.storage.postgres.schema import lock, migrate, newest, schema_number
from boardkeeper.service.storage.reports import CheckedGame, ProgressCallback
from boardkeeper.service.storage.service_key import ServiceKey

_Connection = psycopg.Connection[Any]
# The text format of COPY must not depend on settings of the database or the user.
_COPY_SETTINGS: LiteralString = (
    "SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;"
    " SET LOCAL client_encoding = 'UTF8'; SET LOCAL bytea_output = 'hex'; SET LOCAL datestyle = 'ISO';"
    " SET LOCAL intervalstyle = 'postgres'; SET LOCAL extra_float_digits = 1; SET LOCAL timezone = 'UTC';"
    # One connection to each node, so that all rows of a game are from one snapshot.
    " SET LOCAL citus.max_adaptive_executor_pool_size = 1"
)

# Partitions are read with their parent tables.
_TABLES: LiteralString = """
SELECT c.relname, greatest(c.reltuples, 0)::bigint + coalesce((
    SELECT sum(greatest(p.reltuples, 0))::bigint FROM pg_inherits i JOIN pg_class p ON p.oid = i.inhrelid
    WHERE i.inhparent = c.oid), 0)
FROM pg_class c WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p')
    AND NOT c.relispartition ORDER BY c.relname
"""
_COLUMNS: LiteralString = """
SELECT attname FROM pg_attribute WHERE attrelid = format('%%I.%%I', current_schema(), %s::text)::regclass AND attnum > 0
    AND NOT attisdropped AND attgenerated = '' ORDER BY attnum
"""
_KEY: LiteralString = """
SELECT a.attname FROM pg_index i, unnest(i.indkey::int2[]) WITH ORDINALITY k (number, place), pg_attribute a
WHERE i.indrelid = format('%%I.%%I', current_schema(), %s::text)::regclass AND i.indisprimary
    AND a.attrelid = i.indrelid AND a.attnum = k.number ORDER BY k.place
"""
_REFERENCES: LiteralString = """
SELECT c.conrelid::regclass::text, c.confrelid::regclass::text FROM pg_constraint c
WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace AND c.conrelid <> c.confrelid
"""
_COUNTERS: LiteralString = """
SELECT sequencename, last_value, has_sequence_privilege(format('%I.%I', schemaname, sequencename), 'SELECT')
FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1
"""
_COUNT_TABLES: LiteralString = """
SELECT count(*) FROM pg_class WHERE relnamespace = current_schema()::regnamespace
    AND relkind IN ('r', 'p')
"""

_log = structlog.get_logger()

_EVENTS = "events"
_PROGRESS = "progress"
_ARCHIVED = "archived_games"


# --- creating a backup --------------------------------------------------------------------------------------


def check_key_file(url: str, file: Path) -> ServiceKey:
    """Return the key in a file. Raises :class:`StartupError` if the database does not belong to it."""
    address = Address.of(url)
    with address.operator_connection("back up") as connection:
        check_recognised(connection, address.name)
        return check_key(connection, address.name, file)


def copy_out(
    url: str, writer: BackupWriter, progress: ProgressCallback
) -> tuple[int, tuple[Table, ...], dict[str, int]]:
    """Copy all tables into parts of a backup; return the schema number, the tables, and the values of sequences.

    ``progress`` receives the number of rows copied and an estimate of all rows. Raises :class:`StartupError`.
    """
    address = Address.of(url)
    with address.operator_connection("back up") as connection, connection.transaction():
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        connection.execute(_COPY_SETTINGS.encode(), prepare=False)
        schema = schema_number(connection)
        names: dict[str, int] = dict(connection.execute(_TABLES).fetchall())
        tables: list[Table] = []
        for name in names:
            done = sum(table.rows for table in tables)
            tables.append(_copy_table(connection, name, writer, _offset_progress(progress, done, sum(names.values()))))
        return schema, tuple(tables), _read_sequences(connection, address.name)


def _offset_progress(progress: ProgressCallback, before: int, total: int) -> Callable[[int], None]:
    return lambda rows: progress(before + rows, total)


def _copy_table(connection: _Connection, name: str, writer: BackupWriter, progress: Callable[[int], None]) -> Table:
    columns = [column for (column,) in connection.execute(_COLUMNS, (name,)).fetchall()]
    query = sql.SQL("COPY (SELECT {} FROM {}").format(_identifiers(columns), sql.Identifier(name))
    if name == _EVENTS:  # ordered by game, so that hash chains can be verified while reading
        query += sql.SQL(" ORDER BY ") + _identifiers([key for (key,) in connection.execute(_KEY, (name,)).fetchall()])
    part = f"tables/{name}.copy"

    def pieces(copy: psycopg.Copy) -> Iterator[bytes | bytearray | memoryview]:
        for number, row in enumerate(copy, 1):  # each chunk is a row
            if number % 1000 == 0:
                progress(number)
            yield row

    with connection.cursor() as cursor:
        with cursor.copy(query + sql.SQL(") TO STDOUT")) as copy:
            writer.add(part, pieces(copy))
        rows = cursor.rowcount
    progress(rows)
    return Table(name, rows, tuple(columns), part)


def _read_sequences(connection: _Connection, name: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for counter, value, readable in connection.execute(_COUNTERS).fetchall():
        if not readable:
            raise StartupError(
                f"this user cannot read the counter {counter} of {name}: run 'boardkeeper migrate --grant' again as"
                " the owner of the tables"
            )
        if value is not None:
            found[counter] = value
    return found


def store_backup_time(url: str, time: int) -> None:
    """Store the time of a backup for the servers' metrics. Errors are logged."""
    address = Address.of(url)
    try:
        with address.connect() as connection:
            connection.execute("INSERT INTO backups VALUES (%s) ON CONFLICT DO NOTHING", (time,))
    except psycopg.Error as error:
        _log.warning(
            "the time of the backup could not be stored", database=address.name, problem=" ".join(str(error).split())
        )


# --- restoring a backup -------------------------------------------------------------------------------------


def copy_in(url: str, backup: BackupReader, key: ServiceKey, progress: ProgressCallback) -> None:
    """Fill an empty database from a backup, in one transaction. Raises :class:`StartupError`.

    ``progress`` receives the number of rows restored and of all rows.
    """
    address, manifest = Address.of(url), backup.manifest
    with address.operator_connection("restore to") as connection, connection.transaction():
        connection.execute(_COPY_SETTINGS.encode(), prepare=False)
        lock(connection)  # a server might create the tables at the same time
        _create_tables(connection, address.name, manifest.schema)
        _fill(connection, backup, progress)
        if stored_key_id(connection) != key.id:
            raise StartupError(f"the backup {backup.path} is signed with another key than its tables name")
        migrate(connection, address.name)
        connection.execute("ANALYZE")


def _create_tables(connection: _Connection, name: str, schema: int) -> None:
    if schema > newest():
        raise StartupError(f"the backup is from a newer Boardkeeper (table schema {schema})")
    _check_empty(connection, name)
    migrate(connection, name, schema)


def check_empty_database(url: str) -> None:
    """Raise :class:`StartupError` if the database contains any table."""
    address = Address.of(url)
    with address.operator_connection("restore to") as connection:
        _check_empty(connection, address.name)


def _check_empty(connection: _Connection, name: str) -> None:
    if connection.execute(_COUNT_TABLES).fetchone() != (0,):
        raise StartupError(f"{name} has tables already: restore the backup into a new, empty database")


def _fill(connection: _Connection, backup: BackupReader, progress: ProgressCallback) -> None:
    tables = {table.name: table for table in backup.manifest.tables}
    total = sum(table.rows for table in tables.values())
    present = {name for name, _ in connection.execute(_TABLES).fetchall()}
    if present != tables.keys():
        names = ", ".join(sorted(present ^ tables.keys()))
        raise StartupError(f"the backup {backup.path} has the wrong tables for its version: {names}")
    connection.execute("DELETE FROM service")  # inserted by the migrations
    done = 0
    for name in _in_order(connection, present):
        table = tables[name]
        query = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(name), _identifiers(table.columns))
        with connection.cursor() as cursor:
            with cursor.copy(query) as copy:
                for data in backup.read(table.part):
                    copy.write(data)
            if cursor.rowcount != table.rows:
                raise StartupError(f"the backup {backup.path} has {cursor.rowcount} rows of {name}, not {table.rows}")
        done += table.rows
        progress(done, total)
    for counter, value in backup.manifest.counters.items():
        connection.execute("SELECT setval(format('%%I', %s::text)::regclass, %s)", (counter, value))


def _in_order(connection: _Connection, names: set[str]) -> list[str]:
    """Return the tables in an order in which each table comes after the tables to which it refers."""
    order: TopologicalSorter[str] = TopologicalSorter({name: set() for name in sorted(names)})
    for table, other in connection.execute(_REFERENCES).fetchall():
        order.add(table, other)
    try:
        return [name for name in order.static_order() if name in names]
    except CycleError as error:
        raise StartupError(f"tables that refer to each other in a circle cannot be filled: {error.args[1]}") from error


# --- verifying a backup -------------------------------------------------------------------------------------


def check_games(backup: BackupReader) -> Iterator[CheckedGame]:
    """Check the hash chains of all games in a backup, and the row counts of its parts. Raises :class:`AlteredError`."""
    tables = {table.name: table for table in backup.manifest.tables}
    rows_of: dict[str, int] = {}
    try:
        yield from _check_chains(backup, tables, rows_of)
    except (ValueError, KeyError, IndexError) as error:
        raise AlteredError(
            f"the backup {backup.path} was changed after it was created, or is damaged: {error!r} in its rows"
        ) from error
    for name, table in tables.items():
        rows = rows_of.get(name)
        if rows is None:
            rows = sum(1 for _ in backup.lines(table.part))
        if rows != table.rows:
            raise AlteredError(f"the backup {backup.path} has {rows} rows of {name}, not {table.rows} as listed")


def _check_chains(backup: BackupReader, tables: dict[str, Table], rows_of: dict[str, int]) -> Iterator[CheckedGame]:
    heads: dict[UUID, tuple[int, bytes]] = {}
    for id, version, chain in _read_rows(backup, tables[_PROGRESS], "game", "version", "chain"):
        heads[UUID(_text(id))] = int(version), _binary(chain)
    rows_of[_PROGRESS] = total = len(heads)
    rows_of[_EVENTS] = number = 0
    events = _read_rows(backup, tables[_EVENTS], "game", "version", "topic", "state", "link")
    for id, group in groupby(events, itemgetter(0)):
        game, number = UUID(_text(id)), number + 1
        rows = [(int(version), _text(topic), _binary(state), _binary(link)) for _, version, topic, state, link in group]
        rows_of[_EVENTS] += len(rows)
        newest, head = heads.pop(game, (0, b""))
        yield CheckedGame(number, max(total, number), str(game), len(rows), find_damage(game.hex, rows, head, newest))
    archived: set[UUID] = set()
    if _ARCHIVED in tables:  # backups of earlier releases do not have the table
        archived = {UUID(_text(id)) for (id,) in _read_rows(backup, tables[_ARCHIVED], "game")}
    for game, (newest, head) in heads.items():
        number += 1
        if game in archived:
            yield CheckedGame(number, max(total, number), str(game), newest, None, is_archived=True)
            continue
        yield CheckedGame(number, max(total, number), str(game), 0, find_damage(game.hex, [], head, newest))


def _read_rows(backup: BackupReader, table: Table, *columns: str) -> Iterator[list[bytes]]:
    places = [table.columns.index(column) for column in columns]
    for line in backup.lines(table.part):
        fields = line.split(b"\t")
        yield [fields[place] for place in places]


_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_UNESCAPED = {b"b": b"\b", b"f": b"\f", b"n": b"\n", b"r": b"\r", b"t": b"\t", b"v": b"\v"}


def _text(field: bytes) -> str:
    return _ESCAPED.sub(lambda found: _UNESCAPED.get(found[1], found[1]), field).decode()


def _binary(field: bytes) -> bytes:
    return bytes.fromhex(field.decode().removeprefix("\\\\x"))


def _identifiers(columns: list[str] | tuple[str, ...]) -> sql.Composable:
    return sql.SQL(", ").join(map(sql.Identifier, columns))
