"""Moves of all games from one database to another, where they continue."""

from __future__ import annotations

import json
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from tests.service.cache.test_game_registry import open_service, take_turn
from tests.service.storage.full_disk import limit_file_size
from tests.service.storage.postgres_games import temporary_role

from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.service.auth.key_management import create_key
from boardkeeper.service.errors import FileInUseError, StartupError
from boardkeeper.service.games.game_creator import GameSettings, SeatPlan
from boardkeeper.service.storage import database_move
from boardkeeper.service.storage.access import GameAccess
from boardkeeper.service.storage.admin import create_tables
from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage.database_move import MoveResult, move_games
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.private_files import write_private
from boardkeeper.service.storage.service_key import ServiceKey
from boardkeeper.terminal.main import main
from boardkeeper.titlekit.title import Setup

OWNER = GameAccess("lobby", spectators=True)
OPEN = (SeatPlan("Ada"), SeatPlan(open=True))
OpenBoth = Callable[[], tuple[Database, Database]]


async def create_games(path: Path) -> list[UUID]:
    """Create a running game, one with an open seat, one that has ended and one that was removed; return their ids."""
    async with open_service(path) as service:
        running = await service.game()
        for number in range(3):
            await take_turn(service, running, number)
        free = (await service.creator.create("tiny", Setup("", 2), OPEN, "made", None, GameSettings(OWNER))).game
        ended = await service.game()
        for number in range(12):
            await take_turn(service, ended, number)
        removed = (await service.creator.create("tiny", Setup("", 2), OPEN, "removed", None, GameSettings(OWNER))).game
        await service.handler.changes.remove(removed)
    return [running, free, ended, removed]


@pytest.fixture
def open_both(tmp_path: Path) -> Iterator[OpenBoth]:
    """Opens the old and the new database, with the same key."""
    opened: list[Database] = []

    def open_again() -> tuple[Database, Database]:
        while opened:
            opened.pop().close()
        key, copy = tmp_path / "old.db.key", tmp_path / "new.db.key"
        if key.exists() and not copy.exists():
            shutil.copy(key, copy)
        opened.extend(open_database(tmp_path / name) for name in ("old.db", "new.db"))
        return opened[0], opened[1]

    yield open_again
    while opened:
        opened.pop().close()


def stored_data(database: Database, game: UUID) -> tuple[object, ...]:
    """Return the stored data of a game except its number, which is not copied."""
    line = database.game_tables.lobby_row(game)
    assert line is not None
    fields = {field: getattr(line, field) for field in line.__struct_fields__ if field != "number"}
    select = "SELECT request, content, salt, seats, create_time FROM requests WHERE game = ? ORDER BY request"
    requests = database.reader.fetch(select, (game,))
    return database.log.select_chain(game), fields, database.game_tables.dice_secret(game), requests


@pytest.mark.sqlite_only
async def test_a_move_copies_all_stored_data(tmp_path: Path, open_both: OpenBoth) -> None:
    *games, removed = await create_games(tmp_path / "old.db")
    old, new = open_both()
    progress: list[tuple[int, int]] = []
    moved = move_games(old, new, lambda done, total: progress.append((done, total)))
    items = len(old.feed.page(0, old.feed.bounds().newest, 1000))
    assert items
    assert moved == MoveResult(games=3, events=sum(old.log.versions(games).values()), tombstones=1, items=items)
    assert progress == [(1, 3), (2, 3), (3, 3)]
    for game in games:
        assert stored_data(new, game) == stored_data(old, game)
    assert [line.game_id for line in new.game_tables.lobby_page()] == [
        line.game_id for line in old.game_tables.lobby_page()
    ]
    assert new.game_tables.removal_time(removed) == old.game_tables.removal_time(removed)
    assert [new.access.game_access(game) for game in (*games, removed)] == [GameAccess(), OWNER, GameAccess(), OWNER]
    assert [line.game_id for line in new.game_tables.lobby_page(platform="lobby")] == [games[1]]


@pytest.mark.sqlite_only
async def test_moved_games_continue(tmp_path: Path, open_both: OpenBoth) -> None:
    running, free, ended, _ = await create_games(tmp_path / "old.db")
    old, new = open_both()
    move_games(old, new)
    old.close()
    new.close()
    async with open_service(tmp_path / "new.db") as service:
        await take_turn(service, running, 3)
        assert (
            await service.handler.act(running, 1, SubmitCommands([]), "turn-2")
        ).repeated  # a command before the move
        again = await service.creator.create("tiny", Setup("", 2), OPEN, "made", None, GameSettings(OWNER))
        assert again.game == free
        await service.seat_manager.join(free, 0, "Bob", b"", "")
        assert (await service.registry.get(ended)).game.status == "ended"
        assert all(service.application.damage(game) is None for game in (running, free, ended))


@pytest.mark.sqlite_only
async def test_moved_games_are_not_copied_again(tmp_path: Path, open_both: OpenBoth) -> None:
    await create_games(tmp_path / "old.db")
    move_games(*open_both())
    old, new = open_both()
    assert move_games(old, new) == MoveResult(existing=3, tombstones=1)


@pytest.mark.sqlite_only
async def test_an_interrupted_move_can_be_continued(
    tmp_path: Path, open_both: OpenBoth, monkeypatch: pytest.MonkeyPatch
) -> None:
    await create_games(tmp_path / "old.db")
    old, new = open_both()

    def stop(done: int, _total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr("boardkeeper.service.storage.database_move._GAMES_PER_COMMIT", 1)
    with pytest.raises(KeyboardInterrupt):
        move_games(old, new, stop)
    assert new.game_tables.count_games() == 2
    moved = move_games(old, new)
    assert (moved.games, moved.existing) == (1, 2)


@pytest.mark.sqlite_only
async def test_a_game_with_another_history_stops_the_move(tmp_path: Path, open_both: OpenBoth) -> None:
    running, *_ = await create_games(tmp_path / "old.db")
    old, new = open_both()
    move_games(old, new)
    new.close()
    async with open_service(tmp_path / "new.db") as service:
        await take_turn(service, running, 99)
    old, new = open_both()
    with pytest.raises(StartupError, match="with another history"):
        move_games(old, new)


async def test_another_key_stops_the_move(tmp_path: Path) -> None:
    await create_games(tmp_path / "old.db")
    old, new = open_database(tmp_path / "old.db"), open_database(tmp_path / "new.db")
    with pytest.raises(StartupError, match="on which no server has started"):
        move_games(old, new)
    assert new.game_tables.count_games() == 0
    old.close()
    new.close()


@pytest.mark.sqlite_only
@pytest.mark.postgres
async def test_a_move_to_postgresql_and_back_copies_all_stored_data(
    tmp_path: Path, empty_database: str, capsys: pytest.CaptureFixture[str]
) -> None:
    *games, _ = await create_games(tmp_path / "old.db")
    key = tmp_path / "shared.key"
    source, target = str(tmp_path / "old.db"), str(tmp_path / "new.db")
    assert main(["move", "--from", source, "--to", empty_database, "--key-file", str(key)]) == 0
    assert "3 games" in capsys.readouterr().out
    assert main(["move", "--from", empty_database, "--to", target, "--key-file", str(key), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 3
    assert len({file.read_bytes() for file in (key, tmp_path / "old.db.key", tmp_path / "new.db.key")}) == 1
    old, new = open_database(tmp_path / "old.db"), open_database(tmp_path / "new.db")
    for game in games:
        assert stored_data(new, game) == stored_data(old, game)
    assert new.game_tables.tombstones() == old.game_tables.tombstones()
    old.close()
    new.close()


def files_of(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.sqlite_only
async def test_the_source_is_only_read(tmp_path: Path) -> None:
    source = tmp_path / "old" / "games.db"
    source.parent.mkdir()
    await create_games(source)
    for suffix in (".lock", ".checkpoint"):
        source.with_name(f"games.db{suffix}").unlink()
    before = files_of(source.parent)
    assert before.keys() == {"games.db", "games.db.key"}
    assert database_move.move_database(source, tmp_path / "new.db").games == 3
    assert files_of(source.parent) == before


@pytest.mark.sqlite_only
async def test_source_and_target_must_differ(tmp_path: Path) -> None:
    await create_games(tmp_path / "old.db")
    (tmp_path / "link.db").symlink_to(tmp_path / "old.db")
    for target in (tmp_path / "old.db", f"sqlite:////{tmp_path}/link.db"):
        with pytest.raises(StartupError, match="source and target are the same database"):
            database_move.move_database(tmp_path / "old.db", target)
    with pytest.raises(StartupError, match="source and target are the same database"):
        database_move.move_database("postgresql://localhost/nothing", "postgresql://localhost/nothing")


@pytest.mark.sqlite_only
async def test_a_source_in_use_is_rejected(tmp_path: Path) -> None:
    await create_games(tmp_path / "old.db")
    with closing(open_database(tmp_path / "old.db")), pytest.raises(FileInUseError):
        database_move.move_database(tmp_path / "old.db", tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


@pytest.mark.sqlite_only
async def test_a_server_that_starts_during_the_move_is_detected(tmp_path: Path) -> None:
    """Without a lock file, only the files of the database show that it was opened."""
    await create_games(tmp_path / "old.db")
    (tmp_path / "old.db.lock").unlink()
    opened: list[Database] = []

    def start(done: int, _total: int) -> None:
        if done == 1:
            opened.append(open_database(tmp_path / "old.db"))

    with pytest.raises(StartupError, match="a server opened"):
        database_move.move_database(tmp_path / "old.db", tmp_path / "new.db", progress=start)
    opened[0].close()
    assert database_move.move_database(tmp_path / "old.db", tmp_path / "new.db").existing == 3


@pytest.mark.sqlite_only
async def test_an_old_schema_and_a_missing_key_are_reported(tmp_path: Path) -> None:
    await create_games(tmp_path / "old.db")
    with closing(sqlite3.connect(tmp_path / "old.db")) as file:
        ((number,),) = file.execute("PRAGMA user_version").fetchall()
        file.execute(f"PRAGMA user_version={number - 1}")
    with pytest.raises(StartupError, match=r"earlier release \(table schema \d+\): start a server of this release"):
        database_move.move_database(tmp_path / "old.db", tmp_path / "new.db")
    (tmp_path / "old.db.key").unlink()
    with pytest.raises(StartupError, match=r"the key file .*old\.db\.key does not exist"):
        database_move.move_database(tmp_path / "old.db", tmp_path / "new.db")
    assert not (tmp_path / "old.db.key").exists()


@pytest.mark.sqlite_only
@pytest.mark.postgres
async def test_a_move_only_reads_its_source_with_unnumbered_items(
    tmp_path: Path, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only user is enough. A later move continues, also after the server has numbered all items."""
    monkeypatch.setattr("boardkeeper.service.storage.raw_tables.PAGE_SIZE", 2)
    key = tmp_path / "shared.key"
    await create_games(tmp_path / "old.db")
    database_move.move_database(tmp_path / "old.db", empty_database, key)
    with psycopg.connect(empty_database, autocommit=True) as tables:
        names = "id, platform, game, title, version, time, kind, content"
        # The state of a source before a client reads the results or the feed.
        tables.execute("UPDATE results SET position = NULL")
        items = f"INSERT INTO feed_outbox ({names}) SELECT {names} FROM feed WHERE number > 1 ORDER BY number"
        waiting = tables.execute(items.encode()).rowcount
        assert waiting > 2, "more than a page"
        tables.execute("DELETE FROM feed WHERE number > 1")
        with read_only_user(empty_database) as url:
            assert database_move.move_database(url, tmp_path / "new.db", key).games == 3
            again = database_move.move_database(url, tmp_path / "new.db", key)
            assert (again.existing, again.items, again.other_feed) == (3, 0, False)
        assert tables.execute("SELECT count(*) FROM feed_outbox").fetchone() == (waiting,)
        assert tables.execute("SELECT count(*) FROM results WHERE position IS NULL").fetchone() == (1,)
    with closing(open_database(empty_database, key_file=key)) as source:
        assert source.feed.number_outbox() == waiting
    assert not database_move.move_database(empty_database, tmp_path / "new.db", key).other_feed
    with closing(open_database(tmp_path / "old.db")) as old, closing(open_database(tmp_path / "new.db")) as new:
        assert new.feed.bounds() == old.feed.bounds()
        assert new.feed.page(0, 1000, 1000) == old.feed.page(0, 1000, 1000)
        old_results, new_results = (one.players.results(None, "", after=None, limit=9) for one in (old, new))
        assert new_results
        assert [row.game for row in new_results] == [row.game for row in old_results]


@pytest.mark.postgres
def test_a_move_does_not_store_a_key_in_its_source(tmp_path: Path, empty_database: str) -> None:
    key = tmp_path / "shared.key"
    create_tables(empty_database)
    with pytest.raises(StartupError, match=f"the key file {key} does not exist"):
        database_move.move_database(empty_database, tmp_path / "new.db", key)
    ServiceKey.load_or_create(key)
    with pytest.raises(StartupError, match="has no key yet: no server has used it"):
        database_move.move_database(empty_database, tmp_path / "new.db", key)
    with psycopg.connect(empty_database) as tables:
        assert tables.execute("SELECT count(*) FROM service WHERE what = 'key'").fetchone() == (0,)


@contextmanager
def read_only_user(url: str) -> Iterator[str]:
    """Create a read-only user for a while and provide its URL."""
    with temporary_role(url) as (role, role_url):
        with psycopg.connect(url, autocommit=True) as owner:
            owner.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {role}".encode())
        yield role_url


def test_a_missing_source_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["move", "--from", str(tmp_path / "no.db"), "--to", str(tmp_path / "new.db")]) == 1
    assert "does not exist" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.sqlite_only
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
async def test_a_move_to_a_full_disk_leaves_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    await create_games(tmp_path / "old.db")
    (tmp_path / "new").mkdir()

    def open_on_full_disk(name: str | Path, **settings: Any) -> Database:
        """Limit the size of files: the key fits, but no page of a database."""
        if Path(name).parent.name == "new":
            limits.enter_context(limit_file_size(1_000))
        return open_database(name, **settings)

    with monkeypatch.context() as patch, ExitStack() as limits:
        patch.setattr(database_move, "open_database", open_on_full_disk)
        with pytest.raises(StartupError):
            database_move.move_database(tmp_path / "old.db", tmp_path / "new" / "new.db")
    assert list((tmp_path / "new").iterdir()) == []
    assert database_move.move_database(tmp_path / "old.db", tmp_path / "new" / "new.db").games == 3


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_private_file_that_is_too_large_leaves_no_files(tmp_path: Path) -> None:
    with limit_file_size(50), pytest.raises(OSError, match="too large"):
        write_private(tmp_path / "key", bytes(100))
    assert list(tmp_path.iterdir()) == []


async def test_damaged_games_are_reported_and_not_moved(tmp_path: Path, open_both: OpenBoth) -> None:
    running, free, ended, _ = await create_games(tmp_path / "old.db")
    connection = sqlite3.connect(tmp_path / "old.db")
    connection.execute("DROP TRIGGER stored_events_no_update")
    connection.execute(
        "UPDATE stored_events SET state='[]' WHERE originator_id=? AND originator_version=3", (ended.hex,)
    )
    connection.execute("DELETE FROM dice_secrets WHERE game=?", (free.hex,))
    connection.commit()
    connection.close()
    old, new = open_both()
    moved = move_games(old, new)
    assert moved.games == 1
    assert moved.damages[ended].version == 3
    assert "secret" in moved.damages[free].problem
    assert {line.game_id for line in new.game_tables.lobby_page()} == {running}


async def test_api_keys_are_moved(tmp_path: Path, open_both: OpenBoth) -> None:
    await create_games(tmp_path / "old.db")
    api_key = create_key("lobby", ["create"], 1)
    old, new = open_both()
    old.log.writer.store(api_key.changes)
    for _ in range(2):
        move_games(old, new)
    assert new.access.all_keys() == [api_key.row]
