"""A title of another package on a server: everything that our titles can do, over the network."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.any_pb2 import Any as AnyContent
from grpc import StatusCode
from tests.service.api_server import Api, bearer, grpc_error, run_server

from boardkeeper.titles.registry import TITLES
from boardkeeper.v1 import catalog_pb2, command_pb2, game_pb2, games_pb2

EVERY_PROBLEM = (
    "built-in,absent,empty,exits,fails,impossible,misnamed,twice,twofold,undone,unlaid,unsendable,chess,pebbles"
)


async def created(api: Api, *kinds: games_pb2.SeatRequest) -> tuple[game_pb2.Game, dict[int, str]]:
    seats = kinds or (games_pb2.SeatRequest(name="Ada"), games_pb2.SeatRequest(name="Bob"))
    answer = await api.games.CreateGame(games_pb2.CreateGameRequest(title="pebbles", seats=seats))
    return answer.game, {it.seat: it.token for it in answer.seat_tokens}


async def listed(api: Api) -> list[str]:
    answer = await api.catalog.ListTitles(catalog_pb2.ListTitlesRequest())
    return [title.id for title in answer.titles]


async def test_the_server_starts_without_titles_that_cannot_be_loaded(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with run_server(tmp_path / "games.db", titles=EVERY_PROBLEM, log="json") as api:
        assert await listed(api) == sorted([*TITLES, "pebbles"])
    logs = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    left_out = {line["title"]: line["reason"] for line in logs if line["event"] == "title left out"}
    assert left_out.keys() == set(EVERY_PROBLEM.split(",")) - {"built-in", "pebbles"}
    assert left_out["fails"] == "cannot be loaded from broken_titles.fails: RuntimeError: no licence"
    assert left_out["undone"].startswith("has no messages: ConversionError: `undone` cannot be the id of a title")
    assert left_out["unsendable"].startswith("has no messages: SchemaError: Throw.angle: a message has no field for")
    assert left_out["chess"].startswith("is not installed; installed: orleans, paladins, stories, ")
    loaded = [line for line in logs if line["event"] == "title loaded"]
    assert [(it["title"], it["package"], it["version"]) for it in loaded] == [("pebbles", "pebbles", "1.4")]


async def test_a_server_without_titles_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with run_server(tmp_path / "games.db", titles="chess", log="json") as api:
        assert await listed(api) == []
    logs = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["titles"] for line in logs if line["event"] == "no titles are served"] == ["chess"]


async def test_only_the_titles_of_the_setting_are_served(site: Path, tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", titles="pebbles,stories") as api:
        assert await listed(api) == ["pebbles", "stories"]
        async with grpc_error(StatusCode.NOT_FOUND, "TITLE_NOT_FOUND"):
            await api.create()
    async with run_server(tmp_path / "others.db") as api:
        assert await listed(api) == sorted(TITLES)
        async with grpc_error(StatusCode.NOT_FOUND, "TITLE_NOT_FOUND"):
            await created(api)


@pytest.mark.databases
async def test_a_game_is_played_and_is_there_after_a_restart(site: Path, tmp_path: Path) -> None:
    chance = random.Random(5)
    async with run_server(tmp_path / "games.db", titles="pebbles") as api:
        game, tokens = await created(api)
        for _ in range(2):
            assert await api.play_turn(game.game_id, tokens, chance)
    async with run_server(tmp_path / "games.db", titles="pebbles") as api:
        legal = await api.legal(game.game_id, 1, tokens[1])
        assert legal.commands[0].command.outside.TypeName() == "boardkeeper.pebbles.v1.Command"
        assert [it.sentence for it in legal.commands][:2] == ["Draw 1", "Draw 2"]
        while await api.play_turn(game.game_id, tokens, chance):
            pass
        ended = await api.game(game.game_id)
        assert ended.status == game_pb2.GAME_STATUS_ENDED
        events = await api.events(game.game_id)
        details = [event.detail.outside.TypeName() for event in events if event.detail.HasField("outside")]
        assert set(details) == {"boardkeeper.pebbles.v1.EventDetail"}
        assert [event.name for event in events][-2:] == ["BagEmptied", "GameEnded"]


async def test_commands_of_other_titles_and_unknown_types_are_rejected(site: Path, tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", titles="built-in,pebbles") as api:
        game, tokens = await created(api)
        legal = await api.legal(game.game_id, 1, tokens[1])
        ours, our_tokens = await api.create()
        wrong: dict[str, Any] = {
            "commands[0].outside": command_pb2.Command(outside=AnyContent(type_url="x/y", value=b"")),
            "commands[0]": (await api.legal(ours.game_id, 1, our_tokens[1])).commands[0].command,
        }
        for field, command in wrong.items():
            async with grpc_error(StatusCode.INVALID_ARGUMENT, "BAD_REQUEST") as problems:
                await api.submit(game.game_id, 1, tokens[1], "a", command)
            assert list(problems[0].violations) == [field]
        async with grpc_error(StatusCode.INVALID_ARGUMENT, "BAD_REQUEST") as problems:
            await api.submit(ours.game_id, 1, our_tokens[1], "a", legal.commands[0].command)
        assert problems[0].violations["commands[0]"] == "must be a command of orleans, the game's title, not of pebbles"


async def test_a_bot_plays_a_seat(site: Path, tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", titles="pebbles") as api:
        game, tokens = await created(api, games_pb2.SeatRequest(name="Ada"), games_pb2.SeatRequest(bot="greedy"))
        chance = random.Random(1)
        while (now := await api.game(game.game_id)).status != game_pb2.GAME_STATUS_ENDED:
            if 1 in now.deciding:
                await api.play_turn(game.game_id, tokens, chance)
        standings = now.standings
        assert sum(it.points for it in standings) == 5


async def test_the_board_and_the_table_are_there(site: Path, tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", titles="pebbles") as api:
        game, _ = await created(api)
        board = await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id))
        assert board.board.outside.TypeName() == "boardkeeper.pebbles.v1.Board"
        table = await api.games.GetTable(games_pb2.GetTableRequest(game_id=game.game_id))
        assert {zone.id for zone in table.table.zones} == {"bag", "seat.1.hand", "seat.2.hand"}
        entry = await api.catalog.GetTitle(catalog_pb2.GetTitleRequest(title="pebbles", players=2))
        assert [zone.id for zone in entry.zones] == ["bag", "seat.1.hand", "seat.2.hand"]


@pytest.mark.databases
async def test_undo_forks_and_seats_of_bots(site: Path, tmp_path: Path) -> None:
    async with run_server(tmp_path / "games.db", titles="pebbles") as api:
        game, tokens = await created(api)
        drawn = (await api.legal(game.game_id, 1, tokens[1])).commands[1].command
        done = await api.submit(game.game_id, 1, tokens[1], "a", drawn)
        undo = games_pb2.RequestUndoRequest(game_id=game.game_id, seat=1, command_id="undo")
        await api.games.RequestUndo(undo, metadata=bearer(tokens[1]))
        asked = (await api.game(game.game_id)).undo_vote.request_version
        answer = games_pb2.AnswerUndoRequest(
            game_id=game.game_id, seat=2, command_id="yes", request_version=asked, consent=True
        )
        await api.games.AnswerUndo(answer, metadata=bearer(tokens[2]))
        legal = await api.legal(game.game_id, 1, tokens[1])
        assert [it.sentence for it in legal.commands] == ["Draw 1", "Draw 2", "Draw 3"]
        await api.submit(game.game_id, 1, tokens[1], "b", drawn)
        request = games_pb2.ForkGameRequest(
            game_id=game.game_id, version=done.version, seats=[games_pb2.SeatRequest(bot="random")] * 2
        )
        fork = (await api.games.ForkGame(request, metadata=bearer(tokens[1]))).game
        watching = api.games.WatchGame(games_pb2.WatchGameRequest(game_id=fork.game_id))
        assert [it.event.name async for it in watching if it.HasField("event")][-1] == "GameEnded"
        first = (await api.events(fork.game_id))[0].detail.game_created
        assert (first.forked_game, first.title_build) == (game.game_id, "pebbles 1.4")
        hand = games_pb2.HandSeatToBotRequest(game_id=game.game_id, seat=2, bot="greedy", command_id="c")
        await api.games.HandSeatToBot(hand, metadata=bearer(tokens[2]))
        resign = games_pb2.ResignSeatRequest(game_id=game.game_id, seat=1, command_id="d")
        await api.games.ResignSeat(resign, metadata=bearer(tokens[1]))
        assert (await api.game(game.game_id)).status == game_pb2.GAME_STATUS_ENDED
