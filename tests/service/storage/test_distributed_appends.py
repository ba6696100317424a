"""Appends to a distributed PostgreSQL: each statement is for one game, and each transaction for one machine.

The database of these tests only pretends to be distributed, so all of its tables are on one machine.
"""

from __future__ import annotations

import random
import threading
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from msgspec.structs import replace
from tests.databases.servers import Server, pretend_to_be_distributed
from tests.service.storage.postgres_games import WAIT, new_event, new_game, open_postgres, select, store
from tests.service.storage.test_recorder import make_event

from boardkeeper.service.storage.access import GameAccess, SetGameOwner
from boardkeeper.service.storage.changes import encode_progress
from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage.feed import new_item
from boardkeeper.service.storage.postgres.database import PostgresDatabase
from boardkeeper.service.storage.writer import Append, Blocked, Conflict, Stored

pytestmark = pytest.mark.postgres


@pytest.fixture
def url(url: str) -> str:
    """A database that seems to be distributed."""
    pretend_to_be_distributed(url)
    return url


def game_ids(count: int) -> list[UUID]:
    chance = random.Random(7)
    return [UUID(int=chance.getrandbits(128)) for _ in range(count)]


def test_each_machine_has_its_own_transaction(database: PostgresDatabase, url: str) -> None:
    games = game_ids(40)
    assert store(database, *map(new_game, games)) == [Stored()] * 40
    assert select(url, "SELECT game FROM games ORDER BY number") == [(game,) for game in games]
    count_shards = "SELECT count(DISTINCT get_shard_id_for_distribution_column('progress', game)) FROM progress"
    before = database.log.writer.commits
    assert store(database, *(new_event(game, 2) for game in games)) == [Stored()] * 40
    assert select(url, count_shards) == [(database.log.writer.commits - before,)]


def test_a_locked_game_blocks_no_other_game_of_its_machine(database: PostgresDatabase, url: str) -> None:
    games = game_ids(20)
    store(database, *map(new_game, games))
    with psycopg.connect(url, autocommit=True) as other:
        other.execute("BEGIN")
        other.execute("SELECT 1 FROM progress WHERE game = %s FOR UPDATE", (games[3],))
        stale = new_event(games[4], 3)
        found = store(database, *(stale if game == games[4] else new_event(game, 2) for game in games))
    assert isinstance(found[3], Blocked)
    assert isinstance(found[4], Conflict)
    assert [outcome for at, outcome in enumerate(found) if at not in (3, 4)] == [Stored()] * 18
    assert store(database, new_event(games[3], 2), new_event(games[4], 2)) == [Stored()] * 2


def test_other_processes_are_notified_of_games_and_feed_items(database: PostgresDatabase, url: str, key: Path) -> None:
    one, two = game_ids(2)
    other = open_postgres(url, key)
    store(database, new_game(one), new_game(two))
    versions: dict[UUID, int] = {}
    listening, done = threading.Event(), threading.Event()

    def receive(changes: PeerChanges) -> None:
        listening.set()
        versions.update(changes.new_versions)
        if changes.has_feed_items and versions.get(one) == 2:
            done.set()

    other.listen(receive)
    assert listening.wait(WAIT)
    append = new_event(one, 2)
    assert store(
        database, new_event(two, 2), Append(append.events, (), append.progress, [new_item(one, 2, 9, "turn", (1,))])
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


def test_appends_store_the_same_rows_as_in_a_plain_postgresql(url: str, key: Path, postgres: Server) -> None:
    """Compare the outcomes and rows of random batches, which contain stale appends."""
    with postgres.database() as plain_url:
        databases = [open_postgres(plain_url, key)]
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("INSERT INTO service VALUES ('key', %s)", (databases[0].key.id,))
        databases.append(open_postgres(url, key))
        chance = random.Random(3)
        versions: dict[UUID, int] = {}
        for created in game_ids(30):
            batch = [random_new_game(created, chance)]
            for game in chance.sample(list(versions), min(len(versions), 12)):
                steps = chance.choice([1, 1, 2])
                first = versions[game] + chance.choice([1, 1, 1, 1, 0, 2])
                batch.append(random_events(game, first, steps, chance))
            found = [store(database, *batch) for database in databases]
            assert found[0] == found[1]
            for append, outcome in zip(batch, found[0], strict=True):
                if outcome == Stored():
                    last = append.events[-1]
                    versions[UUID(str(last.originator_id))] = last.originator_version
        assert sum(versions.values()) > 100
        for table, columns in _CONTENTS.items():
            found = [sorted(select(at, f"SELECT {columns} FROM {table}"), key=repr) for at in (plain_url, url)]
            assert found[0] == found[1], table
            assert found[0], table
        for database in databases:
            database.close()


def random_new_game(game: UUID, chance: random.Random) -> Append:
    append = new_game(game)
    changes = append.changes
    if chance.random() < 0.5:
        changes = [*changes, SetGameOwner(game, GameAccess("lobby"))]
    items = [new_item(game, 1, 9, "created")] if chance.random() < 0.5 else []
    return replace(append, changes=changes, feed_items=items)


def random_events(game: UUID, first: int, count: int, chance: random.Random) -> Append:
    events = [make_event(game, version) for version in range(first, first + count)]
    last = first + count - 1
    status = chance.choice([None, "running", "ended"])
    line = encode_progress(game, last, last, status, ["", "c"], [], bot_decides=chance.random() < 0.5)
    items = [new_item(game, last, 9, "turn", (1,)) for _ in range(chance.choice([0, 1, 2]))]
    return Append(events, (), chance.choice([line, None]), items)
