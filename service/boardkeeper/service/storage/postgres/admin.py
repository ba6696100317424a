"""Operator commands on a PostgreSQL database, also while servers use it.

Servers are notified of changes. Overwritten rows remain in the write-ahead log, in replicas and in backups until these
are deleted, and in the table files until they are vacuumed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import psycopg

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.archive.folder import ArchiveFolder
from boardkeeper.service.storage.archive.tables import ArchiveTables
from boardkeeper.service.storage.database import ReadableDatabase
from boardkeeper.service.storage.game_tables import GameTables
from boardkeeper.service.storage.postgres.address import Address
from boardkeeper.service.storage.postgres.database_key import check_key, check_recognised
from boardkeeper.service.storage.postgres.notifications import notify_changed
from boardkeeper.service.storage.postgres.reader import PostgresReader, run_statements
from boardkeeper.service.storage.postgres.schema import grant, migrate, schema_number
from boardkeeper.service.storage.reports import CheckedGame, check_chain
from boardkeeper.service.storage.schema import expect_newest
from boardkeeper.service.storage.sql import Change, Transaction, for_postgres

_Connection = psycopg.Connection[Any]


def create_tables(url: str, role: str = "") -> str:
    """Create or migrate the tables and grant a role the rights of a server; return the database's name.

    Raises ``StartupError``.
    """
    address = Address.of(url)
    with address.operator_connection("make tables in") as connection, connection.transaction():
        connection.execute("SET LOCAL statement_timeout = 0")
        migrate(connection, address.name)
        try:
            if role:
                grant(connection, role)
        except psycopg.errors.UndefinedObject as error:
            raise StartupError(f"the user {role} does not exist in {address.name}: create it first") from error
    return address.name


def check_games(url: str, archive: ArchiveFolder | None = None, key_file: Path | None = None) -> Iterator[CheckedGame]:
    """Check every game, also those with a lobby row only or events only. Raises ``StartupError``.

    With ``archive``, archived games are checked too. With ``key_file``, the database must belong to the key in that
    file.
    """
    address = Address.of(url)
    with address.operator_connection("check") as connection:
        check_recognised(connection, address.name)
        if key_file is not None:
            check_key(connection, address.name, key_file)
    reader = PostgresReader(address)
    try:
        tables, archived = GameTables(reader), ArchiveTables(reader)
        games = tables.count_games() + len(tables.games_without_row())
        for number, game in enumerate(tables.known_games(), 1):
            rows, head, version = reader.read_chain(game)
            row = archived.archived(game) if not rows else None
            found = check_chain(game.hex, rows, head, version, row, archive)
            if not rows and row is None and tables.removal_time(game) is not None:  # removed meanwhile
                found = 0, None, False
            yield CheckedGame(number, max(games, number), str(game), *found)
    finally:
        reader.close()


@contextmanager
def open_read_only(url: str, key_file: Path | None) -> Iterator[ReadableDatabase]:
    """Open a database that belongs to the key in ``key_file``, with read-only connections.

    Raises ``StartupError``, also if the schema is not that of this release.
    """
    address = Address.of(url)
    if key_file is None:
        raise StartupError(f"{address.name} needs the server's key file: name it with --key-file FILE")
    with address.operator_connection("read") as connection:
        check_recognised(connection, address.name)
        expect_newest(address.name, schema_number(connection), "run 'boardkeeper migrate' first")
        key = check_key(connection, address.name, key_file)
    reader = PostgresReader(address, ("default_transaction_read_only=on",))
    try:
        yield ReadableDatabase(address.name, key, reader)
    finally:
        reader.close()


class _Transaction(Transaction):
    is_shared: ClassVar[bool] = True

    def __init__(self, connection: _Connection) -> None:
        self._connection = connection

    def fetch(self, text: str, parameters: Sequence[object]) -> list[Any]:
        return self._connection.execute(for_postgres(text), parameters, binary=True).fetchall()

    def write(self, *changes: Change) -> None:
        for change in changes:
            run_statements(self._connection, change.statements())
            if change.changed_game is not None:
                self._connection.execute(*notify_changed(change.changed_game))


@contextmanager
def write_transaction(url: str, verb: str) -> Iterator[Transaction]:
    """Change a database in a transaction, then vacuum the tables that may contain overwritten personal data.

    Raises ``StartupError``.
    """
    address = Address.of(url)
    with address.operator_connection(verb) as connection:
        check_recognised(connection, address.name)
        with connection.transaction():
            yield _Transaction(connection)
        connection.execute("SET statement_timeout = 0")
        for table in ("seats", "requests", "dice_secrets", "players", "invitations"):
            connection.execute(f"VACUUM {table}")  # other users than the owner only get a warning
