"""Player ids of platforms: who can set and see them, and searches by them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any
from uuid import UUID

import grpc
import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from tests.service.api_server import Metadata, bearer, grpc_error, read_pages, run_server
from tests.service.auth.test_access import read_log
from tests.service.cache.test_game_registry import GameService, open_service, take_turn
from tests.service.keys import OPERATOR_TOKEN, key_metadata
from tests.service.platforms import SEAT, PlatformServer, call_rpc, expect_error, run_platform_server
from tests.service.sqlite_internals import downgrade_schema

from boardkeeper.service.games.game_creator import GameSettings, SeatPlan
from boardkeeper.service.storage.access import GameAccess
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.players import (
    DRAWN,
    LOST,
    WON,
    GameSearch,
    ListCursor,
    SeatResult,
    TimeRange,
    end_game,
    search_query,
)
from boardkeeper.service.storage.sql import for_postgres, for_sqlite, sqlite_values
from boardkeeper.titlekit.title import Setup, Standing
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import game_pb2, games_pb2

pytestmark = pytest.mark.socket

DENIED = grpc.StatusCode.PERMISSION_DENIED
TWO = (SEAT(name="Ada", player_id="p-ada"), SEAT(name="Bob", player_id="p-bob"))


async def player_ids(server: PlatformServer, metadata: Metadata, game: str) -> list[str]:
    """Return the player ids of a game that a caller sees."""
    (answer,) = await call_rpc(server.api, "Games.GetGame", metadata, game_id=game)
    return [seat.player_id for seat in answer.game.seats]


# --- setting and reading ids --------------------------------------------------------------------------------


@pytest.mark.databases
async def test_a_platform_finds_the_games_of_its_players(server: PlatformServer) -> None:
    ours, key = server.key, key_metadata(server.key)
    first, _ = await server.create(ours, *TWO)
    second, _ = await server.create(ours, SEAT(name="Ada", player_id="p-ada"), SEAT(open=True))
    fork = (await call_rpc(server.api, "Games.ForkGame", key, game_id=first, seats=list(TWO)))[0].game
    (joined,) = await call_rpc(server.api, "Games.JoinGame", key, game_id=second, player_id="p-cem")
    assert [seat.player_id for seat in joined.game.seats] == ["p-ada", "p-cem"]
    assert [seat.player_id for seat in fork.seats] == ["p-ada", "p-bob"]
    assert await server.list_games(key, player_id="p-ada") == [fork.game_id, second, first]
    assert await server.list_games(key, player_id="p-bob") == [fork.game_id, first]
    assert await server.list_games(key, player_id="p-cem") == [second]
    assert await server.list_games(key, player_id="p-") == []
    assert await server.list_games(key_metadata(server.other_key), player_id="p-ada") == []
    assert await server.list_games(bearer(OPERATOR_TOKEN), player_id="p-ada", platform="ours") == [
        fork.game_id,
        second,
        first,
    ]
    assert await server.list_games(bearer(OPERATOR_TOKEN), player_id="p-ada") == []


@pytest.mark.databases
async def test_a_platform_changes_and_clears_the_player_of_a_seat(server: PlatformServer) -> None:
    key = key_metadata(server.key)
    game, tokens = await server.create(server.key, *TWO)
    fields = {"game_id": game, "seat": 1}
    (answer,) = await call_rpc(server.api, "Players.SetSeatPlayer", key, **fields, player_id="p-ann")
    assert [seat.player_id for seat in answer.game.seats] == ["p-ann", "p-bob"]
    assert await server.list_games(key, player_id="p-ada") == []
    assert (
        await expect_error(server.api, "Players.SetSeatPlayer", key, **fields, player_id="p-bob")
    ).reason == "BAD_REQUEST"
    await call_rpc(server.api, "Players.SetSeatPlayer", key, **fields)
    assert await player_ids(server, key, game) == ["", "p-bob"]
    await call_rpc(server.api, "Players.SetSeatPlayer", key, **fields, player_id="p-ada")
    assert await server.list_games(key, player_id="p-ada") == [game]
    for metadata in (bearer(tokens[1]), key_metadata(server.other_key), ()):
        assert (await expect_error(server.api, "Players.SetSeatPlayer", metadata, **fields)).reason in (
            "GAME_NOT_FOUND",
            "PLATFORM_ONLY",
        )
    assert await player_ids(server, key, game) == ["p-ada", "p-bob"]


async def test_only_seats_of_people_have_player_ids(server: PlatformServer) -> None:
    key = key_metadata(server.key)
    game, _ = await server.create(server.key, SEAT(name="Ada"), SEAT(bot="random"), SEAT(open=True))
    for seat in (2, 3):
        fields = {"game_id": game, "seat": seat, "player_id": "p"}
        assert (await expect_error(server.api, "Players.SetSeatPlayer", key, **fields)).reason == "NO_PERSON"
    assert (await expect_error(server.api, "Players.SetSeatPlayer", key, game_id=game, seat=4)).reason == "BAD_REQUEST"
    wrong = (
        (SEAT(player_id="p"), SEAT(open=True, player_id="q")),
        (SEAT(player_id="p"), SEAT(bot="random", player_id="q")),
        (SEAT(player_id="p"), SEAT(player_id="p")),
        (SEAT(player_id="p q"), SEAT()),
        (SEAT(player_id="p" * 129), SEAT()),
    )
    for seats in wrong:
        async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST"):
            await server.create(server.key, *seats)


async def test_a_player_has_one_seat_in_a_game(server: PlatformServer) -> None:
    game, _ = await server.create(server.key, SEAT(player_id="p"), SEAT(open=True))
    fields = {"game_id": game, "player_id": "p"}
    assert (
        await expect_error(server.api, "Games.JoinGame", key_metadata(server.key), **fields)
    ).reason == "BAD_REQUEST"
    await call_rpc(server.api, "Games.JoinGame", key_metadata(server.key), **fields | {"player_id": "q"})


async def test_only_platforms_set_and_see_ids(server: PlatformServer) -> None:
    game, tokens = await server.create(server.key, *TWO, spectators=True)
    assert await player_ids(server, key_metadata(server.key), game) == ["p-ada", "p-bob"]
    assert await player_ids(server, key_metadata(server.key, tokens[1]), game) == ["p-ada", "p-bob"]
    assert await player_ids(server, bearer(OPERATOR_TOKEN), game) == ["p-ada", "p-bob"]
    for metadata in (bearer(tokens[1]), ()):
        assert await player_ids(server, metadata, game) == ["", ""]
        assert (
            await expect_error(server.api, "Games.ListGames", bearer("x"), player_id="p-ada")
        ).reason == "PLATFORM_ONLY"
    async with grpc_error(DENIED, "PLATFORM_ONLY"):
        await server.api.games.CreateGame(
            games_pb2.CreateGameRequest(title="orleans", seats=TWO), metadata=bearer(tokens[1])
        )
    open_game, _ = await server.create(None, SEAT(name="Ada"), SEAT(open=True))
    problem = await expect_error(server.api, "Games.JoinGame", bearer("x"), game_id=open_game, player_id="p")
    assert problem.reason == "PLATFORM_ONLY"


async def test_without_keys_the_platform_has_an_empty_name(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        game, tokens = await api.create(*TWO)
        assert [seat.player_id for seat in (await api.game(game.game_id)).seats] == ["p-ada", "p-bob"]
        listed = await api.games.ListGames(games_pb2.ListGamesRequest(player_id="p-bob"))
        assert [[seat.player_id for seat in game.seats] for game in listed.games] == [["p-ada", "p-bob"]]
        seen = await api.games.GetGame(games_pb2.GetGameRequest(game_id=game.game_id), metadata=bearer(tokens[1]))
        assert [seat.player_id for seat in seen.game.seats] == ["", ""]


async def test_ids_are_not_in_records_events_or_boards(server: PlatformServer) -> None:
    key = key_metadata(server.key)
    game, _ = await server.create(server.key, *TWO)
    await call_rpc(server.api, "Players.SetSeatPlayer", key, game_id=game, seat=1, player_id="p-ann")
    for name in ("History.GetRecord", "History.ListEvents", "Games.GetBoard"):
        (answer, *_) = await call_rpc(server.api, name, key, game_id=game)
        assert b"p-a" not in answer.SerializeToString()
        assert b"p-b" not in answer.SerializeToString()


async def test_ids_are_not_logged(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async with run_platform_server(tmp_path / "games.db", log="json") as server:
        game, _ = await server.create(server.key, *TWO)
        await call_rpc(
            server.api, "Players.SetSeatPlayer", key_metadata(server.key), game_id=game, seat=1, player_id="p-ann"
        )
        await expect_error(
            server.api, "Players.SetSeatPlayer", key_metadata(server.key), game_id=game, seat=1, player_id="p-bob"
        )
        await server.list_games(key_metadata(server.key), player_id="p-ann")
    log = read_log(capfd)
    assert "SetSeatPlayer" in log
    assert not [id for id in ("p-ada", "p-ann", "p-bob") if id in log]


async def test_player_ids_are_part_of_an_idempotent_request(server: PlatformServer) -> None:
    first = await server.create(server.key, *TWO, request_id="the-same-request")
    assert await server.create(server.key, *TWO, request_id="the-same-request") == first
    async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED"):
        await server.create(server.key, SEAT(name="Ada"), SEAT(name="Bob"), request_id="the-same-request")


# --- searches -----------------------------------------------------------------------------------------------


@pytest.mark.databases
async def test_games_in_which_a_player_must_decide(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        games = [await create_tiny_game(service, "anna", "ben") for _ in range(3)]
        await take_turn(service, games[1], 0)
        live = await service.registry.get(games[1])
        (seat,) = live.game.table.deciding()
        deciding = {"anna": [*games[::2], *games[1:2]] if seat == 1 else games[::2]}
        deciding["ben"] = [games[1]] if seat == 2 else []
        for player, right in deciding.items():
            found = find_games(service, player_id=player, deciding=True)
            assert sorted(found) == sorted(right), player
        assert find_games(service, player_id="anna", status="running") == games[::-1]


@pytest.mark.databases
async def test_games_are_found_by_outcome_status_and_time(tmp_path: Path) -> None:
    times = iter(range(1_000, 1_000_000, 10))
    async with open_service(tmp_path / "games.db", clock=lambda: next(times)) as service:
        games = [await create_tiny_game(service, "anna", "ben") for _ in range(4)]
        for game in games[:3]:
            await play_out(service, game)
        standings = {game: service.application.database.players.results_of(game) for game in games}
        assert standings[games[3]] == []
        for player, seat in (("anna", 1), ("ben", 2)):
            for outcome in (WON, DRAWN, LOST):
                right = [game for game in games[:3] if standings[game][seat - 1].outcome == outcome]
                assert find_games(service, player_id=player, outcome=outcome) == right[::-1]
        assert find_games(service, player_id="anna", status="ended") == games[2::-1]
        assert find_games(service, player_id="anna", status="running", title="tiny") == [games[3]]
        assert find_games(service, player_id="anna", title="other") == []
        row = service.application.game_tables.lobby_row(games[1])
        assert row is not None
        assert find_games(service, updated=TimeRange(row.update_time, row.update_time + 1)) == [games[1]]
        assert find_games(service, created=TimeRange(row.create_time)) == games[:0:-1]
        assert find_games(service, player_id="ben", created=TimeRange(None, row.create_time)) == [games[0]]
        assert find_games(service, player_id="ben", id_prefix=games[2].hex[:8]) == [games[2]]


@pytest.mark.databases
async def test_pages_contain_every_game_once(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        games = [await create_tiny_game(service, "anna", "ben") for _ in range(7)]
        for game in games[::2]:
            await play_out(service, game)
        for more, right in (({}, games), ({"status": "ended"}, games[::2]), ({"deciding": True}, None)):
            search = GameSearch("lobby", player_id="anna", **more)
            whole = [id for _, id in service.application.database.players.search(search).games]
            assert right is None or whole == right[::-1]
            found: list[UUID] = []
            before = None
            for _ in range(9):
                page = service.application.database.players.search(search, before=before, limit=2)
                found += [id for _, id in page.games]
                if len(page.games) < 2:
                    break
                before = page.games[-1][0]
            assert found == whole


@pytest.mark.databases
async def test_games_of_a_time_range_are_ordered_by_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Game numbers do not follow creation times: clocks differ, and records are imported."""
    monkeypatch.setattr("boardkeeper.service.storage.players.MAX_SCANNED", 3)
    times = [5_000, 3_000, 3_000, 9_000, 3_000, 1_000, 7_999, 8_000, 2_000]
    present = iter(times)
    now = 0
    async with open_service(tmp_path / "games.db", clock=lambda: now) as service:
        games: dict[UUID, tuple[int, int]] = {}
        for number, now in enumerate(present):
            games[await create_tiny_game(service, "anna", "ben")] = now, number
        expected = sorted((it for it in games.items() if 2_000 <= it[1][0] < 8_000), key=lambda it: it[1], reverse=True)
        tables = service.application.database.players
        for more in ({}, {"title": "tiny"}, {"status": "running"}, {"status": "running", "title": "tiny"}):
            for platform in ("lobby", None):
                search = GameSearch(platform, created=TimeRange(2_000, 8_000), **more)  # type: ignore[arg-type]
                for limit in (1, 2, 50):
                    found: list[UUID] = []
                    page = tables.search(search, limit=limit)
                    found += [game for _, game in page.games]
                    while page.games or page.next_cursor is not None:
                        behind = page.games[-1][0] if len(page.games) == limit else page.next_cursor
                        if behind is None:
                            break
                        page = tables.search(search, before=behind, limit=limit)
                        found += [game for _, game in page.games]
                    assert found == [game for game, _ in expected], (more, platform, limit)
        assert tables.search(GameSearch("elsewhere", created=TimeRange(2_000)), limit=9).games == []
        assert tables.search(GameSearch("lobby", status="ended", created=TimeRange(0)), limit=9).games == []


@pytest.mark.sqlite_only
async def test_pages_of_a_time_range_are_ordered_by_time(tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db") as api:
        games = [(await api.create())[0] for _ in range(5)]
    with sqlite3.connect(tmp_path / "games.db") as file:
        for at, game in enumerate(games):
            hex = UUID(game.game_id).hex
            file.execute("UPDATE games SET create_time=? WHERE game=?", (1_000 * (7 * at % 5), hex))
    file.close()
    right = [game.game_id for game in sorted(games, key=lambda game: 7 * games.index(game) % 5, reverse=True)]
    async with run_server(tmp_path / "games.db") as api:
        request = games_pb2.ListGamesRequest(created_after=Timestamp(), page_size=2)
        pages = await read_pages(api.games.ListGames, request)
        assert [game.game_id for page in pages for game in page.games] == right


@pytest.mark.databases
async def test_a_page_scans_a_limited_number_of_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.service.storage.players.MAX_SCANNED", 3)
    async with run_server(tmp_path / "games.db") as api:
        games = [(await api.create(*TWO))[0] for _ in range(8)]
        oldest = games[0]
        request = games_pb2.ListGamesRequest(player_id="p-ada", created_before=games[1].create_time)
        pages = await read_pages(api.games.ListGames, request)
        sizes = [len(page.games) for page in pages]
        found = [game.game_id for page in pages for game in page.games]
        created_at_once = [game.game_id for game in games if game.create_time.ToMilliseconds() < ms(games[1])]
        assert found == created_at_once[::-1]
        assert sizes[:2] == [0, 0]
        assert len(sizes) == 3
        assert not found or found == [oldest.game_id]


def test_searches_use_an_index(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    open_database(path).close()
    connection = sqlite3.connect(path)
    for search in searches():
        sql, parameters = search_query(search, ListCursor(3, 9), 50)
        plan = " ".join(
            row[3] for row in connection.execute("EXPLAIN QUERY PLAN " + for_sqlite(sql), sqlite_values(parameters))
        )
        whole = [
            step
            for step in plan.split("SCAN ")[1:]
            if step.split()[0] not in ("l", "found", "l2") and not step.startswith("(subquery-")
        ]
        assert not whole, (search, plan)
        if search.player_id:
            index = "players_by_id" if not (search.status or search.outcome or search.deciding) else "players_by_state"
            assert index in plan, (search, plan)
        elif search.created:
            assert re.search(rf"{time_index(search)} \([^)]*create_time", plan), (search, plan)
            assert plan.count("USE TEMP B-TREE FOR ORDER BY") == 2, ("the scanned games are in order", plan)
    connection.close()


@pytest.mark.postgres
def test_searches_use_an_index_on_postgres(postgres: Any) -> None:
    import psycopg

    with postgres.database() as url, psycopg.connect(url) as connection:
        connection.execute("SET enable_seqscan = off")
        connection.execute("SET enable_sort = off")
        for search in searches():
            sql, parameters = search_query(search, ListCursor(3, 9), 50)
            plan = "\n".join(row[0] for row in connection.execute(b"EXPLAIN " + for_postgres(sql), parameters))
            assert "Seq Scan" not in plan, (search, plan)
            if search.player_id:
                assert "players_by_" in plan, (search, plan)
            elif search.created:
                condition = plan[plan.index(time_index(search)) :].splitlines()[1]
                assert "Index Cond" in condition, plan
                assert "create_time" in condition, plan


def time_index(search: GameSearch) -> str:
    """Return the index of a search by creation time."""
    if search.status == "running":
        return "games_that_go_on_by_time"
    return "games_by_platform_and_time" if search.platform else "games_by_time"


def searches() -> Iterator[GameSearch]:
    """Yield every kind of search, of a player and of a platform."""
    times = TimeRange(1, 2)
    of_player = [
        {},
        {"status": "open"},
        {"status": "running"},
        {"status": "ended"},
        {"deciding": True, "status": "running"},
        {"outcome": WON, "status": "ended"},
    ]
    for more, title, created in product(of_player, ("", "tiny"), (TimeRange(), times)):
        yield GameSearch("lobby", player_id="anna", title=title, created=created, **more)  # type: ignore[arg-type]
    for status, title in product(("", "ended"), ("", "tiny")):
        yield GameSearch("lobby", status=status, title=title, updated=times)
    for platform, status, title in product((None, "", "lobby"), ("", "running", "ended"), ("", "tiny")):
        for created in (times, TimeRange(1), TimeRange(None, 2)):
            yield GameSearch(platform, status=status, title=title, created=created)


# --- results ------------------------------------------------------------------------------------------------


def test_ranks_come_from_the_last_event_not_from_points() -> None:
    standings = [Standing(2, 30, 1), Standing(1, 20, 2), Standing(3, 10, 3)]
    it = end_game(UUID(int=1), 5, ["person", "person", "bot.random"], [1, 3, 2], standings)
    assert it.people == 2
    assert it.seats == (
        SeatResult(1, 20, 1, WON, 1.0),
        SeatResult(2, 30, 3, LOST, 0.0),
        SeatResult(3, 10, 2, LOST, 0.0),
    )


@pytest.mark.parametrize(
    ("ranks", "outcomes", "shares"),
    [
        ([1, 2], [WON, LOST], [1, 0]),
        ([1, 1], [DRAWN, DRAWN], [0.5, 0.5]),
        ([1, 1, 3], [WON, WON, LOST], [0.5, 0.5, 0]),
        ([3, 1, 1, 3], [LOST, WON, WON, LOST], [0, 0.5, 0.5, 0]),
        ([1, 1, 1], [DRAWN, DRAWN, DRAWN], [1 / 3] * 3),
    ],
)
def test_seats_with_rank_1_win_unless_all_have_it(ranks: list[int], outcomes: list[str], shares: list[float]) -> None:
    it = end_game(UUID(int=1), 5, ["person"] * len(ranks), ranks, ())
    assert [seat.outcome for seat in it.seats] == outcomes
    assert [seat.share for seat in it.seats] == shares


@pytest.mark.sqlite_only
async def test_games_of_an_earlier_release_get_results(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        games = [await create_tiny_game(service, "anna", "ben") for _ in range(3)]
        for game in games[:2]:
            await play_out(service, game)
        right = {game: service.application.database.players.results_of(game) for game in games}
    downgrade_schema(path, "DROP TABLE players; DROP TABLE seat_results; DROP TABLE results;")
    application = GameApplication.open(path, load_title)
    players = application.database.players
    assert {game: players.results_of(game) for game in games} == right
    page = players.results("lobby", "tiny", after=None, limit=9)
    assert sorted(row.game for row in page) == sorted(games[:2])
    assert [row.people for row in page] == [2, 2]
    assert all(row.time for row in page)
    application.close()


@pytest.mark.databases
async def test_results_are_stored_and_removed_with_the_game(tmp_path: Path) -> None:
    async with open_service(tmp_path / "games.db") as service:
        game = await create_tiny_game(service, "anna", "ben")
        await play_out(service, game)
        results = service.application.database.players.results_of(game)
        live = await service.registry.get(game)
        assert live.game.play is not None
        assert [seat.rank for seat in results] == ranks(live.game.play.standings())
        await service.handler.changes.remove(game)
        assert service.application.database.players.results_of(game) == []
        assert service.application.database.players.results("lobby", "", after=None, limit=9) == []
        assert find_games(service, player_id="anna") == []


def ranks(standings: Sequence[Standing]) -> list[int]:
    return [standing.rank for standing in sorted(standings, key=lambda it: it.seat)]


async def create_tiny_game(service: GameService, *players: str, platform: str = "lobby") -> UUID:
    """Create a tiny game with the players of a platform."""
    plans = [SeatPlan(f"Seat of {player}") for player in players]
    game_settings = GameSettings(GameAccess(platform), players)
    return (await service.creator.create("tiny", Setup("", len(plans)), plans, "", None, game_settings)).game


async def play_out(service: GameService, game: UUID) -> None:
    """Play a tiny game to its end."""
    number = 0
    while (await service.registry.get(game)).game.status == "running":
        await take_turn(service, game, number)
        number += 1


def find_games(service: GameService, **more: Any) -> list[UUID]:
    found = service.application.database.players.search(GameSearch("lobby", **more))
    return [game for _, game in found.games]


def ms(game: game_pb2.Game) -> int:
    return game.create_time.ToMilliseconds()
