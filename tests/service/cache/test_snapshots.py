"""Stored snapshots: the server writes them in the background, uses them after a restart, and ignores invalid ones."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import pytest
import structlog
from eventsourcing.persistence import IntegrityError, MapperDeserialisationError, StoredEvent
from tests.databases.database_access import read_snapshots
from tests.service.cache.test_game_registry import GameService, open_service, take_turn
from tests.service.storage.test_hash_chain import execute_without_triggers
from tests.service.storage.test_recorder import open_file
from tests.service.tiny_title import TINY, DrawPearl, Peek

from boardkeeper.game.events import GameEvent
from boardkeeper.game.seat_actions import SubmitCommands
from boardkeeper.service.cache import snapshots
from boardkeeper.service.games.game_creator import SeatPlan
from boardkeeper.service.storage import chain
from boardkeeper.service.storage.snapshots import GameSnapshot, SnapshotMapper
from boardkeeper.titlekit.title import Setup

pytestmark = pytest.mark.databases

INTERVAL = 4
TURNS = 12
LAST = 5 + TURNS + 2
"""The version of a finished game of two people: 5 events before the turns, 1 a turn, and 2 more in the last turn."""

EXPECTED_VERSIONS = [4, 8, 12, 16, LAST]


@pytest.fixture(autouse=True)
def snapshot_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshots, "SNAPSHOT_INTERVAL", INTERVAL)


async def play(service: GameService, game: UUID, turns: int = TURNS) -> None:
    """Play turns: most pass a coin, some draw a hidden pearl at random, one looks at the top of the pile."""
    for number in range(turns):
        live = await service.registry.get(game)
        (seat,) = live.game.table.deciding()
        command = {1: DrawPearl(), 4: Peek(), 6: DrawPearl()}.get(number)
        if command is None:
            await take_turn(service, game, number)
        else:
            await service.handler.act(game, seat, SubmitCommands([command]), f"turn-{number}")


async def create_played_game(path: Path) -> UUID:
    """Play a game to its end, store its snapshots, and return its id."""
    async with open_service(path) as service:
        game = await service.game()
        await play(service, game)
        await service.registry.snapshots.make_due()
    return game


def stored_versions(path: Path) -> list[int]:
    return [row[1] for row in read_snapshots(path)]


def execute_sql(path: Path, statement: str, *parameters: object) -> None:
    connection = sqlite3.connect(path)
    connection.execute(statement, parameters)
    connection.commit()
    connection.close()


async def check_all_answers(service: GameService, game: UUID, last: int = LAST) -> None:
    """Check that each version up to ``last`` is equal to the game loaded from events only. Read in several orders."""
    for version in (last, *range(1, last + 1), *range(last, 0, -1)):
        moment = await service.registry.moment_at(game, version)
        expected = service.application.load_game(game, until=version)
        assert expected is not None
        assert moment.version == version
        assert moment.table.contents() == expected.table.contents(), version
        assert (moment.play is None) == (expected.play is None)
        assert moment.is_running == (expected.status == "running")
        for seat in (1, 2):
            assert list(moment.legal(seat)) == list(expected.legal(seat))


async def test_snapshots_are_stored_regularly_and_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        game = await service.game()
        await play(service, game, 5)
        assert stored_versions(path) == []  # commands do not write snapshots
        await service.registry.snapshots.make_due()
        assert stored_versions(path) == [4, 8]
        await play(service, game, TURNS - 5)
        await service.registry.snapshots.make_due()
        assert (await service.registry.get(game)).game.version == LAST
    assert stored_versions(path) == EXPECTED_VERSIONS
    assert {row[0] for row in read_snapshots(path)} == {game.hex}


async def test_the_first_read_after_a_restart_starts_at_the_nearest_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.db"
    game = await create_played_game(path)
    for version in range(1, LAST + 1):
        async with open_service(path) as service:
            await service.registry.get(game)
            read: list[int] = []
            game_events = service.application.game_events

            def count_events(game: UUID, *, after: int = 0, until: int) -> list[GameEvent]:
                read.append(until - after)  # noqa: B023
                return game_events(game, after=after, until=until)  # noqa: B023

            monkeypatch.setattr(service.application, "game_events", count_events)
            await service.registry.moment_at(game, version)
            assert sum(read) <= 1 + INTERVAL // 2  # 1: the first event, which contains the setup
            monkeypatch.undo()
            monkeypatch.setattr(snapshots, "SNAPSHOT_INTERVAL", INTERVAL)
            await check_all_answers(service, game)


@pytest.mark.sqlite_only
async def test_deleted_snapshots_change_no_answer_and_are_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    game = await create_played_game(path)
    before = read_snapshots(path)
    for statement in ("DELETE FROM stored_snapshots", "DELETE FROM stored_snapshots WHERE originator_version=8"):
        execute_sql(path, statement)
        async with open_service(path) as service:
            await check_all_answers(service, game)
            await service.registry.snapshots.make_due()
        assert read_snapshots(path) == before
    execute_sql(path, "DROP TABLE stored_snapshots")
    async with open_service(path) as service:
        await check_all_answers(service, game)
        await service.registry.snapshots.make_due()
    assert read_snapshots(path) == before


INVALID = {
    "a changed byte": (
        "UPDATE stored_snapshots SET state=CAST(substr(state, 1, 60) || X'01' || substr(state, 62) AS BLOB)"
    ),
    "a changed seal": "UPDATE stored_snapshots SET state=CAST(X'00' || substr(state, 2) AS BLOB)",
    "no state": "UPDATE stored_snapshots SET state=NULL",
    "an empty state": "UPDATE stored_snapshots SET state=X''",
    "text instead of bytes": "UPDATE stored_snapshots SET state='[]'",
    "a truncated state": "UPDATE stored_snapshots SET state=CAST(substr(state, 1, 40) AS BLOB)",
    "an unknown topic": "UPDATE stored_snapshots SET topic='game.Snapshot@999'",
    "no topic": "UPDATE stored_snapshots SET topic=NULL",
    "another version": "UPDATE stored_snapshots SET originator_version=originator_version+1",
    "a version that is not a number": "UPDATE stored_snapshots SET originator_version='x' WHERE originator_version=8",
    "a version after the end": "UPDATE stored_snapshots SET originator_version=9999 WHERE originator_version=8",
}


@pytest.mark.parametrize("statement", INVALID.values(), ids=list(INVALID))
@pytest.mark.sqlite_only
async def test_an_invalid_snapshot_changes_no_answer(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "games.db"
    game = await create_played_game(path)
    before = read_snapshots(path)
    execute_sql(path, statement)
    assert read_snapshots(path) != before
    with structlog.testing.capture_logs() as log:
        async with open_service(path) as service:
            await check_all_answers(service, game)
            await service.registry.snapshots.make_due()
    (line,) = log  # one line, even if several snapshots are invalid
    assert (line["log_level"], line["game"]) == ("error", str(game))
    assert read_snapshots(path) == before  # rebuilt


@pytest.mark.sqlite_only
async def test_a_snapshot_of_another_game_is_ignored(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    one, other = await create_played_game(path), await create_played_game(path)
    execute_sql(path, "DELETE FROM stored_snapshots WHERE originator_id=?", one.hex)
    execute_sql(path, "UPDATE stored_snapshots SET originator_id=?", one.hex)
    with structlog.testing.capture_logs() as log:
        async with open_service(path) as service:
            await check_all_answers(service, one)
            await check_all_answers(service, other)
            await service.registry.snapshots.make_due()
    assert stored_versions(path) == [*EXPECTED_VERSIONS, *EXPECTED_VERSIONS]
    assert [line["problem"] for line in log] == ["it is of another game or version"]


@pytest.mark.sqlite_only
async def test_snapshots_with_another_key_are_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    game = await create_played_game(path)
    before = read_snapshots(path)
    path.with_name("games.db.key").unlink()
    with structlog.testing.capture_logs() as log:
        async with open_service(path) as service:
            await check_all_answers(service, game)
            await service.registry.snapshots.make_due()
    assert [line["problem"] for line in log] == ["it is not sealed by this service"]
    assert [row[1] for row in read_snapshots(path)] == [row[1] for row in before]
    assert not set(read_snapshots(path)) & set(before)


async def test_a_snapshot_with_another_layout_is_ignored(tmp_path: Path) -> None:
    """A faulty build of the server could store a correctly sealed snapshot of a table with other zones."""
    path = tmp_path / "games.db"
    game = await create_played_game(path)
    async with open_service(path) as service:
        other = await service.game(SeatPlan("Ada"), SeatPlan("Bob"), SeatPlan("Cem"))
        await service.registry.snapshots.make_due()
        (wrong, *_) = service.application.snapshot_recorder.select_events(other)
        table = service.application.snapshot_mapper.to_domain_event(wrong).table
        link = service.application.event_log.select_link(game, 8)
        right = [
            row for row in service.application.snapshot_recorder.select_events(game) if row.originator_version == 8
        ]
        assert service.application.snapshots is not None
        service.application.snapshots.put([GameSnapshot(game, 8, link, "running", table)], invalid=right)
        with structlog.testing.capture_logs() as log:
            await check_all_answers(service, game)
    assert [line["problem"] for line in log] == ["it has another layout"]


# --- damaged games --------------------------------------------------------------------------------------------


@pytest.mark.sqlite_only
async def test_snapshots_after_a_damaged_event_are_not_used(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    game = await create_played_game(path)
    execute_without_triggers(path, "UPDATE stored_events SET state='[]' WHERE originator_version=12")
    async with open_service(path) as service:
        live = await service.registry.get(game)
        assert (live.game.version, live.damage is None) == (11, False)
        # The snapshot of version 12 is valid, and nearer to version 11 than that of version 8.
        layout = TINY.layout(Setup("first", 2))
        assert 12 in [it.version for it in service.registry.snapshots.trusted(game, layout)]
        await check_all_answers(service, game, 11)


@pytest.mark.sqlite_only
async def test_a_snapshot_of_changed_events_is_ignored(tmp_path: Path) -> None:
    """If an attacker changes an event and computes the hash chain again, only the snapshots show the change."""
    path = tmp_path / "games.db"
    game = await create_played_game(path)
    change = "UPDATE stored_events SET state=CAST(replace(state, 'turn-', 'torn-') AS BLOB) WHERE originator_version=7"
    execute_without_triggers(path, change)
    connection = sqlite3.connect(path)
    events = connection.execute("SELECT originator_version, topic, state FROM stored_events ORDER BY 1").fetchall()
    for version, link in chain.compute_links(game.hex, events):
        connection.execute("UPDATE stored_events SET link=? WHERE originator_version=?", (link, version))
    connection.execute("UPDATE games SET chain=?", (link,))
    connection.commit()
    connection.close()
    with structlog.testing.capture_logs() as log:
        async with open_service(path) as service:
            assert service.application.damage(game) is None
            layout = TINY.layout(Setup("first", 2))
            assert [it.version for it in service.registry.snapshots.trusted(game, layout)] == [4]
            await check_all_answers(service, game)
    assert [line["problem"] for line in log] == ["the events up to it have changed"]


@pytest.mark.sqlite_only
async def test_no_snapshot_is_stored_of_events_with_wrong_links(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        game = await service.game()
        await play(service, game)
        # The server is running and has already read the event.
        execute_without_triggers(path, "UPDATE stored_events SET topic='tiny.PileShown' WHERE originator_version=14")
        await service.registry.snapshots.make_due()
    assert stored_versions(path) == [4, 8, 12]


@pytest.mark.sqlite_only
async def test_a_failure_is_logged_and_retried(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        game = await service.game()
        await play(service, game)
        execute_sql(path, "DROP TABLE stored_snapshots")
        with structlog.testing.capture_logs() as log:
            await service.registry.snapshots.make_due()
        assert [(line["event"], line["game"]) for line in log] == [("snapshots failed", str(game))]
    async with open_service(path) as service:
        await check_all_answers(service, game)
        await service.registry.snapshots.make_due()
    assert stored_versions(path) == EXPECTED_VERSIONS


# --- recorder and mapper --------------------------------------------------------------------------------------


def test_snapshots_are_replaced_only_if_marked_invalid(tmp_path: Path) -> None:
    database = open_file(tmp_path)
    recorder = database.factory.aggregate_recorder()
    game = UUID(int=1)

    def read_states() -> Sequence[bytes]:
        return [row.state for row in recorder.select_events(game)]

    recorder.insert_events([StoredEvent(game, 4, "x", b"1")])
    with pytest.raises(IntegrityError):
        recorder.insert_events([StoredEvent(game, 8, "x", b"2"), StoredEvent(game, 4, "x", b"2")])
    assert read_states() == [b"1"]
    recorder.insert_events(
        [StoredEvent(game, 8, "x", b"2"), StoredEvent(game, 4, "x", b"2")], invalid=[StoredEvent(game, 4, "x", b"1")]
    )
    assert read_states() == [b"2", b"2"]
    database.close()


def test_a_snapshot_survives_encoding_and_decoding() -> None:
    snapshot = GameSnapshot(UUID(int=7), 512, b"link", "running", b"table")
    mapper = SnapshotMapper(b"key")
    row = mapper.to_stored_event(snapshot)
    assert (row.originator_id, row.originator_version, row.topic) == (UUID(int=7), 512, "game.Snapshot@1")
    assert mapper.to_domain_event(row) == snapshot
    for other in (b"kez", b""):
        with pytest.raises(MapperDeserialisationError):
            SnapshotMapper(other).to_domain_event(row)
