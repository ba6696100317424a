"""A shared database whose server or connections go away, and processes that are in each other's way."""

from __future__ import annotations

import asyncio
import itertools
import random
import socket
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import grpc
import psycopg
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from psycopg.conninfo import conninfo_to_dict
from tests.databases import servers
from tests.databases.servers import Server
from tests.service.api_server import grpc_error, run_server
from tests.service.scraping import MeasuredApi, run_measured_server
from tests.service.storage.test_postgres import WAIT, moved, new, opened, outcomes, rows
from tests.waiting import SECONDS, wait_until

from boardkeeper.service.storage import writer
from boardkeeper.service.storage.changes import encode_progress
from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage.errors import UnreachableError
from boardkeeper.service.storage.invitations import InvitationRow, NewInvitation
from boardkeeper.service.storage.postgres.database import PostgresDatabase
from boardkeeper.service.storage.quotas import SpendQuota
from boardkeeper.service.storage.writer import Append, Batch, Blocked, Conflict, Failed, Outcome, Stored
from boardkeeper.v1 import event_pb2

pytestmark = pytest.mark.postgres

_READY = b"Z\x00\x00\x00\x05"
"""How an answer of the server ends, but for one byte."""

_OF_STATEMENTS = (b"1", b"2", b"C", b"D", b"T", b"n", b"s")
"""How answers to statements begin. Other messages, such as notifications, do not end with :data:`_READY`."""


class Wire:
    """A socket in a folder that passes all on to the server, but hangs up instead of an answer with ``lost`` in it."""

    def __init__(self, folder: Path, target: str) -> None:
        self.folder = folder
        self.lost_query = b""
        self.losses = 0
        """How many times it has hung up so."""
        self._target = target
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(folder / ".s.PGSQL.5432"))
        self._listening.listen()
        threading.Thread(target=self._accept, name="wire", daemon=True).start()

    def close(self) -> None:
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self._target)
            except OSError:  # there is no server
                client.close()
                server.close()
                continue
            for work in (self._ask, self._answer):
                threading.Thread(target=work, args=(client, server), daemon=True).start()

    def _ask(self, client: socket.socket, server: socket.socket) -> None:
        with suppress(OSError):  # a client that was killed resets the connection
            while data := client.recv(1 << 16):
                server.sendall(data)
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)

    def _answer(self, client: socket.socket, server: socket.socket) -> None:
        with client, server, suppress(OSError):
            while data := server.recv(1 << 16):
                while self.lost_query and data[:1] in _OF_STATEMENTS and data[-6:-1] != _READY:
                    if not (more := server.recv(1 << 16)):
                        break
                    data += more
                if self.lost_query and self.lost_query in data:
                    self.losses += 1
                    break
                client.sendall(data)
            for end in (client, server):
                end.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def wire(url: str) -> Iterator[tuple[Wire, str]]:
    """A wire to the database, and the URL that goes through it."""
    host = str(conninfo_to_dict(url)["host"])
    with tempfile.TemporaryDirectory(prefix="bkwire-", dir="/tmp") as folder:
        wire = Wire(Path(folder), f"{host}/.s.PGSQL.5432")
        yield wire, url.replace(host, folder)
        wire.close()


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    with postgres.database() as url:
        yield url


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return tmp_path / "key"


@contextmanager
def using(*databases: PostgresDatabase) -> Iterator[None]:
    try:
        yield
    finally:
        for database in databases:
            database.close()


def works(database: PostgresDatabase) -> bool:
    try:
        database.log.writer.probe()
    except UnreachableError:
        return False
    return True


def unreachable(outcome: Outcome) -> bool:
    return isinstance(outcome, Failed) and isinstance(outcome.error, UnreachableError)


def test_of_a_commit_whose_answer_is_lost_the_outcome_is_not_known(wire: tuple[Wire, str], key: Path) -> None:
    """It was stored, which shows by the version; who decides anew at the same one is told of a conflict."""
    game = uuid4()
    cut, through = wire
    database = opened(through, key)
    with using(database):
        assert outcomes(database, new(game)) == [Stored()]
        cut.lost_query = b"SELECT 1\0"
        (outcome,) = outcomes(database, moved(game, 2))
        assert unreachable(outcome)
        cut.lost_query = b""
        wait_until(lambda: works(database))
        assert database.log.versions([game]) == {game: 2}
        assert isinstance(outcomes(database, moved(game, 2))[0], Conflict)
        assert outcomes(database, moved(game, 3)) == [Stored()]
        linked, head, version = database.log.select_chain(game)
        assert [row[0] for row in linked] == [1, 2, 3]
        assert (head, version) == (linked[-1][3], 3)


def test_a_game_whose_answer_is_lost_is_there_once(wire: tuple[Wire, str], key: Path) -> None:
    game = uuid4()
    cut, through = wire
    database = opened(through, key)
    with using(database):
        cut.lost_query = b"COMMIT\0"
        (outcome,) = outcomes(database, new(game))
        assert unreachable(outcome)
        cut.lost_query = b""
        wait_until(lambda: works(database))
        assert isinstance(outcomes(database, new(game))[0], Conflict)
        assert database.game_tables.count_games() == 1
        assert [row[0] for row in database.log.select_rows(game)] == [1]


def test_a_connection_that_is_lost_is_made_again(url: str, key: Path) -> None:
    database = opened(url, key)
    heard: list[PeerChanges] = []
    began, again = threading.Event(), threading.Event()

    def hear(news: PeerChanges) -> None:
        heard.append(news)
        (again if began.is_set() else began).set()

    with using(database):
        game = uuid4()
        outcomes(database, new(game))
        database.listen(hear)
        assert began.wait(WAIT)
        rows(
            url,
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid()",
        )
        assert database.game_tables.lobby_row(game) is not None  # a reader that was lost is noticed before it is used
        first = outcomes(database, moved(game, 2))
        assert unreachable(first[0])
        wait_until(lambda: works(database))
        assert outcomes(database, moved(game, 2)) == [Stored()]
        assert again.wait(WAIT)
        assert heard == [PeerChanges(has_gap=True), PeerChanges(has_gap=True)]


@pytest.fixture(scope="module")
def durable() -> Iterator[Server]:
    """A server of its own, which flushes to the disk, and which can be stopped."""
    missing = servers.missing_reason()
    if missing:
        pytest.skip(missing)
    server = servers.start_server("shared_buffers=32MB")
    yield server
    server.close()


def test_a_server_that_crashes_and_comes_back_has_all_that_was_told_to_be_stored(durable: Server, key: Path) -> None:
    with durable.database() as url:
        database, idle = opened(url, key), opened(url, key)
        with using(database, idle):
            assert works(idle)
            games = [uuid4() for _ in range(20)]
            assert outcomes(database, *map(new, games)) == [Stored()] * 20
            told: list[tuple[UUID, int, Outcome]] = []
            some, done = threading.Event(), threading.Event()

            def play() -> None:
                for version in itertools.count(2):
                    together = outcomes(database, *(moved(game, version) for game in games))
                    told.extend((game, version, outcome) for game, outcome in zip(games, together, strict=True))
                    if version == 10:
                        some.set()
                    if not all(outcome == Stored() for outcome in together):
                        break
                done.set()

            thread = threading.Thread(target=play)
            thread.start()
            assert some.wait(WAIT)
            durable.stop()
            assert done.wait(WAIT)
            thread.join()
            assert all(unreachable(outcome) for _, _, outcome in told[-20:])
            assert not works(database)
            assert not works(idle)  # though it has stored nothing that could have failed
            with pytest.raises(UnreachableError):
                database.game_tables.lobby_page()
            durable.start()
            wait_until(lambda: works(database))
            wait_until(lambda: works(idle))
            last = {game: version for game, version, outcome in told if outcome == Stored()}
            found = database.log.versions(games)
            for game in games:
                assert found[game] - last[game] in (0, 1)  # of the last batch nobody knows
                linked, head, version = database.log.select_chain(game)
                assert [row[0] for row in linked] == list(range(1, found[game] + 1))
                assert (head, version) == (linked[-1][3], found[game])
            assert len({found[game] - last[game] for game in games}) == 1  # all of it or nothing
            assert outcomes(database, *(moved(game, found[game] + 1) for game in games)) == [Stored()] * 20


@pytest.mark.socket
async def test_a_service_says_that_nothing_can_be_stored_until_the_server_is_back(durable: Server, key: Path) -> None:
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


# --- in each other's way ------------------------------------------------------------------------------------


def fight(url: str, key: Path, rounds: int) -> None:
    """Two processes' writers move the same games at the same versions, one in the opposite order of the other."""
    one, other = opened(url, key), opened(url, key)
    with using(one, other):
        games = [uuid4() for _ in range(8)]
        assert outcomes(one, *map(new, games)) == [Stored()] * 8
        for at in range(2, rounds + 2):
            told: dict[str, list[Outcome]] = {}
            both = threading.Barrier(3)

            def tell(name: str, order: list[UUID]) -> Callable[[list[Outcome]], None]:
                def done(outcomes: list[Outcome]) -> None:
                    by_game = sorted(zip(order, outcomes, strict=True), key=_first)
                    told[name] = [outcome for _, outcome in by_game]  # noqa: B023  # of this round
                    both.wait(WAIT)  # noqa: B023

                return done

            for name, database, order in (("one", one, games), ("other", other, games[::-1])):
                appends = [moved(game, at, name) for game in order]
                database.log.writer.submit(Batch(appends, tell(name, order)))
            both.wait(WAIT)
            for database, name in ((one, "one"), (other, "other")):
                told[name] = tried_again(database, [moved(game, at, name) for game in sorted(games)], told[name])
            for first, second in zip(told["one"], told["other"], strict=True):
                assert {type(first), type(second)} == {Stored, Conflict}, (at, first, second)
        for game in games:
            linked, head, version = one.log.select_chain(game)
            assert [row[0] for row in linked] == list(range(1, rounds + 2))
            assert (head, version) == (linked[-1][3], rounds + 1)
    ((deadlocks,),) = rows(url, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    assert deadlocks == 0


def _first(pair: tuple[UUID, Outcome]) -> UUID:
    return pair[0]


def tried_again(database: PostgresDatabase, appends: Sequence[Append], told: Sequence[Outcome]) -> list[Outcome]:
    """Return the final outcomes of appends, some of which may have been blocked."""
    final = list(told)
    for at, append in enumerate(appends):
        while isinstance(final[at], Blocked):
            (final[at],) = outcomes(database, append)
    return final


def test_two_who_move_the_same_games_in_opposite_order_never_wait_in_a_circle(url: str, key: Path) -> None:
    fight(url, key, 150)


def test_two_processes_store_the_other_games_while_one_is_held_locked(url: str, key: Path) -> None:
    one, other = opened(url, key), opened(url, key)
    with using(one, other), psycopg.connect(url) as holding:
        games = sorted(uuid4() for _ in range(9))
        assert outcomes(one, *map(new, games)) == [Stored()] * 9
        holding.execute("SELECT 1 FROM progress WHERE game = %s FOR UPDATE", (games[4],))
        appends = [moved(game, 2) for game in games]
        told = [outcomes(database, *appends) for database in (one, other)]
        assert [type(outcome) for outcome in told[0]] == [Stored] * 4 + [Blocked] + [Stored] * 4
        assert [type(outcome) for outcome in told[1]] == [Conflict] * 4 + [Blocked] + [Conflict] * 4
        holding.rollback()
        final = [tried_again(database, appends, it)[4] for database, it in zip((one, other), told, strict=True)]
        assert [type(outcome) for outcome in final] == [Stored, Conflict]
    ((deadlocks,),) = rows(url, "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
    assert deadlocks == 0


@pytest.mark.soak
def test_ten_thousand_times(url: str, key: Path) -> None:
    fight(url, key, 10_000)


CHANCE = random.Random(1)
_TIMED = event_pb2.TimeControl(kind="game", seconds=36_000, on_expiry="bot")


@pytest.mark.socket
@pytest.mark.parametrize(("control", "table"), [(None, "progress"), (_TIMED, "progress"), (_TIMED, "expiries")])
async def test_a_row_that_another_program_holds_locked_stops_only_its_game(
    url: str, key: Path, monkeypatch: pytest.MonkeyPatch, control: event_pb2.TimeControl | None, table: str
) -> None:
    monkeypatch.setattr(writer, "BLOCKED_TIMEOUT", SECONDS)
    async with run_measured_server(url, key_file=str(key)) as api:
        held, tokens = await api.create(time_control=control)
        others = [await api.create(time_control=it) for it in (None, _TIMED)]
        with psycopg.connect(url) as holding:
            holding.execute(f"SELECT 1 FROM {table} WHERE game = %s FOR UPDATE".encode(), (held.game_id,))
            blocked = asyncio.create_task(api.play_turn(held.game_id, tokens, CHANCE))
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
    """Return the metric."""
    return (await api.scrape()).get("appends_blocked")


async def until_async(value: Callable[[], Awaitable[float]], expected: float) -> None:
    """Wait until the value is as expected."""
    async with asyncio.timeout(SECONDS):
        while await value() != expected:  # noqa: ASYNC110  # nothing reports it
            await asyncio.sleep(0.01)


@pytest.mark.socket
async def test_a_row_that_stays_locked_fails_the_commands_of_its_game(
    url: str, key: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "BLOCKED_TIMEOUT", 0.0)
    async with run_server(url, key_file=str(key)) as api:
        held, tokens = await api.create()
        other, its_tokens = await api.create()
        with psycopg.connect(url) as holding:
            holding.execute("SELECT 1 FROM progress WHERE game = %s FOR UPDATE", (held.game_id,))
            async with grpc_error(grpc.StatusCode.UNAVAILABLE, "STORAGE_FAILED"):
                await api.play_turn(held.game_id, tokens, CHANCE)
            await api.play_turn(other.game_id, its_tokens, CHANCE)
        await api.play_turn(held.game_id, tokens, CHANCE)


@pytest.mark.socket
async def test_health_reports_a_lock_on_a_whole_table(url: str, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "BLOCKED_TIMEOUT", SECONDS)
    async with run_server(url, key_file=str(key)) as api:
        health: Any = health_pb2_grpc.HealthStub(api.channel)
        watching = health.Watch(health_pb2.HealthCheckRequest(service="boardkeeper.v1.Games"))
        assert (await watching.read()).status == health_pb2.HealthCheckResponse.SERVING
        game, tokens = await api.create()
        with psycopg.connect(url) as holding:
            holding.execute("LOCK TABLE progress IN EXCLUSIVE MODE")
            blocked = asyncio.create_task(api.play_turn(game.game_id, tokens, CHANCE))
            assert (await watching.read()).status == health_pb2.HealthCheckResponse.NOT_SERVING
            assert not blocked.done()
        assert (await watching.read()).status == health_pb2.HealthCheckResponse.SERVING
        await blocked
        watching.cancel()


def test_games_that_are_locked_in_another_table_leave_the_others_alone(url: str, key: Path) -> None:
    """The writer waits for such locks, but only for a moment."""
    database = opened(url, key)
    with using(database), psycopg.connect(url) as holding:
        games = sorted(uuid4() for _ in range(20))
        outcomes(database, *map(new, games))
        ends = [Append(moved(game, 2).events, (), encode_progress(game, 2, 9, "ended", ["", ""], [])) for game in games]
        holding.execute("SELECT 1 FROM games WHERE game <> %s FOR UPDATE", (games[-1],))
        assert [type(it) for it in outcomes(database, *ends)] == [Blocked] * 19 + [Stored]
        assert [type(it) for it in outcomes(database, *ends)] == [Blocked] * 19 + [Conflict]
        holding.rollback()
        assert outcomes(database, *ends[:-1]) == [Stored()] * 19


@pytest.mark.parametrize("what", ["a quota", "an invitation"])
def test_locks_that_were_waited_for_are_not_waited_for_again(url: str, key: Path, what: str) -> None:
    """All games wait with the writer. Whether it waits shows by the limit: the statement would be cancelled before."""
    database = opened(url, key)
    with using(database), psycopg.connect(url) as holding:
        game = uuid4()
        outcomes(database, new(game), *([spending(new(uuid4()))] if what == "a quota" else []))
        if what == "a quota":
            holding.execute("SELECT 1 FROM quotas FOR UPDATE")
            blocked = [spending(new(uuid4())) for _ in range(3)]
        else:
            holding.execute("SELECT 1 FROM progress FOR UPDATE")
            rows = [InvitationRow(f"{at}", f"{at}".encode(), game, 0, "", 1) for at in range(3)]
            blocked = [Append((), [NewInvitation(row, 10)]) for row in rows]
        assert isinstance(outcomes(database, blocked[0])[0], Blocked)
        writer: Any = database.log.writer
        writer._connection.execute("SET lock_timeout = 0")
        for append in blocked * 2:
            assert isinstance(outcomes(database, append)[0], Blocked)
        holding.rollback()
        assert outcomes(database, *blocked) == [Stored()] * 3


def spending(append: Append) -> Append:
    """An append that counts for the quota of a platform."""
    return Append(append.events, [*append.changes, SpendQuota("lobby", "games", 0, 1)], append.progress)


def test_an_append_behind_a_version_that_nobody_has_conflicts(url: str, key: Path) -> None:
    database = opened(url, key)
    with using(database):
        game = uuid4()
        assert isinstance(outcomes(database, moved(game, 2))[0], Conflict)
        outcomes(database, new(game))
        gap = Append([*moved(game, 2).events, *moved(game, 4).events])
        assert isinstance(outcomes(database, gap)[0], Conflict)
        assert outcomes(database, moved(game, 2)) == [Stored()]
