"""Results of finished games: the feed of results and the standings of players."""

from __future__ import annotations

import base64
from functools import partial
from pathlib import Path
from shutil import copy2
from typing import Any
from uuid import UUID

import msgspec
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from tests.databases import database_access
from tests.service.api.test_players import create_tiny_game, play_out
from tests.service.api_server import bearer, read_pages, run_server
from tests.service.cache.test_game_registry import GameService, open_service
from tests.service.keys import OPERATOR_TOKEN, create_key_in, key_metadata
from tests.service.platforms import call_rpc, expect_error
from tests.service.tiny_title import load_title

from boardkeeper.service.storage.database_move import move_games
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.players import (
    LOST,
    WON,
    EndGame,
    NumberResults,
    PutPlayer,
    ResultRow,
    SeatResult,
    results_query,
    standings_query,
)
from boardkeeper.service.storage.projection_rebuild import rebuild
from boardkeeper.service.storage.sql import for_postgres, for_sqlite, sqlite_values
from boardkeeper.v1 import game_pb2, players_pb2

pytestmark = pytest.mark.socket


def results(service: GameService, **more: Any) -> list[ResultRow]:
    """Return the results in the feed."""
    application = service.application
    if application.database.players.has_unnumbered_results():
        application.writer.store([NumberResults()])
    arguments: dict[str, Any] = {"after": None, "limit": 9} | more
    return application.database.players.results("lobby", "", **arguments)


async def play_games(service: GameService, count: int, *players: str, platform: str = "lobby") -> list[UUID]:
    """Create games and play them to their end."""
    games = [await create_tiny_game(service, *(players or ("anna", "ben")), platform=platform) for _ in range(count)]
    for game in games:
        await play_out(service, game)
    return games


# --- the feed -----------------------------------------------------------------------------------------------


@pytest.mark.databases
async def test_each_result_comes_once_after_a_cursor(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        games = await play_games(service, 2)
        await play_games(service, 1, platform="elsewhere")
        first = results(service, limit=1)
        rest = results(service, after=first[-1].position)
        assert [row.game for row in (*first, *rest)] == games
        assert results(service, after=rest[-1].position) == []
        more = await play_games(service, 1)
        assert [row.game for row in results(service, after=rest[-1].position)] == more
        assert [row.game for row in results(service, newest_first=True)] == [*more, *games[::-1]]
        last = results(service)[-1].position
        await service.handler.changes.remove(more[0])
        again = await play_games(service, 1)
        assert [row.game for row in results(service, after=last)] == again, "positions are not used again"


@pytest.mark.postgres
def test_results_committed_late_come_after_those_already_sent(empty_database: str, tmp_path: Path) -> None:
    """If two processes end games concurrently, the later commit gets the later position."""
    import psycopg

    insert = "INSERT INTO results (game, platform, title, end_time, seats, people) VALUES (%s, 'lobby', 'x', %s, 2, 2)"
    database = open_database(empty_database, key_file=tmp_path / "key")
    with psycopg.connect(empty_database) as slow, psycopg.connect(empty_database, autocommit=True) as fast:
        slow.execute(insert, (UUID(int=1), 10))
        fast.execute(insert, (UUID(int=2), 20))
        database.log.writer.store([NumberResults()])
        (sent,) = database.players.results("lobby", "", after=None, limit=9)
        assert sent.game == UUID(int=2)
        slow.commit()
        assert database.players.results("lobby", "", after=sent.position, limit=9) == []
        assert database.players.has_unnumbered_results()
        with fast.transaction():  # another process assigns numbers: this one does not wait for it
            fast.execute("SELECT pg_advisory_xact_lock(%s::bigint)", (0x626B_7273,))
            database.log.writer.store([NumberResults()])
            assert database.players.has_unnumbered_results()
        database.log.writer.store([NumberResults()])
        assert [row.game for row in database.players.results("lobby", "", after=sent.position, limit=9)] == [
            UUID(int=1)
        ]
    database.close()


@pytest.mark.databases
async def test_the_feed_of_a_platform_has_its_games(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    key, other_key = create_key_in(path, "lobby"), create_key_in(path, "theirs")
    async with open_service(path) as service:
        games = await play_games(service, 3)
    async with run_server(path, operator_token=OPERATOR_TOKEN) as api:
        seen: list[str] = []
        cursor = ""
        while True:
            (page,) = await call_rpc(api, "Players.ListResults", key_metadata(key), cursor=cursor, page_size=2)
            seen += [result.game.game_id for result in page.results]
            assert page.next_cursor
            cursor = page.next_cursor
            if not page.more:
                break
        assert seen == [str(game) for game in games]
        (none,) = await call_rpc(api, "Players.ListResults", key_metadata(key), cursor=cursor)
        assert (list(none.results), none.more, none.next_cursor) == ([], False, cursor)
        (back,) = await call_rpc(api, "Players.ListResults", key_metadata(key), newest_first=True, page_size=2)
        assert [result.game.game_id for result in back.results] == seen[:0:-1]
        (end,) = await call_rpc(
            api, "Players.ListResults", key_metadata(key), newest_first=True, cursor=back.next_cursor
        )
        assert [result.game.game_id for result in end.results] == seen[:1]
        for result in (*page.results, *back.results):
            assert result.game.status == game_pb2.GAME_STATUS_ENDED
            assert result.end_time == result.game.update_time
            assert [seat.player_id for seat in result.seats] == ["anna", "ben"]
            standings = {it.seat: (it.points, it.rank) for it in result.game.standings}
            assert {it.seat: (it.points, it.rank) for it in result.seats} == standings
            assert sum(seat.share for seat in result.seats) == 1
            assert game_pb2.GAME_OUTCOME_UNSPECIFIED not in [seat.outcome for seat in result.seats]
        for metadata in (key_metadata(other_key), ()):
            (page,) = await call_rpc(api, "Players.ListResults", metadata)
            assert list(page.results) == []
        (all_results,) = await call_rpc(api, "Players.ListResults", bearer(OPERATOR_TOKEN))
        assert len(all_results.results) == 3
        assert (await expect_error(api, "Players.ListResults", bearer("x"))).reason == "PLATFORM_ONLY"
        assert (
            await expect_error(api, "Players.ListResults", key_metadata(other_key), platform="lobby")
        ).reason == "OPERATOR_ONLY"
        for wrong in ({"cursor": back.next_cursor}, {"cursor": "x"}, {"cursor": cursor, "title": "tiny"}):
            assert (await expect_error(api, "Players.ListResults", key_metadata(key), **wrong)).reason == "BAD_REQUEST"


# --- standings ----------------------------------------------------------------------------------------------


def end(game: UUID, time: int, ranks: list[int], people: int = 2) -> EndGame:
    shares = ranks.count(1)
    seats = tuple(
        SeatResult(seat, 10 * seat, rank, WON if rank == 1 else LOST, 1 / shares if rank == 1 else 0.0)
        for seat, rank in enumerate(ranks, 1)
    )
    return EndGame(game, time, people, seats)


@pytest.mark.databases
async def test_standings_sum_up_results(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        store = service.application.writer.store
        games = [await create_tiny_game(service, "anna", "ben") for _ in range(3)]
        store([end(games[0], 100, [1, 2]), end(games[1], 300, [2, 1]), end(games[2], 200, [1, 1, 3, 4], people=1)])
        await play_games(service, 1, platform="elsewhere")

        def standings(*players: str, **more: Any) -> list[Any]:
            arguments: dict[str, Any] = {"after": "", "limit": 9, "people_only": False} | more
            return service.application.database.players.standings("lobby", "tiny", players, **arguments)

        anna, ben = standings()
        assert (anna.player_id, ben.player_id) == ("anna", "ben")
        assert (anna.games, anna.won, anna.drawn, anna.lost) == (3, 2, 0, 1)
        assert (anna.shares, anna.expected, anna.ranks, anna.points) == (1.5, 1.25, 4, 30)
        assert (anna.best_points, anna.last_time, ben.best_points) == (10, 300, 20)
        assert [it.games for it in standings(people_only=True)] == [2, 2]
        assert standings("ben", "unknown") == [ben]
        assert standings(limit=1) == [anna]
        assert standings(limit=1, after="anna") == [ben]
        store([PutPlayer(games[0], 1, "cem"), PutPlayer(games[1], 1, "")])
        assert [(it.player_id, it.games) for it in standings()] == [("anna", 1), ("ben", 3), ("cem", 1)]
        store([end(games[0], 100, [2, 1])])  # corrected
        assert [it.won for it in standings("cem")] == [0]
        await service.handler.changes.remove(games[1])
        assert [(it.player_id, it.games) for it in standings()] == [("anna", 1), ("ben", 2), ("cem", 1)]


@pytest.mark.databases
async def test_standings_are_paged(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    key, other_key = create_key_in(path, "lobby"), create_key_in(path, "theirs")
    async with open_service(path) as service:
        await play_games(service, 2)
        await play_games(service, 1, "anna", "cem")
    async with run_server(path) as api:
        (whole,) = await call_rpc(api, "Players.GetStandings", key_metadata(key), title="tiny")
        assert [(it.player_id, it.games) for it in whole.standings] == [("anna", 3), ("ben", 2), ("cem", 1)]
        assert whole.standings[0].won + whole.standings[0].drawn + whole.standings[0].lost == 3
        assert 1 <= whole.standings[0].mean_rank <= 2
        list_standings = partial(api.players.GetStandings, metadata=key_metadata(key))
        pages = await read_pages(list_standings, players_pb2.GetStandingsRequest(title="tiny", page_size=2))
        assert [it for page in pages for it in page.standings] == list(whole.standings)
        (one,) = await call_rpc(
            api, "Players.GetStandings", key_metadata(key), title="tiny", player_ids=["cem", "dora"]
        )
        assert list(one.standings) == [whole.standings[2]]
        (none,) = await call_rpc(api, "Players.GetStandings", key_metadata(other_key), title="tiny")
        assert list(none.standings) == []
        wrong: tuple[dict[str, Any], ...] = (
            {},
            {"title": "tiny", "player_ids": ["a b"]},
            {"title": "tiny", "player_ids": ["a"] * 101},
            {"title": "tiny", "page_token": "x"},
        )
        for fields in wrong:
            assert (
                await expect_error(api, "Players.GetStandings", key_metadata(key), **fields)
            ).reason == "BAD_REQUEST"
        assert (
            await expect_error(api, "Players.GetStandings", key_metadata(key), title="tiny", platform="theirs")
        ).reason == "PLATFORM_ONLY"


# --- tokens and cursors ---------------------------------------------------------------------------------------


def unsealed_token(*page: object) -> str:
    """Return a token in the unsealed form of earlier releases."""
    return base64.urlsafe_b64encode(msgspec.json.encode(page)).rstrip(b"=").decode()


async def test_tokens_of_lists_are_sealed_and_older_ones_are_rejected(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    key = create_key_in(path, "lobby")
    async with open_service(path) as service:
        await play_games(service, 2)
        await play_games(service, 1, "anna", "cem")
    some = Timestamp(seconds=1)
    lists: tuple[tuple[str, str, dict[str, Any], tuple[object, ...]], ...] = (
        ("Games.ListGames", "page_token", {}, (("games", "", ""), 3)),
        ("Games.ListGames", "page_token", {"created_after": some}, (("search", "ab", "7-3"), 0)),
        ("Players.ListResults", "cursor", {}, (("results", "", "on", "=lobby"), 2)),
        ("Players.GetStandings", "page_token", {"title": "tiny"}, (("standings", "tiny", "lobby", "anna"), 0)),
    )
    async with run_server(path) as api:
        for name, field, fields, old in lists:
            first = (await call_rpc(api, name, key_metadata(key), page_size=2, **fields))[0]
            token = first.next_cursor if field == "cursor" else first.next_page_token
            with pytest.raises(msgspec.DecodeError):
                msgspec.json.decode(base64.urlsafe_b64decode(token + "=="))
            again = (await call_rpc(api, name, key_metadata(key), page_size=2, **fields))[0]
            assert token == (again.next_cursor if field == "cursor" else again.next_page_token)
            await call_rpc(api, name, key_metadata(key), **fields, **{field: token})
            for wrong in (unsealed_token(*old), token[:-2], token[2:], token + "A", "ä", "=", "A" * 2000):
                problem = await expect_error(api, name, key_metadata(key), **fields, **{field: wrong})
                assert problem.reason == "BAD_REQUEST", name
                assert list(problem.violations) == [field]
                assert "start again without it" in problem.violations[field]


# --- rebuilding and moving ----------------------------------------------------------------------------------


@pytest.mark.databases
async def test_results_are_rebuilt_from_events(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        (game,) = await play_games(service, 1)
        right = service.application.database.players.results_of(game)
        service.application.writer.store([end(game, 5, [2, 2, 1])])
        assert service.application.database.players.results_of(game) != right
        before = results(service)
    url = database_access.URLS.get(path.absolute(), "")
    rebuilt = rebuild(url or path, load_title, key_file=database_access.key_path(path) if url else "")
    assert [it.field for it in rebuilt.differences] == ["results"]
    async with open_service(path) as service:
        assert service.application.database.players.results_of(game) == right
        assert [row.position for row in results(service)] == [row.position for row in before]
        (row,) = results(service)
        line = service.application.game_tables.lobby_row(game)
        assert line is not None
        assert row.time == line.update_time


@pytest.mark.sqlite_only
async def test_players_and_results_are_moved_to_another_database(tmp_path: Path) -> None:
    async with open_service(tmp_path / "old.db") as service:
        games = await play_games(service, 3)
        service.application.writer.store([PutPlayer(games[1], 2, "cem")])
        right = [service.application.database.players.results_of(game) for game in games]
        players = service.application.database.players.players_of(games)
        feed_rows = [(row.game, row.time, row.people) for row in results(service)]
    copy2(tmp_path / "old.db.key", tmp_path / "new.db.key")
    old, new = open_database(tmp_path / "old.db"), open_database(tmp_path / "new.db")
    try:
        for _ in range(2):  # a second move changes nothing
            move_games(old, new)
            assert [new.players.results_of(game) for game in games] == right
            assert new.players.players_of(games) == players
            rows = new.players.results("lobby", "tiny", after=None, limit=9)
            assert [(row.game, row.time, row.people) for row in rows] == feed_rows
    finally:
        old.close()
        new.close()


QUERIES = (
    results_query("lobby", "", 5, 9, newest_first=False),
    results_query("lobby", "tiny", 5, 9, newest_first=True),
    results_query(None, "tiny", 5, 9, newest_first=False),
    results_query(None, "", 5, 9, newest_first=False),
    standings_query("lobby", "tiny", ["anna"], "", 9, people_only=True),
    standings_query("lobby", "tiny", [], "anna", 9, people_only=False),
)


def test_pages_of_results_and_standings_use_an_index(tmp_path: Path) -> None:
    import sqlite3

    path = tmp_path / "games.db"
    open_database(path).close()
    connection = sqlite3.connect(path)
    for sql, parameters in QUERIES:
        query = "EXPLAIN QUERY PLAN " + for_sqlite(sql)
        plan = " ".join(row[3] for row in connection.execute(query, sqlite_values(parameters)))
        assert "SCAN" not in plan.replace("SCAN json_each", ""), plan
        assert "TEMP B-TREE" not in plan, plan
        if "json_each" in query:
            assert "players_by_title (platform=? AND title=? AND player_id=?)" in plan, plan
    connection.close()


@pytest.mark.postgres
def test_pages_of_results_and_standings_use_an_index_on_postgres(postgres: Any) -> None:
    import psycopg

    with postgres.database() as url, psycopg.connect(url) as connection:
        connection.execute("SET enable_seqscan = off")
        connection.execute("SET enable_sort = off")
        for sql, parameters in QUERIES:
            plan = "\n".join(row[0] for row in connection.execute(b"EXPLAIN " + for_postgres(sql), parameters))
            assert "Seq Scan" not in plan, plan
            assert "Sort" not in plan, plan
