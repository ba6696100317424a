"""Erasing a player of a platform, with a running service and without one."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import grpc
import pytest
from tests.databases import database_access
from tests.service.api.test_players import create_tiny_game, play_out
from tests.service.api_server import bearer, error_details, grpc_error
from tests.service.auth.test_invitations import read_to_end
from tests.service.cache.test_game_registry import open_service
from tests.service.keys import OPERATOR_TOKEN, create_key_in, key_metadata
from tests.service.platforms import SEAT, PlatformServer, call_rpc, expect_error, run_platform_server
from tests.waiting import until

from boardkeeper.service.storage import admin
from boardkeeper.v1 import games_pb2, players_pb2

pytestmark = pytest.mark.socket

ERASE = "Players.ErasePlayer"
ADA, BOB = SEAT(name="Ada Lovelace", player_id="p-ada"), SEAT(name="Bob", player_id="p-bob")


@pytest.mark.databases
async def test_a_player_is_erased_and_the_games_still_verify(server: PlatformServer) -> None:
    key = key_metadata(server.key)
    games = [await server.create(server.key, ADA, BOB, request_id=f"the-same-request-{number}") for number in range(3)]
    others, _ = await server.create(server.other_key, ADA, BOB)
    waiting, _ = await server.create(server.key, BOB, SEAT(open=True))
    (invited,) = await call_rpc(server.api, "Players.CreateInvitation", key, game_id=waiting, player_id="p-ada")
    game, tokens = games[0]
    stream = server.api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game), metadata=bearer(tokens[1]))
    await stream.read()
    (erased,) = await call_rpc(server.api, ERASE, key, player_id="p-ada")
    assert erased == players_pb2.ErasePlayerResponse(seats=3, invitations=1)
    assert await server.list_games(key, player_id="p-ada") == []
    for id, seat_tokens in games:
        (answer,) = await call_rpc(server.api, "Games.GetGame", key, game_id=id)
        assert [(seat.name, seat.player_id) for seat in answer.game.seats] == [("", ""), ("Bob", "p-bob")]
        problem = await expect_error(
            server.api, "Games.ListLegalCommands", key_metadata(server.key, seat_tokens[1]), game_id=id, seat=1
        )
        assert problem.reason == "TOKEN_WRONG"
        assert (await server.api.legal(id, 2, seat_tokens[2])).version
        (verified,) = await call_rpc(server.api, "History.VerifyGame", key, game_id=id)
        assert not verified.verification.problems
    assert (await expect_error(server.api, "Games.JoinGame", (), game_id=waiting, invitation=invited.code)).reason == (
        "INVITATION_ENDED"
    )
    (invitations,) = await call_rpc(server.api, "Players.ListInvitations", key, game_id=waiting)
    assert [it.player_id for it in invitations.invitations] == [""]
    async with grpc_error(grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED"):
        await server.create(server.key, ADA, BOB, request_id="the-same-request-1")
    assert (await call_rpc(server.api, ERASE, key, player_id="p-ada"))[0] == players_pb2.ErasePlayerResponse()
    assert await server.list_games(key_metadata(server.other_key), player_id="p-ada") == [others]
    # A stream that was opened with the token that is now invalid ends.
    legal = await server.api.legal(game, 2, tokens[2])
    await server.api.submit(game, 2, tokens[2], "c1", legal.commands[0].command)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await read_to_end(stream)
    assert error_details(caught.value).reason == "TOKEN_WRONG"
    (again,) = await call_rpc(server.api, "Games.ReissueSeatToken", key, game_id=game, seat=1)
    assert (await server.api.legal(game, 1, again.seat_token.token)).commands


async def test_only_operators_and_the_own_platform_can_erase_a_player(tmp_path: Path) -> None:
    player = create_key_in(tmp_path / "games.db", "player", "create", "play", platform="ours")
    async with run_platform_server(tmp_path / "games.db") as server:
        game, tokens = await server.create(server.key, ADA, BOB)
        for metadata, reason in (
            (key_metadata(player), "SCOPE_MISSING"),
            (bearer(tokens[1]), "OPERATOR_ONLY"),
            ((), "OPERATOR_ONLY"),
        ):
            assert (await expect_error(server.api, ERASE, metadata, player_id="p-ada")).reason == reason
        assert (
            await expect_error(server.api, ERASE, key_metadata(server.other_key), player_id="p-ada", platform="ours")
        ).reason == ("PLATFORM_ONLY")
        assert (await expect_error(server.api, ERASE, key_metadata(server.key))).reason == "BAD_REQUEST"
        assert (await call_rpc(server.api, ERASE, key_metadata(server.other_key), player_id="p-ada"))[0].seats == 0
        assert (await call_rpc(server.api, ERASE, bearer(OPERATOR_TOKEN), player_id="p-ada"))[0].seats == 0
        assert await server.list_games(key_metadata(server.key), player_id="p-ada") == [game]
        (erased,) = await call_rpc(server.api, ERASE, bearer(OPERATOR_TOKEN), player_id="p-ada", platform="ours")
        assert erased.seats == 1


@pytest.mark.databases
async def test_many_seats_are_erased_in_several_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardkeeper.service.games.game_changes._ERASED_PER_CHANGE", 2)
    async with run_platform_server(tmp_path / "games.db") as server:
        games = [(await server.create(server.key, ADA, BOB))[0] for _ in range(5)]
        assert (await call_rpc(server.api, ERASE, key_metadata(server.key), player_id="p-ada"))[0].seats == 5
        assert await server.list_games(key_metadata(server.key), player_id="p-bob") == games[::-1]


@pytest.mark.databases
async def test_a_player_is_erased_from_a_database_without_a_service(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with open_service(path) as service:
        games = [await create_tiny_game(service, "anna", "ben") for _ in range(2)]
        await play_out(service, games[0])
        results = service.application.database.players.results_of(games[0])
    name = database_access.db_argument(path)
    assert admin.erase_player(name, "elsewhere", "anna", 5) == []
    assert {seat.game_id for seat in admin.erase_player(name, "lobby", "anna", 5)} == set(games)
    assert admin.erase_player(name, "lobby", "anna", 5) == []
    async with open_service(path) as service:
        players = service.application.database.players
        assert players.players_of(games) == {game: {2: "ben"} for game in games}
        for game in games:
            first, second = service.application.game_tables.seats(game)
            assert (first.name, first.token_hash) == ("", None)
            assert second.name
            assert second.token_hash is not None
        assert players.results_of(games[0]) == results
        standings = players.standings("lobby", "tiny", [], after="", limit=9, people_only=False)
        assert [it.player_id for it in standings] == ["ben"]


@pytest.mark.sqlite_only
async def test_no_byte_of_an_erased_player_stays_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    async with run_platform_server(path) as server:
        await server.create(server.key, ADA, BOB)
        await call_rpc(server.api, ERASE, key_metadata(server.key), player_id="p-ada")
        check_erased(tmp_path, "while the service runs")
    check_erased(tmp_path, "after its end")


@pytest.mark.sqlite_only
async def test_no_byte_of_a_removed_game_stays_in_a_file(tmp_path: Path) -> None:
    async with run_platform_server(tmp_path / "games.db") as server:
        game, _ = await server.create(server.key, ADA, BOB)
        await call_rpc(server.api, "Games.RemoveGame", key_metadata(server.key), game_id=game)
        check_erased(tmp_path, "while the service runs")


@pytest.mark.sqlite_only
async def test_the_write_ahead_log_is_erased_after_the_last_reader(tmp_path: Path) -> None:
    """A backup reads the state at its start, so the write-ahead log can only be emptied after its end."""
    path = tmp_path / "games.db"
    async with run_platform_server(path) as server:
        await server.create(server.key, ADA, BOB)
        with closing(sqlite3.connect(path, isolation_level=None)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM seats").fetchall()
            await call_rpc(server.api, ERASE, key_metadata(server.key), player_id="p-ada")
            assert b"p-ada" in path.with_name("games.db-wal").read_bytes()
        await until(lambda: b"p-ada" not in path.with_name("games.db-wal").read_bytes())
        check_erased(tmp_path, "while the service runs")


def check_erased(folder: Path, when: str) -> None:
    """Check that no file of the database contains the player."""
    copy = folder / f"copy {when}"
    shutil.copytree(folder, copy, ignore=lambda _folder, names: [it for it in names if it.startswith("copy")])
    for file in copy.iterdir():
        data = file.read_bytes()
        assert b"p-ada" not in data, (file, when)
        assert b"Ada Lovelace" not in data, (file, when)
