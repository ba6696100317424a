"""The recorder with the library's test cases, and its additions to the library."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from eventsourcing.persistence import OperationalError, StoredEvent
from tests.service import library_cases
from tests.waiting import SECONDS, until

from boardkeeper.service.storage import writer as storage_writer
from boardkeeper.service.storage.changes import NewRequest
from boardkeeper.service.storage.event_log import EventLog, SnapshotRecorder
from boardkeeper.service.storage.rows import RequestRow
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.sqlite.database import SqliteDatabase
from boardkeeper.service.storage.writer import (
    Append,
    Batch,
    Blocked,
    Conflict,
    Failed,
    FinalOutcome,
    Outcome,
    OverloadedError,
    Stored,
    Writer,
)


def open_file(folder: Path) -> SqliteDatabase:
    return SqliteDatabase.open(folder / "events.db")


class _WithRecorder:
    """Provides the library's test cases with a recorder on a new file."""

    @pytest.fixture(autouse=True)
    def _folder(self, tmp_path: Path) -> Iterator[None]:
        self._database = open_file(tmp_path)
        yield
        self._database.close()


class TestEventLog(_WithRecorder, library_cases.AggregateRecorderCase):
    def create_recorder(self) -> EventLog:
        return self._database.log


class TestSnapshotRecorder(_WithRecorder, library_cases.AggregateRecorderCase):
    def create_recorder(self) -> SnapshotRecorder:
        return self._database.factory.aggregate_recorder()


@pytest.fixture
def database(tmp_path: Path) -> Iterator[SqliteDatabase]:
    database = open_file(tmp_path)
    yield database
    database.close()


@pytest.fixture
def recorder(database: SqliteDatabase) -> EventLog:
    return database.log


def make_event(game: UUID, version: int) -> StoredEvent:
    return StoredEvent(game, version, "game.Test", b"[]")


async def store(recorder: EventLog, *appends: tuple[list[StoredEvent], list[Change]]) -> list[Outcome]:
    """Queue appends at once and wait for all outcomes."""
    loop = asyncio.get_running_loop()
    futures: list[asyncio.Future[Outcome]] = []
    for events, changes in appends:
        future: asyncio.Future[Outcome] = loop.create_future()
        futures.append(future)
        recorder.writer.append(Append(events, changes), future.set_result)
    return list(await asyncio.gather(*futures))


async def test_a_conflict_rolls_back_only_its_command(recorder: EventLog) -> None:
    one, two = uuid4(), uuid4()
    outcomes = await store(
        recorder,
        ([make_event(one, 1), make_event(one, 2)], []),
        ([make_event(one, 3), make_event(one, 2)], []),
        ([make_event(two, 1)], []),
    )
    assert outcomes[0] == Stored()
    assert isinstance(outcomes[1], Conflict)
    assert outcomes[2] == Stored()
    assert [row[0] for row in recorder.select_rows(one)] == [1, 2]


def new_request(id: object) -> NewRequest:
    """Return a change that stores a request; it fails unless the id is of type ``bytes``."""
    return NewRequest(RequestRow(id, b"content", b"salt", uuid4(), ()), 1)  # type: ignore[arg-type]


async def test_changes_and_their_events_are_stored_atomically(recorder: EventLog, database: SqliteDatabase) -> None:
    one, two = uuid4(), uuid4()
    outcomes = await store(
        recorder,
        ([make_event(one, 1)], [new_request(b"a")]),
        ([make_event(two, 1)], [new_request(b"b"), new_request(b"a")]),
        ([make_event(one, 2)], [new_request(object())]),
        ([make_event(one, 1)], [new_request(b"c")]),
    )
    assert [type(outcome) for outcome in outcomes] == [Stored, Conflict, Failed, Conflict]
    with database.connection() as connection:
        assert connection.execute("SELECT request FROM requests").fetchall() == [(b"a",)]
        assert connection.execute("SELECT count(*) FROM events").fetchall() == [(1,)]


async def test_queued_commands_share_a_commit(recorder: EventLog) -> None:
    await store(recorder, *[([make_event(uuid4(), 1)], []) for _ in range(60)])
    assert recorder.writer.appends == 60
    assert recorder.writer.commits < 60


async def test_a_failing_commit_callback_does_not_fail_the_append(recorder: EventLog) -> None:
    def fail(appends: int, seconds: float) -> None:
        raise ZeroDivisionError

    recorder.writer.on_commit = fail
    game = uuid4()
    assert [type(outcome) for outcome in await store(recorder, ([make_event(game, 1)], []))] == [Stored]
    assert recorder.select_events(game) == [make_event(game, 1)]
    assert recorder.writer.last_error is None


async def test_a_failing_callback_does_not_prevent_other_callbacks(recorder: EventLog) -> None:
    loop = asyncio.get_running_loop()
    failures: list[object] = []
    loop.set_exception_handler(lambda _, context: failures.append(context["exception"]))

    def fail(outcome: Outcome) -> None:
        raise ZeroDivisionError

    future: asyncio.Future[Outcome] = loop.create_future()
    recorder.writer.append(Append([make_event(uuid4(), 1)]), fail)
    recorder.writer.append(Append([make_event(uuid4(), 1)]), future.set_result)
    assert await future == Stored()
    assert [type(failure) for failure in failures] == [ZeroDivisionError]


class _BlockedWriter(Writer):
    """A writer that is blocked for the games in ``locked``, and counts the attempts for each game."""

    def __init__(self) -> None:
        super().__init__()
        self.locked: set[UUID] = set()
        self.attempts: Counter[UUID] = Counter()
        self._thread.start()

    def probe(self, *, write: bool = False) -> None:
        """Succeed."""

    def close(self) -> None:
        self._end()

    def _store(self, appends: Sequence[Append]) -> list[Outcome]:
        outcomes: list[Outcome] = []
        for append in appends:
            game = append.events[0].originator_id
            assert isinstance(game, UUID)
            self.attempts[game] += 1
            outcomes.append(Blocked("locked") if game in self.locked else Stored())
        return outcomes


async def test_later_commands_of_a_blocked_game_fail_without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = _BlockedWriter()
    loop = asyncio.get_running_loop()

    def submit(game: UUID) -> asyncio.Future[FinalOutcome]:
        future: asyncio.Future[FinalOutcome] = loop.create_future()
        writer.append(Append([make_event(game, 2)]), future.set_result)
        return future

    locked_game, other = uuid4(), uuid4()
    writer.locked = {locked_game}
    monkeypatch.setattr(storage_writer, "BLOCKED_TIMEOUT", 0.0)
    assert isinstance(await submit(locked_game), Failed)
    monkeypatch.setattr(storage_writer, "BLOCKED_TIMEOUT", SECONDS)
    assert [type(await submit(locked_game)) for _ in range(20)] == [Failed] * 20
    assert (writer.attempts[locked_game], writer.blocked_count) == (21, 1)
    writer.locked |= {other}  # its first wait
    waiting = submit(other)
    await until(lambda: writer.attempts[other] > 2)
    assert not waiting.done()
    writer.locked.clear()
    assert await waiting == Stored()
    assert await submit(locked_game) == Stored()
    assert writer.blocked_count == 0
    writer.locked = {locked_game}  # a new lock: the game was unlocked in between
    waiting = submit(locked_game)
    await until(lambda: writer.attempts[locked_game] > 24)
    assert not waiting.done()
    writer.locked.clear()
    assert await waiting == Stored()
    writer.close()


async def test_a_full_queue_rejects_appends(recorder: EventLog) -> None:
    loop = asyncio.get_running_loop()
    recorder.writer.limit = 2
    futures: list[asyncio.Future[Outcome]] = [loop.create_future() for _ in range(3)]
    for future in futures[:2]:
        recorder.writer.append(Append([make_event(uuid4(), 1)]), future.set_result)
    with pytest.raises(OverloadedError):
        recorder.writer.append(Append([make_event(uuid4(), 1)]), futures[2].set_result)
    assert await asyncio.gather(*futures[:2]) == [Stored(), Stored()]
    recorder.writer.append(Append([make_event(uuid4(), 1)]), futures[2].set_result)
    assert await futures[2] == Stored()


def test_closing_stores_queued_appends(tmp_path: Path) -> None:
    database = open_file(tmp_path)
    outcomes: list[Outcome] = []
    for _ in range(50):
        database.log.writer.submit(Batch([Append([make_event(uuid4(), 1)])], outcomes.extend))
    database.close()
    assert outcomes == [Stored()] * 50
    with pytest.raises(OperationalError):
        database.log.insert_events([make_event(uuid4(), 1)])
    connection = sqlite3.connect(tmp_path / "events.db")
    assert connection.execute("SELECT count(*) FROM stored_events").fetchone() == (50,)
    connection.close()


async def test_an_append_after_closing_fails(tmp_path: Path) -> None:
    database = open_file(tmp_path)
    database.close()
    future: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
    database.log.writer.append(Append([make_event(uuid4(), 1)]), future.set_result)
    assert isinstance(await future, Failed)


async def test_a_command_can_have_thousands_of_events(recorder: EventLog) -> None:
    game = uuid4()
    (outcome,) = await store(recorder, ([make_event(game, version) for version in range(1, 5002)], []))
    assert outcome == Stored()


def test_the_disk_is_flushed_by_default(database: SqliteDatabase) -> None:
    with database.connection() as connection:
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_connections_in_use_during_closing_are_closed_after_use(tmp_path: Path) -> None:
    database = open_file(tmp_path)
    with database.connection() as connection:
        database.close()
        assert connection.execute("SELECT count(*) FROM events").fetchone() == (0,)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


def test_driver_errors_are_raised_as_library_errors(database: SqliteDatabase) -> None:
    with pytest.raises(OperationalError, match="no such table"), database.connection() as connection:
        connection.execute("SELECT * FROM missing")
