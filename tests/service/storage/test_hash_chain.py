"""The hash chain of stored events: triggers reject changes, and changes without triggers are detected as damage.

The events before the damage stay readable.
"""

from __future__ import annotations

import sqlite3
import time
from hashlib import sha256
from pathlib import Path
from uuid import UUID

import pytest
import structlog
from eventsourcing.persistence import IntegrityError
from grpc import StatusCode
from tests.service.api_errors import api_error
from tests.service.cache.test_game_registry import open_service, read_all_events, take_turn
from tests.service.sqlite_internals import downgrade_schema
from tests.service.storage.test_databases import open_file

from boardkeeper.client import BoardkeeperError, Client, person
from boardkeeper.service.games.bots import Bots
from boardkeeper.service.games.game_creator import SeatPlan
from boardkeeper.service.process.chain_check import ChainCheck
from boardkeeper.service.process.server import running_service
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage import chain
from boardkeeper.service.storage.schema import newest
from boardkeeper.service.transport.statuses import status_of
from boardkeeper.titlekit.title import Setup
from boardkeeper.wire import errors

pytestmark = pytest.mark.sqlite_only  # the tests read and damage the SQLite file

TURNS = 4
LAST_VERSION = 5 + TURNS
"""The version of a game of two people after ``TURNS`` turns."""


async def create_played_game(path: Path) -> UUID:
    """Add a game with ``TURNS`` turns to a database file, and return its id."""
    async with open_service(path) as service:
        game = await service.game()
        for number in range(TURNS):
            await take_turn(service, game, number)
        assert (await service.registry.get(game)).game.version == LAST_VERSION
    return game


def execute_without_triggers(path: Path, *statements: str) -> None:
    """Drop the triggers of ``stored_events`` in a file, and execute statements with plain SQLite."""
    connection = sqlite3.connect(path)
    triggers = "SELECT name FROM sqlite_master WHERE type='trigger' AND tbl_name='stored_events'"
    for (trigger,) in connection.execute(triggers).fetchall():
        connection.execute(f"DROP TRIGGER {trigger}")
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


COLUMNS = "originator_id, originator_version, topic, state, link"
CHANGES = {
    "update": "UPDATE stored_events SET state='[]' WHERE originator_version=3",
    "update a version": "UPDATE stored_events SET originator_version=99 WHERE originator_version=3",
    "update a rowid": "UPDATE stored_events SET rowid=99 WHERE rowid=3",
    "update or replace": "UPDATE OR REPLACE stored_events SET originator_version=4 WHERE originator_version=3",
    "update or ignore": "UPDATE OR IGNORE stored_events SET state='[]' WHERE originator_version=3",
    "delete": "DELETE FROM stored_events WHERE originator_version=3",
    "delete all": "DELETE FROM stored_events",
    "insert or replace": (
        f"INSERT OR REPLACE INTO stored_events ({COLUMNS})"
        " SELECT originator_id, originator_version, topic, '[]', link FROM stored_events WHERE originator_version=3"
    ),
    "insert or replace, as text": (
        f"INSERT OR REPLACE INTO stored_events ({COLUMNS}) SELECT originator_id, '3', topic, '[]', link"
        " FROM stored_events WHERE originator_version=3"
    ),
    "replace into": (
        f"REPLACE INTO stored_events ({COLUMNS})"
        " SELECT originator_id, originator_version, topic, state, link FROM stored_events"
    ),
    "replace by rowid": (
        f"REPLACE INTO stored_events (rowid, {COLUMNS})"
        " SELECT 3, originator_id, 99, topic, state, link FROM stored_events WHERE originator_version=4"
    ),
    "replace by rowid in another game": (
        f"INSERT OR REPLACE INTO stored_events (oid, {COLUMNS}) VALUES (3, 'other', 1, 'x', X'', X'')"
    ),
    "upsert": (
        f"INSERT INTO stored_events ({COLUMNS})"
        " SELECT originator_id, originator_version, topic, '[]', link FROM stored_events WHERE originator_version=3"
        " ON CONFLICT DO UPDATE SET state=excluded.state"
    ),
}


def read_rows(path: Path) -> list[tuple[object, ...]]:
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT rowid, * FROM stored_events ORDER BY rowid").fetchall()
    connection.close()
    return rows


@pytest.mark.parametrize("recursive", [0, 1])
@pytest.mark.parametrize("statement", CHANGES.values(), ids=list(CHANGES))
async def test_triggers_reject_changes_of_events(tmp_path: Path, statement: str, recursive: int) -> None:
    path = tmp_path / "games.db"
    await create_played_game(path)
    before = read_rows(path)
    assert len(before) == LAST_VERSION
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA recursive_triggers={recursive}")
    with pytest.raises(sqlite3.IntegrityError, match="never changed or removed"):
        connection.execute(statement)
    connection.commit()
    connection.close()
    assert read_rows(path) == before


async def test_missing_triggers_are_created(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    game = await create_played_game(path)
    execute_without_triggers(path)
    async with open_service(path) as service:
        await take_turn(service, game, 99)
    before = read_rows(path)
    connection = sqlite3.connect(path)
    for statement in CHANGES.values():
        with pytest.raises(sqlite3.IntegrityError, match="never changed or removed"):
            connection.execute(statement)
    connection.close()
    assert read_rows(path) == before


async def test_an_unchanged_game_is_valid_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    game = await create_played_game(path)
    for run in range(2):
        async with open_service(path) as service:
            assert (await service.registry.get(game)).damage is None
            await take_turn(service, game, 100 + run)
            assert service.application.damage(game) is None


async def test_links_are_hashes_of_the_documented_contents(tmp_path: Path) -> None:
    game = await create_played_game(tmp_path / "games.db")
    connection = sqlite3.connect(tmp_path / "games.db")
    last = sha256(game.hex.encode()).digest()
    rows = connection.execute("SELECT originator_version, topic, state, link FROM stored_events ORDER BY 1").fetchall()
    for version, topic, state, stored in rows:
        last = sha256(last + f"{version}:{len(topic)}:{topic}:".encode() + state).digest()
        assert stored == last
    assert connection.execute("SELECT chain FROM games").fetchone() == (last,)
    connection.close()


CHANGE = "UPDATE stored_events SET state=CAST(replace(state, 'turn-', 'torn-') AS BLOB) WHERE originator_version=7"
SWAP = (
    "UPDATE stored_events SET originator_version=1006 WHERE originator_version=6",
    "UPDATE stored_events SET originator_version=6 WHERE originator_version=7",
    "UPDATE stored_events SET originator_version=7 WHERE originator_version=1006",
)
RENUMBER = (
    "DELETE FROM stored_events WHERE originator_version=6",
    "UPDATE stored_events SET originator_version=originator_version-1 WHERE originator_version>6",
)
INSERT = "INSERT INTO stored_events SELECT originator_id, {0}, topic, state, link FROM stored_events WHERE "
MAKE_ROOM = [
    f"UPDATE stored_events SET originator_version={version + 1} WHERE originator_version={version}"
    for version in range(LAST_VERSION, 5, -1)
]
DAMAGES: dict[str, tuple[tuple[str, ...], int]] = {
    "a changed byte": ((CHANGE,), 7),
    "a changed topic": (("UPDATE stored_events SET topic='tiny.PileShown' WHERE originator_version=8",), 8),
    "another type": (("UPDATE stored_events SET state=7 WHERE originator_version=8",), 8),
    "a deleted row": (("DELETE FROM stored_events WHERE originator_version=6",), 6),
    "a deleted row, renumbered": (RENUMBER, 6),
    "deleted last rows": (("DELETE FROM stored_events WHERE originator_version>=8",), 8),
    "rows in another order": (SWAP, 6),
    "an inserted row": ((*MAKE_ROOM, INSERT.format(6) + "originator_version=5"), 6),
    "an appended row": ((INSERT.format(LAST_VERSION + 1) + f"originator_version={LAST_VERSION}",), LAST_VERSION + 1),
    "a row before the first": ((INSERT.format(0) + "originator_version=1",), 1),
    "another link": (("UPDATE stored_events SET link=zeroblob(32) WHERE originator_version=7",), 7),
    "no link": (("UPDATE stored_events SET link=NULL WHERE originator_version=7",), 7),
    "another head": (("UPDATE games SET chain=zeroblob(32)",), LAST_VERSION),
    "no head": (("UPDATE games SET chain=NULL",), LAST_VERSION),
}


@pytest.mark.parametrize(("statements", "version"), DAMAGES.values(), ids=list(DAMAGES))
async def test_a_damaged_game_is_read_only_up_to_the_damage(
    tmp_path: Path, statements: tuple[str, ...], version: int
) -> None:
    path = tmp_path / "games.db"
    game = await create_played_game(path)
    execute_without_triggers(path, *statements)
    with structlog.testing.capture_logs() as log:
        async with open_service(path) as service:
            if version == 1:
                with api_error("GAME_DAMAGED"):
                    await service.registry.get(game)
                return
            with api_error("GAME_DAMAGED") as caught:
                await take_turn(service, game, 99)
            assert caught.value.values == {"version": str(version)}
            live = await service.registry.get(game)
            assert live.game.version == version - 1
            assert len(await read_all_events(service, game)) == version - 1
            assert (await service.registry.load_at(game, version - 1)).version == version - 1
            assert not live.lock.locked()
    (line,) = log
    assert (line["log_level"], line["game"], line["version"]) == ("error", str(game), version)


def test_the_error_status_has_the_first_damaged_version() -> None:
    status = status_of(ApiError("GAME_DAMAGED", version=7), "en", "some-call")
    problem = errors.parse_status(status)
    assert (status.code, problem.reason) == (StatusCode.FAILED_PRECONDITION.value[0], "GAME_DAMAGED")
    assert problem.values == {"version": "7"}


async def test_a_changed_row_with_a_recomputed_chain_does_not_match_the_head(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    game = await create_played_game(path)
    execute_without_triggers(path, CHANGE)
    connection = sqlite3.connect(path)
    rows = connection.execute("SELECT originator_version, topic, state FROM stored_events ORDER BY 1").fetchall()
    assert b"torn-" in rows[6][2]
    for version, link in chain.compute_links(game.hex, rows):
        connection.execute("UPDATE stored_events SET link=? WHERE originator_version=?", (link, version))
    connection.commit()
    connection.close()
    async with open_service(path) as service:
        assert service.application.damage(game) == chain.Damage(LAST_VERSION, "the head of the chain is another one")


async def test_rows_of_another_game_are_damage(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    one, other = await create_played_game(path), await create_played_game(path)
    execute_without_triggers(
        path,
        f"DELETE FROM stored_events WHERE originator_id='{one.hex}'",
        f"UPDATE stored_events SET originator_id='{one.hex}' WHERE originator_id='{other.hex}'",
    )
    async with open_service(path) as service:
        damages = [service.application.damage(game) for game in (one, other)]
        assert [damage.version for damage in damages if damage] == [1, 1]


async def test_a_damaged_game_accepts_no_joins_and_no_bot_moves(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        game = await service.game(SeatPlan("Ada"), SeatPlan(open=True))
        bots = await service.game(SeatPlan("Ada"), SeatPlan(bot="random"))
        await take_turn(service, bots, 1)
    execute_without_triggers(path, "UPDATE games SET chain=zeroblob(32)")
    async with open_service(path) as service:
        with api_error("GAME_DAMAGED"):
            await service.seat_manager.join(game, 2, "Bob", b"", "")
        assert not (await service.registry.get(game)).lock.locked()
        assert (await service.registry.get(bots)).find_deciding_bot() == 0
        playing = Bots(service.handler)
        playing.start()
        await playing.stop()


async def test_the_check_at_start_begins_with_unfinished_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.service.process.chain_check.PAGE_SIZE", 2)
    path = tmp_path / "games.db"
    games = [await create_played_game(path) for _ in range(5)]
    execute_without_triggers(
        path,
        f"UPDATE games SET status='ended' WHERE game='{games[4].hex}'",
        *(f"UPDATE stored_events SET topic='x' WHERE originator_id='{games[at].hex}'" for at in (4, 1)),
    )
    async with open_service(path) as service:
        check = ChainCheck(service.application)
        await check.run()
        assert check.checked == 5
        assert list(check.damaged.items()) == [
            (game, chain.Damage(1, "the row does not fit its link")) for game in (games[1], games[4])
        ]
        assert service.application.damages == check.damaged
        summary = check.summary(str(path))
        assert summary.startswith("2 of 5 games are damaged: ")
        assert f"{games[1]} from event 1 on, {games[4]} from event 1 on" in summary
        assert f"boardkeeper check --db {path}" in summary


async def test_the_summary_lists_at_most_five_games(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        games = [await service.game() for _ in range(7)]
        check = ChainCheck(service.application)
        await check.run()
        assert (check.checked, check.summary(str(path))) == (7, "")
    execute_without_triggers(path, "UPDATE games SET chain=NULL")
    async with open_service(path) as service:
        check = ChainCheck(service.application)
        with structlog.testing.capture_logs() as log:
            await check.run()
        assert check.summary(str(path)).count("from event 5 on") == 5
        assert "from event 5 on, 2 more. " in check.summary(str(path))
    *each, last = log
    assert sorted((line["game"], line["version"]) for line in each) == sorted((str(game), 5) for game in games)
    assert (last["event"], last["log_level"], last["games"], last["damaged"]) == ("chains checked", "error", 7, 7)


async def test_missing_chains_are_computed(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = [await create_played_game(path) for _ in range(2)]
    downgrade_schema(path)
    execute_without_triggers(path, "ALTER TABLE stored_events DROP COLUMN link", "ALTER TABLE games DROP COLUMN chain")
    open_file(path).close()
    async with open_service(path) as service:
        for game in games:
            assert service.application.damage(game) is None
            await take_turn(service, game, 99)
            assert service.application.damage(game) is None
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA user_version").fetchone() == (newest(),)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute("DELETE FROM stored_events")
    connection.close()


async def test_a_row_added_by_another_program_damages_the_cached_game(path: Path) -> None:
    async with open_service(path) as service:
        game = await service.game()
        connection = sqlite3.connect(path)
        connection.execute(INSERT.format(6) + "originator_version=5")
        connection.commit()
        connection.close()
        for _ in range(2):
            with api_error("GAME_DAMAGED") as caught:
                await take_turn(service, game, 1)
            assert caught.value.values == {"version": "6"}
        assert len(await read_all_events(service, game)) == 5


async def test_a_conflicting_append_does_not_change_the_chain(path: Path) -> None:
    async with open_service(path) as service:
        game = await service.game()
        live = await service.registry.get(game)
        event = service.application.game_events(game, after=live.game.version - 1)[0]
        stored = service.application.events_mapper.to_stored_event(event)
        with pytest.raises(IntegrityError):  # the game has an event with this version already
            service.application.recorder.insert_events([stored])
        await take_turn(service, game, 1)
        assert service.application.damage(game) is None


async def test_a_game_without_events_is_damaged(path: Path) -> None:
    game = await create_played_game(path)
    execute_without_triggers(path, "DELETE FROM stored_events")
    async with open_service(path) as service:
        with api_error("GAME_DAMAGED") as caught:
            await service.seat_manager.join(game, 0, "Eve", b"", "")
        assert caught.value.values == {"version": "1"}
        other = await service.creator.create("tiny", Setup("", 2), (SeatPlan("Ada"), SeatPlan("Bob")), "")
        assert (await service.registry.get(other.game)).damage is None


@pytest.mark.socket
async def test_the_api_reads_a_damaged_game_and_rejects_commands(path: Path) -> None:
    with running_service(path) as address, Client(address) as client:
        new = client.create_game("orleans", [person("Ada"), person("Bob")])
        (seat, _) = new.seats
        for _ in range(3):
            seat.submit(seat.legal_commands().commands[0].command)
        version = client.game(new.game.game_id).version
    execute_without_triggers(path, f"DELETE FROM stored_events WHERE originator_version={version}")
    with running_service(path) as address, Client(address) as client:
        seat = client.seat(new.game.game_id, 1, seat.token)
        assert seat.board().version == version - 1
        assert client.game(seat.game_id).damaged_version == version
        assert [game.damaged_version for game in client.games()] == [version]
        assert len(list(client.events(seat.game_id))) == version - 1
        command = seat.legal_commands().commands[0].command
        with pytest.raises(BoardkeeperError) as caught:
            seat.submit(command)
        assert caught.value.reason == "GAME_DAMAGED"
        assert caught.value.values == {"version": str(version)}
        other = client.create_game("orleans", [person("Ada"), person("Bob")])  # other games are not affected
        other.seats[0].submit(other.seats[0].legal_commands().commands[0].command)
        assert client.game(other.game.game_id).damaged_version == 0


@pytest.mark.socket
def test_the_lobby_reports_damaged_games_without_requests_for_them(path: Path) -> None:
    with running_service(path) as address, Client(address) as client:
        games = [client.create_game("orleans", [person("Ada"), person("Bob")]).game.game_id for _ in range(3)]
    hexes = [game.replace("-", "") for game in games]
    execute_without_triggers(
        path,
        f"DELETE FROM stored_events WHERE originator_id='{hexes[0]}' AND originator_version=3",
        f"DELETE FROM stored_events WHERE originator_id='{hexes[1]}'",
    )
    with running_service(path) as address, Client(address) as client:
        deadline = time.monotonic() + 100
        while sum(bool(game.damaged_version) for game in client.games()) < 2:
            assert time.monotonic() < deadline
        listed = {game.game_id: game.damaged_version for game in client.games()}
        assert listed == {games[0]: 3, games[1]: 1, games[2]: 0}
        # GetGame also returns the game that has no events.
        assert {game: client.game(game).damaged_version for game in games} == listed
