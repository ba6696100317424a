"""What only a database has that several processes share: who may open it, who goes first, what nobody can change."""

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
from uuid import UUID, uuid4

import psycopg
import pytest
from eventsourcing.persistence import ApplicationRecorder, IntegrityError, ProgrammingError, StoredEvent
from msgspec.structs import replace
from psycopg import sql
from psycopg_pool import ConnectionPool
from tests.databases.servers import Server, pretend_to_be_distributed
from tests.service.storage.test_databases import SECRET, lobby_row
from tests.service.storage.test_recorder import event

from boardkeeper.service.config.settings import Config
from boardkeeper.service.errors import StartupError
from boardkeeper.service.storage import schema
from boardkeeper.service.storage.admin import check_database
from boardkeeper.service.storage.archive.tables import UnarchiveGame
from boardkeeper.service.storage.archive.transfer import ArchiveFilter, archive, unarchive
from boardkeeper.service.storage.changes import NewGame, PutGame, RemoveGame, encode_progress
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

WAIT = 100.0


@pytest.fixture(params=["plain", "distributed"])
def url(postgres: Server, request: pytest.FixtureRequest) -> Iterator[str]:
    """A fresh database with its tables."""
    with postgres.database() as url:
        if request.param == "distributed":
            pretend_to_be_distributed(url)
        yield url


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return tmp_path / "key"


def opened(url: str, key: Path, **settings: Any) -> PostgresDatabase:
    database = open_database(url, key_file=key, **settings)
    assert isinstance(database, PostgresDatabase)
    return database


@pytest.fixture
def database(url: str, key: Path) -> Iterator[PostgresDatabase]:
    database = opened(url, key)
    yield database
    database.close()


def new(game: UUID) -> Append:
    """A game that begins with one event."""
    return Append([event(game, 1)], [NewGame(lobby_row(game), SECRET)])


def moved(game: UUID, version: int, text: str = "c") -> Append:
    """One event of a game that is there."""
    line = encode_progress(game, version, 9, "running", [text, ""], [])
    return Append([StoredEvent(game, version, "game.Test", text.encode())], (), line)


def outcomes(database: PostgresDatabase, *appends: Append) -> list[Outcome]:
    """What became of appends that are handed over together."""
    told: list[Outcome] = []
    done = threading.Event()

    def tell(outcomes: list[Outcome]) -> None:
        told.extend(outcomes)
        done.set()

    database.log.writer.submit(Batch(appends, tell))
    assert done.wait(WAIT)
    return told


def rows(url: str, query: str, *parameters: object) -> list[Any]:
    with psycopg.connect(url, autocommit=True) as connection:
        return connection.execute(query.encode(), parameters).fetchall()


# --- opening ------------------------------------------------------------------------------------------------


_OPEN = """
import sys
from pathlib import Path
from boardkeeper.service.storage.database_urls import open_database
database = open_database(sys.argv[1], key_file=Path(sys.argv[2]))
print(database.key.id)
database.close()
"""


def test_two_processes_that_start_on_an_empty_database_have_the_same_key(empty_database: str, key: Path) -> None:
    command = [sys.executable, "-c", _OPEN, empty_database, str(key)]
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    told = [process.communicate(timeout=100)[0].splitlines()[-1] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert told[0] == told[1]
    assert rows(empty_database, "SELECT value FROM service WHERE what = 'key'") == [(told[0],)]


def test_many_that_start_on_an_empty_database_at_once_all_come_through(empty_database: str, key: Path) -> None:
    with ThreadPoolExecutor(6) as threads:
        databases = list(threads.map(lambda _: opened(empty_database, key), range(6)))
    assert len({database.key.id for database in databases}) == 1
    for database in databases:
        database.close()


def test_tables_of_another_program_are_left_alone(empty_database: str, key: Path) -> None:
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("CREATE TABLE events (theirs text)")
    with pytest.raises(StartupError, match="another program"):
        opened(empty_database, key)
    assert rows(empty_database, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == [(1,)]
    assert not key.exists()


def test_an_old_schema_is_migrated(url: str, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened(url, key).close()
    later = str(newest() + 1)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, "CREATE TABLE later (it text)"))
    with ThreadPoolExecutor(2) as threads:
        for database in threads.map(lambda _: opened(url, key), range(2)):
            database.close()
    assert rows(url, "SELECT value FROM service WHERE what = 'schema'") == [(later,)]
    assert rows(url, "SELECT count(*) FROM later") == [(0,)]


def test_a_foreign_key_is_refused(url: str, key: Path, tmp_path: Path) -> None:
    database = opened(url, key)
    database.close()
    opened(url, key).close()
    with pytest.raises(StartupError, match="has a key already"):
        opened(url, tmp_path / "missing")
    assert not (tmp_path / "missing").exists()
    with pytest.raises(StartupError, match="--key-file"):
        open_database(url)
    other = tmp_path / "other"
    key.rename(other)
    with pytest.raises(StartupError, match="has a key already"):
        opened(url, key)
    subprocess.run([sys.executable, "-c", _MAKE_KEY, key], check=True)
    with pytest.raises(StartupError, match=f"needs the key {database.key.id}"):
        opened(url, key)


_MAKE_KEY = """
import sys
from pathlib import Path
from boardkeeper.service.storage.service_key import ServiceKey
ServiceKey.load_or_create(Path(sys.argv[1]))
"""


def test_commits_that_do_not_wait_for_the_disk_are_refused_unless_asked_for(url: str, key: Path) -> None:
    hasty = f"{url}&options=-csynchronous_commit%3Doff"
    with pytest.raises(StartupError, match="synchronous_commit=off"):
        opened(hasty, key)
    opened(hasty, key, synchronous="NORMAL").close()


def test_no_password_is_told(key: Path) -> None:
    for url in (
        "postgresql://ada:geheim@localhost:1/games",
        "postgresql://ada:geheim@localhost:1/games?nonsense=1",
        "postgresql://ada@localhost:1/games?password=geheim",
    ):
        with pytest.raises(StartupError) as refused:
            opened(url, key)
        error: BaseException | None = refused.value
        while error is not None:
            assert "geheim" not in str(error)
            error = error.__cause__
    assert "geheim" not in repr(Config(database="postgresql://ada:geheim@localhost/games"))


def test_a_server_that_is_not_there(key: Path, tmp_path: Path) -> None:
    with pytest.raises(StartupError, match=r"cannot use postgresql://ada@/games: .*No such file"):
        opened(f"postgresql://ada@/games?host={tmp_path}", key)


# --- who goes first -----------------------------------------------------------------------------------------


def test_of_two_who_decided_at_the_same_version_one_is_told_of_a_conflict(url: str, key: Path) -> None:
    one, other = opened(url, key), opened(url, key)
    game, free = uuid4(), uuid4()
    assert outcomes(one, new(game), new(free)) == [Stored(), Stored()]
    assert outcomes(other, moved(game, 2)) == [Stored()]
    stale, fine = outcomes(one, moved(game, 2, "mine"), moved(free, 2))
    assert isinstance(stale, Conflict)
    assert fine == Stored()
    assert one.log.writer.conflicts == 1
    assert one.log.versions([game, free, uuid4()]) == {game: 2, free: 2}
    assert outcomes(one, moved(game, 3)) == [Stored()]
    assert isinstance(outcomes(other, moved(game, 3))[0], Conflict)
    assert outcomes(other, moved(game, 4)) == [Stored()]
    rows, head, version = one.log.select_chain(game)
    assert [row[0] for row in rows] == [1, 2, 3, 4]
    assert (head, version) == (rows[-1][3], 4)
    one.close()
    other.close()


def test_one_batch_has_a_game_several_times(database: PostgresDatabase) -> None:
    game = uuid4()
    told = outcomes(database, new(game), moved(game, 2), moved(game, 2), moved(game, 3), moved(game, 5))
    assert [type(outcome) for outcome in told] == [Stored, Stored, Conflict, Stored, Conflict]
    assert [row[0] for row in database.log.select_rows(game)] == [1, 2, 3]


def test_more_appends_than_one_notification_can_name(url: str, key: Path) -> None:
    one, other = opened(url, key), opened(url, key)
    games = [uuid4() for _ in range(400)]
    assert outcomes(one, *map(new, games)) == [Stored()] * 400
    heard: list[PeerChanges] = []
    began, all_heard = threading.Event(), threading.Event()

    def hear(news: PeerChanges) -> None:
        heard.append(news)
        began.set()
        if {game for news in heard for game in news.new_versions} >= set(games):
            all_heard.set()

    other.listen(hear)
    assert began.wait(WAIT)
    assert heard == [PeerChanges(has_gap=True)]
    writer = one.log.writer
    assert isinstance(writer, PostgresWriter)
    before = writer.commits
    assert outcomes(one, *(moved(game, 2) for game in games)) == [Stored()] * 400
    if writer._nodes is None:
        assert writer.commits == before + 3
    assert all_heard.wait(WAIT)
    one.close()
    other.close()


def test_nobody_hears_of_itself(url: str, key: Path) -> None:
    one, other = opened(url, key), opened(url, key)
    games = [uuid4(), uuid4()]
    outcomes(one, *map(new, games))
    heard: list[PeerChanges] = []
    began, done = threading.Event(), threading.Event()

    def hear(news: PeerChanges) -> None:
        heard.append(news)
        began.set()
        if news.changed_games:
            done.set()

    one.listen(hear)
    assert began.wait(WAIT)
    outcomes(one, moved(games[0], 2))
    outcomes(other, moved(games[1], 2))
    other.log.writer.store([RemoveGame(games[1], 5)])
    assert done.wait(WAIT)
    assert heard == [
        PeerChanges(has_gap=True),
        PeerChanges(new_versions={games[1]: 2}),
        PeerChanges(changed_games=(games[1],)),
    ]
    one.close()
    other.close()


# --- reading ------------------------------------------------------------------------------------------------


def test_a_connection_that_has_just_answered_is_not_asked_first(
    database: PostgresDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    check = ConnectionPool.check_connection

    def noted(connection: Any) -> None:
        asked.append(connection)
        check(connection)

    monkeypatch.setattr(ConnectionPool, "check_connection", noted)
    monkeypatch.setattr("boardkeeper.service.storage.postgres.reader._TRUST_SECONDS", 100.0)
    readers = database._readers
    give_up = time.monotonic() + WAIT
    while (stats := readers._pool.get_stats())["pool_available"] != stats["pool_size"]:  # until all have been made
        assert time.monotonic() < give_up
        time.sleep(0.01)
    for _ in range(stats["pool_size"]):
        readers.ping()
    before = len(asked)
    for _ in range(5):
        readers.ping()
    assert len(asked) == before
    with readers.connection() as connection:  # nothing could be asked again there
        connection.execute("SELECT 1")
    assert len(asked) == before + 1
    monkeypatch.setattr("boardkeeper.service.storage.postgres.reader._TRUST_SECONDS", 0.0)
    readers.ping()
    assert len(asked) == before + 2


@pytest.mark.parametrize("trusted", [100.0, 0.0])
def test_nobody_notices_that_connections_for_reading_were_lost(
    database: PostgresDatabase, url: str, monkeypatch: pytest.MonkeyPatch, trusted: float
) -> None:
    monkeypatch.setattr("boardkeeper.service.storage.postgres.reader._TRUST_SECONDS", trusted)
    readers = database._readers
    with ThreadPoolExecutor(8) as pool:  # so that there are several
        list(pool.map(lambda _: readers.rows("SELECT pg_sleep(0.05)"), range(8)))
    ((own,),) = readers.rows("SELECT pg_backend_pid()")
    with psycopg.connect(url, autocommit=True) as other:
        ended = (
            "SELECT pg_terminate_backend(pid, 20000) FROM pg_stat_activity WHERE application_name = %s AND pid <> %s"
            " AND datname = current_database()"
        )
        name = other.execute("SELECT application_name FROM pg_stat_activity WHERE pid = %s", (own,)).fetchone()
        assert name is not None
        other.execute(ended, (name[0], database._writer.process))
    assert readers.rows("SELECT 1") == [(1,)]
    with readers.connection() as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


# --- what nobody can change ---------------------------------------------------------------------------------


CHANGES = [
    "UPDATE {} SET state = ''",
    "UPDATE {} SET version = version + 1",
    "DELETE FROM {}",
    "TRUNCATE {} CASCADE",
]


@pytest.fixture
def owner(postgres: Server) -> Iterator[str]:
    """The URL of an empty database for the role that owns it, which is no superuser."""
    role = f"owner_{uuid4().hex[:12]}"
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
        with postgres.database(empty=True) as url:
            name = sql.Identifier(url.partition("?")[0].rpartition("/")[2])
            connection.execute(sql.SQL("ALTER DATABASE {} OWNER TO {}").format(name, sql.Identifier(role)))
            yield url.replace("//postgres@", f"//{role}@")
        connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))


@pytest.mark.parametrize("change", CHANGES)
def test_the_owner_cannot_change_events_but_delete_them(owner: str, key: Path, change: str) -> None:
    database, url = opened(owner, key), owner
    game = uuid4()
    assert outcomes(database, new(game)) == [Stored()]
    database.close()
    parts = [
        name
        for (name,) in rows(
            url,
            "SELECT inhrelid::regclass::text FROM pg_inherits JOIN pg_class c"
            " ON c.oid = inhparent WHERE c.relname = 'events'",
        )
    ]
    assert len(parts) > 1
    is_allowed = change.startswith("DELETE")
    for table in ("events", *parts):
        context = nullcontext() if is_allowed else pytest.raises(psycopg.errors.InsufficientPrivilege)
        with psycopg.connect(url, autocommit=True) as connection, context:
            connection.execute(change.format(table).encode())
    (found,) = check_database(url)
    assert isinstance(found, CheckedGame)
    assert (found.damage is not None) == is_allowed


def test_the_owner_serves_archives_and_removes_games(owner: str, key: Path, tmp_path: Path) -> None:
    database, folder = opened(owner, key), tmp_path / "archive"
    folder.mkdir(0o700)
    ended, other = uuid4(), uuid4()
    outcomes(database, new(ended), new(other))
    line = encode_progress(ended, 2, 9, "ended", [], [])
    assert outcomes(database, Append([event(ended, 2)], (), line)) == [Stored()]
    assert archive(owner, folder, ArchiveFilter(), key).games == 1
    assert database.log.select_rows(ended) == []
    assert unarchive(owner, folder, [], key).games == 1
    assert len(database.log.select_rows(ended)) == 2
    database.log.writer.store([RemoveGame(ended, 5)])
    assert rows(owner, "SELECT game FROM events") == [(other,)]
    database.close()


def test_a_game_goes_with_a_tombstone_and_does_not_come_back(database: PostgresDatabase) -> None:
    game, other = uuid4(), uuid4()
    outcomes(database, new(game), new(other), moved(game, 2))
    database.log.writer.store([RemoveGame(game, 77)])
    assert database.game_tables.removal_time(game) == 77
    assert not database.game_tables.is_known(game)
    assert database.log.select_rows(game) == []
    assert database.game_tables.lobby_row(other) is not None
    assert isinstance(outcomes(database, moved(game, 3))[0], Conflict)
    line = lobby_row(game)
    for again in (new(game), Append([event(game, 1)]), Append([], new(game).changes), Append([], [PutGame(line, b"")])):
        assert isinstance(outcomes(database, again)[0], Conflict)
    unarchived = UnarchiveGame(game, [(1, "game.Test", b"", b"")])
    assert isinstance(outcomes(database, Append([], [unarchived]))[0], Conflict)
    assert not database.game_tables.is_known(game)
    assert database.log.select_rows(game) == []


def test_a_game_that_is_removed_at_the_same_time_does_not_come_back(database: PostgresDatabase, url: str) -> None:
    game = uuid4()
    outcomes(database, new(game))
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("BEGIN")
        run_statements(other, RemoveGame(game, 77).statements())
        assert isinstance(outcomes(database, new(game))[0], Blocked)
        database.log.writer.submit(Batch([new(game)], (told := Future[list[Outcome]]()).set_result))
        other.execute("COMMIT")
    (outcome,) = told.result(WAIT)
    while isinstance(outcome, Blocked):  # it had waited for the lock for as long as it may
        (outcome,) = outcomes(database, new(game))
    assert isinstance(outcome, Conflict)
    assert not database.game_tables.is_known(game)


@pytest.fixture
def service_role(postgres: Server, url: str) -> Iterator[str]:
    """The URL of the database for a role that has been granted what a service needs, and no more."""
    role = f"service_{uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
        grant(connection, role)
    yield url.replace("//postgres@", f"//{role}@")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP OWNED BY {}").format(sql.Identifier(role)))
        connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))


def test_the_role_of_a_service_does_all_that_a_service_does(service_role: str, key: Path) -> None:
    database = opened(service_role, key)
    game = uuid4()
    assert outcomes(database, new(game), moved(game, 2)) == [Stored(), Stored()]
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
def test_the_role_of_a_service_cannot_change_events(service_role: str, key: Path, change: str) -> None:
    database = opened(service_role, key)
    game = uuid4()
    outcomes(database, new(game))
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


def test_the_role_of_a_service_makes_no_tables(empty_database: str, postgres: Server, key: Path) -> None:
    role = f"service_{uuid4().hex[:12]}"
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
    with pytest.raises(StartupError, match="boardkeeper migrate"):
        opened(empty_database.replace("//postgres@", f"//{role}@"), key)
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP ROLE {}").format(sql.Identifier(role)))


# --- what the library is told -------------------------------------------------------------------------------


def test_there_is_no_order_among_all_events(database: PostgresDatabase) -> None:
    recorder: ApplicationRecorder = database.log
    for ask in (
        lambda: recorder.select_notifications(1, 10),
        recorder.max_notification_id,
        recorder.subscribe,
    ):
        with pytest.raises(ProgrammingError, match="no order"):
            ask()


def test_the_library_writes_and_reads_a_games_events(database: PostgresDatabase) -> None:
    recorder, game = database.log, uuid4()
    events = [event(game, version) for version in range(1, 8)]
    recorder.insert_events(events[:4])
    recorder.insert_events(events[4:])
    with pytest.raises(IntegrityError):
        recorder.insert_events([event(game, 7)])
    with pytest.raises(IntegrityError):
        recorder.insert_events([event(game, 9)])
    assert recorder.select_events(game) == events
    assert recorder.select_events(game, gt=2, lte=5) == events[2:5]
    assert recorder.select_events(game, desc=True, limit=2) == events[:4:-1]
    assert database.game_tables.games_without_row() == [game]


def test_numbers_are_given_without_reading_the_outbox_again_for_each_item(url: str) -> None:
    """What has gone stays in the table while somebody has an old transaction open; a join would read it so often."""
    with psycopg.connect(url, autocommit=True) as connection:
        plan = "\n".join(row[0] for row in connection.execute(b"EXPLAIN " + for_postgres(NUMBER_ITEMS), (2_000,)))
    assert "feed_outbox" in plan
    assert not re.search("Join|Nested Loop|SubPlan", plan), plan
