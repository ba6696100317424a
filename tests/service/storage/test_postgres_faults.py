"""A PostgreSQL server that is lost or loses connections, and processes that block each other."""

from __future__ import annotations

import asyncio
import itertools
import random
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import grpc
import psycopg
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from psycopg.conninfo import conninfo_to_dict
from tests.databases import servers
from tests.databases.faulty_proxy import FaultyProxy
from tests.databases.servers import Server
from tests.service.api_server import grpc_error, run_server
from tests.service.scraping import MeasuredApi, run_measured_server
from tests.service.storage.postgres_games import (
    WAIT,
    is_reachable,
    is_unreachable,
    new_event,
    new_game,
    open_postgres,
    select,
    store,
)
from tests.waiting import SECONDS, wait_until

from boardkeeper.service.storage import writer
from boardkeeper.service.storage.changes import encode_progress
from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage.errors import UnreachableError
from boardkeeper.service.storage.invitations import InvitationRow, NewInvitation
from boardkeeper.service.storage.postgres.database import PostgresDatabase
from boardkeeper.service.storage.quotas import SpendQuota
from boardkeeper.service.storage.writer import Append, Batch, Blocked, Conflict, Outcome, Stored
from boardkeeper.v1 import event_pb2

pytestmark = pytest.mark.postgres


@pytest.fixture
def proxy(url: str) -> Iterator[FaultyProxy]:
    """A proxy to the database."""
    with tempfile.TemporaryDirectory(prefix="bkproxy-", dir="/tmp") as folder:
        proxy = FaultyProxy(Path(folder), f"{conninfo_to_dict(url)['host']}/.s.PGSQL.5432")
        yield proxy
        proxy.close()


@pytest.fixture
def proxy_url(url: str, proxy: FaultyProxy) -> str:
    """The URL of the database through the proxy."""
    return url.replace(str(conninfo_to_dict(url)["host"]), str(proxy.folder))


@contextmanager
def closing_all(*databases: PostgresDatabase) -> Iterator[None]:
    try:
        yield
    finally:
        for database in databases:
            database.close()


def test_an_append_whose_answer_is_lost_has_an_unknown_outcome(proxy: FaultyProxy, proxy_url: str, key: Path) -> None:
    """It was stored, which its version shows. Another append at that version conflicts."""
    game = uuid4()
    database = open_postgres(proxy_url, key)
    with closing_all(database):
        assert store(database, new_game(game)) == [Stored()]
        proxy.lost_answer = b"SELECT 1\0"
        (outcome,) = store(database, new_event(game, 2))
        assert is_unreachable(outcome)
        proxy.lost_answer = b""
        wait_until(lambda: is_reachable(database))
        assert database.log.versions([game]) == {game: 2}
        assert isinstance(store(database, new_event(game, 2))[0], Conflict)
        assert store(database, new_event(game, 3)) == [Stored()]
        linked, head, version = database.log.select_chain(game)
        assert [row[0] for row in linked] == [1, 2, 3]
        assert (head, version) == (linked[-1][3], 3)


def test_a_new_game_whose_answer_is_lost_is_stored_once(proxy: FaultyProxy, proxy_url: str, key: Path) -> None:
    game = uuid4()
    database = open_postgres(proxy_url, key)
    with closing_all(database):
        proxy.lost_answer = b"COMMIT\0"
        (outcome,) = store(database, new_game(game))
        assert is_unreachable(outcome)
        proxy.lost_answer = b""
        wait_until(lambda: is_reachable(database))
        assert isinstance(store(database, new_game(game))[0], Conflict)
        assert database.game_tables.count_games() == 1
        assert [row[0] for row in database.log.select_rows(game)] == [1]


def test_a_lost_connection_is_replaced(url: str, key: Path) -> None:
    database = open_postgres(url, key)
    received: list[PeerChanges] = []
    listening, listening_again = threading.Event(), threading.Event()

    def receive(changes: PeerChanges) -> None:
        received.append(changes)
        (listening_again if listening.is_set() else listening).set()

    with closing_all(database):
        game = uuid4()
        store(database, new_game(game))
        database.listen(receive)
        assert listening.wait(WAIT)
        select(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid()",
        )
        assert database.game_tables.lobby_row(game) is not None  # a lost reader is noticed before it is used
        first = store(database, new_event(game, 2))
        assert is_unreachable(first[0])
        wait_until(lambda: is_reachable(database))
        assert store(database, new_event(game, 2)) == [Stored()]
        assert listening_again.wait(WAIT)
        assert received == [PeerChanges(has_gap=True), PeerChanges(has_gap=True)]


@pytest.fixture(scope="module")
def durable() -> Iterator[Server]:
    """A separate server that flushes to the disk and can be stopped."""
    if servers.missing_reason():
        pytest.skip(servers.missing_reason())
    server = servers.start_server("shared_buffers=32MB")
    yield server
    server.close()


def test_a_crashed_server_has_all_appends_that_were_confirmed(durable: Server, key: Path) -> None:
    with durable.database() as url:
        database, idle = open_postgres(url, key), open_postgres(url, key)
        with closing_all(database, idle):
            assert is_reachable(idle)
            games = [uuid4() for _ in range(20)]
            assert store(database, *map(new_game, games)) == [Stored()] * 20
            found: list[tuple[UUID, int, Outcome]] = []
            some, done = threading.Event(), threading.Event()

            def play() -> None:
                for version in itertools.count(2):
                    outcomes = store(database, *(new_event(game, version) for game in games))
                    found.extend((game, version, outcome) for game, outcome in zip(games, outcomes, strict=True))
                    if version == 10:
                        some.set()
                    if not all(outcome == Stored() for outcome in outcomes):
                        break
                done.set()

            thread = threading.Thread(target=play)
            thread.start()
            assert some.wait(WAIT)
            durable.stop()
            assert done.wait(WAIT)
            thread.join()
            assert all(is_unreachable(outcome) for _, _, outcome in found[-20:])
            assert not is_reachable(database)
            assert not is_reachable(idle)  # although it has stored nothing that could have failed
            with pytest.raises(UnreachableError):
                database.game_tables.lobby_page()
            durable.start()
            wait_until(lambda: is_reachable(database))
            wait_until(lambda: is_reachable(idle))
            last = {game: version for game, version, outcome in found if outcome == Stored()}
            versions = database.log.versions(games)
            for game in games:
                assert versions[game] - last[game] in (0, 1)  # the outcome of the last batch is unknown
                linked, head, version = database.log.select_chain(game)
                assert [row[0] for row in linked] == list(range(1, versions[game] + 1))
                assert (head, version) == (linked[-1][3], versions[game])
            assert len({versions[game] - last[game] for game in games}) == 1
            assert store(database, *(new_event(game, versions[game] + 1) for game in games)) == [Stored()] * 20


@pytest.mark.socket
async def test_a_service_is_unhealthy_until_the_database_server_is_back(durable: Server, key: Path) -> None:
    with durable.database() as url:
        async with run_server(url, key_file=str(key)) as api:
            health: Any = health_pb2_grpc.HealthStub(api.channel)
            watching = health.Watch(health_pb2.HealthCheckRequest(service="boardkeeper.v1.Games"))
            assert (await watching.read()).status == health_pb2.HealthCheckResponse.SERVING
            game, tokens = await api.create()
            legal = await api.legal(game.game_id, 1, tokens[1])
            command = legal.commands[0].command
            await asyncio.to_thread(durable.stop)
            async with grpc_error(grpc.StatusCode.UNAVAILABLE, "STORAGE_FAILED"):
                await api.submit(game.game_id, 1, tokens[1], "once", command)
            assert (await watching.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
            await asyncio.to_thread(durable.start)
            assert (await watching.read()).status == health_pb2.HealthCheckResponse.SERVING
            done = await api.submit(game.game_id, 1, tokens[1], "once", command)
            again = await api.submit(game.game_id, 1, tokens[1], "once", command)
            assert (again.version, again.repeated) == (done.version, True)
            watching.cancel()
        async with run_server(url, key_file=str(key)) as api:
            assert (await api.game(game.game_id)).version == done.version


# --- processes that block each other ------------------------------------------------------------------------


def check_competing_writers(url: str, key: Path, rounds: int) -> None:
    """Let two writers append to the same games at the same versions, in opposite order."""
    one, other = open_postgres(url, key), open_postgres(url, key)
    with closing_all(one, other):
        games = [uuid4() for _ in range(8)]
        assert store(one, *map(new_game, games)) == [Stored()] * 8
        for at in range(2, rounds + 2):
            found: dict[str, list[Outcome]] = {}
            both = threading.Barrier(3)

            def collect(name: str, order: list[UUID]) -> Callable[[list[Outcome]], None]:
                def finish(outcomes: list[Outcome]) -> None:
                    by_game = sorted(zip(order, outcomes, strict=True), key=lambda pair: pair[0])
                    found[name] = [outcome for _, outcome in by_game]  # noqa: B023  # only used in this round
                    both.wait(WAIT)  # noqa: B023

                return finish

            for name, database, order in (("one", one, games), ("other", other, games[::-1])):
                appends = [new_event(game, at, name) for game in order]
                database.log.writer.submit(Batch(appends, collect(name, order)))
            both.wait(WAIT)
            for database, name in ((one, "one"), (other, "other")):
                found[name] = retry_blocked(
                    database, [new_event(game, at, name) for game in sorted(games)], found[name]
                )
            for first, second in zip(found["one"], found["other"], strict=True):
                assert {type(first), type(second)} == {Stored, Conflict}, (at, first, second)
        for game in games:
            linked, head, version = one.log.select_chain(game)
            assert [row[0] for row in linked] == list(range(1, rounds + 2))
            assert (head, version) == (linked[-1][3], rounds + 1)
    ((deadlocks,),) = select(url, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    assert deadlocks == 0


def retry_blocked(database: PostgresDatabase, appends: Sequence[Append], first: Sequence[Outcome]) -> list[Outcome]:
    """Repeat the appends that were blocked; return the final outcomes of all."""
    final = list(first)
    for at, append in enumerate(appends):
        while isinstance(final[at], Blocked):
            (final[at],) = store(database, append)
    return final


def test_appends_to_the_same_games_in_opposite_order_do_not_deadlock(url: str, key: Path) -> None:
    check_competing_writers(url, key, 150)


def test_two_processes_store_other_games_while_one_is_locked(url: str, key: Path) -> None:
    one, other = open_postgres(url, key), open_postgres(url, key)
    with closing_all(one, other), psycopg.connect(url) as locker:
        games = sorted(uuid4() for _ in range(9))
        assert store(one, *map(new_game, games)) == [Stored()] * 9
        locker.execute("SELECT 1 FROM progress WHERE game = %s FOR UPDATE", (games[4],))
        appends = [new_event(game, 2) for game in games]
        found = [store(database, *appends) for database in (one, other)]
        assert [type(outcome) for outcome in found[0]] == [Stored] * 4 + [Blocked] + [Stored] * 4
        assert [type(outcome) for outcome in found[1]] == [Conflict] * 4 + [Blocked] + [Conflict] * 4
        locker.rollback()
        final = [retry_blocked(database, appends, it)[4] for database, it in zip((one, other), found, strict=True)]
        assert [type(outcome) for outcome in final] == [Stored, Conflict]
    ((deadlocks,),) = select(url, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    assert deadlocks == 0


@pytest.mark.soak
def test_soak_appends_in_opposite_order_do_not_deadlock(url: str, key: Path) -> None:
    check_competing_writers(url, key, 10_000)


CHANCE = random.Random(1)
_TIMED = event_pb2.TimeControl(kind="game", seconds=36_000, on_expiry="bot")


@pytest.mark.socket
@pytest.mark.parametrize(("control", "table"), [(None, "progress"), (_TIMED, "progress"), (_TIMED, "expiries")])
async def test_a_row_lock_of_another_program_stops_only_its_game(
    url: str, key: Path, monkeypatch: pytest.MonkeyPatch, control: event_pb2.TimeControl | None, table: str
) -> None:
    monkeypatch.setattr(writer, "BLOCKED_TIMEOUT", SECONDS)
    async with run_measured_server(url, key_file=str(key)) as api:
        locked_game, tokens = await api.create(time_control=control)
        others = [await api.create(time_control=it) for it in (None, _TIMED)]
        with psycopg.connect(url) as locker:
            locker.execute(f"SELECT 1 FROM {table} WHERE game = %s FOR UPDATE".encode(), (locked_game.game_id,))
            blocked = asyncio.create_task(api.play_turn(locked_game.game_id, tokens, CHANCE))
            await until_async(lambda: blocked_appends(api), 1)
            for _ in range(5):
                for other, its_tokens in others:
                    await api.play_turn(other.game_id, its_tokens, CHANCE)
            assert not blocked.done()
            health: Any = health_pb2_grpc.HealthStub(api.channel)
            answer = await health.Check(health_pb2.HealthCheckRequest(service="boardkeeper.v1.Games"))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING
        await blocked
        assert await blocked_appends(api) == 0


async def blocked_appends(api: MeasuredApi) -> float:
    return (await api.scrape()).get("appends_blocked")


async def until_async(value: Callable[[], Awaitable[float]], expected: float) -> None:
    """Wait until the value is as expected."""
    async with asyncio.timeout(SECONDS):
        while await value() != expected:  # noqa: ASYNC110  # no event to wait for
            await asyncio.sleep(0.01)


@pytest.mark.socket
async def test_a_row_that_stays_locked_fails_the_commands_of_its_game(
    url: str, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "BLOCKED_TIMEOUT", 0.0)
    async with run_server(url, key_file=str(key)) as api:
        locked_game, tokens = await api.create()
        other, its_tokens = await api.create()
        with psycopg.connect(url) as locker:
            locker.execute("SELECT 1 FROM progress WHERE game = %s FOR UPDATE", (locked_game.game_id,))
            async with grpc_error(grpc.StatusCode.UNAVAILABLE, "STORAGE_FAILED"):
                await api.play_turn(locked_game.game_id, tokens, CHANCE)
            await api.play_turn(other.game_id, its_tokens, CHANCE)
        await api.play_turn(locked_game.game_id, tokens, CHANCE)


@pytest.mark.socket
async def test_health_reports_a_lock_on_a_whole_table(url: str, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "BLOCKED_TIMEOUT", SECONDS)
    async with run_server(url, key_file=str(key)) as api:
        health: Any = health_pb2_grpc.HealthStub(api.channel)
        watching = health.Watch(health_pb2.HealthCheckRequest(service="boardkeeper.v1.Games"))
        assert (await watching.read()).status == health_pb2.HealthCheckResponse.SERVING
        game, tokens = await api.create()
        with psycopg.connect(url) as locker:
            locker.execute("LOCK TABLE progress IN EXCLUSIVE MODE")
            blocked = asyncio.create_task(api.play_turn(game.game_id, tokens, CHANCE))
            assert (await watching.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
            assert not blocked.done()
        assert (await watching.read()).status == health_pb2.HealthCheckResponse.SERVING
        await blocked
        watching.cancel()


def test_row_locks_in_other_tables_block_only_their_games(url: str, key: Path) -> None:
    """The writer waits for these locks only for a short time."""
    database = open_postgres(url, key)
    with closing_all(database), psycopg.connect(url) as locker:
        games = sorted(uuid4() for _ in range(20))
        store(database, *map(new_game, games))
        ends = [
            Append(new_event(game, 2).events, (), encode_progress(game, 2, 9, "ended", ["", ""], [])) for game in games
        ]
        locker.execute("SELECT 1 FROM games WHERE game <> %s FOR UPDATE", (games[-1],))
        assert [type(it) for it in store(database, *ends)] == [Blocked] * 19 + [Stored]
        assert [type(it) for it in store(database, *ends)] == [Blocked] * 19 + [Conflict]
        locker.rollback()
        assert store(database, *ends[:-1]) == [Stored()] * 19


@pytest.mark.parametrize("locked", ["quota", "invitation"])
def test_the_writer_waits_only_once_for_a_lock(url: str, key: Path, locked: str) -> None:
    """A wait stops all games. With no lock timeout, a second wait would only end when the statement is cancelled."""
    database = open_postgres(url, key)
    with closing_all(database), psycopg.connect(url) as locker:
        game = uuid4()
        store(database, new_game(game), *([with_quota(new_game(uuid4()))] if locked == "quota" else []))
        if locked == "quota":
            locker.execute("SELECT 1 FROM quotas FOR UPDATE")
            blocked = [with_quota(new_game(uuid4())) for _ in range(3)]
        else:
            locker.execute("SELECT 1 FROM progress FOR UPDATE")
            invitations = [InvitationRow(f"{at}", f"{at}".encode(), game, 0, "", 1) for at in range(3)]
            blocked = [Append((), [NewInvitation(row, 10)]) for row in invitations]
        assert isinstance(store(database, blocked[0])[0], Blocked)
        writer: Any = database.log.writer
        writer._connection.execute("SET lock_timeout = 0")
        for append in blocked * 2:
            assert isinstance(store(database, append)[0], Blocked)
        locker.rollback()
        assert store(database, *blocked) == [Stored()] * 3


def with_quota(append: Append) -> Append:
    """Return the append with a use of a platform's quota."""
    return Append(append.events, [*append.changes, SpendQuota("lobby", "games", 0, 1)], append.progress)


def test_an_append_that_skips_a_version_conflicts(url: str, key: Path) -> None:
    database = open_postgres(url, key)
    with closing_all(database):
        game = uuid4()
        assert isinstance(store(database, new_event(game, 2))[0], Conflict)
        store(database, new_game(game))
        gap = Append([*new_event(game, 2).events, *new_event(game, 4).events])
        assert isinstance(store(database, gap)[0], Conflict)
        assert store(database, new_event(game, 2)) == [Stored()]
