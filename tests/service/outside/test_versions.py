"""Games that one version of a title's package has played, on servers that have another version of it."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from grpc import StatusCode
from tests.service.api.test_records import get_record
from tests.service.api_server import Api, bearer, grpc_error
from tests.service.outside.test_service import created
from tests.service.outside.versions import installed, lines_of, run, serving

from boardkeeper.v1 import game_pb2, games_pb2, history_pb2

pytestmark = pytest.mark.socket

SAVE = """
import sys
from boardkeeper import engine
engine.allow("pebbles")
game = engine.create("pebbles", 2, seed=1)
for _ in range(3):
    game.submit(game.to_move[0], game.legal(game.to_move[0])[0])
open(sys.argv[1], "wb").write(game.save())
"""
LOAD = """
import sys
from boardkeeper import engine
engine.allow("pebbles")
try:
    engine.load(open(sys.argv[1], "rb").read())
except engine.IncompatibleSaveError as error:
    print(error.title, error.played_with, error.installed, error, sep=" | ")
"""

UNREADABLE = ("a zone", "a marker", "a field", "an event")
"""Changes that no old game survives."""


class Played(NamedTuple):
    """A database of a server with pebbles 1.4, the ids of its games, the tokens of the running one, and a record."""

    database: Path
    running: str
    tokens: dict[int, str]
    ended: str
    ours: str
    record: bytes


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("played")
    return asyncio.run(play(installed(folder / "site", "1.4"), folder / "games.db"))


async def play(site: Path, database: Path) -> Played:
    chance = random.Random(1)
    async with serving(site, database) as (api, _):
        game, tokens = await created(api)
        for _ in range(2):
            await api.play_turn(game.game_id, tokens, chance)
        ended, of_ended = await created(api)
        while await api.play_turn(ended.game_id, of_ended, chance):
            pass
        ours, _ = await api.create()
        record = await get_record(api, ended.game_id)
    return Played(database, game.game_id, tokens, ended.game_id, ours.game_id, record)


def copied(played: Played, folder: Path) -> Path:
    for path in played.database.parent.glob("games.db*"):
        shutil.copy(path, folder)
    return folder / "games.db"


CALLS: dict[str, Callable[[Api, str, str], Awaitable[Any]]] = {
    "GetGame": lambda api, game, _token: api.game(game),
    "ListLegalCommands": lambda api, game, token: api.legal(game, 1, token),
    "GetBoard": lambda api, game, _token: api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game)),
    "GetTable": lambda api, game, _token: api.games.GetTable(games_pb2.GetTableRequest(game_id=game)),
    "ListEvents": lambda api, game, _token: api.events(game),
    "GetRecord": lambda api, game, _token: get_record(api, game),
    "VerifyGame": lambda api, game, _token: api.history.VerifyGame(history_pb2.VerifyGameRequest(game_id=game)),
    "ResignSeat": lambda api, game, token: api.games.ResignSeat(
        games_pb2.ResignSeatRequest(game_id=game, seat=1, command_id="r"), metadata=bearer(token)
    ),
    "ForkGame": lambda api, game, token: api.games.ForkGame(
        games_pb2.ForkGameRequest(game_id=game, seats=[games_pb2.SeatRequest(bot="random")] * 2), metadata=bearer(token)
    ),
}


@pytest.mark.parametrize("changed", UNREADABLE)
async def test_a_game_that_another_version_cannot_read_names_the_version_to_install(
    changed: str, played: Played, tmp_path: Path
) -> None:
    database = copied(played, tmp_path)
    async with serving(installed(tmp_path / "site", "2.0", changed), database) as (api, log):
        listed = await api.games.ListGames(games_pb2.ListGamesRequest())
        assert {game.game_id for game in listed.games} == {played.running, played.ended, played.ours}
        for game in (played.running, played.ended):
            for call in CALLS.values():
                async with grpc_error(StatusCode.FAILED_PRECONDITION, "TITLE_INCOMPATIBLE") as problems:
                    await call(api, game, played.tokens[1])
                values = {"title": "pebbles", "title_build": "pebbles 1.4", "installed": "pebbles 2.0"}
                assert problems[0].values == values
                assert "install pebbles 1.4" in problems[0].text
        await api.game(played.ours)
        if changed in ("a zone", "a marker"):  # the others have another message
            new, tokens = await created(api)
            await api.play_turn(new.game_id, tokens, random.Random(1))
        assert not [line for line in lines_of(log) if line["level"] == "error"]
    done = run(tmp_path / "site", "-m", "boardkeeper", "rebuild", "--db", str(database))
    assert done.returncode == 5
    assert f"{played.running}: not changed: the rules of this game of 'pebbles' are from pebbles 1.4" in done.stdout
    listed_again = run(tmp_path / "site", "-m", "boardkeeper", "games", "--db", str(database))
    assert listed_again.returncode == 0, listed_again.stderr
    async with serving(installed(tmp_path / "old", "1.4"), database) as (api, _):
        while await api.play_turn(played.running, played.tokens, random.Random(1)):
            pass
        assert (await api.game(played.running)).status == game_pb2.GAME_STATUS_ENDED


@pytest.mark.parametrize("changed", ["nothing", "standings"])
async def test_a_game_that_another_version_can_read_continues(changed: str, played: Played, tmp_path: Path) -> None:
    database = copied(played, tmp_path)
    async with serving(installed(tmp_path / "site", "2.0", changed), database) as (api, _):
        for game in (played.running, played.ended):
            for name in ("GetGame", "GetBoard", "GetTable", "ListEvents", "GetRecord", "VerifyGame"):
                await CALLS[name](api, game, played.tokens[1])
        while await api.play_turn(played.running, played.tokens, random.Random(1)):
            pass
        assert (await api.game(played.running)).status == game_pb2.GAME_STATUS_ENDED


async def test_rules_of_another_version_that_fail_later_say_so_too(played: Played, tmp_path: Path) -> None:
    database = copied(played, tmp_path)
    async with serving(installed(tmp_path / "site", "2.0", "a function"), database) as (api, _):
        await api.game(played.running)
        async with grpc_error(StatusCode.FAILED_PRECONDITION, "TITLE_INCOMPATIBLE"):
            await api.legal(played.running, 1, played.tokens[1])


async def test_rules_of_the_same_version_that_fail_are_a_fault_of_the_title(played: Played, tmp_path: Path) -> None:
    database = copied(played, tmp_path)
    async with serving(installed(tmp_path / "site", "1.4", "a function"), database) as (api, log):
        async with grpc_error(StatusCode.UNKNOWN, "UNEXPECTED"):
            await api.legal(played.running, 1, played.tokens[1])
        (failure,) = (line for line in lines_of(log) if line["event"] == "unexpected error")
        assert (failure["title"], failure["package"]) == ("pebbles", "pebbles 1.4")


@pytest.mark.parametrize("changed", UNREADABLE)
def test_a_save_that_another_version_cannot_read_names_the_version_to_install(changed: str, tmp_path: Path) -> None:
    old, new, save = installed(tmp_path / "old", "1.4"), installed(tmp_path / "new", "2.0", changed), tmp_path / "save"
    saved = run(old, "-c", SAVE, str(save))
    assert saved.returncode == 0, saved.stderr
    loaded = run(new, "-c", LOAD, str(save))
    assert loaded.stdout.startswith(
        "pebbles | pebbles 1.4 | pebbles 2.0 | the rules of this game of 'pebbles' are from pebbles 1.4; installed is"
        " pebbles 2.0, which cannot read the game"
    ), loaded.stderr
    again = run(old, "-c", LOAD, str(save))
    assert (again.returncode, again.stdout) == (0, ""), again.stderr


@pytest.mark.parametrize("changed", UNREADABLE)
def test_a_record_that_another_version_cannot_decide_names_the_version_to_install(
    changed: str, played: Played, tmp_path: Path
) -> None:
    record = tmp_path / "game.jsonl"
    record.write_bytes(played.record)
    site = installed(tmp_path / "site", "2.0", changed)
    verified = run(site, "-m", "boardkeeper", "verify", str(record), "--json")
    (report,) = map(json.loads, verified.stdout.splitlines())
    note = report["levels"][-1]["note"]
    assert note.startswith("the game was played with pebbles 1.4, this program has pebbles 2.0, which decides event")
    assert note.endswith("; install pebbles 1.4 to check it")
    assert not report["problems"]
