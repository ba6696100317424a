"""Migrations: shared by both databases, atomic, and tested with files of every earlier release."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, Protocol
from uuid import UUID

import pytest
from msgspec import Struct
from tests.service.sqlite_internals import downgrade_schema
from tests.service.storage.postgres_games import temporary_role
from tests.service.storage.test_upgrading import OLD_GAMES, unpack

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage import schema
from boardkeeper.service.storage.admin import check_database, create_tables, erase_seat
from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.reports import CheckedGame
from boardkeeper.service.storage.sql import Change, Reader, Statement, columns, insert_row

MIGRATIONS = schema.MIGRATIONS
BADGES = (
    """
CREATE TABLE badges (
    number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    game uuid NOT NULL,
    player_id text COLLATE "C" NOT NULL,
    names bytea NOT NULL
);
CREATE INDEX badges_by_game ON badges (game, number);
""",
    """
ALTER TABLE badges ADD COLUMN shown boolean NOT NULL DEFAULT false;
ALTER TABLE badges ADD COLUMN picture bytea;
""",
)


class Badge(Struct, frozen=True):
    game: UUID
    player_id: str
    names: tuple[str, ...]
    shown: bool = False
    picture: bytes | None = None


class PutBadge(Change, frozen=True):
    row: Badge

    def statements(self) -> list[Statement]:
        return [insert_row("badges", self.row)]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def open_again(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Database]:
    """Opens the same database each time."""
    name = str(tmp_path / "games.db")
    if request.param == "postgres":
        name = request.getfixturevalue("empty_database")
    return lambda: open_database(name, key_file=tmp_path / "key")


def test_a_table_and_a_column_need_one_migration_each(
    open_again: Callable[[], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_again().close()
    rows = [
        # SQLite would convert the first id if it took it for a number.
        Badge(UUID("00000000000000000000000000123e45"), "ada", ("first", "last"), shown=True, picture=b"\xff"),
        Badge(UUID(int=7), "123e45", ()),
    ]
    for count in (1, 2):
        monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, *BADGES[:count]))
        open_again().close()
    for count in range(2):
        database = open_again()
        for row in rows[count : count + 1]:
            database.log.writer.store([PutBadge(row)])
        reader: Reader = database.players._reader
        assert reader.fetch_structs(Badge, f"SELECT {columns(Badge)} FROM badges ORDER BY number") == rows[: count + 1]
        database.close()
    monkeypatch.undo()
    newest = schema.newest()
    for _ in range(2):
        with pytest.raises(StartupError, match=rf"was written by a newer Boardkeeper \(table schema {newest + 2}\)"):
            open_again()


def test_a_failed_migration_changes_nothing(
    open_again: Callable[[], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    open_again().close()
    monkeypatch.setattr(
        schema, "MIGRATIONS", (*MIGRATIONS, *BADGES, "CREATE TABLE more (number bigint); SELECT nonsense")
    )
    with pytest.raises(StartupError, match="nonsense"):
        open_again()
    monkeypatch.undo()
    database = open_again()
    with pytest.raises(Exception, match="badges"):
        database.players._reader.fetch("SELECT * FROM badges", ())
    database.close()


@pytest.mark.postgres
def test_a_role_can_change_the_rows_of_a_new_table(empty_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    monkeypatch.setattr(schema, "MIGRATIONS", (*MIGRATIONS, *BADGES))
    with psycopg.connect(empty_database, autocommit=True) as connection, temporary_role(empty_database) as (role, _):
        create_tables(empty_database)
        grant_all = f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}"  # more than this release grants
        connection.execute(grant_all.encode())
        create_tables(empty_database, role)
        for table, privileges in {
            "badges": ["INSERT", "UPDATE", "DELETE"],
            "events": ["INSERT"],
            "events_0": [],
            "removed_games": ["INSERT"],
            "archived_games": ["DELETE"],
            "imports": ["INSERT", "DELETE"],
            "dice_secrets": ["INSERT", "DELETE"],
            "game_access": ["INSERT"],
        }.items():
            for privilege in ("INSERT", "UPDATE", "DELETE", "TRUNCATE"):  # SELECT is always granted
                select = "SELECT has_table_privilege(%s, %s, %s)"
                assert connection.execute(select, (role, table, privilege)).fetchone() == (privilege in privileges,), (
                    table,
                    privilege,
                )


def describe_schema(path: Path) -> set[tuple[str, str, str]]:
    """Return the schema of a file without the order of columns."""
    with closing(sqlite3.connect(path)) as file:
        found = file.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").fetchall()
        names = {("", kind, name) for kind, name in found}
        for kind, name in found:
            if kind in ("table", "view"):
                names |= {(name, row[1], row[2]) for row in file.execute(f"PRAGMA table_info({name})")}
        return names


def test_a_migrated_file_of_the_first_release_has_the_current_schema(tmp_path: Path) -> None:
    new, old = tmp_path / "new.db", unpack(tmp_path)
    assert schema_version(old) == 2
    open_database(new).close()
    assert describe_schema(old) != describe_schema(new)
    open_database(old).close()
    assert describe_schema(old) == describe_schema(new)


REVERSALS = (
    "",
    "ALTER TABLE expiries DROP COLUMN clocks;",
    "DROP INDEX games_by_time; DROP INDEX games_that_go_on_by_time; DROP INDEX games_by_platform_and_time;",
    "DROP TABLE webhook_endpoints; DROP TABLE webhook_deliveries;",
    "DROP TRIGGER stored_events_no_delete_but_of_gone; DROP TABLE archived_games;",
    """
DROP TABLE invitations;
DROP TABLE invitation_ends;
ALTER TABLE game_access DROP COLUMN by_invitation;
ALTER TABLE game_access DROP COLUMN token_seconds;
ALTER TABLE seats DROP COLUMN token_expires;
""",
    "DROP TABLE feed;",
    "DROP TABLE expiries;",
    "DROP TABLE players; DROP TABLE seat_results; DROP TABLE results;",
    "DROP TABLE quotas; ALTER TABLE access_keys DROP COLUMN limits;",
    """
DROP TABLE access_keys;
DROP TABLE game_access;
DROP INDEX games_by_platform;
DROP INDEX games_by_platform_and_title;
DROP INDEX games_by_platform_and_status;
ALTER TABLE games DROP COLUMN platform;
""",
    "DROP TABLE probes;",
)
"""Scripts that remove what releases added to files of schema 3, from the newest to the oldest release."""


@pytest.mark.parametrize("earlier", range(len(REVERSALS)))
def test_files_of_all_releases_with_schema_3_keep_their_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, earlier: int
) -> None:
    new, old = tmp_path / "new.db", tmp_path / "games.db"
    open_database(new).close()
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", ())
        open_database(old).close()
    with closing(sqlite3.connect(old)) as file:
        fill(SqliteRows(file))
    downgrade_schema(old, "".join(REVERSALS[: earlier + 1]))
    check_rows_are_kept(old, lambda: open_database(old).close())
    assert describe_schema(old) == describe_schema(new)


@pytest.mark.parametrize("number", range(schema.BASE, schema.newest()))
def test_a_file_of_each_numbered_schema_keeps_its_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path = tmp_path / "games.db"
    with monkeypatch.context() as patch:
        patch.setattr(schema, "MIGRATIONS", MIGRATIONS[: number - schema.BASE])
        open_database(path).close()
    assert schema_version(path) == number
    with closing(sqlite3.connect(path)) as file:
        fill(SqliteRows(file))
    check_rows_are_kept(path, lambda: open_database(path).close())


def check_rows_are_kept(path: Path, migrate: Callable[[], None]) -> None:
    """Check that a file still has each row, with the values of the columns that it had, after a migration."""
    with closing(sqlite3.connect(path)) as connection:
        file = SqliteRows(connection)
        before = read_all(file)
    migrate()
    assert schema_version(path) == schema.newest()
    with closing(sqlite3.connect(path)) as connection:
        file = SqliteRows(connection)
        for table, (columns, rows) in before.items():
            names = {"game" if name == "game_id" else name: kind for name, kind in columns.items()}
            assert file.rows(table, names) == rows, table
        check_result_of_ended_game(file)


@pytest.mark.postgres
@pytest.mark.parametrize("number", range(1, schema.newest()))
def test_a_database_of_each_schema_keeps_its_rows(empty_database: str, tmp_path: Path, number: int) -> None:
    import psycopg

    from boardkeeper.service.storage.postgres.schema import migrate, schema_number

    with psycopg.connect(empty_database, autocommit=True) as connection:
        with connection.transaction():
            migrate(connection, "games", number)
        assert schema_number(connection) == number
        tables = PostgresRows(connection)
        fill(tables)
        before = read_all(tables)
        with connection.transaction():
            migrate(connection, "games")
        assert schema_number(connection) == schema.newest()
        for table, (columns, rows) in before.items():
            assert tables.rows(table, columns) == rows, table
        check_result_of_ended_game(tables)
    open_database(empty_database, key_file=tmp_path / "key").close()


class Rows(Protocol):
    """Access to any tables of a database."""

    def tables(self) -> list[str]: ...

    def columns(self, table: str) -> dict[str, str]:
        """Return the names and types of the columns that can be written."""

    def rows(self, table: str, columns: Iterable[str]) -> list[tuple[object, ...]]: ...

    def insert(self, table: str, row: dict[str, object]) -> None: ...


class SqliteRows:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def tables(self) -> list[str]:
        select = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
        return [name for (name,) in self._connection.execute(select)]

    def columns(self, table: str) -> dict[str, str]:
        return {row[1]: row[2] for row in self._connection.execute(f"PRAGMA table_info({table})")}

    def rows(self, table: str, columns: Iterable[str]) -> list[tuple[object, ...]]:
        return sorted(self._connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall(), key=repr)

    def insert(self, table: str, row: dict[str, object]) -> None:
        values = [value.hex if isinstance(value, UUID) else value for value in row.values()]
        insert = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})"
        with self._connection:
            self._connection.execute(insert, values)


class PostgresRows:
    def __init__(self, connection: Any) -> None:
        self._connection = connection

    def tables(self) -> list[str]:
        select = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')"
        rows = self._connection.execute(f"{select} AND NOT relispartition ORDER BY 1").fetchall()
        return [name for (name,) in rows]

    def columns(self, table: str) -> dict[str, str]:
        select = "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = %s"
        return dict(self._connection.execute(f"{select} AND is_identity = 'NO'", (table,)).fetchall())

    def rows(self, table: str, columns: Iterable[str]) -> list[tuple[object, ...]]:
        where = " WHERE what <> 'schema'" if table == "service" else ""
        return sorted(self._connection.execute(f"SELECT {', '.join(columns)} FROM {table}{where}").fetchall(), key=repr)

    def insert(self, table: str, row: dict[str, object]) -> None:
        insert = f"INSERT INTO {table} ({', '.join(row)}) VALUES ({', '.join(['%s'] * len(row))})"
        self._connection.execute(insert, tuple(row.values()))


OF_REMOVED_GAMES = ("removed_games",)
"""Tables with rows of games that are in no other table."""

ENDED = UUID(int=8)


def fill(database: Rows) -> None:
    """Insert two rows into each table: of a running game and of one that has ended."""
    for table in database.tables():
        for number in (7, 8):
            columns = database.columns(table).items()
            database.insert(table, {name: _value(table, name, kind.lower(), number) for name, kind in columns})


def read_all(database: Rows) -> dict[str, tuple[dict[str, str], list[tuple[object, ...]]]]:
    """Return the columns and the rows of each table."""
    columns = {table: database.columns(table) for table in database.tables()}
    return {table: (names, database.rows(table, names)) for table, names in columns.items()}


def _value(table: str, column: str, kind: str, number: int) -> object:
    match column:
        case "game" | "originator_id":
            return UUID(int=number + 100 if table in OF_REMOVED_GAMES else number)
        case "status":
            return "ended" if number == ENDED.int else "running"
        case "standings":
            return b'[{"seat": 1, "points": 9, "rank": 1}, {"seat": 2, "points": 5, "rank": 2}]'
        case "seal":
            return b'{"head": "%d"}' % number
        case "kind" if table == "seats":
            return "person"
    match kind:
        case "text":
            return f"{column} {number}"
        case "blob" | "bytea":
            return b"%d" % number
        case "uuid":
            return UUID(int=number)
        case "boolean":
            return True
        case "real" | "double precision":
            return 0.5
    return number


def check_result_of_ended_game(database: Rows) -> None:
    """Check that the ended game has a result, which a migration or :func:`fill` has stored."""
    games = [game for (game,) in database.rows("seat_results", ["game"])]
    assert any(str(game).replace("-", "") == ENDED.hex for game in games)


def test_an_operator_command_migrates_a_file(tmp_path: Path) -> None:
    file = unpack(tmp_path)
    assert erase_seat(str(file), OLD_GAMES["running"]["game"], 1)
    assert schema_version(file) == schema.newest()


def test_a_check_does_not_migrate(tmp_path: Path) -> None:
    open_database(tmp_path / "games.db").close()
    downgrade_schema(tmp_path / "games.db")
    assert list(check_database(str(tmp_path / "games.db"))) is not None
    assert schema_version(tmp_path / "games.db") == 3


KILLED = """
import os, signal, sys
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.sqlite import schema

run, remaining = schema._run, int(sys.argv[2])

def run_until_killed(connection, script):
    global remaining
    run(connection, script)
    remaining -= 1
    if not remaining:
        os.kill(os.getpid(), signal.SIGKILL)

schema._run = run_until_killed
open_database(sys.argv[1]).close()
"""


@pytest.mark.parametrize("steps", [1, 4, 99])
def test_a_killed_migration_does_not_change_the_file(tmp_path: Path, steps: int) -> None:
    file = unpack(tmp_path)
    before = schema_version(file)
    process = subprocess.run([sys.executable, "-c", KILLED, str(file), str(steps)], check=False)
    if steps == 99:
        assert process.returncode == 0
    else:
        assert process.returncode == -signal.SIGKILL
        assert schema_version(file) == before
    database = open_database(file)
    assert database.game_tables.count_games() == len(OLD_GAMES)
    database.close()
    assert schema_version(file) == schema.newest()
    found = [it for it in check_database(str(file)) if isinstance(it, CheckedGame)]
    assert [game.damage for game in found] == [None] * len(OLD_GAMES)


def schema_version(path: Path) -> int:
    with closing(sqlite3.connect(path)) as file:
        return int(file.execute("PRAGMA user_version").fetchone()[0])
