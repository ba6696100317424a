"""Quotas of platforms: counted in the same transaction, for all processes and across restarts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api.test_records import create_finished_game, get_record
from tests.service.api_server import Api, Metadata, bearer, error_details, grpc_error, run_server
from tests.service.keys import OPERATOR_TOKEN, create_key_in, key_metadata, store_changes
from tests.service.sqlite_internals import downgrade_schema

from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.storage.access import SetKeyLimits
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.database_move import move_database
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.projection_rebuild import rebuild
from boardkeeper.service.storage.quotas import RecountGames, SpendQuota
from boardkeeper.titles.registry import load_title
from boardkeeper.v1 import access_pb2, access_pb2_grpc, games_pb2, history_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
SEATS = [games_pb2.SeatRequest(), games_pb2.SeatRequest()]
NOON = 1_800_014_400_000
"""Days are counted from midnight to midnight, which must not pass during a test."""
CREATE = games_pb2.CreateGameRequest(title="orleans", seats=SEATS)


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    defaults = CommandHandler.__init__.__kwdefaults__
    assert defaults is not None
    monkeypatch.setitem(defaults, "clock", lambda: NOON)


async def create_game(api: Api, metadata: Metadata) -> str:
    """Create a game and return its id."""
    answer = await api.games.CreateGame(CREATE, metadata=metadata)
    id: str = answer.game.game_id
    return id


def create_limited_key(database: Path, name: str, limits: str) -> Metadata:
    """Create a key with its own limits."""
    key = create_key_in(database, name)
    store_changes(database, [SetKeyLimits(key.row.key_id, limits)])
    return key_metadata(key)


def read_usage(database: Path, platform: str) -> dict[tuple[str, int], int]:
    application = GameApplication.open(database, load_title)
    try:
        return dict(application.database.quotas.used(platform))
    finally:
        application.close()


async def test_games_per_day_include_forks_and_are_counted_across_restarts(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    lobby, other = (
        create_limited_key(database, "lobby", "games_per_day=3"),
        create_limited_key(database, "other", "games_per_day=1"),
    )
    async with run_server(database) as api:
        game = await create_game(api, lobby)
        fork = games_pb2.ForkGameRequest(game_id=game, seats=SEATS)
        await api.games.ForkGame(fork, metadata=lobby)
    async with run_server(database) as api:
        await create_game(api, lobby)
        for _ in range(2):
            async with grpc_error(EXHAUSTED, "TOO_MANY_GAMES_TODAY") as problems:
                await create_game(api, lobby)
            (problem,) = problems
            assert problem.values == {"limit": "games_per_day", "most": "3", "by": "platform"}
            assert 0 < problem.retry_after <= 86_400
        async with grpc_error(EXHAUSTED, "TOO_MANY_GAMES_TODAY"):
            await api.games.ForkGame(fork, metadata=lobby)
        await create_game(api, other)
        await api.create()  # belongs to no platform
        listed = await api.games.ListGames(games_pb2.ListGamesRequest(), metadata=lobby)
        assert len(listed.games) == 3, "rejected calls leave no game behind"
    counted = read_usage(database, "lobby")
    assert {what: number for (what, _), number in counted.items()} == {"games_per_day": 3, "games": 3}


async def test_a_repeated_request_counts_once(tmp_path: Path) -> None:
    lobby = create_limited_key(tmp_path / "games.db", "lobby", "games_per_day=1")
    request = games_pb2.CreateGameRequest(title="orleans", seats=SEATS, request_id="a-request-id-of-a-test")
    async with run_server(tmp_path / "games.db") as api:
        first = await api.games.CreateGame(request, metadata=lobby)
        again = await api.games.CreateGame(request, metadata=lobby)
        assert first.game.game_id == again.game.game_id


async def test_concurrent_calls_keep_the_quota(tmp_path: Path, database_kind: str) -> None:
    database = tmp_path / "games.db"
    lobby, night = (create_limited_key(database, name, "games_per_day=5") for name in ("lobby", "night"))
    async with run_server(database) as one:
        if database_kind == "sqlite":
            counts = await asyncio.gather(create_several(one, lobby, 12), create_several(one, night, 12))
            assert list(counts) == [5, 5]
            return
        async with run_server(database) as other:
            counted = await asyncio.gather(
                *(create_several(api, key, 8) for api in (one, other) for key in (lobby, night))
            )
            assert [counted[0] + counted[2], counted[1] + counted[3]] == [5, 5]


async def create_several(api: Api, metadata: Metadata, count: int) -> int:
    """Try to create ``count`` games at the same time. Return how many were created."""
    answers = await asyncio.gather(*(create_game(api, metadata) for _ in range(count)), return_exceptions=True)
    errors = [answer for answer in answers if not isinstance(answer, str)]
    for error in errors:
        assert isinstance(error, grpc.aio.AioRpcError)
        assert error_details(error).reason == "TOO_MANY_GAMES_TODAY"
    return count - len(errors)


async def test_a_removed_game_frees_its_quota(tmp_path: Path) -> None:
    lobby = create_limited_key(tmp_path / "games.db", "lobby", "games=1")
    async with run_server(tmp_path / "games.db", operator_token=OPERATOR_TOKEN) as api:
        game = await create_game(api, lobby)
        async with grpc_error(EXHAUSTED, "TOO_MANY_GAMES"):
            await create_game(api, lobby)
        for _ in range(2):
            await api.games.RemoveGame(games_pb2.RemoveGameRequest(game_id=game), metadata=bearer(OPERATOR_TOKEN))
        await create_game(api, lobby)
        async with grpc_error(EXHAUSTED, "TOO_MANY_GAMES") as problems:
            await create_game(api, lobby)
        assert 3590 < problems[0].retry_after <= 3600


async def test_imported_bytes_are_counted_and_limited(tmp_path: Path) -> None:
    async with run_server(tmp_path / "elsewhere.db") as api:
        records = [await get_record(api, await create_finished_game(api)) for _ in range(2)]
    database = tmp_path / "games.db"
    lobby = create_limited_key(database, "lobby", f"import_bytes_per_day={len(records[0])}")

    async def import_pieces(api: Api, record: bytes) -> Any:
        pieces = (record[at : at + 50_000] for at in range(0, len(record), 50_000))
        return await api.history.ImportRecord(
            (history_pb2.ImportRecordRequest(data=piece) for piece in pieces), metadata=lobby
        )

    async with run_server(database) as api:
        await import_pieces(api, records[0])
        for _ in range(2):
            async with grpc_error(EXHAUSTED, "TOO_MANY_BYTES_IMPORTED"):
                await import_pieces(api, records[1])
    assert {what: number for (what, _), number in read_usage(database, "lobby").items()} == {
        "import_bytes_per_day": len(records[0]),
        "games_per_day": 1,
        "games": 1,
    }


async def test_the_operator_changes_the_limits_of_a_key_while_the_server_runs(tmp_path: Path) -> None:
    key = create_key_in(tmp_path / "games.db", "lobby")
    limits = {"key_limits": "reads=1/h:1", "operator_token": OPERATOR_TOKEN}
    async with run_server(tmp_path / "games.db", **limits) as api:
        listing = games_pb2.ListGamesRequest()
        await api.games.ListGames(listing, metadata=key_metadata(key))
        async with grpc_error(EXHAUSTED, "TOO_MANY_READS"):
            await api.games.ListGames(listing, metadata=key_metadata(key))
        stub: Any = access_pb2_grpc.AccessStub(api.channel)
        request = access_pb2.LimitAccessKeyRequest(key_id=key.row.key_id, limits="streams=5, reads=off")
        answer = await stub.LimitAccessKey(request, metadata=bearer(OPERATOR_TOKEN))
        assert answer.key.limits == "reads=off streams=5"
        for _ in range(3):
            await api.games.ListGames(listing, metadata=key_metadata(key))
        rotate = access_pb2.RotateAccessKeyRequest(key_id=key.row.key_id)
        rotated = await stub.RotateAccessKey(rotate, metadata=bearer(OPERATOR_TOKEN))
        assert rotated.key.limits == "reads=off streams=5"
        request.limits = "reads=lots"
        async with grpc_error(grpc.StatusCode.INVALID_ARGUMENT, "BAD_REQUEST") as problems:
            await stub.LimitAccessKey(request, metadata=bearer(OPERATOR_TOKEN))
        assert list(problems[0].violations) == ["limits"]
        async with grpc_error(grpc.StatusCode.PERMISSION_DENIED, "OPERATOR_ONLY"):
            await stub.LimitAccessKey(request, metadata=key_metadata(rotated.secret))


async def test_games_are_recounted_and_old_days_deleted(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    lobby = create_limited_key(database, "lobby", "games=off")
    async with run_server(database) as api:
        await create_game(api, lobby)
        await create_game(api, lobby)
    store_changes(
        database,
        [
            SpendQuota("lobby", "games", 0, 40),
            SpendQuota("lobby", "mails", 100, 1),
            SpendQuota("lobby", "mails", 106, 1),
        ],
    )
    assert read_usage(database, "lobby")["games", 0] == 42
    store_changes(database, [RecountGames(), SpendQuota("lobby", "mails", 107, 2)])
    found = {key: number for key, number in read_usage(database, "lobby").items() if key[0] != "games_per_day"}
    assert found == {("games", 0): 2, ("mails", 106): 1, ("mails", 107): 2}


@pytest.mark.sqlite_only
async def test_moving_and_rebuilding_recount_games(tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    lobby = key_metadata(create_key_in(database, "lobby"))
    async with run_server(database, operator_token=OPERATOR_TOKEN) as api:
        game = await create_game(api, lobby)
        await create_game(api, lobby)
        await api.games.RemoveGame(games_pb2.RemoveGameRequest(game_id=game), metadata=bearer(OPERATOR_TOKEN))
    store_changes(database, [SpendQuota("lobby", "games", 0, 40)])
    move_database(database, tmp_path / "moved.db")
    assert read_usage(tmp_path / "moved.db", "lobby") == {("games", 0): 1}
    rebuild(database, load_title)
    assert read_usage(database, "lobby")["games", 0] == 1


@pytest.mark.sqlite_only
def test_games_of_an_older_file_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    key = create_key_in(path, "lobby").row
    downgrade_schema(
        path,
        "DROP TABLE quotas; ALTER TABLE access_keys DROP COLUMN limits;"
        "INSERT INTO games VALUES (1, 'a', '', '', '', 0, 0, 1, '', '', '', NULL, 'lobby');"
        "INSERT INTO games VALUES (2, 'b', '', '', '', 0, 0, 1, '', '', '', NULL, '');",
    )
    for _ in range(2):
        database = open_database(path)
        try:
            assert database.quotas.used("lobby") == {("games", 0): 1}
            assert database.quotas.used("") == {}
            assert database.access.all_keys() == [key]
        finally:
            database.close()
