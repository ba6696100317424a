"""A PostgreSQL database that several processes share: opening, conflicts, reading and permissions."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, ProgrammingError
from msgspec.structs import replace
from psycopg import sql
from psycopg_pool import ConnectionPool
from tests.databases.servers import Server, pretend_to_be_distributed
from tests.service.storage.postgres_games import WAIT, new_event, new_game, open_postgres, select, store, temporary_role
from tests.service.storage.test_databases import lobby_row
from tests.service.storage.test_recorder import make_event

from boardkeeper.service.config.settings import Config
from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage import schema
from boardkeeper.service.storage.admin import check_database
from boardkeeper.service.storage.archive.tables import UnarchiveGame
from boardkeeper.service.storage.archive.transfer import ArchiveFilter, archive, unarchive
from boardkeeper.service.storage.changes import PutGame, RemoveGame, encode_progress
from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.feed import NUMBER_ITEMS, PruneFeed, check_numbers_free
from boardkeeper.service.storage.postgres.database import PostgresDatabase
from boardkeeper.service.storage.postgres.reader import run_statements
from boardkeeper.service.storage.postgres.schema import grant
from boardkeeper.service.storage.postgres.writer import PostgresWriter
from boardkeeper.service.storage.raw_tables import InsertRows
from boardkeeper.service.storage.reports import CheckedGame
from boardkeeper.service.storage.schema import newest
from boardkeeper.service.storage.sql import for_postgres, insert_row
from boardkeeper.service.storage.writer import Append, Batch, Blocked, Conflict, Outcome, Stored

pytestmark = pytest.mark.postgres


@pytest.fixture(params=["plain", "distributed"])
def url(url: str, request: pytest.FixtureRequest) -> str:
    """Also test a database whose tables seem to be distributed over several machines."""
    if request.param == "distributed":
        pretend_to_be_distributed(url)
    return url


# --- opening ------------------------------------------------------------------------------------------------


_OPEN = """
import sys
from pathlib import Path
from boardkeeper.service.storage.database_urls import open_database
database = open_database(sys.argv[1], key_file=Path(sys.argv[2]))
print(database.key.id)
database.close()
"""


def test_processes_that_start_on_an_empty_database_share_one_key(empty_database: str, key: Path) -> None:
    command = [sys.executable, "-c", _OPEN, empty_database, str(key)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    keys = [process.communicate(timeout=100)[0].splitlines()[-1] for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert keys[0] == keys[1]
    assert select(empty_database, "SELECT value FROM service WHERE what = 'key'") == [(keys[0],)]


def test_several_starts_on_an_empty_database_at_once_succeed(empty_database: str, key: Path) -> None:
    with ThreadPoolExecutor(6) as threads:
        databases = list(threads.map(lambda _: open_postgres(empty_database, key), range(6)))
    assert len({database.key.id for database in databases}) == 1
    for database in databases:
        database.close()


def test_tables_of_another_program_are_not_changed(empty_database: str, key: Path) -> None:
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("CREATE TABLE events (theirs text)")
    with pytest.raises(StartupError, match="another program"):
        open_postgres(empty_database, key)
    assert select(empty_database, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(1,)]
    assert not key.exists()


def test_an_old_schema_is_migrated(url: str, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    open_postgres(url, key).close()
    later = str(newest() + 1)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, "CREATE TABLE later (it text)"))
    with ThreadPoolExecutor(2) as threads:
        for database in threads.map(lambda _: open_postgres(url, key), range(2)):
            database.close()
    assert select(url, "SELECT value FROM service WHERE what = 'schema'") == [(later,)]
    assert select(url, "SELECT count(*) FROM later") == [(0,)]


def test_another_key_is_rejected(url: str, key: Path, tmp_path: Path) -> None:
    database = open_postgres(url, key)
    database.close()
    open_postgres(url, key).close()
    with pytest.raises(StartupError, match="has a key already"):
        open_postgres(url, tmp_path / "missing")
    assert not (tmp_path / "missing").exists()
    with pytest.raises(StartupError, match="--key-file"):
        open_database(url)
    other = tmp_path / "other"
    key.rename(other)
    with pytest.raises(StartupError, match="has a key already"):
        open_postgres(url, key)
    subprocess.run([sys.executable, "-c", _MAKE_KEY, key], check=True)
    with pytest.raises(StartupError, match=f"needs the key {database.key.id}"):
        open_postgres(url, key)


_MAKE_KEY = """
import sys
from pathlib import Path
from boardkeeper.service.storage.service_key import ServiceKey
ServiceKey.load_or_create(Path(sys.argv[1]))
"""


def test_synchronous_commit_off_is_rejected_unless_configured(url: str, key: Path) -> None:
    unsafe = f"{url}&options=-csynchronous_commit%3Doff"
    with pytest.raises(StartupError, match="synchronous_commit=off"):
        open_postgres(unsafe, key)
    open_postgres(unsafe, key, synchronous="NORMAL").close()


def test_errors_contain_no_password(key: Path) -> None:
    for url in (
        "postgresql://ada:geheim@localhost:1/games",
        "postgresql://ada:geheim@localhost:1/games?nonsense=1",
        "postgresql://ada@localhost:1/games?password=geheim",
    ):
        with pytest.raises(StartupError) as caught:
            open_postgres(url, key)
        error: BaseException | None = caught.value
        while error is not None:
            assert "geheim" not in str(error)
            error = error.__cause__
    assert "geheim" not in repr(Config(database="postgresql://ada:geheim@localhost/games"))


def test_an_unreachable_server_is_reported(key: Path, tmp_path: Path) -> None:
    with pytest.raises(StartupError, match=r"cannot use postgresql://ada@/games: .*No such file"):
        open_postgres(f"postgresql://ada@/games?host={tmp_path}", key)


# --- conflicts ----------------------------------------------------------------------------------------------


def test_one_of_two_appends_at_the_same_version_conflicts(url: str, key: Path) -> None:
    one, other = open_postgres(url, key), open_postgres(url, key)
    game, free = uuid4(), uuid4()
    assert store(one, new_game(game), new_game(free)) == [Stored(), Stored()]
    assert store(other, new_event(game, 2)) == [Stored()]
    stale, fine = store(one, new_event(game, 2, "mine"), new_event(free, 2))
    assert isinstance(stale, Conflict)
    assert fine == Stored()
    assert one.log.writer.conflicts == 1
    assert one.log.versions([game, free, uuid4()]) == {game: 2, free: 2}
    assert store(one, new_event(game, 3)) == [Stored()]
    assert isinstance(store(other, new_event(game, 3))[0], Conflict)
    assert store(other, new_event(game, 4)) == [Stored()]
    linked, head, version = one.log.select_chain(game)
    assert [row[0] for row in linked] == [1, 2, 3, 4]
    assert (head, version) == (linked[-1][3], 4)
    one.close()
    other.close()


def test_one_batch_with_several_appends_to_a_game(database: PostgresDatabase) -> None:
    game = uuid4()
    found = store(
        database, new_game(game), new_event(game, 2), new_event(game, 2), new_event(game, 3), new_event(game, 5)
    )
    assert [type(outcome) for outcome in found] == [Stored, Stored, Conflict, Stored, Conflict]
    assert [row[0] for row in database.log.select_rows(game)] == [1, 2, 3]


def test_large_batches_are_reported_in_several_notifications(url: str, key: Path) -> None:
    one, other = open_postgres(url, key), open_postgres(url, key)
    games = [uuid4() for _ in range(400)]
    assert store(one, *map(new_game, games)) == [Stored()] * 400
    received: list[PeerChanges] = []
    listening, all_received = threading.Event(), threading.Event()

    def receive(changes: PeerChanges) -> None:
        received.append(changes)
        listening.set()
        if {game for changes in received for game in changes.new_versions} >= set(games):
            all_received.set()

    other.listen(receive)
    assert listening.wait(WAIT)
    assert received == [PeerChanges(has_gap=True)]
    writer = one.log.writer
    assert isinstance(writer, PostgresWriter)
    before = writer.commits
    assert store(one, *(new_event(game, 2) for game in games)) == [Stored()] * 400
    if writer._nodes is None:
        assert writer.commits == before + 3
    assert all_received.wait(WAIT)
    one.close()
    other.close()


def test_a_process_is_not_notified_of_its_changes(url: str, key: Path) -> None:
    one, other = open_postgres(url, key), open_postgres(url, key)
    games = [uuid4(), uuid4()]
    store(one, *map(new_game, games))
    received: list[PeerChanges] = []
    listening, done = threading.Event(), threading.Event()

    def receive(changes: PeerChanges) -> None:
        received.append(changes)
        listening.set()
        if changes.changed_games:
            done.set()

    one.listen(receive)
    assert listening.wait(WAIT)
    store(one, new_event(games[0], 2))
    store(other, new_event(games[1], 2))
    other.log.writer.store([RemoveGame(games[1], 5)])
    assert done.wait(WAIT)
    assert received == [
        PeerChanges(has_gap=True),
        PeerChanges(new_versions={games[1]: 2}),
        PeerChanges(changed_games=(games[1],)),
    ]
    one.close()
    other.close()


# --- reading ------------------------------------------------------------------------------------------------


def test_a_connection_that_has_just_answered_is_not_checked_again(
    database: PostgresDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[object] = []
    check = ConnectionPool.check_connection

    def record_check(connection: Any) -> None:
        checked.append(connection)
        check(connection)

    monkeypatch.setattr(ConnectionPool, "check_connection", record_check)
    monkeypatch.setattr("boardkeeper.service.storage.postgres.reader._TRUST_SECONDS", 100.0)
    readers = database._readers
    deadline = time.monotonic() + WAIT
    while (stats := readers._pool.get_stats())["pool_available"] != stats["pool_size"]:  # until all are open
        assert time.monotonic() < deadline
        time.sleep(0.01)
    for _ in range(stats["pool_size"]):
        readers.ping()
    before = len(checked)
    for _ in range(5):
        readers.ping()
    assert len(checked) == before
    with readers.connection() as connection:  # a statement here could not be retried
        connection.execute("SELECT 1")
    assert len(checked) == before + 1
    monkeypatch.setattr("boardkeeper.service.storage.postgres.reader._TRUST_SECONDS", 0.0)
    readers.ping()
    assert len(checked) == before + 2


@pytest.mark.parametrize("trusted", [100.0, 0.0])
def test_lost_connections_for_reading_are_replaced(
    database: PostgresDatabase, url: str, monkeypatch: pytest.MonkeyPatch, trusted: float
) -> None:
    monkeypatch.setattr("boardkeeper.service.storage.postgres.reader._TRUST_SECONDS", trusted)
    readers = database._readers
    with ThreadPoolExecutor(8) as pool:  # so the pool opens several
        list(pool.map(lambda _: readers.rows("SELECT pg_sleep(0.05)"), range(8)))
    ((own,),) = readers.rows("SELECT pg_backend_pid()")
    with psycopg.connect(url, autocommit=True) as other:
        terminate = (
            "SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity WHERE application_name = %s AND pid <> %s"
            " AND datname = current_database()"
        )
        name = other.execute("SELECT application_name FROM pg_stat_activity WHERE pid = %s", (own,)).fetchone()
        assert name is not None
        other.execute(terminate, (name[0], database._writer.process))
    assert readers.rows("SELECT 1") == [(1,)]
    with readers.connection() as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


# --- permissions --------------------------------------------------------------------------------------------


CHANGES = [
    "UPDATE {} SET state = ''",
    "UPDATE {} SET version = version + 1",
    "DELETE FROM {}",
    "TRUNCATE {} CASCADE",
]


@pytest.fixture
def owner(postgres: Server) -> Iterator[str]:
    """The URL of an empty database for the role that owns it and is not a superuser."""
    with temporary_role(postgres.url("postgres")) as (role, _), postgres.database(empty=True) as url:
        with psycopg.connect(url, autocommit=True) as connection:
            name = sql.Identifier(connection.info.dbname)
            connection.execute(sql.SQL("ALTER DATABASE {} OWNER TO {}").format(name, sql.Identifier(role)))
        yield url.replace("//postgres@", f"//{role}@")


@pytest.mark.parametrize("change", CHANGES)
def test_the_owner_can_delete_events_but_not_change_them(owner: str, key: Path, change: str) -> None:
    database, url = open_postgres(owner, key), owner
    game = uuid4()
    assert store(database, new_game(game)) == [Stored()]
    database.close()
    partitions = [
        name
        for (name,) in select(
            url,
            "SELECT inhrelid::regclass::text FROM pg_inherits JOIN pg_class c"
            " ON c.oid = inhparent WHERE c.relname = 'events'",
        )
    ]
    assert len(partitions) > 1
    is_allowed = change.startswith("DELETE")
    for table in ("events", *partitions):
        context = nullcontext() if is_allowed else pytest.raises(psycopg.errors.InsufficientPrivilege)
        with psycopg.connect(url, autocommit=True) as connection, context:
            connection.execute(change.format(table).encode())
    (found,) = check_database(url)
    assert isinstance(found, CheckedGame)
    assert (found.damage is not None) == is_allowed


def test_the_owner_can_serve_archive_and_remove_games(owner: str, key: Path, tmp_path: Path) -> None:
    database, folder = open_postgres(owner, key), tmp_path / "archive"
    folder.mkdir(0o700)
    ended, other = uuid4(), uuid4()
    store(database, new_game(ended), new_game(other))
    line = encode_progress(ended, 2, 9, "ended", [], [])
    assert store(database, Append([make_event(ended, 2)], (), line)) == [Stored()]
    assert archive(owner, folder, ArchiveFilter(), key).games == 1
    assert database.log.select_rows(ended) == []
    assert unarchive(owner, folder, [], key).games == 1
    assert len(database.log.select_rows(ended)) == 2
    database.log.writer.store([RemoveGame(ended, 5)])
    assert select(owner, "SELECT game FROM events") == [(other,)]
    database.close()


def test_a_removed_game_leaves_a_tombstone_and_cannot_be_created_again(database: PostgresDatabase) -> None:
    game, other = uuid4(), uuid4()
    store(database, new_game(game), new_game(other), new_event(game, 2))
    database.log.writer.store([RemoveGame(game, 77)])
    assert database.game_tables.removal_time(game) == 77
    assert not database.game_tables.is_known(game)
    assert database.log.select_rows(game) == []
    assert database.game_tables.lobby_row(other) is not None
    assert isinstance(store(database, new_event(game, 3))[0], Conflict)
    line = lobby_row(game)
    for again in (
        new_game(game),
        Append([make_event(game, 1)]),
        Append([], new_game(game).changes),
        Append([], [PutGame(line, b"")]),
    ):
        assert isinstance(store(database, again)[0], Conflict)
    unarchived = UnarchiveGame(game, [(1, "game.Test", b"", b"")])
    assert isinstance(store(database, Append([], [unarchived]))[0], Conflict)
    assert not database.game_tables.is_known(game)
    assert database.log.select_rows(game) == []


def test_a_game_that_is_being_removed_cannot_be_created_again(database: PostgresDatabase, url: str) -> None:
    game = uuid4()
    store(database, new_game(game))
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("BEGIN")
        run_statements(other, RemoveGame(game, 77).statements())
        assert isinstance(store(database, new_game(game))[0], Blocked)
        database.log.writer.submit(Batch([new_game(game)], (outcomes := Future[list[Outcome]]()).set_result))
        other.execute("COMMIT")
    (outcome,) = outcomes.result(WAIT)
    while isinstance(outcome, Blocked):  # its wait for the lock timed out
        (outcome,) = store(database, new_game(game))
    assert isinstance(outcome, Conflict)
    assert not database.game_tables.is_known(game)


@pytest.fixture
def service_role(url: str) -> Iterator[str]:
    """The URL of the database for a role with only the permissions that a service needs."""
    with temporary_role(url) as (role, role_url):
        with psycopg.connect(url, autocommit=True) as connection:
            grant(connection, role)
        yield role_url


def test_the_service_role_can_do_all_that_a_service_does(service_role: str, key: Path) -> None:
    database = open_postgres(service_role, key)
    game = uuid4()
    assert store(database, new_game(game), new_event(game, 2)) == [Stored(), Stored()]
    assert database.game_tables.lobby_page() == [database.game_tables.lobby_row(game)]
    database.log.writer.probe()
    database.log.writer.last_error = OSError()
    database.log.writer.probe()
    database.log.writer.store([RemoveGame(game, 5)])
    assert database.game_tables.removal_time(game) == 5
    assert database.feed.number_outbox() == 1
    (removed,) = database.feed.page(0, 1, 10)
    database.log.writer.store([InsertRows([insert_row("feed", replace(removed, number=2))]), PruneFeed(2)])
    assert database.feed.bounds().oldest == 2
    with pytest.raises(IntegrityError):
        database.log.writer.store(
            [InsertRows([check_numbers_free([2]), insert_row("feed", replace(removed, number=2, game=uuid4()))])]
        )
    database.close()


@pytest.mark.parametrize("change", [*CHANGES, "DROP TABLE {}"])
def test_the_service_role_cannot_change_events(service_role: str, key: Path, change: str) -> None:
    database = open_postgres(service_role, key)
    game = uuid4()
    store(database, new_game(game))
    for table in ("events", "events_0"):
        with (
            psycopg.connect(service_role, autocommit=True) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(change.format(table).encode())
    with (
        psycopg.connect(service_role, autocommit=True) as connection,
        pytest.raises(psycopg.errors.RestrictViolation, match="neither removed nor archived"),
    ):
        connection.execute("SELECT remove_events(%s)", (game,))
    database.close()


def test_the_service_role_cannot_create_tables(empty_database: str, key: Path) -> None:
    with (
        temporary_role(empty_database) as (_, role_url),
        pytest.raises(StartupError, match="boardkeeper migrate"),
    ):
        open_postgres(role_url, key)


# --- the interface for the event sourcing library -----------------------------------------------------------


def test_events_of_different_games_have_no_order(database: PostgresDatabase) -> None:
    recorder: ApplicationRecorder = database.log
    for call in (
        lambda: recorder.select_notifications(1, 10),
        recorder.max_notification_id,
        recorder.subscribe,
    ):
        with pytest.raises(ProgrammingError, match="no order"):
            call()


def test_the_library_writes_and_reads_a_games_events(database: PostgresDatabase) -> None:
    recorder, game = database.log, uuid4()
    events = [make_event(game, version) for version in range(1, 8)]
    recorder.insert_events(events[:4])
    recorder.insert_events(events[4:])
    with pytest.raises(IntegrityError):
        recorder.insert_events([make_event(game, 7)])
    with pytest.raises(IntegrityError):
        recorder.insert_events([make_event(game, 9)])
    assert recorder.select_events(game) == events
    assert recorder.select_events(game, gt=2, lte=5) == events[2:5]
    assert recorder.select_events(game, desc=True, limit=2) == events[:4:-1]
    assert database.game_tables.games_without_row() == [game]


def test_numbering_items_does_not_read_the_outbox_for_each_item(url: str) -> None:
    """An old open transaction keeps deleted rows in the table, and a join would read all of them for each item."""
    with psycopg.connect(url, autocommit=True) as connection:
        plan = "\n".join(row[0] for row in connection.execute(b"EXPLAIN " + for_postgres(NUMBER_ITEMS), (2_000,)))
    assert "feed_outbox" in plan
    assert not re.search("Join|Nested Loop|SubPlan", plan), plan
