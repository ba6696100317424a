"""Seat actions on a ``Play`` stream have the same results as their unary RPCs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.rpc.code_pb2 import Code
from tests.service.api.test_seat_handover import THREE
from tests.service.api_server import Api, bearer, error_details, run_server
from tests.service.keys import create_key_in, key_metadata

from boardkeeper.v1 import games_pb2
from boardkeeper.wire.errors import parse_status

pytestmark = pytest.mark.databases

CALLS: dict[str, type[Any]] = {
    "request_undo": games_pb2.RequestUndoRequest,
    "answer_undo": games_pb2.AnswerUndoRequest,
    "resign_seat": games_pb2.ResignSeatRequest,
    "hand_seat_to_bot": games_pb2.HandSeatToBotRequest,
    "take_seat_back": games_pb2.TakeSeatBackRequest,
}
"""The request of each action; its name is that of the RPC."""


def test_play_streams_have_every_seat_action() -> None:
    fields = games_pb2.PlayAction.DESCRIPTOR.oneofs[0].fields
    assert {field.name: field.message_type for field in fields} == {
        name: request.DESCRIPTOR for name, request in CALLS.items()
    }


class Stream:
    """A ``Play`` stream with one request at a time."""

    def __init__(self, api: Api, game: str, metadata: Any = ()) -> None:
        self._call = api.games.Play(metadata=metadata)
        self._game = game

    async def act(self, action: str, token: str = "", **values: Any) -> games_pb2.PlayResponse:
        """Send an action and return its answer."""
        request = CALLS[action](**{"game_id": self._game} | values)
        message = games_pb2.PlayAction(token=token, **{action: request})
        return await self.send(games_pb2.PlayRequest(action=message))

    async def send(self, request: games_pb2.PlayRequest) -> games_pb2.PlayResponse:
        await self._call.write(request)
        answer: games_pb2.PlayResponse = await self._call.read()
        return answer

    async def end(self) -> None:
        await self._call.done_writing()
        assert await self._call.read() is grpc.aio.EOF


async def event_names(api: Api, game: str, outcomes: Sequence[games_pb2.PlayResponse]) -> list[list[str]]:
    """Return the names of the events of each outcome."""
    assert all(it.HasField("outcome") and it.outcome.game_id == game for it in outcomes), outcomes
    events = {event.version: event.name for event in await api.events(game)}
    spans = [range(it.outcome.first_version, it.outcome.version + 1) for it in outcomes]
    return [[events[version] for version in span] for span in spans]


async def test_handing_over_taking_back_and_resigning_on_one_stream(api: Api) -> None:
    game, tokens = await api.create(*THREE)
    id = game.game_id
    stream = Stream(api, id)
    first = await stream.act("hand_seat_to_bot", tokens[1], seat=1, command_id="a", bot="random")
    again = await stream.act("hand_seat_to_bot", tokens[1], seat=1, command_id="a", bot="random")
    taken_back = await stream.act("take_seat_back", tokens[1], seat=1, command_id="b")
    resigned = await stream.act("resign_seat", tokens[3], seat=3, command_id="a")  # another seat's id
    ended = await stream.act("resign_seat", tokens[2], seat=2, command_id="a")
    assert await event_names(api, id, [first, again, taken_back, resigned, ended]) == [
        ["SeatHandedToBot"],
        ["SeatHandedToBot"],
        ["SeatTakenBack"],
        ["SeatResigned"],
        ["SeatResigned", "GameEnded"],
    ]
    assert [it.outcome.repeated for it in (first, again, taken_back)] == [False, True, False]
    assert again.outcome.first_version == first.outcome.first_version
    repeated = await api.games.ResignSeat(
        games_pb2.ResignSeatRequest(game_id=id, seat=3, command_id="a"), metadata=bearer(tokens[3])
    )
    assert (repeated.repeated, repeated.version) == (True, resigned.outcome.version), "both RPCs share the command ids"
    await stream.end()
    assert [(it.seat, it.rank) for it in (await api.game(id)).standings] == [(1, 1), (2, 2), (3, 3)]


async def test_an_undo_request_and_its_vote_on_one_stream(api: Api) -> None:
    game, tokens = await api.create()
    id = game.game_id
    for seat in (1, 2):
        legal = await api.legal(id, seat, tokens[seat])
        await api.submit(id, seat, tokens[seat], "first", legal.commands[0].command)
    stream = Stream(api, id, bearer(tokens[1]))
    requested = await stream.act("request_undo", seat=1, command_id="undo")
    request = requested.outcome.version
    voted = await stream.act("answer_undo", tokens[2], seat=2, request_version=request, consent=True, command_id="vote")
    again = await stream.act("answer_undo", tokens[2], seat=2, request_version=request, consent=True, command_id="vote")
    assert await event_names(api, id, [requested, voted, again]) == [
        ["UndoRequested"],
        ["UndoConsented", "Undone"],
        ["UndoConsented", "Undone"],
    ]
    assert again.outcome.repeated
    await stream.end()


async def test_rejections_equal_those_of_the_rpcs_and_the_stream_continues(api: Api) -> None:
    game, tokens = await api.create(*THREE)
    one = {"seat": 1, "command_id": "x"}
    wrong: list[tuple[str, str, dict[str, Any]]] = [
        ("hand_seat_to_bot", tokens[1], one | {"bot": "genius"}),
        ("hand_seat_to_bot", tokens[2], one),
        ("hand_seat_to_bot", "a guess", one),
        ("hand_seat_to_bot", "", one),
        ("resign_seat", tokens[1], one | {"seat": 9}),
        ("resign_seat", tokens[1], one | {"command_id": ""}),
        ("resign_seat", tokens[1], one | {"game_id": "nonsense"}),
        ("resign_seat", tokens[1], one | {"game_id": "00000000-0000-0000-0000-000000000000"}),
        ("take_seat_back", tokens[1], one),
        ("request_undo", tokens[1], one),
        ("request_undo", tokens[1], one | {"expected_version": 1}),
        ("answer_undo", tokens[1], one | {"request_version": 3}),
        ("answer_undo", tokens[1], one | {"request_version": -3}),
    ]
    stream = Stream(api, game.game_id)
    for action, token, values in wrong:
        rejection = (await stream.act(action, token, **values)).rejection
        request = CALLS[action](**{"game_id": game.game_id} | values)
        call = getattr(api.games, request.DESCRIPTOR.name.removesuffix("Request"))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call(request, metadata=bearer(token) if token else ())
        on_stream, by_call = parse_status(rejection.status), error_details(caught.value)
        assert rejection.status.code == caught.value.code().value[0], (action, values)
        assert rejection.status.message == caught.value.details()
        assert (on_stream.reason, on_stream.violations) == (by_call.reason, by_call.violations)
        assert (rejection.game_id, rejection.command_id) == (request.game_id, request.command_id)
    nothing = (await stream.send(games_pb2.PlayRequest(action=games_pb2.PlayAction()))).rejection
    assert nothing.status.code == Code.INVALID_ARGUMENT
    done = await stream.act("hand_seat_to_bot", tokens[1], **one)
    assert done.outcome.command_id == "x", "a rejected action does not use its id"
    await stream.end()


async def test_a_platform_acts_only_for_seats_of_its_games(tmp_path: Path) -> None:
    ours, theirs = (create_key_in(tmp_path / "games.db", name) for name in ("ours", "theirs"))
    async with run_server(tmp_path / "games.db") as api:
        answer = await api.games.CreateGame(
            games_pb2.CreateGameRequest(title="orleans", seats=THREE), metadata=key_metadata(ours)
        )
        game = answer.game.game_id
        foreign = Stream(api, game, key_metadata(theirs))
        rejection = (await foreign.act("resign_seat", seat=1, command_id="a")).rejection
        assert parse_status(rejection.status).reason == "GAME_NOT_FOUND"
        stream = Stream(api, game, key_metadata(ours))
        done = await stream.act("resign_seat", seat=1, command_id="a")
        assert done.outcome.version == answer.game.version + 1
