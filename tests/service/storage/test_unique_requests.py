"""A request and an imported record exist once among all games, although no key of the database says so."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from tests.databases.servers import Server, pretend_to_be_distributed
from tests.service.storage.test_postgres import new, opened, outcomes, rows

from boardkeeper.service.storage.changes import NewImport, NewRequest
from boardkeeper.service.storage.postgres.database import PostgresDatabase
from boardkeeper.service.storage.postgres.reader import run_statements
from boardkeeper.service.storage.rows import ImportRow, RequestRow
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.writer import Append, Blocked, Conflict, Outcome, Stored

pytestmark = pytest.mark.postgres

ROUNDS = 60


@pytest.fixture(params=["plain", "distributed"])
def url(postgres: Server, request: pytest.FixtureRequest) -> Iterator[str]:
    with postgres.database() as url:
        if request.param == "distributed":
            pretend_to_be_distributed(url)
        yield url


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return tmp_path / "key"


@pytest.fixture
def database(url: str, key: Path) -> Iterator[PostgresDatabase]:
    database = opened(url, key)
    yield database
    database.close()


def request(game: UUID, name: str) -> NewRequest:
    return NewRequest(RequestRow(name.encode(), b"", b"", game, ()), 1)


def imported(game: UUID, name: str) -> NewImport:
    return NewImport(ImportRow(game, "key", b"", 1, uuid4(), name))


def begun(change: Any, name: str) -> Append:
    """A game that begins with a request, or with an imported record, of that name."""
    game = uuid4()
    append = new(game)
    return Append(append.events, [*append.changes, change(game, name)])


@pytest.mark.parametrize("change", [request, imported])
@pytest.mark.parametrize("ends", ["COMMIT", "ROLLBACK"])
def test_an_append_does_not_wait_for_another_process_with_the_same_request(
    database: PostgresDatabase, url: str, change: Any, ends: str
) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("BEGIN")
        theirs: Change = change(uuid4(), "same")
        run_statements(other, theirs.statements())
        mine, free = outcomes(database, begun(change, "same"), begun(change, "free"))
        assert isinstance(mine, Blocked)
        assert free == Stored()
        other.execute(ends.encode())
    (mine,) = outcomes(database, begun(change, "same"))
    assert isinstance(mine, Conflict if ends == "COMMIT" else Stored)


@pytest.mark.parametrize("change", [request, imported])
def test_one_batch_has_the_same_request_twice(database: PostgresDatabase, url: str, change: Any) -> None:
    first, second = outcomes(database, begun(change, "same"), begun(change, "same"))
    assert first == Stored()
    assert isinstance(second, Conflict)
    assert rows(url, "SELECT count(*) FROM games") == [(1,)]


RACER = """
import sys
from pathlib import Path
from tests.service.storage.test_unique_requests import race
race(sys.argv[1], Path(sys.argv[2]), is_reversed=sys.argv[3] == "reversed")
"""


def race(url: str, key: Path, *, is_reversed: bool) -> None:
    """Begin games with the names in each line of input, and print which were stored. The others conflict."""
    database = opened(url, key)
    _print("ready")
    for line in sys.stdin:
        waiting: list[str] = json.loads(line)
        if is_reversed:
            waiting.reverse()
        stored: list[str] = []
        while waiting:
            appends = [begun(request if name.startswith("request") else imported, name) for name in waiting]
            found: list[Outcome] = outcomes(database, *appends)
            stored += [name for name, outcome in zip(waiting, found, strict=True) if isinstance(outcome, Stored)]
            assert all(isinstance(outcome, Stored | Conflict | Blocked) for outcome in found), found
            waiting = [name for name, outcome in zip(waiting, found, strict=True) if isinstance(outcome, Blocked)]
        _print(json.dumps(stored))
    database.close()


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def test_of_two_processes_that_race_one_stores_each_request(database: PostgresDatabase, url: str, key: Path) -> None:
    database.close()
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, url, str(key), order],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[3],
        )
        for order in ("forward", "reversed")
    ]
    try:
        assert [_line(racer) for racer in racers] == ["ready\n"] * 2
        for number in range(ROUNDS):
            names = [f"{kind} {number} {at}" for at in range(3) for kind in ("request", "import")]
            for racer in racers:
                assert racer.stdin is not None
                racer.stdin.write(json.dumps(names) + "\n")
                racer.stdin.flush()
            stored = [json.loads(_line(racer)) for racer in racers]
            assert sorted(stored[0] + stored[1]) == sorted(names)
    finally:
        for racer in racers:
            assert racer.stdin is not None
            racer.stdin.close()
            racer.wait()
            assert racer.stdout is not None
            racer.stdout.close()
    each = [(3 * ROUNDS, 3 * ROUNDS)]
    assert rows(url, "SELECT count(*), count(DISTINCT request) FROM requests") == each
    assert rows(url, "SELECT count(*), count(DISTINCT head) FROM imports") == each
    assert rows(url, "SELECT count(*) FROM games") == [(6 * ROUNDS,)]


def _line(racer: subprocess.Popen[str]) -> str:
    assert racer.stdout is not None
    return racer.stdout.readline()
