"""Rebuilding projections: they agree with the event log afterwards; data that is not in the log is kept."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from tests.service.cache.test_game_registry import open_service, take_turn
from tests.service.cache.test_snapshots import execute_sql, play
from tests.service.storage.test_hash_chain import execute_without_triggers
from tests.service.tiny_title import load_title

from boardkeeper.service.errors import StartupError
from boardkeeper.service.games.bots import Bots
from boardkeeper.service.games.game_creator import SeatPlan
from boardkeeper.service.storage.chain import Damage
from boardkeeper.service.storage.projection_rebuild import RebuildResult, rebuild
from boardkeeper.titlekit.title import Setup

TABLES = ("games", "seats", "dice_secrets", "requests", "imports", "stored_events")


async def create_games(path: Path) -> list[UUID]:
    """Create an ended game, a running one, one with an open seat and one of bots; return their ids."""
    async with open_service(path) as service:
        games = [
            await service.game(),
            (await service.creator.create("tiny", Setup("", 2), (SeatPlan("Ada"), SeatPlan("Bob")), "request")).game,
            await service.game(SeatPlan("Ada"), SeatPlan(open=True), SeatPlan(open=True)),
            await service.game(SeatPlan(bot="random"), SeatPlan(bot="random")),
        ]
        await play(service, games[0])
        for number in range(3):
            await take_turn(service, games[1], number)
        await service.seat_manager.join(games[2], 3, "Cem", b"salt", "")
        bots = Bots(service.handler)
        bots.start()
        async for _ in service.registry.follow(games[3], 0, 60):
            pass
        await bots.stop()
        await service.registry.snapshots.make_due()
    return games


def dump(path: Path, tables: Sequence[str] = TABLES) -> dict[str, list[tuple[Any, ...]]]:
    connection = sqlite3.connect(path)
    found = {table: connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables}
    connection.close()
    return found


def run_rebuild(path: Path) -> RebuildResult:
    progress: list[tuple[int, int]] = []
    result = rebuild(path, load_title, lambda number, games: progress.append((number, games)))
    assert progress == [(number, result.games) for number in range(1, result.games + 1)]
    return result


@pytest.mark.sqlite_only
async def test_correct_rows_are_kept_and_snapshots_deleted(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = await create_games(path)
    before = dump(path)
    assert dump(path, ["stored_snapshots"])["stored_snapshots"]
    for _ in range(2):
        result = run_rebuild(path)
        assert (result.games, result.differences, result.damages) == (len(games), [], {})
        assert dump(path) == before
        assert not dump(path, ["stored_snapshots"])["stored_snapshots"]


ALL = {"title", "setup", "commitment", "create_time", "update_time", "version", "status", "decisions", "standings"}
ERRORS = {
    "another status": ("UPDATE games SET status='running' WHERE number=1", {"status"}),
    "other standings": ("UPDATE games SET standings='[]' WHERE number=1", {"standings"}),
    "other decisions": ("""UPDATE games SET decisions='["",""]' WHERE number=2""", {"decisions"}),
    "another version": ("UPDATE games SET version=version+100 WHERE number=2", {"version"}),
    "other times": ("UPDATE games SET create_time=1, update_time=2 WHERE number=3", {"create_time", "update_time"}),
    "another title": ("UPDATE games SET title='chess', commitment='' WHERE number=4", {"title", "commitment"}),
    "another setup": ("""UPDATE games SET setup='{"edition":"x","players":2}' WHERE number=4""", {"setup"}),
    "unreadable": ("UPDATE games SET setup='{' WHERE number=4", ALL),
    "a free seat": ("UPDATE seats SET taken=0 WHERE name='Cem'", {"seat 3"}),
    "a taken seat": ("UPDATE seats SET taken=1", {"seat 2"}),
    "a bot": ("UPDATE seats SET kind='bot.random' WHERE name='Cem'", {"seat 3"}),
}


@pytest.mark.sqlite_only
@pytest.mark.parametrize(("statement", "fields"), ERRORS.values(), ids=list(ERRORS))
async def test_wrong_rows_are_corrected_and_reported(tmp_path: Path, statement: str, fields: set[str]) -> None:
    path = tmp_path / "games.db"
    await create_games(path)
    before = dump(path)
    execute_sql(path, statement)
    assert dump(path) != before
    assert {difference.field for difference in run_rebuild(path).differences} == fields
    assert dump(path) == before
    assert run_rebuild(path).differences == []


@pytest.mark.sqlite_only
async def test_a_difference_has_the_stored_and_the_rebuilt_value(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = await create_games(path)
    execute_sql(path, "UPDATE games SET status='open' WHERE number=2")
    execute_sql(path, "UPDATE seats SET taken=0 WHERE name='Cem'")
    found = [(it.game_id, it.field, it.stored, it.rebuilt) for it in run_rebuild(path).differences]
    assert found == [
        (games[1], "status", "open", "running"),
        (games[2], "seat 3", ("person", False), ("person", True)),
    ]


@pytest.mark.sqlite_only
async def test_a_lost_lobby_is_rebuilt_in_order_and_games_continue(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = await create_games(path)
    before = dump(path)
    execute_sql(path, "DELETE FROM games")
    execute_sql(path, "DELETE FROM seats WHERE kind<>'person'")
    result = run_rebuild(path)
    assert {it.field for it in result.differences} == ALL | {"seat 1", "seat 2"}
    assert dump(path) == before
    async with open_service(path) as service:
        assert [row.game_id for row in service.application.game_tables.lobby_page()] == games[::-1]
        for game in games:
            assert (await service.registry.get(game)).damage is None
        await take_turn(service, games[1], 99)


@pytest.mark.sqlite_only
async def test_lost_seats_are_rebuilt_without_names(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = await create_games(path)
    execute_sql(path, "DELETE FROM seats")
    execute_sql(path, "DELETE FROM dice_secrets")
    run_rebuild(path)
    async with open_service(path) as service:
        row = service.application.game_tables.lobby_row(games[2])
        assert row is not None
        assert [(seat.kind, seat.name, seat.taken, seat.token_hash) for seat in row.seats] == [
            ("person", "", True, None),
            ("person", "", False, None),
            ("person", "", True, None),
        ]


DAMAGES = {
    "a changed event": "UPDATE stored_events SET state='[]' WHERE originator_version=3",
    "deleted last rows": "DELETE FROM stored_events WHERE originator_version=8",
    "no events": "DELETE FROM stored_events",
    "another head": "UPDATE games SET chain=zeroblob(32)",
    "no head": "UPDATE games SET chain=NULL",
}


@pytest.mark.sqlite_only
@pytest.mark.parametrize("statement", DAMAGES.values(), ids=list(DAMAGES))
async def test_rows_of_a_damaged_game_are_not_changed(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        game = await service.game()
        for number in range(3):
            await take_turn(service, game, number)
    execute_without_triggers(path, statement, "UPDATE games SET status='ended'")
    before = dump(path)
    result = run_rebuild(path)
    assert (list(result.damages), result.differences) == ([game], [])
    assert dump(path) == before


@pytest.mark.sqlite_only
async def test_a_lobby_row_is_not_rebuilt_from_incomplete_events(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        game = await service.game()
    execute_without_triggers(path, "DELETE FROM stored_events WHERE originator_version=3", "DELETE FROM games")
    assert run_rebuild(path).damages == {game: Damage(1, "its lobby row is lost")}
    assert dump(path)["games"] == []


@pytest.mark.sqlite_only
async def test_a_failed_rebuild_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await create_games(path)
    execute_sql(path, "UPDATE games SET status='open'")
    before = dump(path, [*TABLES, "stored_snapshots"])

    def no_titles(title: str) -> Any:
        raise KeyError(title)

    with pytest.raises(StartupError, match=r"games of the title 'tiny', which is not loaded"):
        rebuild(path, no_titles)
    assert dump(path, [*TABLES, "stored_snapshots"]) == before
    async with open_service(path):
        with pytest.raises(StartupError, match="is in use by process"):
            rebuild(path, load_title)
    with pytest.raises(StartupError, match="does not exist"):
        rebuild(tmp_path / "other.db", load_title)
    assert not (tmp_path / "other.db").exists()


def test_differences_can_be_written_as_json() -> None:
    assert msgspec.to_builtins(RebuildResult()) == {"games": 0, "differences": [], "damages": {}, "incompatible": {}}
