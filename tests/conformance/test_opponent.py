"""The opponent of the kit: bots play its seats, and it consents to undos."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.service.api_server import Api, bearer, run_server

from boardkeeper.conformance.opponent import Opponent
from boardkeeper.v1 import games_pb2

pytestmark = pytest.mark.socket

SEAT = games_pb2.SeatRequest


class Table:
    """A game of three seats: the client has seat 1, and the opponent's bots play the others."""

    def __init__(self, api: Api, opponent: Opponent, token: str) -> None:
        self.api = api
        self.opponent = opponent
        self.token = token
        self.chance = random.Random(1)

    async def play_until_a_bot_has_followed(self) -> None:
        """Submit commands for the client until a bot has submitted one after the last of them."""
        id, last = self.opponent.game_id, 0
        while True:
            events = (await self.api.events(id))[last:] if last else []
            if any(event.seat in self.opponent.seats and not event.name.startswith("Seat") for event in events):
                return
            legal = await self.api.legal(id, 1, self.token)
            if legal.commands:
                command = self.chance.choice(legal.commands).command
                last = (await self.api.submit(id, 1, self.token, f"at-{legal.version}", command)).version


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Table]:
    async with run_server(tmp_path / "games.db") as api:
        opponent = Opponent(api.channel)
        seats = [SEAT(name="Ada"), SEAT(bot="random"), SEAT(bot="sensible")]
        original = games_pb2.CreateGameRequest(title="orleans", seats=seats)
        request = games_pb2.CreateGameRequest()
        request.CopyFrom(original)
        opponent.replace_bots(request)
        answer = await api.games.CreateGame(request)
        await opponent.take_seats(original, answer)
        (mine,) = answer.seat_tokens
        table = Table(api, opponent, mine.token)
        await table.play_until_a_bot_has_followed()
        yield table


async def test_the_last_command_of_the_client_is_undone_after_bots_have_played(table: Table) -> None:
    await table.opponent.undo_for_client(1, table.token)
    names = [event.name for event in await table.api.events(table.opponent.game_id)]
    assert names.count("UndoConsented") == 2
    assert "Undone" in names
    await table.play_until_a_bot_has_followed()


async def test_only_the_client_votes_on_an_undo_request_of_the_opponent(table: Table) -> None:
    assert await table.opponent.request_undo()
    game = await table.api.game(table.opponent.game_id)
    assert list(game.undo_vote.waiting) == [1]
    vote = games_pb2.AnswerUndoRequest(
        game_id=game.game_id, seat=1, request_version=game.undo_vote.request_version, consent=True, command_id="yes"
    )
    answer = await table.api.games.AnswerUndo(vote, metadata=bearer(table.token))
    assert answer.events[-1].name == "Undone"
    await table.opponent.resume_bots()
    await table.play_until_a_bot_has_followed()
