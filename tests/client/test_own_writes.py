"""Whatever a client reads has seen what it did itself, without a word from whoever uses it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from tests.client.fake_service import FakeGames, answer, fake_service

from boardkeeper.client import Client
from boardkeeper.client.aio import AsyncClient
from boardkeeper.client.own_writes import MAX_GAMES, OwnWrites
from boardkeeper.titles.orleans.commands import FinishPlanning
from boardkeeper.v1 import games_pb2

DONE = FinishPlanning()


@pytest.fixture
def service() -> Iterator[tuple[str, FakeGames]]:
    with fake_service() as running:
        games = running[1]
        checked = answer(games_pb2.CheckCommandResponse())
        games.script = [checked, answer(games_pb2.SubmitCommandsResponse(version=7)), checked, checked, checked]
        yield running


def _asked(games: FakeGames) -> list[Any]:
    return [it.min_version for it in games.requests if isinstance(it, games_pb2.CheckCommandRequest)]


def test_a_read_has_seen_the_last_write_unless_it_says_more_or_less(service: tuple[str, FakeGames]) -> None:
    address, games = service
    with Client(address) as client:
        seat, other = (client.seat(game, 1, "secret", title="orleans") for game in ("g", "h"))
        seat.check(DONE)
        seat.submit(DONE)
        seat.check(DONE)
        seat.check(DONE, min_version=3)
        other.check(DONE)
    assert _asked(games) == [0, 7, 3, 0]


async def test_with_asyncio_too(service: tuple[str, FakeGames]) -> None:
    address, games = service
    async with AsyncClient(address) as client:
        seat, other = (client.seat(game, 1, "secret", title="orleans") for game in ("g", "h"))
        await seat.check(DONE)
        await seat.submit(DONE)
        await seat.check(DONE)
        await seat.check(DONE, min_version=3)
        await other.check(DONE)
    assert _asked(games) == [0, 7, 3, 0]


def test_the_past_is_asked_for_as_it_was_and_an_older_answer_is_no_later_write() -> None:
    own = OwnWrites()
    for version in (7, 5):
        own.record(
            games_pb2.SubmitCommandsRequest(game_id="g", command_id="c"),
            games_pb2.SubmitCommandsResponse(version=version),
        )
    past = games_pb2.GetTableRequest(game_id="g", version=2)
    own.require_in(past)
    assert not past.HasField("min_version")
    present = games_pb2.GetTableRequest(game_id="g")
    own.require_in(present)
    assert present.min_version == 7


def test_of_very_many_games_it_forgets() -> None:
    own = OwnWrites()
    for number in range(MAX_GAMES + 1):
        request = games_pb2.SubmitCommandsRequest(game_id=f"g{number}", command_id="c")
        own.record(request, games_pb2.SubmitCommandsResponse(version=7))
    assert len(own._versions) == 1
