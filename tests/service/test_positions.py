"""Games that begin in mid-game, and the operator, who alone sees a whole position."""

from __future__ import annotations

import random
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api import Api, bearer, refused, served, threads_of

from boardkeeper.service.config import Config
from boardkeeper.service.errors import StartupError
from boardkeeper.service.games import seating
from boardkeeper.service.requests import checks
from boardkeeper.titles.orleans.title import OrleansTitle
from boardkeeper.v1 import board_pb2, games_pb2

pytestmark = [pytest.mark.socket, pytest.mark.databases]

OPERATOR = "operator-token-of-the-tests-0123456789"


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[Api]:
    async with served(tmp_path / "games.db", operator_token=OPERATOR) as api:
        yield api


async def board_of(api: Api, game_id: str, token: str = "", **more: Any) -> board_pb2.Board:
    request = games_pb2.GetBoardRequest(game_id=game_id, **more)
    answer: games_pb2.GetBoardResponse = await api.games.GetBoard(request, metadata=bearer(token) if token else ())
    return answer.board


async def played(api: Api, turns: int) -> tuple[str, dict[int, str]]:
    """A game of two after some random turns."""
    game, tokens = await api.create()
    chance = random.Random(7)
    for _ in range(turns):
        await api.turn(game.game_id, tokens, chance)
    return game.game_id, tokens


async def stocked(api: Api) -> tuple[str, dict[int, str]]:
    """A game of two with a follower in each bag: a position made by hand."""
    game, _ = await api.create()
    position = await board_of(api, game.game_id, OPERATOR)
    for seat in position.orleans.seats:
        del seat.market["own_farmer"]
        seat.bag["own_farmer"] = 1
        seat.bag_count = 1
    made, tokens = await api.create(position=position)
    return made.game_id, tokens


async def test_only_the_operator_sees_into_every_bag(api: Api) -> None:
    game, tokens = await stocked(api)
    seen = (await board_of(api, game, OPERATOR)).orleans.seats
    assert all(sum(seat.bag.values()) == seat.bag_count for seat in seen)
    spectated = (await board_of(api, game)).orleans.seats
    assert all(not seat.bag for seat in spectated)
    own = (await board_of(api, game, tokens[1])).orleans.seats
    assert dict(own[0].bag) == dict(seen[0].bag)
    assert not own[1].bag


async def test_a_wrong_operator_token_is_nobodys(api: Api) -> None:
    game, _ = await api.create()
    async with refused(grpc.StatusCode.PERMISSION_DENIED):
        await board_of(api, game.game_id, OPERATOR[:-1] + "x")


async def test_a_game_begins_from_a_position_and_is_played_on(api: Api) -> None:
    game, tokens = await played(api, 60)
    position = await board_of(api, game, OPERATOR)

    copy, copied_tokens = await api.create(position=position)

    assert await board_of(api, copy.game_id, OPERATOR) == position
    for seat in (1, 2):
        original = await api.legal(game, seat, tokens[seat])
        begun = await api.legal(copy.game_id, seat, copied_tokens[seat])
        assert list(begun.commands) == list(original.commands)
    before = (await api.game(copy.game_id)).version
    assert await api.turn(copy.game_id, copied_tokens, random.Random(1)) > before
    created = (await api.events(copy.game_id))[0]
    assert created.detail.game_created.position


async def test_everything_wrong_with_a_position_is_said(api: Api) -> None:
    game, _ = await played(api, 10)
    position = await board_of(api, game, OPERATOR)
    position.orleans.round = 19
    position.orleans.seats[0].merchant = "paris"
    async with refused(grpc.StatusCode.INVALID_ARGUMENT) as problems:
        await api.create(position=position)
    assert {"position.orleans.round", "position.orleans.seats[1].merchant"} <= set(problems[0].violations)


async def test_a_spectators_board_is_no_position(api: Api) -> None:
    game, _ = await stocked(api)
    async with refused(grpc.StatusCode.INVALID_ARGUMENT) as problems:
        await api.create(position=await board_of(api, game))
    assert any(".bag" in field for field in problems[0].violations)


async def test_an_empty_board_is_no_position(api: Api) -> None:
    async with refused(grpc.StatusCode.INVALID_ARGUMENT):
        await api.create(position=board_pb2.Board())


def test_a_short_operator_token_is_refused_at_the_start() -> None:
    with pytest.raises(StartupError, match="at least 32 characters"):
        Config.read({"operator_token": "secret"}, {})


@pytest.mark.parametrize("is_sound", [True, False])
async def test_a_position_is_read_and_laid_in_other_threads(
    api: Api, monkeypatch: pytest.MonkeyPatch, is_sound: bool
) -> None:
    """What is wrong with a position can take a while to find, and the loop belongs to all."""
    game, _ = await api.create()
    position = await board_of(api, game.game_id, OPERATOR)
    for number in range(0 if is_sound else 500):
        position.orleans.supply[f"nothing {number}"] = 1
    read = threads_of(monkeypatch, checks, "board_from_message")
    hashed = threads_of(monkeypatch, seating._Request, "__init__")
    laid = threads_of(monkeypatch, OrleansTitle, "position")
    if is_sound:
        await api.create(position=position)
    else:
        async with refused(grpc.StatusCode.INVALID_ARGUMENT):
            await api.create(position=position)
    here = threading.get_ident()
    for threads in (read, hashed, laid):
        assert len(threads) == 1
        assert here not in threads


async def test_a_position_has_a_size_that_is_read_at_once(api: Api) -> None:
    game, _ = await api.create()
    answer = await api.games.GetBoard(games_pb2.GetBoardRequest(game_id=game.game_id), metadata=bearer(OPERATOR))
    assert answer.board.ByteSize() < checks.LARGEST_POSITION / 3, "no game comes near it"
    board = answer.board
    while board.ByteSize() <= checks.LARGEST_POSITION:
        board.orleans.seats.append(board.orleans.seats[0])
    async with refused(grpc.StatusCode.INVALID_ARGUMENT) as problems:
        await api.create(position=board)
    assert problems[0].violations == {"position": f"must be at most {checks.LARGEST_POSITION} bytes"}
