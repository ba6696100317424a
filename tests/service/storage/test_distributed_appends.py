"""Appends to a distributed PostgreSQL: statements of one game each, in transactions of one machine each.

The database of these tests only pretends to be distributed, so all of its tables are on one machine.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from msgspec.structs import replace
from tests.databases.servers import Server, pretend_to_be_distributed
from tests.service.storage.test_postgres import WAIT, moved, new, opened, outcomes, rows
from tests.service.storage.test_recorder import event

from boardkeeper.service.storage.access import GameAccess, SetGameOwner
from boardkeeper.service.storage.changes import encode_progress
from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage.feed import new_item
from boardkeeper.service.storage.postgres.database import PostgresDatabase
from boardkeeper.service.storage.writer import Append, Blocked, Conflict, Stored

pytestmark = pytest.mark.postgres


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    with postgres.database() as url:
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


def games(count: int) -> list[UUID]:
    chance = random.Random(7)
    return [UUID(int=chance.getrandbits(128)) for _ in range(count)]


def test_each_machine_has_its_own_transaction(database: PostgresDatabase, url: str) -> None:
    many = games(40)
    assert outcomes(database, *map(new, many)) == [Stored()] * 40
    assert rows(url, "SELECT game FROM games ORDER BY number") == [(game,) for game in many]
    select = "SELECT count(DISTINCT get_shard_id_for_distribution_column('progress', game)) FROM progress"
    before = database.log.writer.commits
    assert outcomes(database, *(moved(game, 2) for game in many)) == [Stored()] * 40
    assert rows(url, select) == [(database.log.writer.commits - before,)]


def test_a_locked_game_stops_no_other_game_of_its_machine(database: PostgresDatabase, url: str) -> None:
    many = games(20)
    outcomes(database, *map(new, many))
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("BEGIN")
        other.execute("SELECT 1 FROM progress WHERE game = %s FOR UPDATE", (many[3],))
        stale = moved(many[4], 3)
        found = outcomes(database, *(stale if game == many[4] else moved(game, 2) for game in many))
    assert isinstance(found[3], Blocked)
    assert isinstance(found[4], Conflict)
    assert [outcome for at, outcome in enumerate(found) if at not in (3, 4)] == [Stored()] * 18
    assert outcomes(database, moved(many[3], 2), moved(many[4], 2)) == [Stored()] * 2


def test_other_processes_hear_of_games_and_items(database: PostgresDatabase, url: str, key: Path) -> None:
    one, two = games(2)
    other = opened(url, key)
    outcomes(database, new(one), new(two))
    heard: dict[UUID, int] = {}
    began, done = threading.Event(), threading.Event()

    def hear(news: PeerChanges) -> None:
        began.set()
        heard.update(news.new_versions)
        if news.has_feed_items and heard.get(one) == 2:
            done.set()

    other.listen(hear)
    assert began.wait(WAIT)
    fed = moved(one, 2)
    assert outcomes(
        database, moved(two, 2), Append(fed.events, (), fed.progress, [new_item(one, 2, 9, "turn", (1,))])
    ) == [
        Stored(),
        Stored(),
    ]
    assert done.wait(WAIT)
    other.close()


_CONTENTS = {
    "events": "game, version, topic, state, link",
    "progress": "*",
    "games": "game, title, status, platform",
    "seats": "*",
    "game_access": "*",
    "feed_outbox": "id, platform, game, title, version, time, kind, content",
}


def test_the_same_appends_store_the_same_rows(url: str, key: Path, postgres: Server) -> None:
    """Batches of random appends, with stale ones, have the same outcomes as in a plain PostgreSQL."""
    with postgres.database() as plain_url:
        databases = [opened(plain_url, key)]
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("INSERT INTO service VALUES ('key', %s)", (databases[0].key.id,))
        databases.append(opened(url, key))
        chance = random.Random(3)
        versions: dict[UUID, int] = {}
        for begun in games(30):
            batch = [begin(begun, chance)]
            for game in chance.sample(list(versions), min(len(versions), 12)):
                steps = chance.choice([1, 1, 2])
                first = versions[game] + chance.choice([1, 1, 1, 1, 0, 2])
                batch.append(step(game, first, steps, chance))
            found = [outcomes(database, *batch) for database in databases]
            assert found[0] == found[1]
            for append, outcome in zip(batch, found[0], strict=True):
                if outcome == Stored():
                    last = append.events[-1]
                    versions[UUID(str(last.originator_id))] = last.originator_version
        assert sum(versions.values()) > 100
        for table, columns in _CONTENTS.items():
            found = [sorted(rows(at, f"SELECT {columns} FROM {table}"), key=repr) for at in (plain_url, url)]
            assert found[0] == found[1], table
            assert found[0], table
        for database in databases:
            database.close()


def begin(game: UUID, chance: random.Random) -> Append:
    append = new(game)
    changes = append.changes
    if chance.random() < 0.5:
        changes = [*changes, SetGameOwner(game, GameAccess("lobby"))]
    news = [new_item(game, 1, 9, "created")] if chance.random() < 0.5 else []
    return replace(append, changes=changes, feed_items=news)


def step(game: UUID, first: int, count: int, chance: random.Random) -> Append:
    events = [event(game, version) for version in range(first, first + count)]
    last = first + count - 1
    status = chance.choice([None, "running", "ended"])
    line = encode_progress(game, last, last, status, ["", "c"], [], bot_decides=chance.random() < 0.5)
    news = [new_item(game, last, 9, "turn", (1,)) for _ in range(chance.choice([0, 1, 2]))]
    return Append(events, (), chance.choice([line, None]), news)
