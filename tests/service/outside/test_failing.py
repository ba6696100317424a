"""A title of another package that fails in the middle of games: the server reports errors and loses nothing."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api_server import Api, bearer, error_details, grpc_error, run_server
from tests.service.web import call_json, run_web_server

from boardkeeper import engine
from boardkeeper.titles import registry
from boardkeeper.v1 import catalog_pb2, game_pb2, games_pb2, history_pb2
from boardkeeper.wire.messages import command_to_message

pytestmark = pytest.mark.socket


@pytest.fixture
def failing(site: Path) -> Iterator[set[str]]:
    module: Any = import_module("broken_titles.moody")
    yield module.FAILING
    module.FAILING.clear()
    module.RAISED.clear()


@pytest.fixture
async def api(failing: set[str], tmp_path: Path) -> AsyncIterator[Api]:
    async with run_server(tmp_path / "games.db", titles="built-in,moody") as api:
        yield api


async def created(api: Api, *seats: games_pb2.SeatRequest) -> tuple[game_pb2.Game, dict[int, str]]:
    seats = seats or (games_pb2.SeatRequest(name="Ada"), games_pb2.SeatRequest(name="Bob"))
    answer = await api.games.CreateGame(games_pb2.CreateGameRequest(title="moody", seats=seats))
    return answer.game, {it.seat: it.token for it in answer.seat_tokens}


Call = Callable[[Api, str, str], Awaitable[Any]]
CALLS: dict[str, tuple[str, Call]] = {
    "a command": ("decide", lambda api, game, token: api.submit(game, 1, token, "x", drawing(1))),
    "a check": (
        "decide",
        lambda api, game, token: api.games.CheckCommand(
            games_pb2.CheckCommandRequest(game_id=game, seat=1, commands=[drawing(1)]), metadata=bearer(token)
        ),
    ),
    "legal commands": ("legal", lambda api, game, token: api.legal(game, 1, token)),
    "previews": (
        "decide",
        lambda api, game, token: api.games.ListLegalCommands(
            games_pb2.ListLegalCommandsRequest(game_id=game, seat=1, with_effects=True), metadata=bearer(token)
        ),
    ),
    "a board": ("board", lambda api, game, _token: api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game))),
    "sentences of events": (
        "sentence",
        lambda api, game, token: api.history.ListEvents(
            history_pb2.ListEventsRequest(game_id=game), metadata=bearer(token, **{"accept-language": "de"})
        ),
    ),
    "a fork": (
        "unknown",
        lambda api, game, token: api.games.ForkGame(
            games_pb2.ForkGameRequest(game_id=game, seats=[games_pb2.SeatRequest(bot="random")] * 2),
            metadata=bearer(token),
        ),
    ),
    "a new game": ("set_up", lambda api, _game, _token: created(api)),
    "another new game": ("play", lambda api, _game, _token: created(api)),
    "the catalogue": (
        "components",
        lambda api, _game, _token: api.catalog.GetTitle(catalog_pb2.GetTitleRequest(title="moody", players=2)),
    ),
}


def drawing(count: int) -> Any:
    module: Any = import_module("pebbles_title")
    return command_to_message("moody", module.DrawPebbles(count))


@pytest.mark.parametrize("what", CALLS)
async def test_a_call_that_fails_changes_nothing(api: Api, failing: set[str], what: str) -> None:
    function, call = CALLS[what]
    game, tokens = await created(api)
    before = await api.events(game.game_id)
    failing.add(function)
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await call(api, game.game_id, tokens[1])
    assert raised.value.code() is grpc.StatusCode.UNKNOWN, what
    assert error_details(raised.value).reason == "UNEXPECTED"
    assert "is moody" not in str(raised.value.details()), "reasons of exceptions are for the log"
    await api.create()  # games of other titles continue
    failing.clear()
    assert await api.events(game.game_id) == before
    chance = random.Random(1)
    while await api.play_turn(game.game_id, tokens, chance):
        pass
    assert (await api.game(game.game_id)).status == game_pb2.GAME_STATUS_ENDED
    verified = await api.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=game.game_id))
    assert not verified.verification.problems


@pytest.mark.parametrize(
    "raised", [KeyError, ValueError, RecursionError, SystemExit, asyncio.CancelledError, AttributeError]
)
@pytest.mark.parametrize("what", CALLS)
async def test_any_exception_of_a_title_is_an_error_of_the_call(
    api: Api, failing: set[str], raised: type[BaseException], what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    function, call = CALLS[what]
    game, tokens = await created(api)
    before = await api.events(game.game_id)
    module: Any = import_module("broken_titles.moody")
    module.RAISED.append(raised("of no use"))
    failing.add(function)
    async with grpc_error(grpc.StatusCode.UNKNOWN, "UNEXPECTED") as problems:
        await call(api, game.game_id, tokens[1])
    assert problems[0].values["title"] == "moody"
    logged = capsys.readouterr().err
    assert "broken-titles 0.1" in logged
    failing.clear()
    assert await api.events(game.game_id) == before
    assert await api.play_turn(game.game_id, tokens, random.Random(1))


@pytest.mark.parametrize("raised", [KeyError, SystemExit])
async def test_exceptions_of_a_title_are_json_for_clients_of_json(
    failing: set[str], raised: type[BaseException], tmp_path: Path
) -> None:
    module: Any = import_module("broken_titles.moody")
    module.RAISED.append(raised("of no use"))
    async with run_web_server(tmp_path / "games.db", titles="moody") as api:
        game, _ = await created(api)
        failing.add("board")
        answer = await call_json(api.web, "Games.GetBoard", {"gameId": game.game_id})
        assert answer.headers["content-type"] == "application/json"
        assert answer.error_details().reason == "UNEXPECTED"
        assert "The rules of 'moody' failed" in answer.json()["message"]
        failing.clear()
        assert (await call_json(api.web, "Games.GetBoard", {"gameId": game.game_id})).status == 200


@pytest.mark.parametrize("raised", [KeyError, SystemExit])
async def test_a_bot_that_fails_stops_neither_the_server_nor_its_watchers(
    api: Api, failing: set[str], raised: type[BaseException]
) -> None:
    """A game with only bots cannot continue: its watchers get the error."""
    module: Any = import_module("broken_titles.moody")
    module.RAISED.append(raised("of no use"))
    failing.add("choose")
    bots = [games_pb2.SeatRequest(bot="greedy")] * 2
    game, _ = await created(api, *bots)
    async with grpc_error(grpc.StatusCode.UNKNOWN, "UNEXPECTED") as problems:
        async for _ in api.games.WatchGame(games_pb2.WatchGameRequest(game_id=game.game_id)):
            pass
    assert problems[0].values["title"] == "moody"
    failing.clear()
    other, _ = await created(api, *bots)
    watching = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=other.game_id))
    assert [it.event.name async for it in watching if it.HasField("event")][-1] == "GameEnded"


WRONG_VALUES = (
    "a text for a number",
    "a number that no message can hold",
    "another struct",
    "a seat that no game has",
    "a marker with a fraction",
    "a marker with nothing",
    "a marker that no record can hold",
    "no seat decides",
)


@pytest.mark.parametrize("value", WRONG_VALUES)
async def test_an_event_with_a_wrong_value_is_not_stored(api: Api, failing: set[str], value: str) -> None:
    """Stored, it would make the game unreadable from this event on."""
    game, tokens = await created(api)
    before = await api.events(game.game_id)
    failing.add(value)
    async with grpc_error(grpc.StatusCode.UNKNOWN, "UNEXPECTED"):
        await api.submit(game.game_id, 1, tokens[1], "x", drawing(1))
    failing.clear()
    assert await api.events(game.game_id) == before
    assert (await api.submit(game.game_id, 1, tokens[1], "x", drawing(1))).version == before[-1].version + 1


@pytest.mark.parametrize("value", WRONG_VALUES)
def test_the_rules_library_rejects_an_event_with_a_wrong_value(failing: set[str], value: str) -> None:
    engine.allow("moody")
    game = engine.create("moody", 2, seed=1)
    command, before = game.legal(1)[0], game.digest()
    failing.add(value)
    with pytest.raises(engine.TitleFailedError, match="the rules of 'moody' "):
        game.submit(1, command)
    failing.clear()
    assert game.digest() == before
    game.submit(1, command)
    assert engine.load(game.save()).digest() == game.digest()


@pytest.mark.parametrize("start", ["no event at the start", "over at the start"])
async def test_an_impossible_start_is_an_error_of_the_title(api: Api, failing: set[str], start: str) -> None:
    failing.add(start)
    async with grpc_error(grpc.StatusCode.UNKNOWN, "UNEXPECTED") as problems:
        await created(api)
    assert problems[0].values["title"] == "moody"


@pytest.mark.parametrize("also", [set(), {"legal"}], ids=["and return", "and raise"])
def test_rules_that_change_the_table_to_list_commands_change_nothing(failing: set[str], also: set[str]) -> None:
    """All viewers would see the change, and it would join the next event."""
    engine.allow("moody")
    game = engine.create("moody", 2, seed=1)
    (command, *_), before = game.legal(1), game.digest()
    failing |= {"a change while commands are listed", *also}
    with pytest.raises(engine.TitleFailedError, match="'moody'"):
        game.legal(1)
    failing.clear()
    assert game.digest() == before
    game.submit(1, command)
    assert engine.load(game.save()).digest() == game.digest()


async def test_impossible_standings_do_not_end_a_game(api: Api, failing: set[str]) -> None:
    game, tokens = await created(api)
    failing.add("standings")
    chance = random.Random(1)
    async with grpc_error(grpc.StatusCode.UNKNOWN, "UNEXPECTED"):
        while await api.play_turn(game.game_id, tokens, chance):
            pass
    assert (await api.game(game.game_id)).status == game_pb2.GAME_STATUS_RUNNING
    failing.clear()
    while await api.play_turn(game.game_id, tokens, chance):
        pass
    assert (await api.game(game.game_id)).status == game_pb2.GAME_STATUS_ENDED


async def test_a_rejection_that_cannot_be_explained_is_still_one(api: Api, failing: set[str]) -> None:
    game, tokens = await created(api)
    failing.add("explain")
    async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "NOT_SO_MANY") as problems:
        await api.submit(game.game_id, 1, tokens[1], "x", drawing(99))
    assert problems[0].text == "NOT_SO_MANY"


async def test_watchers_continue_after_a_failure(api: Api, failing: set[str]) -> None:
    game, tokens = await created(api)
    request = games_pb2.WatchGameRequest(game_id=game.game_id, after_version=game.version)
    watching = api.games.WatchGame(request, metadata=bearer(tokens[1]))
    failing.add("decide")
    async with grpc_error(grpc.StatusCode.UNKNOWN):
        await api.submit(game.game_id, 1, tokens[1], "x", drawing(1))
    failing.clear()
    done = await api.submit(game.game_id, 1, tokens[1], "x", drawing(2))
    while not (answer := await watching.read()).HasField("event"):
        pass
    assert (answer.event.version, answer.event.detail) == (done.version, done.events[0].detail)


@pytest.mark.databases
async def test_games_of_a_title_that_is_not_served_any_more_stay_stored(
    failing: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with run_server(tmp_path / "games.db", titles="moody") as api:
        failing.add("choose")
        await created(api, games_pb2.SeatRequest(bot="greedy"), games_pb2.SeatRequest(name="Ada"))
        game, tokens = await created(api)
    capsys.readouterr()
    async with run_server(tmp_path / "games.db", log="json") as api:
        assert len((await api.games.ListGames(games_pb2.ListGamesRequest())).games) == 2
        for call in (
            api.legal(game.game_id, 1, tokens[1]),
            api.events(game.game_id),
            api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id)),
        ):
            async with grpc_error(grpc.StatusCode.FAILED_PRECONDITION, "TITLE_NOT_SERVED") as problems:
                await call
            assert problems[0].values["title"] == "moody"
    logs = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert not [line for line in logs if line["level"] == "error"]
    failing.clear()
    async with run_server(tmp_path / "games.db", titles="moody") as api:
        chance = random.Random(1)
        while await api.play_turn(game.game_id, tokens, chance):
            pass
        assert (await api.game(game.game_id)).status == game_pb2.GAME_STATUS_ENDED


async def test_a_title_that_fails_at_the_start_does_not_stop_the_server(failing: set[str], tmp_path: Path) -> None:
    registry.allow("moody")
    failing.add("layout")
    async with run_server(tmp_path / "games.db", titles="built-in,moody") as api:
        await api.create()
        async with grpc_error(grpc.StatusCode.UNKNOWN, "UNEXPECTED"):
            await created(api)
        failing.clear()
        await created(api)


@pytest.mark.parametrize("raised", [KeyError, SystemExit])
def test_the_rules_library_raises_one_error_for_all_failures(failing: set[str], raised: type[BaseException]) -> None:
    module: Any = import_module("broken_titles.moody")
    module.RAISED.append(raised("of no use"))
    engine.allow("moody")
    game = engine.create("moody", 2, seed=1)
    (command, *_), before = game.legal(1), game.digest()
    calls: dict[str, Callable[[], object]] = {
        "decide": lambda: game.submit(1, command),
        "legal": lambda: game.legal(1),
        "board": lambda: game.board(1),
        "choose": lambda: game.suggest(1, "greedy"),
        "no seat decides": lambda: game.submit(1, command),
    }
    for function, call in calls.items():
        failing.add(function)
        with pytest.raises(engine.TitleFailedError, match="'moody'") as caught:
            call()
        assert (caught.value.title, caught.value.build) == ("moody", "broken-titles 0.1")
        failing.clear()
        assert game.digest() == before
    game.submit(1, command)
