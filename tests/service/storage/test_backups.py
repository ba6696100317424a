"""Backups: made while the database is served, refused once they were changed, and restored to what was there."""

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
from tests.databases import places
from tests.service.api_errors import api_error
from tests.service.cache.test_game_registry import open_service, take_turn
from tests.service.storage.test_database_move import everything, filled

from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.service.auth.key_management import create_key
from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage.backup_file import BackupWriter
from boardkeeper.service.storage.backups import back_up, describe_backup, restore, verify_backup
from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.postgres import backup as tables_of
from boardkeeper.service.storage.sqlite import backup as files
from boardkeeper.terminal.main import main

pytestmark = pytest.mark.databases

Fresh = Callable[[], str]


@pytest.fixture
def fresh(database_kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The name of a database that is not there yet (a file), or has nothing in it."""
    if database_kind == "sqlite":
        yield str(tmp_path / "new" / "games.db")
        return
    with request.getfixturevalue("postgres").database(empty=True) as url:
        yield url


def fill(path: Path) -> list[UUID]:
    """A running game, one with a free seat, one that has ended, and one that was removed."""
    return asyncio.run(filled(path))


def named(path: Path) -> tuple[str, Path]:
    """What ``--db`` and ``--key-file`` would be."""
    return places.name_of(path), places.key_of(path)


def opened(name: str, key: Path) -> Database:
    return open_database(name, key_file=key)


def back(path: Path, target: Path, **more: Any) -> Path:
    name, key = named(path)
    return back_up(name, target, key, **more).path


def restored(backup: Path, name: str, key: Path) -> Database:
    """A database that was restored, open."""
    if "://" not in name:
        Path(name).parent.mkdir(exist_ok=True)
    restore(backup, name, key)
    return opened(name, key)


def tables(database: str) -> dict[str, int]:
    """The rows of all tables, counted by what knows nothing of backups."""
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


def test_what_is_restored_is_what_was_there(tmp_path: Path, fresh: str) -> None:
    """Games, seats, tokens, secrets, requests, tombstones, keys of platforms and whose the games are."""
    path = tmp_path / "games.db"
    *games, removed = fill(path)
    name, key = named(path)
    made = create_key("lobby", ["create"], 1)
    old = opened(name, key)
    old.log.writer.store(made.changes)
    backup = back(path, tmp_path / "one.backup")
    new = restored(backup, fresh, key)
    try:
        for game in games:
            assert everything(new, game) == everything(old, game)
        assert [line.number for line in new.game_tables.lobby_page()] == [
            line.number for line in old.game_tables.lobby_page()
        ]
        assert new.game_tables.tombstones() == old.game_tables.tombstones()
        assert new.game_tables.removal_time(removed) is not None
        assert [new.access.game_access(game) for game in games] == [old.access.game_access(game) for game in games]
        assert new.access.all_keys() == [made.row]
        assert new.key.id == old.key.id
        assert new.checkpoint_problem == ""
    finally:
        new.close()
        old.close()


async def test_a_restored_service_goes_on_where_the_backup_was_made(tmp_path: Path, fresh: str) -> None:
    """Tokens hold, commands from before are known, those from after it are carried out anew."""
    path = tmp_path / "games.db"
    async with open_service(path) as house:
        game = await house.game()
        seats = [seat.token_hash for seat in house.application.game_tables.seats(game)]
        versions = [await take_turn(house, game, number) for number in range(3)]
        backup = back(path, tmp_path / "one.backup")  # while it is served
        lost = await take_turn(house, game, 3)
    key = named(path)[1]
    restored(backup, fresh, key).close()
    if "://" in fresh:
        places.URLS[(tmp_path / "new.db").absolute()] = fresh
        shutil.copy(key, tmp_path / "new.db.key")
        there = tmp_path / "new.db"
    else:
        there = Path(fresh)
    async with open_service(there) as house:
        assert [seat.token_hash for seat in house.application.game_tables.seats(game)] == seats
        assert (await house.handler.act(game, 1, SubmitCommands([]), "turn-2")).repeated
        live = await house.registry.get(game)
        assert live.game.version == versions[-1] < lost
        with api_error("VERSION_OUT_OF_RANGE"):  # a client saw this version before it was lost
            await house.registry.wait_for_version(game, lost, 0)
        with api_error("VERSION_CONFLICT"):
            await house.handler.act(game, 1, SubmitCommands([]), "late", lost)
        assert await take_turn(house, game, 3) == lost  # not repeated: it is not known any more
        assert house.application.damage(game) is None


async def test_a_backup_is_of_one_moment_while_others_write(tmp_path: Path, fresh: str) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as house:
        game = await house.game()
        for number in range(4):
            await take_turn(house, game, number)
        name, key = named(path)
        told: list[tuple[int, int]] = []
        thread = threading.Thread(
            target=lambda: back_up(name, tmp_path / "one.backup", key, lambda done, of: told.append((done, of)))
        )
        thread.start()
        number = 4
        while thread.is_alive() and number < 300:
            game = await house.game()
            await take_turn(house, game, number)
            number += 1
        thread.join()
    assert told
    assert all(game.damage is None for game in verify_backup(tmp_path / "one.backup"))
    database = restored(tmp_path / "one.backup", fresh, key)
    games = database.game_tables.count_games()
    assert games == describe_backup(tmp_path / "one.backup").games >= 1
    assert list(database.game_tables.games_without_row()) == []
    database.close()


def test_every_table_is_in_a_backup(tmp_path: Path) -> None:
    """By construction: also one that nobody has told the backup of."""
    path = tmp_path / "games.db"
    fill(path)
    name, key = named(path)
    if "://" in name:
        with psycopg.connect(name, autocommit=True) as connection:
            connection.execute("CREATE TABLE later (what text)")
            connection.execute("INSERT INTO later VALUES ('this')")
    else:
        with closing(sqlite3.connect(name)) as file:
            file.execute("CREATE TABLE later (what TEXT)")
            file.execute("INSERT INTO later VALUES ('this')")
            file.commit()
    there = tables(name)
    assert there["later"] == 1
    made = back_up(name, tmp_path / "one.backup", key)
    assert {table.name: table.rows for table in made.manifest.tables} == there


def test_a_backup_is_private_and_gets_a_name_in_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    fill(path)
    (tmp_path / "backups").mkdir()
    backup = back(path, tmp_path / "backups")
    assert backup.name.startswith("boardkeeper-2")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    assert list((tmp_path / "backups").iterdir()) == [backup]
    with zipfile.ZipFile(backup) as parts:
        assert not any(b"PRIVATE KEY" in parts.read(name) for name in parts.namelist())


def test_nothing_is_overwritten(tmp_path: Path, fresh: str) -> None:
    path = tmp_path / "games.db"
    fill(path)
    name, key = named(path)
    backup = back(path, tmp_path / "one.backup")
    before = backup.read_bytes()
    with pytest.raises(StartupError, match="exists already"):
        back(path, backup)
    assert backup.read_bytes() == before
    with pytest.raises(StartupError, match="already: restore the backup into a new"):
        restore(backup, name, key)
    restored(backup, fresh, key).close()
    with pytest.raises(StartupError, match="already: restore the backup into a new"):
        restore(backup, fresh, key)


def changed(backup: Path, name: str, to: Callable[[bytes], bytes]) -> Path:
    """A copy in which one part is another, with right sums of the zip."""
    copy = backup.with_name("changed.backup")
    with zipfile.ZipFile(backup) as old, zipfile.ZipFile(copy, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            data = old.read(part)
            new.writestr(part, to(data) if part == name else data)
    return copy


def test_a_changed_backup_is_refused_and_leaves_nothing(tmp_path: Path, fresh: str) -> None:
    path = tmp_path / "games.db"
    fill(path)
    backup, key = back(path, tmp_path / "one.backup"), named(path)[1]
    parts = list(describe_backup(backup).manifest.parts)
    last = parts[-1]
    for name, to in [
        ("manifest.json", lambda data: data.replace(b'"time": 1', b'"time": 2', 1)),
        ("manifest.sig", lambda _: bytes(64)),
        *((part, lambda data: data + b"x") for part in parts),
    ]:
        copy = changed(backup, name, to)
        with pytest.raises(StartupError, match="was changed after it was created"):
            list(verify_backup(copy))
        if name in ("manifest.json", last):
            with pytest.raises(StartupError, match="was changed after it was created"):
                restored(copy, fresh, key)
    with zipfile.ZipFile(backup, "a") as more:
        more.writestr("more", b"")
    with pytest.raises(StartupError, match="its parts do not match its contents list"):
        describe_backup(backup)
    if "://" not in fresh:
        assert list(Path(fresh).parent.iterdir()) == []
    else:
        tables_of.check_empty_database(fresh)


def test_what_is_no_backup_is_told_so(tmp_path: Path) -> None:
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
    whole = back(path, tmp_path / "two.backup").read_bytes()
    backup.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StartupError, match=f"^the backup {backup} is incomplete or damaged$"):
        describe_backup(backup)


def test_the_key_has_to_be_there_or_in_it(tmp_path: Path, fresh: str) -> None:
    path = tmp_path / "games.db"
    fill(path)
    key = named(path)[1]
    without, with_key = back(path, tmp_path / "one.backup"), back(path, tmp_path / "two.backup", with_key=True)
    elsewhere = tmp_path / "other.key"
    with pytest.raises(StartupError, match="does not contain the key"):
        restored(without, fresh, elsewhere)
    fill(tmp_path / "other.db")
    foreign = named(tmp_path / "other.db")[1]
    for backup in (without, with_key):
        with pytest.raises(StartupError, match="is signed with the key"):
            restored(backup, fresh, foreign)
        with pytest.raises(StartupError, match="is signed with the key"):
            describe_backup(backup, foreign)
    restored(with_key, fresh, elsewhere).close()
    found = elsewhere if "://" in fresh else places.key_of(Path(fresh))
    assert found.read_bytes() == key.read_bytes()
    assert stat.S_IMODE(found.stat().st_mode) == 0o600


def test_a_backup_of_one_kind_says_how_it_comes_to_the_other(tmp_path: Path, fresh: str) -> None:
    path = tmp_path / "games.db"
    fill(path)
    backup = back(path, tmp_path / "one.backup")
    other = str(tmp_path / "other.db") if "://" in fresh else "postgresql://nobody/nothing"
    with pytest.raises(StartupError, match="'boardkeeper move' takes all games over"):
        restore(backup, other, named(path)[1])


def test_verifying_finds_a_game_that_was_damaged_before(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    _, _, ended, _ = fill(path)
    name, key = named(path)
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


def test_the_exit_status_tells_a_damaged_backup_from_one_that_cannot_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(tmp_path / "games.db")
    fill(tmp_path / "other.db")
    key, other = named(tmp_path / "games.db")[1], named(tmp_path / "other.db")[1]
    whole = back(tmp_path / "games.db", tmp_path / "whole.backup")
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
    with zipfile.ZipFile(tmp_path / "zip", "w") as foreign:
        foreign.writestr("readme", b"")
    for file, arguments, status, problem in [
        (whole, ["--key-file", str(key)], 0, ""),
        (whole, ["--key-file", str(other)], 1, "is signed with the key"),
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
def test_an_interrupted_backup_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    path = tmp_path / "games.db"
    fill(path)

    def stop(*_: object) -> None:
        raise error

    monkeypatch.setattr(BackupWriter, "seal", stop)
    before = set(tmp_path.iterdir())
    with pytest.raises((StartupError, KeyboardInterrupt)):
        back(path, tmp_path / "one.backup")
    assert set(tmp_path.iterdir()) == before


def test_an_interrupted_restore_leaves_nothing(tmp_path: Path, fresh: str, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    fill(path)
    backup = back(path, tmp_path / "one.backup", with_key=True)

    true_fill = tables_of._fill

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(files, "publish_database", stop)
    monkeypatch.setattr(tables_of, "_fill", lambda *more: stop(true_fill(*more)))
    key = tmp_path / "elsewhere.key"
    with pytest.raises(KeyboardInterrupt):
        restored(backup, fresh, key)
    assert not key.exists()
    monkeypatch.undo()
    if "://" not in fresh:
        assert list(Path(fresh).parent.iterdir()) == []
    restored(backup, fresh, key).close()


async def test_the_service_knows_when_the_last_backup_was_made(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as house:
        await house.game()
        database = house.application.database
        assert database.last_backup() is None
        name, key = named(path)
        times = [back_up(name, tmp_path / f"{number}.backup", key).manifest.time for number in range(2)]
        assert database.last_backup() == times[1] >= times[0]


# --- files ------------------------------------------------------------------------------------------------------


@pytest.mark.sqlite_only
async def test_what_is_in_the_write_ahead_log_is_in_a_backup(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as house:
        game = await house.game()
        for number in range(5):
            await take_turn(house, game, number)
        assert path.with_name("games.db-wal").stat().st_size > 0
        alone = tmp_path / "alone.db"
        shutil.copy(path, alone)
        with closing(sqlite3.connect(alone)) as file:
            assert file.execute("SELECT count(*) FROM stored_events").fetchone() == (0,)
        assert (
            describe_backup(back(path, tmp_path / "one.backup")).events == (await house.registry.get(game)).game.version
        )


@pytest.mark.sqlite_only
def test_a_file_that_nobody_serves_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    fill(path)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    (tmp_path / "backups").mkdir()
    back(path, tmp_path / "backups")
    after = {file: file.read_bytes() for file in tmp_path.iterdir() if file.is_file()}
    assert after.pop(tmp_path / "games.db.backed-up")
    assert after == before


@pytest.mark.sqlite_only
async def test_who_knows_a_later_checkpoint_is_told_that_the_restored_is_older(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as house:
        game = await house.game()
        backup = back(path, tmp_path / "one.backup")
        await take_turn(house, game, 0)
    path.unlink()  # lost, but what lies beside it is not
    restore(backup, str(path), None)
    database = opened(str(path), places.key_of(path))
    assert "is an older copy" in database.checkpoint_problem
    database.close()


@pytest.mark.sqlite_only
def test_a_backup_that_is_told_to_end_leaves_nothing(tmp_path: Path) -> None:
    """SIGTERM, as from who stops a job: the half of it is not left behind in any name."""
    path = tmp_path / "games.db"
    open_database(str(path)).close()
    code = (
        "import sys, time\n"
        "from boardkeeper.terminal.main import main\n"
        "from boardkeeper.service.storage.backup_file import BackupWriter\n"
        "def wait(*_):\n"
        "    print('there', flush=True)\n"
        "    time.sleep(100)\n"
        "BackupWriter.seal = wait\n"
        f"sys.exit(main(['backup', {str(tmp_path / 'one.backup')!r}, '--db', {str(path)!r}]))\n"
    )
    before = set(tmp_path.iterdir())
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"there\n"
        assert len(set(tmp_path.iterdir()) - before) == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 130
    assert set(tmp_path.iterdir()) == before


# --- the command line -----------------------------------------------------------------------------------------------


@pytest.mark.sqlite_only
def test_the_commands_say_what_they_did(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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
def test_names_without_a_folder_are_as_good_as_whole_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
