"""Archived games: their events are in files, and clients get the same answers as before."""

from __future__ import annotations

import asyncio
import gzip
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import pytest
from eventsourcing.persistence import PersistenceError
from google.protobuf.message import Message
from tests.databases import database_access
from tests.service.api_errors import api_error
from tests.service.cache.test_game_registry import GameService, take_turn
from tests.service.storage.postgres_games import temporary_role
from tests.service.storage.test_backups import fill, make_backup, name_and_key
from tests.service.storage.test_upgrading import OLD_GAMES, OPERATOR, check_unchanged, serve, unpack
from tests.service.tiny_title import load_title

from boardkeeper.client import Client, Unavailable, bot
from boardkeeper.service.cache.game_registry import GameRegistry
from boardkeeper.service.errors import StartupError
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_creator import GameCreator
from boardkeeper.service.games.seat_manager import SeatManager
from boardkeeper.service.storage.admin import check_database, remove_game
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.archive.folder import ArchiveFolder
from boardkeeper.service.storage.archive.tables import ArchivedRow, ArchiveGame
from boardkeeper.service.storage.archive.transfer import ArchiveFilter, ArchiveResult, archive, unarchive
from boardkeeper.service.storage.backups import verify_backup
from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage.database_move import move_database
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.projection_rebuild import rebuild
from boardkeeper.service.storage.reports import CheckedGame
from boardkeeper.terminal.main import main

pytestmark = pytest.mark.databases

ALL = ArchiveFilter()


class Case(NamedTuple):
    """A database with games, one of which has ended, and a folder for its archive."""

    path: Path
    folder: Path
    running: UUID
    ended: UUID

    @property
    def name(self) -> str:
        return name_and_key(self.path)[0]

    @property
    def key(self) -> Path:
        return name_and_key(self.path)[1]

    @property
    def file(self) -> Path:
        return ArchiveFolder(self.folder).game_path(self.ended)

    def archive(self, choice: ArchiveFilter = ALL, **more: Any) -> ArchiveResult:
        return archive(self.name, self.folder, choice, self.key, **more)

    def unarchive(self, *games: str) -> ArchiveResult:
        return unarchive(self.name, self.folder, list(games), self.key)

    def rows(self) -> dict[str, int]:
        """Return the number of rows of the ended game in each table."""
        return database_access.count_rows(self.path, str(self.ended))

    def open(self) -> Database:
        return open_database(self.name, key_file=self.key)

    def chain(self) -> tuple[list[Any], object, object]:
        with closing(self.open()) as database:
            return database.log.select_chain(self.ended)


@pytest.fixture
def case(tmp_path: Path) -> Case:
    running, _, ended, _ = fill(tmp_path / "games.db")
    (tmp_path / "archive").mkdir(mode=0o700)
    return Case(tmp_path / "games.db", tmp_path / "archive", running, ended)


class ArchiveService(GameService):
    """A service with an archive folder, or without one."""

    def __init__(self, path: Path, folder: Path | None) -> None:
        self.application = GameApplication.open(path, load_title, archive=folder or "")
        self.registry = GameRegistry(self.application)
        self.handler = CommandHandler(self.registry)
        self.creator = GameCreator(self.handler, load_title, "test")
        self.seat_manager = SeatManager(self.handler)


@contextmanager
def open_archive_service(path: Path, folder: Path | None) -> Iterator[ArchiveService]:
    service = ArchiveService(path, folder)
    try:
        yield service
    finally:
        service.application.close()


def is_archived(rows: dict[str, int]) -> bool:
    """Return whether a game has an archive row and no event rows."""
    event_rows = {"events", "stored_events", "snapshots", "stored_snapshots"} & rows.keys()
    return not event_rows and rows.get("archived_games") == 1


async def test_reads_of_an_archived_game_return_the_same_data(case: Case) -> None:
    before = case.chain()
    result = case.archive()
    assert (result.games, result.events, result.damages) == (1, len(before[0]), {})
    assert is_archived(case.rows())
    with open_archive_service(case.path, case.folder) as service:
        application = service.application
        log = application.event_log
        assert log.select_chain(case.ended) == before
        versions = range(1, len(before[0]) + 1)
        assert [log.select_link(case.ended, version) for version in versions] == [row[3] for row in before[0]]
        (tail,) = application.read_new_events({case.ended: 3}).values()
        assert [event.originator_version for event in tail] == [row[0] for row in before[0][3:]]  # type: ignore[union-attr]
        plain = [tuple(row[:3]) for row in before[0]]
        for after, until, limit, most in [
            (0, None, None, None),
            (3, 7, None, None),
            (2, None, 3, None),
            (0, None, 9, 1),
        ]:
            rows = log.select_rows(case.ended, after=after, until=until, limit=limit, max_bytes=most)
            assert [tuple(row) for row in rows] == plain[after:until][:limit][: 1 if most else None]
        assert log.select_rows(case.ended, after=len(plain)) == []
        assert (await service.registry.get(case.ended)).game.status == "ended"
        assert (await service.registry.load_at(case.ended, 6)).version == 6
        assert application.damage(case.ended) is None
        await take_turn(service, case.running, 77)
        assert log.failures == 0


def test_unarchiving_restores_all_rows(case: Case) -> None:
    before = case.chain(), case.rows()
    case.archive()
    assert case.unarchive().games == 1
    assert (case.chain(), case.rows()) == before
    assert case.unarchive().games == 0
    assert case.archive().games == 1  # writes the existing file again
    with pytest.raises(LookupError, match="no archived games"):
        case.unarchive("00000000")
    assert case.unarchive(case.ended.hex[:12]).games == 1
    assert (case.chain(), case.rows()) == before


def test_files_are_private_and_reproducible(case: Case) -> None:
    case.archive()
    first = case.file.read_bytes()
    assert stat.S_IMODE(case.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(case.file.parent.stat().st_mode) == 0o700
    assert [file for file in case.folder.rglob("*") if file.is_file()] == [case.file]
    case.unarchive()
    case.archive()
    assert case.file.read_bytes() == first


def test_only_games_that_match_the_filter_are_archived(case: Case) -> None:
    for choice in (ArchiveFilter(days=1), ArchiveFilter(title="chess"), ArchiveFilter(platform="other")):
        assert case.archive(choice).games == 0
    assert case.archive(ArchiveFilter(days=1, title="tiny"), now=1 << 42).games == 1


@pytest.mark.parametrize("damage", [Path.unlink, lambda it: it.write_bytes(b"x"), lambda it: it.write_bytes(b"")])
async def test_a_missing_or_damaged_file_affects_only_its_game(case: Case, damage: Callable[[Path], object]) -> None:
    case.archive()
    damage(case.file)
    with open_archive_service(case.path, case.folder) as service:
        with api_error("ARCHIVE_UNREADABLE"):
            await service.registry.get(case.ended)
        assert service.application.event_log.failures > 0
        assert service.application.damages == {}
        assert service.application.game_tables.lobby_row(case.ended) is not None
        await take_turn(service, case.running, 77)
    assert case.unarchive().damages.keys() == {case.ended}
    assert is_archived(case.rows())


async def test_a_changed_event_in_a_file_is_detected(case: Case) -> None:
    case.archive()
    contents = gzip.decompress(case.file.read_bytes())
    case.file.write_bytes(gzip.compress(contents.replace(b"turn-3", b"turn-4")))
    with open_archive_service(case.path, case.folder) as service, api_error("ARCHIVE_UNREADABLE"):
        await service.registry.get(case.ended)


async def test_a_server_without_the_folder_reports_unreadable_archives(case: Case) -> None:
    case.archive()
    with open_archive_service(case.path, None) as service:
        with api_error("ARCHIVE_UNREADABLE"):
            await service.registry.get(case.ended)
        await take_turn(service, case.running, 77)


@pytest.mark.parametrize("step", ["before the file", "after the file", "after the rows"])
def test_an_interrupted_archive_run_loses_nothing(case: Case, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    before = case.chain()
    original = ArchiveFolder.write

    def write(self: ArchiveFolder, *arguments: Any) -> Any:
        if step == "before the file":
            raise KeyboardInterrupt
        row = original(self, *arguments)
        if step == "after the file":
            raise KeyboardInterrupt
        return row

    def stop(_done: int, _total: int) -> None:
        if step == "after the rows":
            raise KeyboardInterrupt

    monkeypatch.setattr(ArchiveFolder, "write", write)
    with pytest.raises(KeyboardInterrupt):
        case.archive(progress=stop)
    monkeypatch.undo()
    assert is_archived(case.rows()) == (step == "after the rows")
    case.archive()
    assert is_archived(case.rows())
    case.unarchive()
    assert case.chain() == before


def test_a_full_disk_keeps_the_rows(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("boardkeeper.service.storage.archive.folder.os.fsync", fail)
    result = case.archive()
    assert "No space left" in result.damages[case.ended].problem
    assert "archived_games" not in case.rows()
    assert [file for file in case.folder.rglob("*") if file.is_file()] == []


@pytest.mark.parametrize("level", [0, 1])
def test_a_link_in_the_folder_is_not_followed(case: Case, tmp_path: Path, level: int) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = case.file.parents[level]
    link.parent.mkdir(mode=0o700, exist_ok=True)
    link.symlink_to(elsewhere, target_is_directory=True)
    result = case.archive()
    assert f"{link} is a symbolic link" in result.damages[case.ended].problem
    assert "archived_games" not in case.rows()
    assert list(elsewhere.iterdir()) == []
    link.unlink()
    assert case.archive().games == 1


def test_files_are_not_removed_through_a_link(case: Case, tmp_path: Path) -> None:
    case.archive()
    folder = case.file.parent
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    remove_game(case.name, str(case.ended), 1)
    with pytest.raises(StartupError, match="is a symbolic link"):
        case.archive()
    assert (tmp_path / "elsewhere" / case.file.name).exists()


def test_the_database_rejects_an_archive_row_with_a_wrong_number_of_events(case: Case) -> None:
    case.archive()
    with closing(case.open()) as database:
        row = database.archive.archived(case.ended)
        assert row is not None
        other = ArchiveGame(ArchivedRow(case.running, 1, 99, row.sha256, row.size))
        with pytest.raises(PersistenceError):
            database.log.writer.store([other])  # the game has fewer than 99 events
        rows, *_ = database.log.select_chain(case.running)
        assert rows


async def test_removing_a_game_removes_its_archive_file(case: Case) -> None:
    case.archive()
    with open_archive_service(case.path, case.folder) as service:
        await service.handler.changes.remove(case.ended)
        while case.file.exists():  # noqa: ASYNC110  # no event to wait for
            await asyncio.sleep(0.01)
    assert "archived_games" not in case.rows()


def test_files_of_games_removed_without_a_server_are_removed_by_the_next_run(
    case: Case, capsys: pytest.CaptureFixture[str]
) -> None:
    case.archive()
    remove_game(case.name, str(case.ended), 1)
    assert case.file.exists()
    command = ["archive", str(case.folder), "--older-than", "0", "--db", case.name, "--key-file", str(case.key)]
    assert main(command) == 0
    assert capsys.readouterr().out.endswith(", 1 file of removed games\n")
    assert not case.file.exists()


def test_maintenance_commands_accept_archived_games(case: Case, tmp_path: Path) -> None:
    before = case.chain()
    case.archive()
    assert [it.damage for it in check_database(case.name) if isinstance(it, CheckedGame)] == [None] * 3
    rebuilt = rebuild(case.name, load_title, key_file=case.key)
    assert (rebuilt.differences, rebuilt.damages) == ([], {})
    backup = make_backup(case.path, tmp_path / "one.backup")
    assert [game.damage for game in verify_backup(backup)] == [None] * 3
    found = [it for it in check_database(case.name, archive=case.folder) if isinstance(it, CheckedGame)]
    assert {it.game_id: it.events for it in found}[str(case.ended)] == len(before[0])
    case.file.unlink()
    found = [it for it in check_database(case.name, archive=case.folder) if isinstance(it, CheckedGame)]
    assert [it.game_id for it in found if it.damage is not None] == [str(case.ended)]


def test_move_copies_archived_games(case: Case, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = case.chain()
    case.archive()
    target = tmp_path / "new.db"
    shutil.copy(case.key, tmp_path / "new.db.key")
    command = ["move", "--from", case.name, "--to", str(target), "--key-file", str(case.key)]
    assert main(command) == 1
    printed = capsys.readouterr()
    assert "2 games" in printed.out
    assert "0 damaged" in printed.out
    assert "1 archived game not copied. To copy the archived games too, run" in " ".join(printed.err.split())
    assert main([*command, "--archive", str(case.folder)]) == 0
    assert "--archive" not in capsys.readouterr().err
    # The target has all games now, also for a command that does not name the archive.
    assert move_database(case.name, str(target), case.key).existing == 3
    with closing(open_database(target, key_file=tmp_path / "new.db.key")) as database:
        assert database.log.select_chain(case.ended) == before


# --- through the API, with games of 0.1.0 -----------------------------------------------------------------------


@pytest.fixture
def old(database_kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[str, Path]]:
    """The file of 0.1.0, or the PostgreSQL that it was moved to, and its key."""
    file = unpack(tmp_path)
    key = tmp_path / "games.db.key"
    if database_kind == "sqlite":
        yield str(file), key
        return
    with request.getfixturevalue("postgres").database() as url:
        open_database(file).close()
        move_database(str(file), url, key)
        yield url, key


def read_all(client: Client, game: str) -> list[Message | bytes]:
    """Return everything that the API returns about a game."""
    return [
        client.game(game),
        *(client.board(game, version=version, token=OPERATOR).board for version in (1, 100, 400)),
        *client.events(game, token=OPERATOR),
        *client.watch(game),
        client.record(game),
        client.verify_game(game),
    ]


def test_the_api_returns_the_same_data_of_archived_games(old: tuple[str, Path], tmp_path: Path) -> None:
    """One game was imported. On PostgreSQL, a service runs during the archiving."""
    name, key = old
    folder = tmp_path / "archive"
    folder.mkdir()
    settings = {"archive": str(folder), "key_file": str(key) if "://" in name else ""}
    games = [OLD_GAMES[kind]["game"] for kind in ("ended", "imported")]
    with serve(name, read_only=True, **settings) as client:
        before = [read_all(client, game) for game in games]
        if "://" in name:
            assert archive(name, folder, ALL, key).games == 2
            assert [read_all(client, game) for game in games] == before
    if "://" not in name:
        assert archive(name, folder, ALL, key).games == 2
    with serve(name, read_only=True, **settings) as client:
        check_unchanged(client)
        assert [read_all(client, game) for game in games] == before
        assert {game.game_id for game in client.games()} == {game["game"] for game in OLD_GAMES.values()}
        assert client.fork(games[0], [bot("random"), bot("random")], version=100).game.version > 0
        ArchiveFolder(folder).game_path(UUID(games[1])).unlink()
    with serve(name, read_only=True, **settings) as client:
        with pytest.raises(Unavailable) as caught:
            client.record(games[1])
        assert caught.value.reason == "ARCHIVE_UNREADABLE"
        assert read_all(client, games[0]) == before[0]


@pytest.mark.sqlite_only
def test_commands_print_their_results(case: Case, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["archive", str(case.folder), "--older-than", "1", "--db", case.name]) == 0
    assert "0 games" in capsys.readouterr().out
    assert main(["archive", str(case.folder), "--older-than", "0", "--db", case.name]) == 0
    assert "1 game, " in capsys.readouterr().out
    assert main(["unarchive", str(case.folder), "--db", case.name]) == 0
    assert "1 game, " in capsys.readouterr().out
    assert main(["archive", str(case.folder / "no"), "--older-than", "0", "--db", case.name]) == 1
    assert "create it with mkdir -m 700" in capsys.readouterr().err
    assert main(["unarchive", str(case.folder), "nothing", "--db", case.name]) == 1


@pytest.mark.sqlite_only
def test_checkpoints_remain_valid_after_archiving_and_unarchiving(case: Case) -> None:
    case.open().close()
    case.archive()
    with closing(case.open()) as database:
        assert database.checkpoint_problem == ""
    case.unarchive()
    with closing(case.open()) as database:
        assert database.checkpoint_problem == ""


@pytest.mark.sqlite_only
@pytest.mark.postgres
def test_only_the_owner_of_the_tables_can_archive(request: pytest.FixtureRequest) -> None:
    """On PostgreSQL, the service role cannot insert the archive row that deletions require."""
    with request.getfixturevalue("postgres").database() as url, temporary_role(url) as (role, role_url):
        main(["migrate", "--db", url, "--grant", role])
        with psycopg.connect(role_url, autocommit=True) as service:
            insert = b"INSERT INTO archived_games VALUES (gen_random_uuid(), 1, 1, '', 1)"
            for statement in (insert, b"DELETE FROM events"):
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    service.execute(statement)


@pytest.mark.sqlite_only
async def test_an_unreadable_archive_row_is_damage_of_its_game(case: Case) -> None:
    case.archive()
    with closing(sqlite3.connect(case.path)) as file:
        file.execute("UPDATE archived_games SET size='x'")
        file.commit()
    with open_archive_service(case.path, case.folder) as service:
        assert not service.application.is_archived(case.ended)
        checked = service.application.load_verified(case.ended)
        assert checked is not None
        assert checked.damage is not None
        await take_turn(service, case.running, 77)
