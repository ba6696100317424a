"""A game that fails does not stop other games: locked rows, damaged rows, failing rules, repeated conflicts."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import grpc
import psycopg
import pytest
from tests.databases import database_access
from tests.databases.servers import Server
from tests.service.api_server import Api, bearer, error_details, grpc_error, run_server
from tests.service.log_capture import capture_logs
from tests.service.outside.conftest import SITE, on_the_path
from tests.service.storage.test_hash_chain import execute_without_triggers
from tests.waiting import SECONDS

from boardkeeper.service.storage import writer
from boardkeeper.v1 import event_pb2, game_pb2, games_pb2

pytestmark = pytest.mark.socket

SEAT = games_pb2.SeatRequest
TIMED = event_pb2.TimeControl(kind="game", seconds=36_000, on_expiry="bot")


class OtherGames:
    """Games that must continue while another game fails: of two people, with clocks, with a bot."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._games: list[tuple[game_pb2.Game, dict[int, str]]] = []
        self._requests = 0
        self._chance = random.Random(1)

    async def create(self) -> None:
        self._games = [
            await self._api.create(),
            await self._api.create(time_control=TIMED),
            await self._api.create(SEAT(name="Ada"), SEAT(bot="random")),
        ]

    async def continue_all(self) -> None:
        """Play turns in each game. Then create and join a new game, and check that ListGames returns all of them."""
        for game, tokens in self._games:
            before = (await self._api.game(game.game_id)).version
            while (await self._api.game(game.game_id)).version <= before + 3:  # a bot may have to decide
                await self._api.play_turn(game.game_id, tokens, self._chance)
        self._requests += 1
        request_id = f"a-request-of-the-others-{self._requests}"
        new, _ = await self._api.create(SEAT(name="Ada"), SEAT(open=True), request_id=request_id)
        await self._api.games.JoinGame(games_pb2.JoinGameRequest(game_id=new.game_id, name="Cem"))
        listed = await self._api.games.ListGames(games_pb2.ListGamesRequest(page_size=500))
        ids = {game.game_id for game in listed.games}
        assert {new.game_id, *(game.game_id for game, _ in self._games)} <= ids


@asynccontextmanager
async def open_other_games(api: Api) -> AsyncIterator[OtherGames]:
    """Create other games, and check before and after the block that they can be played."""
    others = OtherGames(api)
    await others.create()
    await others.continue_all()
    yield others
    await others.continue_all()


# --- rows locked by another transaction ---------------------------------------------------------------------------


@pytest.fixture
def url(postgres: Server) -> Iterator[str]:
    with postgres.database() as url:
        yield url


_NEXT = "(SELECT version + 1 FROM progress WHERE game = %(game)s)"
LOCKS = {
    "its row in progress": "SELECT 1 FROM progress WHERE game = %(game)s FOR UPDATE",
    "its row in games": "SELECT 1 FROM games WHERE game = %(game)s FOR UPDATE",
    "its request": "SELECT 1 FROM requests WHERE game = %(game)s FOR UPDATE",
    "its seats": "SELECT 1 FROM seats WHERE game = %(game)s FOR UPDATE",
    "its clocks": "SELECT 1 FROM expiries WHERE game = %(game)s FOR UPDATE",
    "its events": "SELECT 1 FROM events WHERE game = %(game)s FOR UPDATE",
    "its next event": f"INSERT INTO events VALUES (%(game)s, {_NEXT}, 'game.Test', '[]', '')",
    "all of these": "WITH p AS (SELECT 1 FROM progress WHERE game = %(game)s FOR UPDATE),"
    " s AS (SELECT 1 FROM seats WHERE game = %(game)s FOR UPDATE),"
    " e AS (SELECT 1 FROM events WHERE game = %(game)s FOR UPDATE)"
    " SELECT * FROM p, s, e, (SELECT 1 FROM games WHERE game = %(game)s FOR UPDATE) g",
}


@contextmanager
def lock_rows(url: str, lock: str, game: str) -> Iterator[None]:
    with psycopg.connect(url) as connection:
        connection.execute(lock.encode(), {"game": game})
        yield
        connection.rollback()


@pytest.mark.postgres
@pytest.mark.parametrize("lock", LOCKS.values(), ids=list(LOCKS))
async def test_locked_rows_stop_only_their_game(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lock: str
) -> None:
    monkeypatch.setattr(writer, "BLOCKED_TIMEOUT", SECONDS)
    async with run_server(url, key_file=str(tmp_path / "key")) as api, open_other_games(api) as others:
        game, tokens = await api.create(time_control=TIMED, request_id="a-request-of-the-locked-game")
        hand = games_pb2.HandSeatToBotRequest(game_id=game.game_id, seat=2, command_id="to-a-bot")
        with lock_rows(url, lock, game.game_id):
            pending = [
                asyncio.create_task(api.play_turn(game.game_id, tokens, random.Random(1))),
                asyncio.ensure_future(api.games.HandSeatToBot(hand, metadata=bearer(tokens[2]))),
            ]
            for _ in range(3):
                await others.continue_all()
        await asyncio.gather(*pending)


@pytest.mark.postgres
async def test_commands_of_a_locked_game_fail_together(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After one command has timed out, the next ones fail at once and do not each wait for the timeout."""
    async with run_server(url, key_file=str(tmp_path / "key")) as api, open_other_games(api):
        game, tokens = await api.create()
        command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command

        async def fail(id: str) -> None:
            async with grpc_error(grpc.StatusCode.UNAVAILABLE, "STORAGE_FAILED"):
                await api.submit(game.game_id, 1, tokens[1], id, command)

        with lock_rows(url, LOCKS["its row in progress"], game.game_id):
            monkeypatch.setattr(writer, "BLOCKED_TIMEOUT", 0.0)
            await fail("first")
            monkeypatch.setattr(writer, "BLOCKED_TIMEOUT", SECONDS)  # far too long for ten commands in turn
            await asyncio.gather(*(fail(f"next-{number}") for number in range(10)))
        await api.submit(game.game_id, 1, tokens[1], "first", command)


# --- damaged rows --------------------------------------------------------------------------------------------------

_PG = "SET session_replication_role = replica; "  # disables triggers
DAMAGES: dict[str, tuple[str, str]] = {
    "its row in games": (
        "UPDATE games SET setup='{' WHERE game='{game}'",
        "UPDATE games SET setup='{{' WHERE game='{game}'",
    ),
    "its decisions": (
        "UPDATE games SET decisions='[' WHERE game='{game}'",
        "UPDATE progress SET decisions='[' WHERE game='{game}'",
    ),
    "its version": (
        "UPDATE games SET version=version+7 WHERE game='{game}'",
        "UPDATE progress SET version=version+7 WHERE game='{game}'",
    ),
    "no row in games": ("DELETE FROM games WHERE game='{game}'", "DELETE FROM games WHERE game='{game}'"),
    "no progress": (
        "UPDATE games SET chain=NULL WHERE game='{game}'",
        "DELETE FROM progress WHERE game='{game}'",
    ),
    "a seat": ("DELETE FROM seats WHERE seat=2 AND game='{game}'",) * 2,
    "an event": (
        "UPDATE stored_events SET state='[' WHERE originator_version=3 AND originator_id='{game}'",
        _PG + "UPDATE events SET state='[' WHERE version=3 AND game='{game}'",
    ),
    "no event": (
        "DELETE FROM stored_events WHERE originator_version=3 AND originator_id='{game}'",
        _PG + "DELETE FROM events WHERE version=3 AND game='{game}'",
    ),
    "its secret": ("DELETE FROM dice_secrets WHERE game='{game}'",) * 2,
}
"""The statements that damage a game: in SQLite and in PostgreSQL."""


def damage_rows(path: Path, game: str, statements: tuple[str, str]) -> None:
    """Damage the stored rows of a game with the statement for the database in use."""
    url = database_access.URLS.get(path.absolute())
    if url is None:
        execute_without_triggers(path, statements[0].replace("{game}", game.replace("-", "")))
        return
    with psycopg.connect(url) as connection:
        connection.execute(statements[1].replace("{game}", game).replace("{{", "{").encode())


@pytest.mark.databases
@pytest.mark.parametrize("statements", DAMAGES.values(), ids=list(DAMAGES))
async def test_damaged_rows_stop_only_their_game(tmp_path: Path, statements: tuple[str, str]) -> None:
    path = tmp_path / "games.db"
    async with run_server(path) as api:
        games = [await api.create(), await api.create(SEAT(name="Ada"), SEAT(bot="random"))]
        command = (await api.legal(games[0][0].game_id, 1, games[0][1][1])).commands[0].command
        for game, tokens in games:
            for _ in range(3):
                await api.play_turn(game.game_id, tokens, random.Random(1))
    for game, _ in games:
        damage_rows(path, game.game_id, statements)
    with capture_logs():
        async with run_server(path) as api, open_other_games(api):
            for game, tokens in games:
                assert await error_reason(api.submit(game.game_id, 1, tokens[1], "an-id", command)) == "GAME_DAMAGED"


# --- rules that fail ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("function", ["decide", "legal", "choose", "board", "is_over"])
async def test_rules_that_fail_stop_only_their_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    with on_the_path(SITE, monkeypatch), capture_logs():
        module: Any = import_module("broken_titles.moody")
        async with run_server(tmp_path / "games.db", titles="built-in,moody") as api, open_other_games(api) as others:
            people = (SEAT(name="Ada"), SEAT(name="Bob")), (SEAT(name="Ada"), SEAT(bot="greedy"))
            games = [
                await api.games.CreateGame(games_pb2.CreateGameRequest(title="moody", seats=seats)) for seats in people
            ]
            module.FAILING.add(function)
            try:
                for _ in range(2):
                    for created in games:
                        with suppress(grpc.aio.AioRpcError):
                            tokens = {it.seat: it.token for it in created.seat_tokens}
                            await api.play_turn(created.game.game_id, tokens, random.Random(1))
                    await others.continue_all()
            finally:
                module.FAILING.clear()


# --- appends that always conflict ----------------------------------------------------------------------------------


@pytest.mark.postgres
async def test_a_game_whose_appends_always_conflict_stops_no_other(url: str, tmp_path: Path) -> None:
    """A trigger makes each append to the game fail with a conflict."""
    with psycopg.connect(url, autocommit=True) as connection, capture_logs():
        async with run_server(url, key_file=str(tmp_path / "key")) as api, open_other_games(api) as others:
            game, tokens = await api.create()
            id = game.game_id.encode()
            connection.execute(
                b"CREATE FUNCTION lose() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE unique_violation; END $$;"
                b"CREATE TRIGGER lose BEFORE UPDATE ON progress FOR EACH ROW WHEN (old.game = '" + id + b"')"
                b" EXECUTE FUNCTION lose()"
            )
            command = (await api.legal(game.game_id, 1, tokens[1])).commands[0].command
            pending = [
                asyncio.create_task(error_reason(api.submit(game.game_id, 1, tokens[1], f"never-{number}", command)))
                for number in range(20)
            ]
            for _ in range(3):
                await others.continue_all()
            assert set(await asyncio.gather(*pending)) == {"CONTENDED"}
            connection.execute("DROP TRIGGER lose ON progress")
            await api.submit(game.game_id, 1, tokens[1], "never-0", command)


async def error_reason(call: Awaitable[Any]) -> str:
    """Return the error reason of a call that must fail."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return error_details(caught.value).reason
