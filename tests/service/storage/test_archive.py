"""Archived games: their events lie in files, and whoever asks about them notices nothing."""

from __future__ import annotations

import asyncio
import gzip
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import psycopg
import pytest
from eventsourcing.persistence import PersistenceError
from google.protobuf.message import Message
from tests.databases import places
from tests.service.api_errors import api_error
from tests.service.cache.test_game_registry import GameService, take_turn
from tests.service.storage.test_backups import back, fill, named, opened
from tests.service.storage.test_upgrading import OPERATOR, TOLD, assert_as_then, served, unpack
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
from boardkeeper.service.storage.database_move import move_database
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.projection_rebuild import rebuild
from boardkeeper.service.storage.reports import CheckedGame
from boardkeeper.terminal.main import main

pytestmark = pytest.mark.databases

ALL = ArchiveFilter()


class Place(NamedTuple):
    """A database with games, one of which has ended, and a folder for the archive."""

    path: Path
    folder: Path
    running: UUID
    ended: UUID

    @property
    def name(self) -> str:
        return named(self.path)[0]

    @property
    def key(self) -> Path:
        return named(self.path)[1]

    @property
    def file(self) -> Path:
        return ArchiveFolder(self.folder).game_path(self.ended)

    def archive(self, choice: ArchiveFilter = ALL, **more: Any) -> ArchiveResult:
        return archive(self.name, self.folder, choice, self.key, **more)

    def unarchive(self, *games: str) -> ArchiveResult:
        return unarchive(self.name, self.folder, list(games), self.key)

    def rows(self) -> dict[str, int]:
        """How many rows there are of the game that has ended."""
        return places.rows_of(self.path, str(self.ended))

    def chain(self) -> tuple[list[Any], object, object]:
        with closing(opened(self.name, self.key)) as database:
            return database.log.select_chain(self.ended)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    running, _, ended, _ = fill(tmp_path / "games.db")
    (tmp_path / "archive").mkdir(mode=0o700)
    return Place(tmp_path / "games.db", tmp_path / "archive", running, ended)


class ArchiveHouse(GameService):
    """A house that knows of the archive."""

    def __init__(self, place: Place, *, knows: bool = True) -> None:
        self.application = GameApplication.open(
            place.name, load_title, key_file=place.key, archive=place.folder if knows else ""
        )
        self.registry = GameRegistry(self.application)
        self.handler = CommandHandler(self.registry)
        self.creator = GameCreator(self.handler, load_title, "test")
        self.seat_manager = SeatManager(self.handler)


def gone(rows: dict[str, int]) -> bool:
    """Whether no event is left, but a line that tells where they are."""
    left = {"events", "stored_events", "snapshots", "stored_snapshots"} & rows.keys()
    return not left and rows.get("archived_games") == 1


async def test_rows_go_and_every_read_gives_what_was_there(place: Place) -> None:
    before = place.chain()
    done = place.archive()
    assert (done.games, done.events, done.damages) == (1, len(before[0]), {})
    assert gone(place.rows())
    house = ArchiveHouse(place)
    try:
        application = house.application
        log = application.event_log
        assert log.select_chain(place.ended) == before
        versions = range(1, len(before[0]) + 1)
        assert [log.select_link(place.ended, version) for version in versions] == [row[3] for row in before[0]]
        (tail,) = application.read_new_events({place.ended: 3}).values()
        assert [event.originator_version for event in tail] == [row[0] for row in before[0][3:]]  # type: ignore[union-attr]
        plain = [tuple(row[:3]) for row in before[0]]
        for after, until, limit, most in [
            (0, None, None, None),
            (3, 7, None, None),
            (2, None, 3, None),
            (0, None, 9, 1),
        ]:
            rows = log.select_rows(place.ended, after=after, until=until, limit=limit, most_bytes=most)
            assert [tuple(row) for row in rows] == plain[after:until][:limit][: 1 if most else None]
        assert log.select_rows(place.ended, after=len(plain)) == []
        assert (await house.registry.get(place.ended)).game.status == "ended"
        assert (await house.registry.load_at(place.ended, 6)).version == 6
        assert application.damage(place.ended) is None
        await take_turn(house, place.running, 77)
        assert log.failures == 0
    finally:
        house.application.close()


def test_what_comes_back_is_what_was_there(place: Place) -> None:
    before = place.chain(), place.rows()
    place.archive()
    assert place.unarchive().games == 1
    assert (place.chain(), place.rows()) == before
    assert place.unarchive().games == 0
    assert place.archive().games == 1  # the file is there, and is written again
    with pytest.raises(LookupError, match="no archived games"):
        place.unarchive("00000000")
    assert place.unarchive(place.ended.hex[:12]).games == 1
    assert (place.chain(), place.rows()) == before


def test_files_are_private_and_the_same_each_time(place: Place) -> None:
    place.archive()
    first = place.file.read_bytes()
    assert stat.S_IMODE(place.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(place.file.parent.stat().st_mode) == 0o700
    assert [file for file in place.folder.rglob("*") if file.is_file()] == [place.file]
    place.unarchive()
    place.archive()
    assert place.file.read_bytes() == first


def test_only_games_that_ended_long_ago_and_are_asked_for_go(place: Place) -> None:
    for choice in (ArchiveFilter(days=1), ArchiveFilter(title="chess"), ArchiveFilter(platform="somebody")):
        assert place.archive(choice).games == 0
    assert place.archive(ArchiveFilter(days=1, title="tiny"), now=1 << 42).games == 1


@pytest.mark.parametrize("spoil", [Path.unlink, lambda it: it.write_bytes(b"x"), lambda it: it.write_bytes(b"")])
async def test_a_file_that_is_missing_or_another_is_told_of_and_hinders_nobody_else(
    place: Place, spoil: Callable[[Path], object]
) -> None:
    place.archive()
    spoil(place.file)
    house = ArchiveHouse(place)
    try:
        with api_error("ARCHIVE_UNREADABLE"):
            await house.registry.get(place.ended)
        assert house.application.event_log.failures > 0
        assert house.application.damages == {}
        assert house.application.game_tables.lobby_row(place.ended) is not None
        await take_turn(house, place.running, 77)
    finally:
        house.application.close()
    assert place.unarchive().damages.keys() == {place.ended}
    assert gone(place.rows())


async def test_a_changed_event_in_a_file_is_found(place: Place) -> None:
    place.archive()
    contents = gzip.decompress(place.file.read_bytes())
    place.file.write_bytes(gzip.compress(contents.replace(b"turn-3", b"turn-4")))
    house = ArchiveHouse(place)
    try:
        with api_error("ARCHIVE_UNREADABLE"):
            await house.registry.get(place.ended)
    finally:
        house.application.close()


async def test_without_the_folder_it_says_so(place: Place) -> None:
    place.archive()
    house = ArchiveHouse(place, knows=False)
    try:
        with api_error("ARCHIVE_UNREADABLE"):
            await house.registry.get(place.ended)
        await take_turn(house, place.running, 77)
    finally:
        house.application.close()


@pytest.mark.parametrize("step", ["before the file", "behind the file", "behind the rows"])
def test_nothing_is_lost_wherever_it_ends(place: Place, monkeypatch: pytest.MonkeyPatch, step: str) -> None:
    before = place.chain()
    true_write = ArchiveFolder.write

    def write(self: ArchiveFolder, *arguments: Any) -> Any:
        if step == "before the file":
            raise KeyboardInterrupt
        row = true_write(self, *arguments)
        if step == "behind the file":
            raise KeyboardInterrupt
        return row

    def stop(_done: int, _of: int) -> None:
        if step == "behind the rows":
            raise KeyboardInterrupt

    monkeypatch.setattr(ArchiveFolder, "write", write)
    with pytest.raises(KeyboardInterrupt):
        place.archive(progress=stop)
    monkeypatch.undo()
    assert gone(place.rows()) == (step == "behind the rows")
    place.archive()
    assert gone(place.rows())
    place.unarchive()
    assert place.chain() == before


def test_a_full_disk_keeps_the_rows(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("boardkeeper.service.storage.archive.folder.os.fsync", full)
    done = place.archive()
    assert "No space left" in done.damages[place.ended].problem
    assert "archived_games" not in place.rows()
    assert [file for file in place.folder.rglob("*") if file.is_file()] == []


@pytest.mark.parametrize("level", [0, 1])
def test_a_link_in_the_folder_is_not_followed(place: Place, tmp_path: Path, level: int) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    link = place.file.parents[level]
    link.parent.mkdir(mode=0o700, exist_ok=True)
    link.symlink_to(elsewhere, target_is_directory=True)
    done = place.archive()
    assert f"{link} is a symbolic link" in done.damages[place.ended].problem
    assert "archived_games" not in place.rows()
    assert list(elsewhere.iterdir()) == []
    link.unlink()
    assert place.archive().games == 1


def test_no_file_is_removed_through_a_link(place: Place, tmp_path: Path) -> None:
    place.archive()
    folder = place.file.parent
    folder.rename(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    remove_game(place.name, str(place.ended), 1)
    with pytest.raises(StartupError, match="is a symbolic link"):
        place.archive()
    assert (tmp_path / "elsewhere" / place.file.name).exists()


def test_events_go_with_a_line_only(place: Place) -> None:
    """What refuses it is the database itself, also while other games are archived."""
    place.archive()
    with closing(opened(place.name, place.key)) as database:
        row = database.archive.archived(place.ended)
        assert row is not None
        other = ArchiveGame(ArchivedRow(place.running, 1, 99, row.sha256, row.size))
        with pytest.raises(PersistenceError):
            database.log.writer.store([other])  # it has not 99 events
        rows, *_ = database.log.select_chain(place.running)
        assert rows


async def test_a_game_that_is_removed_goes_from_the_archive_too(place: Place) -> None:
    place.archive()
    house = ArchiveHouse(place)
    try:
        await house.handler.changes.remove(place.ended)
        while place.file.exists():  # noqa: ASYNC110  # soon
            await asyncio.sleep(0.01)
    finally:
        house.application.close()
    assert "archived_games" not in place.rows()


def test_what_was_removed_without_a_service_goes_with_the_next_run(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    place.archive()
    remove_game(place.name, str(place.ended), 1)
    assert place.file.exists()
    command = ["archive", str(place.folder), "--older-than", "0", "--db", place.name, "--key-file", str(place.key)]
    assert main(command) == 0
    assert capsys.readouterr().out.endswith(", 1 file of removed games\n")
    assert not place.file.exists()


def test_looking_after_the_database_passes_over_archived_games(place: Place, tmp_path: Path) -> None:
    before = place.chain()
    place.archive()
    assert [it.damage for it in check_database(place.name) if isinstance(it, CheckedGame)] == [None] * 3
    rebuilt = rebuild(place.name, load_title, key_file=place.key)
    assert (rebuilt.differences, rebuilt.damages) == ([], {})
    backup = back(place.path, tmp_path / "one.backup")
    assert [game.damage for game in verify_backup(backup)] == [None] * 3
    found = [it for it in check_database(place.name, archive=place.folder) if isinstance(it, CheckedGame)]
    assert {it.game_id: it.events for it in found}[str(place.ended)] == len(before[0])
    place.file.unlink()
    found = [it for it in check_database(place.name, archive=place.folder) if isinstance(it, CheckedGame)]
    assert [it.game_id for it in found if it.damage is not None] == [str(place.ended)]


def test_games_move_with_what_is_archived(place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = place.chain()
    place.archive()
    target = tmp_path / "new.db"
    shutil.copy(place.key, tmp_path / "new.db.key")
    command = ["move", "--from", place.name, "--to", str(target), "--key-file", str(place.key)]
    assert main(command) == 1
    printed = capsys.readouterr()
    assert "2 games" in printed.out
    assert "0 damaged" in printed.out
    assert "1 archived game not copied. To copy the archived games too, run" in " ".join(printed.err.split())
    assert main([*command, "--archive", str(place.folder)]) == 0
    assert "--archive" not in capsys.readouterr().err
    # The target has all games now, also for a command that does not name the archive.
    assert move_database(place.name, str(target), place.key).there_before == 3
    with closing(opened(str(target), tmp_path / "new.db.key")) as database:
        assert database.log.select_chain(place.ended) == before


# --- through the API, with games of 0.1.0 -------------------------------------------------------------------------


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


def seen(client: Client, game: str) -> list[Message | bytes]:
    """All that one can be told of a game."""
    return [
        client.game(game),
        *(client.board(game, version=version, token=OPERATOR).board for version in (1, 100, 400)),
        *client.events(game, token=OPERATOR),
        *client.watch(game),
        client.record(game),
        client.verify_game(game),
    ]


def test_whoever_asks_about_an_archived_game_is_told_the_same(old: tuple[str, Path], tmp_path: Path) -> None:
    """Also of one that was imported; on PostgreSQL also by a service that runs meanwhile."""
    name, key = old
    folder = tmp_path / "archive"
    folder.mkdir()
    settings = {"archive": str(folder), "key_file": str(key) if "://" in name else ""}
    games = [TOLD[which]["game"] for which in ("ended", "imported")]
    with served(name, read_only=True, **settings) as client:
        before = [seen(client, game) for game in games]
        if "://" in name:
            assert archive(name, folder, ALL, key).games == 2
            assert [seen(client, game) for game in games] == before
    if "://" not in name:
        assert archive(name, folder, ALL, key).games == 2
    with served(name, read_only=True, **settings) as client:
        assert_as_then(client)
        assert [seen(client, game) for game in games] == before
        assert {game.game_id for game in client.games()} == {told["game"] for told in TOLD.values()}
        assert client.fork(games[0], [bot("random"), bot("random")], version=100).game.version > 0
        ArchiveFolder(folder).game_path(UUID(games[1])).unlink()
    with served(name, read_only=True, **settings) as client:
        with pytest.raises(Unavailable) as refused:
            client.record(games[1])
        assert refused.value.reason == "ARCHIVE_UNREADABLE"
        assert seen(client, games[0]) == before[0]


@pytest.mark.sqlite_only
def test_the_commands_say_what_they_did(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["archive", str(place.folder), "--older-than", "1", "--db", place.name]) == 0
    assert "0 games" in capsys.readouterr().out
    assert main(["archive", str(place.folder), "--older-than", "0", "--db", place.name]) == 0
    assert "1 game, " in capsys.readouterr().out
    assert main(["unarchive", str(place.folder), "--db", place.name]) == 0
    assert "1 game, " in capsys.readouterr().out
    assert main(["archive", str(place.folder / "no"), "--older-than", "0", "--db", place.name]) == 1
    assert "create it with mkdir -m 700" in capsys.readouterr().err
    assert main(["unarchive", str(place.folder), "nothing", "--db", place.name]) == 1


@pytest.mark.sqlite_only
def test_a_checkpoint_from_before_does_not_miss_what_is_archived(place: Place) -> None:
    """Nor does one from afterwards: the numbers of events that went are known."""
    with closing(opened(place.name, place.key)):
        pass
    place.archive()
    with closing(opened(place.name, place.key)) as database:
        assert database.checkpoint_problem == ""
    place.unarchive()
    with closing(opened(place.name, place.key)) as database:
        assert database.checkpoint_problem == ""


@pytest.mark.sqlite_only
@pytest.mark.postgres
def test_who_owns_the_tables_alone_archives(request: pytest.FixtureRequest) -> None:
    """A service's own user on PostgreSQL may not write the line without which no event goes."""
    with request.getfixturevalue("postgres").database() as url, psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE ROLE archive_tests LOGIN")
        try:
            main(["migrate", "--db", url, "--grant", "archive_tests"])
            with psycopg.connect(url.replace("//postgres@", "//archive_tests@"), autocommit=True) as theirs:
                line = b"INSERT INTO archived_games VALUES (gen_random_uuid(), 1, 1, '', 1)"
                for statement in (line, b"DELETE FROM events"):
                    with pytest.raises(psycopg.errors.InsufficientPrivilege):
                        theirs.execute(statement)
        finally:
            connection.execute("DROP OWNED BY archive_tests")
            connection.execute("DROP ROLE archive_tests")


@pytest.mark.sqlite_only
async def test_a_line_that_cannot_be_read_is_damage_of_that_game(place: Place) -> None:
    place.archive()
    with closing(sqlite3.connect(place.path)) as file:
        file.execute("UPDATE archived_games SET size='x'")
        file.commit()
    house = ArchiveHouse(place)
    try:
        assert not house.application.is_archived(place.ended)
        checked = house.application.load_verified(place.ended)
        assert checked is not None
        assert checked.damage is not None
        await take_turn(house, place.running, 77)
    finally:
        house.application.close()
