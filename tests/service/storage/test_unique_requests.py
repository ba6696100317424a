"""A request or an imported record is stored once among all games, although no unique key of the tables ensures it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from tests.databases.servers import pretend_to_be_distributed
from tests.service.storage.postgres_games import new_game, open_postgres, select, store

from boardkeeper.service.storage.changes import NewImport, NewRequest
from boardkeeper.service.storage.postgres.database import PostgresDatabase
from boardkeeper.service.storage.postgres.reader import run_statements
from boardkeeper.service.storage.rows import ImportRow, RequestRow
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.writer import Append, Blocked, Conflict, Outcome, Stored

pytestmark = pytest.mark.postgres

ROUNDS = 60


@pytest.fixture(params=["plain", "distributed"])
def url(url: str, request: pytest.FixtureRequest) -> str:
    """Also test a database whose tables seem to be distributed over several machines."""
    if request.param == "distributed":
        pretend_to_be_distributed(url)
    return url


def new_request(game: UUID, name: str) -> NewRequest:
    return NewRequest(RequestRow(name.encode(), b"", b"", game, ()), 1)


def new_import(game: UUID, name: str) -> NewImport:
    return NewImport(ImportRow(game, "key", b"", 1, uuid4(), name))


def new_game_with(change: Any, name: str) -> Append:
    """Return an append of a new game with a request, or with an imported record, of this name."""
    game = uuid4()
    append = new_game(game)
    return Append(append.events, [*append.changes, change(game, name)])


@pytest.mark.parametrize("change", [new_request, new_import])
@pytest.mark.parametrize("ends", ["COMMIT", "ROLLBACK"])
def test_an_append_does_not_wait_for_another_process_with_the_same_request(
    database: PostgresDatabase, url: str, change: Any, ends: str
) -> None:
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("BEGIN")
        other_change: Change = change(uuid4(), "same")
        run_statements(other, other_change.statements())
        same, free = store(database, new_game_with(change, "same"), new_game_with(change, "free"))
        assert isinstance(same, Blocked)
        assert free == Stored()
        other.execute(ends.encode())
    (same,) = store(database, new_game_with(change, "same"))
    assert isinstance(same, Conflict if ends == "COMMIT" else Stored)


@pytest.mark.parametrize("change", [new_request, new_import])
def test_one_batch_has_the_same_request_twice(database: PostgresDatabase, url: str, change: Any) -> None:
    first, second = store(database, new_game_with(change, "same"), new_game_with(change, "same"))
    assert first == Stored()
    assert isinstance(second, Conflict)
    assert select(url, "SELECT count(*) FROM games") == [(1,)]


RACER = """
import sys
from pathlib import Path
from tests.service.storage.test_unique_requests import race
race(sys.argv[1], Path(sys.argv[2]), is_reversed=sys.argv[3] == "reversed")
"""


def race(url: str, key: Path, *, is_reversed: bool) -> None:
    """Create a game for each name in a line of input, and print the names that were stored. The others conflict."""
    database = open_postgres(url, key)
    _print("ready")
    for line in sys.stdin:
        waiting: list[str] = json.loads(line)
        if is_reversed:
            waiting.reverse()
        stored: list[str] = []
        while waiting:
            appends = [
                new_game_with(new_request if name.startswith("request") else new_import, name) for name in waiting
            ]
            found: list[Outcome] = store(database, *appends)
            stored += [name for name, outcome in zip(waiting, found, strict=True) if isinstance(outcome, Stored)]
            assert all(isinstance(outcome, Stored | Conflict | Blocked) for outcome in found), found
            waiting = [name for name, outcome in zip(waiting, found, strict=True) if isinstance(outcome, Blocked)]
        _print(json.dumps(stored))
    database.close()


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def test_each_request_is_stored_by_one_of_two_competing_processes(
    database: PostgresDatabase, url: str, key: Path
) -> None:
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
        assert [_read_line(racer) for racer in racers] == ["ready\n"] * 2
        for number in range(ROUNDS):
            names = [f"{kind} {number} {at}" for at in range(3) for kind in ("request", "import")]
            for racer in racers:
                assert racer.stdin is not None
                racer.stdin.write(json.dumps(names) + "\n")
                racer.stdin.flush()
            stored = [json.loads(_read_line(racer)) for racer in racers]
            assert sorted(stored[0] + stored[1]) == sorted(names)
    finally:
        for racer in racers:
            assert racer.stdin is not None
            racer.stdin.close()
            racer.wait()
            assert racer.stdout is not None
            racer.stdout.close()
    expected = [(3 * ROUNDS, 3 * ROUNDS)]
    assert select(url, "SELECT count(*), count(DISTINCT request) FROM requests") == expected
    assert select(url, "SELECT count(*), count(DISTINCT head) FROM imports") == expected
    assert select(url, "SELECT count(*) FROM games") == [(6 * ROUNDS,)]


def _read_line(racer: subprocess.Popen[str]) -> str:
    assert racer.stdout is not None
    return racer.stdout.readline()
