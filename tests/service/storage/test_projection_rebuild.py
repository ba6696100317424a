"""Rebuilding projections: whatever happened to them, they are again what the log says; what is not in the log stays."""

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
from tests.service.storage.test_hash_chain import attack
from tests.service.tiny_title import load_title

from boardkeeper.service.errors import StartupError
from boardkeeper.service.games.bots import Bots
from boardkeeper.service.games.game_creator import SeatPlan
from boardkeeper.service.storage.chain import Damage
from boardkeeper.service.storage.projection_rebuild import RebuildResult, rebuild
from boardkeeper.titlekit.title import Setup

COMPANIONS = ("games", "seats", "dice_secrets", "requests", "imports", "stored_events")


async def a_file(path: Path) -> list[UUID]:
    """An ended game, one in the middle, one with an open seat and one of bots."""
    async with open_service(path) as house:
        games = [
            await house.game(),
            (await house.creator.create("tiny", Setup("", 2), (SeatPlan("Ada"), SeatPlan("Bob")), "request")).game,
            await house.game(SeatPlan("Ada"), SeatPlan(open=True), SeatPlan(open=True)),
            await house.game(SeatPlan(bot="random"), SeatPlan(bot="random")),
        ]
        await play(house, games[0])
        for number in range(3):
            await take_turn(house, games[1], number)
        await house.seat_manager.join(games[2], 3, "Cem", b"salt", "")
        bots = Bots(house.handler)
        bots.start()
        async for _ in house.registry.follow(games[3], 0, 60):
            pass
        await bots.stop()
        await house.registry.snapshots.make_due()
    return games


def dump(path: Path, tables: Sequence[str] = COMPANIONS) -> dict[str, list[tuple[Any, ...]]]:
    connection = sqlite3.connect(path)
    found = {table: connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for table in tables}
    connection.close()
    return found


def rebuilt(path: Path) -> RebuildResult:
    told: list[tuple[int, int]] = []
    done = rebuild(path, load_title, lambda number, games: told.append((number, games)))
    assert told == [(number, done.games) for number in range(1, done.games + 1)]
    return done


@pytest.mark.sqlite_only
async def test_what_is_as_it_should_be_stays_and_snapshots_go(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = await a_file(path)
    before = dump(path)
    assert dump(path, ["stored_snapshots"])["stored_snapshots"]
    for _ in range(2):
        done = rebuilt(path)
        assert (done.games, done.differences, done.damages) == (len(games), [], {})
        assert dump(path) == before
        assert not dump(path, ["stored_snapshots"])["stored_snapshots"]


ALL = {"title", "setup", "commitment", "create_time", "update_time", "version", "status", "decisions", "standings"}
WRONGS = {
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
@pytest.mark.parametrize(("statement", "fields"), WRONGS.values(), ids=list(WRONGS))
async def test_what_is_wrong_is_put_right_and_told(tmp_path: Path, statement: str, fields: set[str]) -> None:
    path = tmp_path / "games.db"
    await a_file(path)
    before = dump(path)
    execute_sql(path, statement)
    assert dump(path) != before
    assert {difference.field for difference in rebuilt(path).differences} == fields
    assert dump(path) == before
    assert rebuilt(path).differences == []


@pytest.mark.sqlite_only
async def test_a_difference_says_what_was_and_what_is(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = await a_file(path)
    execute_sql(path, "UPDATE games SET status='open' WHERE number=2")
    execute_sql(path, "UPDATE seats SET taken=0 WHERE name='Cem'")
    told = [(it.game_id, it.field, it.stored, it.rebuilt) for it in rebuilt(path).differences]
    assert told == [
        (games[1], "status", "open", "running"),
        (games[2], "seat 3", ("person", False), ("person", True)),
    ]


@pytest.mark.sqlite_only
async def test_a_lost_lobby_comes_back_in_its_order_and_the_games_go_on(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = await a_file(path)
    before = dump(path)
    execute_sql(path, "DELETE FROM games")
    execute_sql(path, "DELETE FROM seats WHERE kind<>'person'")
    done = rebuilt(path)
    assert {it.field for it in done.differences} == ALL | {"seat 1", "seat 2"}
    assert dump(path) == before
    async with open_service(path) as house:
        assert [row.game_id for row in house.application.game_tables.lobby_page()] == games[::-1]
        for game in games:
            assert (await house.registry.get(game)).damage is None
        await take_turn(house, games[1], 99)


@pytest.mark.sqlite_only
async def test_without_seats_the_games_have_seats_without_names_again(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    games = await a_file(path)
    execute_sql(path, "DELETE FROM seats")
    execute_sql(path, "DELETE FROM dice_secrets")
    rebuilt(path)
    async with open_service(path) as house:
        row = house.application.game_tables.lobby_row(games[2])
        assert row is not None
        assert [(seat.kind, seat.name, seat.taken, seat.token_hash) for seat in row.seats] == [
            ("person", "", True, None),
            ("person", "", False, None),
            ("person", "", True, None),
        ]


DAMAGES = {
    "a changed event": "UPDATE stored_events SET state='[]' WHERE originator_version=3",
    "a dropped end": "DELETE FROM stored_events WHERE originator_version=8",
    "no events": "DELETE FROM stored_events",
    "another head": "UPDATE games SET chain=zeroblob(32)",
    "no head": "UPDATE games SET chain=NULL",
}


@pytest.mark.sqlite_only
@pytest.mark.parametrize("statement", DAMAGES.values(), ids=list(DAMAGES))
async def test_a_damaged_game_is_left_as_the_witness_that_it_is(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as house:
        game = await house.game()
        for number in range(3):
            await take_turn(house, game, number)
    attack(path, statement, "UPDATE games SET status='ended'")
    before = dump(path)
    done = rebuilt(path)
    assert (list(done.damages), done.differences) == ([game], [])
    assert dump(path) == before


@pytest.mark.sqlite_only
async def test_a_line_that_is_lost_with_events_is_not_made_of_what_is_left(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as house:
        game = await house.game()
    attack(path, "DELETE FROM stored_events WHERE originator_version=3", "DELETE FROM games")
    assert rebuilt(path).damages == {game: Damage(1, "its lobby row is lost")}
    assert dump(path)["games"] == []


@pytest.mark.sqlite_only
async def test_a_failure_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    await a_file(path)
    execute_sql(path, "UPDATE games SET status='open'")
    before = dump(path, [*COMPANIONS, "stored_snapshots"])

    def no_titles(title: str) -> Any:
        raise KeyError(title)

    with pytest.raises(StartupError, match=r"games of the title 'tiny', which is not loaded"):
        rebuild(path, no_titles)
    assert dump(path, [*COMPANIONS, "stored_snapshots"]) == before
    async with open_service(path):
        with pytest.raises(StartupError, match="is in use by process"):
            rebuild(path, load_title)
    with pytest.raises(StartupError, match="does not exist"):
        rebuild(tmp_path / "other.db", load_title)
    assert not (tmp_path / "other.db").exists()


def test_differences_can_be_written_as_json() -> None:
    assert msgspec.to_builtins(RebuildResult()) == {"games": 0, "differences": [], "damages": {}, "incompatible": {}}
