"""A client reads its own writes, without arguments of the caller."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.client.fake_service import FakeGames, answer_with, fake_service

from boardkeeper.client import Client
from boardkeeper.client.aio import AsyncClient
from boardkeeper.client.own_writes import MAX_GAMES, OwnWrites
from boardkeeper.titles.orleans.commands import FinishPlanning
from boardkeeper.v1 import games_pb2

FINISH = FinishPlanning()


@pytest.fixture
def service() -> Iterator[tuple[str, FakeGames]]:
    with fake_service() as running:
        games = running[1]
        checked = answer_with(games_pb2.CheckCommandResponse())
        games.script = [checked, answer_with(games_pb2.SubmitCommandsResponse(version=7)), checked, checked, checked]
        yield running


def _min_versions(games: FakeGames) -> list[Any]:
    return [it.min_version for it in games.requests if isinstance(it, games_pb2.CheckCommandRequest)]


def test_a_read_requires_the_last_write_by_default(service: tuple[str, FakeGames]) -> None:
    address, games = service
    with Client(address) as client:
        seat, other = (client.seat(game, 1, "secret", title="orleans") for game in ("g", "h"))
        seat.check(FINISH)
        seat.submit(FINISH)
        seat.check(FINISH)
        seat.check(FINISH, min_version=3)
        other.check(FINISH)
    assert _min_versions(games) == [0, 7, 3, 0]


async def test_an_asyncio_read_requires_the_last_write_by_default(service: tuple[str, FakeGames]) -> None:
    address, games = service
    async with AsyncClient(address) as client:
        seat, other = (client.seat(game, 1, "secret", title="orleans") for game in ("g", "h"))
        await seat.check(FINISH)
        await seat.submit(FINISH)
        await seat.check(FINISH)
        await seat.check(FINISH, min_version=3)
        await other.check(FINISH)
    assert _min_versions(games) == [0, 7, 3, 0]


def test_reads_of_the_past_need_no_write_and_older_answers_are_ignored() -> None:
    own = OwnWrites()
    for version in (7, 5):
        own.record(
            games_pb2.SubmitCommandsRequest(game_id="g", command_id="c"),
            games_pb2.SubmitCommandsResponse(version=version),
        )
    past = games_pb2.GetTableRequest(game_id="g", version=2)
    own.set_min_version(past)
    assert not past.HasField("min_version")
    present = games_pb2.GetTableRequest(game_id="g")
    own.set_min_version(present)
    assert present.min_version == 7


def test_the_number_of_remembered_games_is_limited() -> None:
    own = OwnWrites()
    for number in range(MAX_GAMES + 1):
        request = games_pb2.SubmitCommandsRequest(game_id=f"g{number}", command_id="c")
        own.record(request, games_pb2.SubmitCommandsResponse(version=7))
    assert len(own._versions) == 1
