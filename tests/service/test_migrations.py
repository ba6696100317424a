"""Migrations: written once for both databases, all or nothing, and for files of every earlier release."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from uuid import UUID

import pytest
from msgspec import Struct
from tests.service.insides import make_older
from tests.service.test_upgrading import TOLD, unpack

from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage import schema
from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage.findings import CheckedGame
from boardkeeper.service.storage.opening import open_database
from boardkeeper.service.storage.operating import check, erase_seat, make_tables
from boardkeeper.service.storage.sql import Change, Reader, Statement, columns, insert

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
        return [insert("badges", self.row)]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], Database]:
    """Open the same database, again and again."""
    name = str(tmp_path / "games.db")
    if request.param == "postgres":
        name = request.getfixturevalue("empty_database")
    return lambda: open_database(name, key_file=tmp_path / "key")


def test_adding_a_table_and_a_column_takes_one_entry(
    opened: Callable[[], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened().close()
    rows = [
        # As a number the first id would be another one.
        Badge(UUID("00000000000000000000000000123e45"), "ada", ("first", "last"), shown=True, picture=b"\xff"),
        Badge(UUID(int=7), "123e45", ()),
    ]
    for migrations in (BADGES[:1], BADGES):
        monkeypatch.setattr(schema, "MIGRATIONS", migrations)
        opened().close()
    for stored in range(2):
        database = opened()
        for row in rows[stored : stored + 1]:
            database.log.writer.store([PutBadge(row)])
        reader: Reader = database.players._reader
        assert reader.structs(Badge, f"SELECT {columns(Badge)} FROM badges ORDER BY number") == rows[: stored + 1]
        database.close()
    monkeypatch.undo()
    for _ in range(2):
        with pytest.raises(StartupError, match=r"was written by a newer Boardkeeper \(table schema 16\)"):
            opened()


def test_a_migration_that_fails_changes_nothing(
    opened: Callable[[], Database], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened().close()
    monkeypatch.setattr(schema, "MIGRATIONS", (*BADGES, "CREATE TABLE more (number bigint); SELECT nonsense"))
    with pytest.raises(StartupError, match="nonsense"):
        opened()
    monkeypatch.undo()
    database = opened()
    with pytest.raises(Exception, match="badges"):
        database.players._reader.fetch("SELECT * FROM badges", ())
    database.close()


@pytest.mark.postgres
def test_a_role_may_change_the_rows_of_a_new_table(empty_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    monkeypatch.setattr(schema, "MIGRATIONS", BADGES)
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("DROP ROLE IF EXISTS badge_server")
        connection.execute("CREATE ROLE badge_server")
        make_tables(empty_database, "badge_server")
        for table, rights in {
            "badges": ["INSERT", "UPDATE", "DELETE"],
            "events": ["INSERT"],
            "events_0": [],
            "removed_games": ["INSERT"],
            "archived_games": ["DELETE"],
        }.items():
            for right in ("INSERT", "UPDATE", "DELETE", "TRUNCATE"):
                select = "SELECT has_table_privilege('badge_server', %s, %s)"
                assert connection.execute(select, (table, right)).fetchone() == (right in rights,), (table, right)
        connection.execute("DROP OWNED BY badge_server")
        connection.execute("DROP ROLE badge_server")


def described(path: Path) -> set[tuple[str, str, str]]:
    """Everything that a file's tables have, by table, but for the order of columns."""
    with closing(sqlite3.connect(path)) as file:
        found = file.execute("SELECT type, name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").fetchall()
        names = {("", kind, name) for kind, name in found}
        for kind, name in found:
            if kind in ("table", "view"):
                names |= {(name, row[1], row[2]) for row in file.execute(f"PRAGMA table_info({name})")}
        return names


@pytest.mark.parametrize("release", ["0.1.0", "the last before the numbered migrations"])
def test_a_file_of_an_earlier_release_has_the_tables_of_a_new_one(tmp_path: Path, release: str) -> None:
    new = tmp_path / "new.db"
    open_database(new).close()
    if release == "0.1.0":
        old = unpack(tmp_path)
    else:
        old = tmp_path / "games.db"
        open_database(old).close()
        make_older(old)
    assert described(old) != described(new)
    open_database(old).close()
    assert described(old) == described(new)


def test_an_operators_command_migrates_a_file_too(tmp_path: Path) -> None:
    file = unpack(tmp_path)
    assert erase_seat(str(file), TOLD["running"]["game"], 1)
    assert version_of(file) == schema.newest()


def test_a_check_does_not_migrate(tmp_path: Path) -> None:
    open_database(tmp_path / "games.db").close()
    make_older(tmp_path / "games.db")
    assert list(check(str(tmp_path / "games.db"))) is not None
    assert version_of(tmp_path / "games.db") == 3


KILLED = """
import os, signal, sys
from boardkeeper.service.storage.opening import open_database
from boardkeeper.service.storage.sqlite import schema

run, left = schema._run, int(sys.argv[2])

def run_until_killed(connection, script):
    global left
    run(connection, script)
    left -= 1
    if not left:
        os.kill(os.getpid(), signal.SIGKILL)

schema._run = run_until_killed
open_database(sys.argv[1]).close()
"""


@pytest.mark.parametrize("steps", [1, 4, 99])
def test_a_kill_in_the_middle_leaves_the_file_as_it_was(tmp_path: Path, steps: int) -> None:
    file = unpack(tmp_path)
    before = version_of(file)
    done = subprocess.run([sys.executable, "-c", KILLED, str(file), str(steps)], check=False)
    if steps == 99:
        assert done.returncode == 0
    else:
        assert done.returncode == -signal.SIGKILL
        assert version_of(file) == before
    database = open_database(file)
    assert database.companions.count_games() == len(TOLD)
    database.close()
    assert version_of(file) == schema.newest()
    found = [it for it in check(str(file)) if isinstance(it, CheckedGame)]
    assert [game.damage for game in found] == [None] * len(TOLD)


def version_of(path: Path) -> int:
    with closing(sqlite3.connect(path)) as file:
        return int(file.execute("PRAGMA user_version").fetchone()[0])
