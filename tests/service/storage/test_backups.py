"""Backups: created while the server runs, rejected if they were changed, and restored without differences."""

from __future__ import annotations

import asyncio
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import pytest
from psycopg import sql
from tests.databases import database_access
from tests.service.api_errors import api_error
from tests.service.cache.test_game_registry import open_service, take_turn
from tests.service.storage.test_database_move import create_games, stored_data

from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.service.auth.key_management import create_key
from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.backup_file import BackupWriter
from boardkeeper.service.storage.backups import back_up, describe_backup, restore, verify_backup
from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.postgres import backup as postgres_backup
from boardkeeper.service.storage.sqlite import backup as sqlite_backup
from boardkeeper.terminal.main import main

pytestmark = pytest.mark.databases


@pytest.fixture
def new_database(database_kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of a file that does not exist, or of an empty PostgreSQL database."""
    if database_kind == "sqlite":
        yield str(tmp_path / "new" / "games.db")
        return
    with request.getfixturevalue("postgres").database(empty=True) as url:
        yield url


def fill(path: Path) -> list[UUID]:
    """Create a running game, one with an open seat, one that has ended and one that was removed."""
    return asyncio.run(create_games(path))


def name_and_key(path: Path) -> tuple[str, Path]:
    """Return the values for ``--db`` and ``--key-file``."""
    return database_access.db_argument(path), database_access.key_path(path)


def make_backup(path: Path, target: Path, **more: Any) -> Path:
    name, key = name_and_key(path)
    return back_up(name, target, key, **more).path


def restore_and_open(backup: Path, name: str, key: Path) -> Database:
    if "://" not in name:
        Path(name).parent.mkdir(exist_ok=True)
    restore(backup, name, key)
    return open_database(name, key_file=key)


def count_rows(database: str) -> dict[str, int]:
    """Return the number of rows of each table, without the code of backups."""
    if "://" not in database:
        with closing(sqlite3.connect(database)) as file:
            names = [name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type='table'")]
            return {name: file.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in names}
    with psycopg.connect(database, autocommit=True) as connection:
        names = [
            name
            for (name,) in connection.execute(
                "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
                " AND table_name !~ '^events_[0-9]+$'"
            ).fetchall()
        ]
        counts = {}
        for name in names:
            ((counts[name],),) = connection.execute(sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name)))
        return counts


def test_a_restored_database_has_the_same_data(tmp_path: Path, new_database: str) -> None:
    """Games, seats, tokens, secrets, requests, tombstones, API keys and owners of games."""
    path = tmp_path / "games.db"
    *games, removed = fill(path)
    name, key = name_and_key(path)
    api_key = create_key("lobby", ["create"], 1)
    old = open_database(name, key_file=key)
    old.log.writer.store(api_key.changes)
    backup = make_backup(path, tmp_path / "one.backup")
    new = restore_and_open(backup, new_database, key)
    try:
        for game in games:
            assert stored_data(new, game) == stored_data(old, game)
        assert [line.number for line in new.game_tables.lobby_page()] == [
            line.number for line in old.game_tables.lobby_page()
        ]
        assert new.game_tables.tombstones() == old.game_tables.tombstones()
        assert new.game_tables.removal_time(removed) is not None
        assert [new.access.game_access(game) for game in games] == [old.access.game_access(game) for game in games]
        assert new.access.all_keys() == [api_key.row]
        assert new.key.id == old.key.id
        assert new.checkpoint_problem == ""
    finally:
        new.close()
        old.close()


async def test_a_restored_server_continues_from_the_backup(tmp_path: Path, new_database: str) -> None:
    """Tokens are valid, commands before the backup are known, and later ones are carried out again."""
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        game = await service.game()
        seats = [seat.token_hash for seat in service.application.game_tables.seats(game)]
        versions = [await take_turn(service, game, number) for number in range(3)]
        backup = make_backup(path, tmp_path / "one.backup")  # while the server runs
        lost = await take_turn(service, game, 3)
    key = name_and_key(path)[1]
    restore_and_open(backup, new_database, key).close()
    if "://" in new_database:
        database_access.URLS[(tmp_path / "new.db").absolute()] = new_database
        shutil.copy(key, tmp_path / "new.db.key")
        path = tmp_path / "new.db"
    else:
        path = Path(new_database)
    async with open_service(path) as service:
        assert [seat.token_hash for seat in service.application.game_tables.seats(game)] == seats
        assert (await service.handler.act(game, 1, SubmitCommands([]), "turn-2")).repeated
        live = await service.registry.get(game)
        assert live.game.version == versions[-1] < lost
        with api_error("VERSION_OUT_OF_RANGE"):  # a client received this version before it was lost
            await service.registry.wait_for_version(game, lost, 0)
        with api_error("VERSION_CONFLICT"):
            await service.handler.act(game, 1, SubmitCommands([]), "late", lost)
        assert await take_turn(service, game, 3) == lost  # not repeated: the command is no longer known
        assert service.application.damage(game) is None


async def test_a_backup_is_consistent_during_writes(tmp_path: Path, new_database: str) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        game = await service.game()
        for number in range(4):
            await take_turn(service, game, number)
        name, key = name_and_key(path)
        progress: list[tuple[int, int]] = []
        thread = threading.Thread(
            target=lambda: back_up(
                name, tmp_path / "one.backup", key, lambda done, total: progress.append((done, total))
            )
        )
        thread.start()
        number = 4
        while thread.is_alive() and number < 300:
            game = await service.game()
            await take_turn(service, game, number)
            number += 1
        thread.join()
    assert progress
    assert all(game.damage is None for game in verify_backup(tmp_path / "one.backup"))
    database = restore_and_open(tmp_path / "one.backup", new_database, key)
    games = database.game_tables.count_games()
    assert games == describe_backup(tmp_path / "one.backup").games >= 1
    assert list(database.game_tables.games_without_row()) == []
    database.close()


def test_every_table_is_in_a_backup(tmp_path: Path) -> None:
    """Also an unknown table."""
    path = tmp_path / "games.db"
    fill(path)
    name, key = name_and_key(path)
    if "://" in name:
        with psycopg.connect(name, autocommit=True) as connection:
            connection.execute("CREATE TABLE later (what text)")
            connection.execute("INSERT INTO later VALUES ('this')")
    else:
        with closing(sqlite3.connect(name)) as file:
            file.execute("CREATE TABLE later (what TEXT)")
            file.execute("INSERT INTO later VALUES ('this')")
            file.commit()
    expected = count_rows(name)
    assert expected["later"] == 1
    backup = back_up(name, tmp_path / "one.backup", key)
    assert {table.name: table.rows for table in backup.manifest.tables} == expected


def test_a_backup_in_a_folder_is_private_and_gets_a_name(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    fill(path)
    (tmp_path / "backups").mkdir()
    backup = make_backup(path, tmp_path / "backups")
    assert backup.name.startswith("boardkeeper-2")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert list((tmp_path / "backups").iterdir()) == [backup]
    with zipfile.ZipFile(backup) as parts:
        assert not any(b"PRIVATE KEY" in parts.read(name) for name in parts.namelist())


def test_existing_files_and_databases_are_not_overwritten(tmp_path: Path, new_database: str) -> None:
    path = tmp_path / "games.db"
    fill(path)
    name, key = name_and_key(path)
    backup = make_backup(path, tmp_path / "one.backup")
    before = backup.read_bytes()
    with pytest.raises(StartupError, match="exists already"):
        make_backup(path, backup)
    assert backup.read_bytes() == before
    with pytest.raises(StartupError, match="already: restore the backup into a new"):
        restore(backup, name, key)
    restore_and_open(backup, new_database, key).close()
    with pytest.raises(StartupError, match="already: restore the backup into a new"):
        restore(backup, new_database, key)


def change_part(backup: Path, name: str, change: Callable[[bytes], bytes]) -> Path:
    """Copy a backup with one part changed and valid checksums of the ZIP file."""
    copy = backup.with_name("changed.backup")
    with zipfile.ZipFile(backup) as old, zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            data = old.read(part)
            new.writestr(part, change(data) if part == name else data)
    return copy


def test_a_changed_backup_is_rejected_and_leaves_no_files(tmp_path: Path, new_database: str) -> None:
    path = tmp_path / "games.db"
    fill(path)
    backup, key = make_backup(path, tmp_path / "one.backup"), name_and_key(path)[1]
    parts = list(describe_backup(backup).manifest.parts)
    last = parts[-1]
    for name, change in [
        ("manifest.json", lambda data: data.replace(b'"time": 1', b'"time": 2', 1)),
        ("manifest.sig", lambda _: bytes(64)),
        *((part, lambda data: data + b"x") for part in parts),
    ]:
        copy = change_part(backup, name, change)
        with pytest.raises(StartupError, match="was changed after it was created"):
            list(verify_backup(copy))
        if name in ("manifest.json", last):
            with pytest.raises(StartupError, match="was changed after it was created"):
                restore_and_open(copy, new_database, key)
    with zipfile.ZipFile(backup, "a") as more:
        more.writestr("more", b"")
    with pytest.raises(StartupError, match="its parts do not match its contents list"):
        describe_backup(backup)
    if "://" not in new_database:
        assert list(Path(new_database).parent.iterdir()) == []
    else:
        postgres_backup.check_empty_database(new_database)


def test_files_that_are_not_backups_are_rejected(tmp_path: Path) -> None:
    backup = tmp_path / "one.backup"
    with pytest.raises(StartupError, match="does not exist"):
        describe_backup(backup)
    backup.write_bytes(b"nothing of the kind")
    with pytest.raises(StartupError, match="is not a Boardkeeper backup"):
        describe_backup(backup)
    with zipfile.ZipFile(backup, "w") as other:
        other.writestr("readme", b"")
    with pytest.raises(StartupError, match="is not a Boardkeeper backup"):
        describe_backup(backup)
    path = tmp_path / "games.db"
    fill(path)
    whole = make_backup(path, tmp_path / "two.backup").read_bytes()
    backup.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StartupError, match=f"^the backup {backup} is incomplete or damaged$"):
        describe_backup(backup)


def test_restoring_needs_the_key_as_a_file_or_in_the_backup(tmp_path: Path, new_database: str) -> None:
    path = tmp_path / "games.db"
    fill(path)
    key = name_and_key(path)[1]
    without, with_key = (
        make_backup(path, tmp_path / "one.backup"),
        make_backup(path, tmp_path / "two.backup", with_key=True),
    )
    elsewhere = tmp_path / "other.key"
    with pytest.raises(StartupError, match="does not contain the key"):
        restore_and_open(without, new_database, elsewhere)
    fill(tmp_path / "other.db")
    other_key = name_and_key(tmp_path / "other.db")[1]
    for backup in (without, with_key):
        with pytest.raises(StartupError, match="is signed with the key"):
            restore_and_open(backup, new_database, other_key)
        with pytest.raises(StartupError, match="is signed with the key"):
            describe_backup(backup, other_key)
    restore_and_open(with_key, new_database, elsewhere).close()
    found = elsewhere if "://" in new_database else database_access.key_path(Path(new_database))
    assert found.read_bytes() == key.read_bytes()
    assert stat.S_IMODE(found.stat().st_mode) == 0o600


def test_restoring_to_another_kind_of_database_suggests_move(tmp_path: Path, new_database: str) -> None:
    path = tmp_path / "games.db"
    fill(path)
    backup = make_backup(path, tmp_path / "one.backup")
    other = str(tmp_path / "other.db") if "://" in new_database else "postgresql://localhost/nothing"
    with pytest.raises(StartupError, match="'boardkeeper move' takes all games over"):
        restore(backup, other, name_and_key(path)[1])


def test_verify_finds_a_game_that_was_damaged_before_the_backup(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    _, _, ended, _ = fill(path)
    name, key = name_and_key(path)
    if "://" in name:
        with psycopg.connect(name, autocommit=True) as connection:
            connection.execute("SET session_replication_role = replica")
            connection.execute("UPDATE events SET state = '[]' WHERE game = %s AND version = 3", (ended,))
    else:
        with closing(sqlite3.connect(name)) as file:
            file.execute("DROP TRIGGER stored_events_no_update")
            file.execute(
                "UPDATE stored_events SET state='[]' WHERE originator_id=? AND originator_version=3", (ended.hex,)
            )
            file.commit()
    backup = back_up(name, tmp_path / "one.backup", key).path
    damaged = {game.game_id: game.damage for game in verify_backup(backup) if game.damage is not None}
    assert {UUID(game): damage.version for game, damage in damaged.items()} == {ended: 3}
    assert main(["backup", str(backup), "--verify"]) == 1


def test_the_exit_status_distinguishes_damaged_from_unreadable_backups(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path / "games.db")
    fill(tmp_path / "other.db")
    key, other_key = name_and_key(tmp_path / "games.db")[1], name_and_key(tmp_path / "other.db")[1]
    whole = make_backup(tmp_path / "games.db", tmp_path / "whole.backup")
    data = whole.read_bytes()
    middle = len(data) // 2
    files = {
        "cut": data[:middle],
        "changed": data[:middle] + bytes(byte ^ 255 for byte in data[middle : middle + 200]) + data[middle + 200 :],
        "letter": b"Dear reader",
        "empty": b"",
    }
    for name, contents in files.items():
        (tmp_path / name).write_bytes(contents)
    with zipfile.ZipFile(tmp_path / "zip", "w") as other:
        other.writestr("readme", b"")
    for file, arguments, status, problem in [
        (whole, ["--key-file", str(key)], 0, ""),
        (whole, ["--key-file", str(other_key)], 1, "is signed with the key"),
        (tmp_path / "cut", [], 1, "is incomplete or damaged"),
        (tmp_path / "changed", [], 1, "damaged"),
        (tmp_path / "letter", [], 5, "is not a Boardkeeper backup"),
        (tmp_path / "empty", [], 5, "is not a Boardkeeper backup"),
        (tmp_path / "zip", [], 5, "is not a Boardkeeper backup"),
        (tmp_path / "missing", [], 5, "does not exist"),
        (whole, ["--key-file", str(tmp_path / "missing")], 5, "the key file"),
        (whole, ["--key-file", str(tmp_path / "letter")], 5, "other users can read"),
    ]:
        assert main(["backup", str(file), "--verify", *arguments]) == status, (file, arguments)
        printed = " ".join(capsys.readouterr().err.split())
        assert problem in printed
        assert "zip file" not in printed


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_interrupted_backup_leaves_no_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    path = tmp_path / "games.db"
    fill(path)

    def stop(*_: object) -> None:
        raise error

    monkeypatch.setattr(BackupWriter, "seal", stop)
    before = set(tmp_path.iterdir())
    with pytest.raises((StartupError, KeyboardInterrupt)):
        make_backup(path, tmp_path / "one.backup")
    assert set(tmp_path.iterdir()) == before


def test_an_interrupted_restore_leaves_no_files(
    tmp_path: Path, new_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.db"
    fill(path)
    backup = make_backup(path, tmp_path / "one.backup", with_key=True)

    original = postgres_backup._fill

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(sqlite_backup, "publish_database", stop)
    monkeypatch.setattr(postgres_backup, "_fill", lambda *more: stop(original(*more)))
    key = tmp_path / "elsewhere.key"
    with pytest.raises(KeyboardInterrupt):
        restore_and_open(backup, new_database, key)
    assert not key.exists()
    monkeypatch.undo()
    if "://" not in new_database:
        assert list(Path(new_database).parent.iterdir()) == []
    restore_and_open(backup, new_database, key).close()


async def test_the_database_stores_the_time_of_the_last_backup(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        await service.game()
        database = service.application.database
        assert database.last_backup() is None
        name, key = name_and_key(path)
        times = [back_up(name, tmp_path / f"{number}.backup", key).manifest.time for number in range(2)]
        assert database.last_backup() == times[1] >= times[0]


# --- files ------------------------------------------------------------------------------------------------------


@pytest.mark.sqlite_only
async def test_a_backup_contains_the_write_ahead_log(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        game = await service.game()
        for number in range(5):
            await take_turn(service, game, number)
        assert path.with_name("games.db-wal").stat().st_size > 0
        alone = tmp_path / "alone.db"
        shutil.copy(path, alone)
        with closing(sqlite3.connect(alone)) as file:
            assert file.execute("SELECT count(*) FROM stored_events").fetchone() == (0,)
        assert (
            describe_backup(make_backup(path, tmp_path / "one.backup")).events
            == (await service.registry.get(game)).game.version
        )


@pytest.mark.sqlite_only
def test_a_backup_without_a_server_does_not_change_the_database(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    fill(path)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    (tmp_path / "backups").mkdir()
    make_backup(path, tmp_path / "backups")
    after = {file: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
    assert after.pop(tmp_path / "games.db.backed-up")
    assert after == before


@pytest.mark.sqlite_only
async def test_a_restored_database_older_than_its_checkpoint_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        game = await service.game()
        backup = make_backup(path, tmp_path / "one.backup")
        await take_turn(service, game, 0)
    path.unlink()  # the database is lost, but not its key and checkpoint
    restore(backup, str(path), None)
    database = open_database(path)
    assert "is an older copy" in database.checkpoint_problem
    database.close()


@pytest.mark.sqlite_only
def test_a_terminated_backup_leaves_no_files(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    open_database(str(path)).close()
    code = (
        "import sys, time\n"
        "from boardkeeper.terminal.main import main\n"
        "from boardkeeper.service.storage.backup_file import BackupWriter\n"
        "def wait(*_):\n"
        "    print('waiting', flush=True)\n"
        "    time.sleep(100)\n"
        "BackupWriter.seal = wait\n"
        f"sys.exit(main(['backup', {str(tmp_path / 'one.backup')!r}, '--db', {str(path)!r}]))\n"
    )
    before = set(tmp_path.iterdir())
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"waiting\n"
        assert len(set(tmp_path.iterdir()) - before) == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 130
    assert set(tmp_path.iterdir()) == before


# --- the command line -----------------------------------------------------------------------------------------------


@pytest.mark.sqlite_only
def test_commands_print_their_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.db"
    fill(path)
    backup, new = str(tmp_path / "one.backup"), str(tmp_path / "new.db")
    assert main(["backup", backup, "--db", str(path)]) == 0
    assert "3 games" in capsys.readouterr().out
    assert main(["backup", backup, "--db", str(path)]) == 1
    assert "no backup was created" in capsys.readouterr().err
    assert main(["backup", backup, "--verify", "--key-file", f"{path}.key", "--json"]) == 0
    printed = msgspec.json.decode(capsys.readouterr().out)
    assert (printed["games"], printed["damaged"], printed["kind"]) == (3, 0, "sqlite")
    assert main(["restore", backup, "--db", new]) == 1
    assert "key file to" in capsys.readouterr().err
    assert main(["restore", backup, "--db", new, "--key-file", f"{path}.key"]) == 0
    assert "as they were on" in capsys.readouterr().out
    assert main(["check", "--db", new]) == 0
    assert main(["backup", str(tmp_path / "two.backup"), "--db", str(tmp_path / "no.db")]) == 1
    assert "does not exist" in capsys.readouterr().err


@pytest.mark.sqlite_only
def test_commands_accept_relative_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(tmp_path / "games.db")
    (tmp_path / "old").mkdir(mode=0o700)
    monkeypatch.chdir(tmp_path)
    for command in (
        ["backup", "one.backup", "--db", "games.db"],
        ["backup", "one.backup", "--verify", "--key-file", "games.db.key"],
        ["restore", "one.backup", "--db", "new.db", "--key-file", "games.db.key"],
        ["archive", "old", "--older-than", "0", "--db", "new.db"],
        ["check", "--db", "new.db"],
        ["unarchive", "old", "--db", "new.db"],
        ["move", "--from", "new.db", "--to", "another.db"],
        ["check", "--db", "another.db"],
    ):
        assert main(command) == 0, command
