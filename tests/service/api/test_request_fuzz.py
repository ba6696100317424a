"""Fuzzing of every RPC: each response is valid or a clear error, and an error changes nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from tests.service.api_server import Metadata, bearer, error_details
from tests.service.odd_requests import ChoiceSequence, corrupt, mutate_request, words_in
from tests.waiting import wait_until

from boardkeeper.service.observability import logs
from boardkeeper.service.process.server import running_service
from boardkeeper.service.seeded_ids import Seeded
from boardkeeper.titles.registry import TITLES
from boardkeeper.v1 import (
    catalog_pb2,
    command_pb2,
    games_pb2,
    games_pb2_grpc,
    history_pb2,
    history_pb2_grpc,
    players_pb2,
)
from boardkeeper.wire.errors import BAD_REQUEST, RULE

pytestmark = pytest.mark.socket

SEAT = games_pb2.SeatRequest
OPERATOR_TOKEN = "an-operator-token-for-the-fuzzer-0123456789"
SECONDS = 100.0
MOST_ANSWERS = 40
ANOTHER_GAME = b"7c9e6679-7425-40de-944b-e07fc1f90ae7"

METHODS: tuple[MethodDescriptor, ...] = tuple(
    method
    for file in (catalog_pb2, games_pb2, history_pb2, players_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
)
NUMBERS_DRAWN = st.lists(st.integers(0, 65_535), min_size=40, max_size=40)
WRITES = {
    "CreateGame",
    "ForkGame",
    "JoinGame",
    "SubmitCommands",
    "ResignSeat",
    "HandSeatToBot",
    "TakeSeatBack",
    "RequestUndo",
    "AnswerUndo",
    "Play",
    "RemoveGame",
    "ImportRecord",
    "SetSeatPlayer",
    "CreateInvitation",
    "ErasePlayer",
    "RevokeInvitation",
}
"""All other RPCs change nothing even if they succeed."""

CODES = {
    grpc.StatusCode.INVALID_ARGUMENT,
    grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.ALREADY_EXISTS,
    grpc.StatusCode.PERMISSION_DENIED,
    grpc.StatusCode.UNAUTHENTICATED,
    grpc.StatusCode.FAILED_PRECONDITION,
    grpc.StatusCode.ABORTED,
    grpc.StatusCode.OUT_OF_RANGE,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
}


class FuzzedServer:
    """A server with games in every state, and requests about them."""

    def __init__(self, address: str) -> None:
        self.channel = grpc.insecure_channel(address)
        self.games: Any = games_pb2_grpc.GamesStub(self.channel)
        self.history: Any = history_pb2_grpc.HistoryStub(self.channel)
        self.tokens: dict[str, dict[int, str]] = {}
        self.records: list[bytes] = []
        self._create(SEAT(name="Ada"), SEAT(open=True), SEAT(open=True))
        for turns, options in ((20, {}), (30, {}), (9, {"planning": "sealed"})):
            game = self._create(SEAT(name="Ada"), SEAT(name="Bob"), SEAT(name="Cid"), options=options)
            self._play(game, turns)
        self._request_undo(game)
        for title in TITLES:  # commands of every title
            self._play(self._create(SEAT(name="Ada"), SEAT(name="Bob"), title=title), 25)
        over = self._create(SEAT(bot="random"), SEAT(bot="random"))
        for _ in self.games.WatchGame(games_pb2.WatchGameRequest(game_id=over)):
            pass
        self.records = [self._record(it).replace(it.encode(), ANOTHER_GAME)[:60_000] for it in (over, game)]
        self.records.append(self._record(over)[:200_000])
        self.state = self.read_state()
        self.words = sorted({word for message in self._messages() for word in words_in(message)} - {""})

    def _create(self, *seats: games_pb2.SeatRequest, title: str = "orleans", **more: Any) -> str:
        created = self.games.CreateGame(games_pb2.CreateGameRequest(title=title, seats=seats, **more))
        self.tokens[created.game.game_id] = {it.seat: it.token for it in created.seat_tokens}
        return str(created.game.game_id)

    def _play(self, game: str, turns: int) -> None:
        chance = random.Random(turns)
        for turn in range(turns):
            seat = self.game(game).deciding[0]
            command = chance.choice(self.legal(game, seat).commands).command
            self.submit(game, seat, command, f"turn-{turn}")

    def _request_undo(self, game: str) -> None:
        for seat in (1, 2):  # after the command of seat 2 an undo of seat 1 needs a vote
            self.submit(game, seat, self.legal(game, seat).commands[0].command, "planned")
        request = games_pb2.RequestUndoRequest(game_id=game, seat=1, command_id="back")
        self.games.RequestUndo(request, metadata=bearer(self.tokens[game][1]))

    def _record(self, game: str) -> bytes:
        request = history_pb2.GetRecordRequest(game_id=game)
        return b"".join(piece.data for piece in self.history.GetRecord(request, metadata=bearer(OPERATOR_TOKEN)))

    def _messages(self) -> Iterator[Message]:
        for game in self.tokens:
            yield self.game(game)
            yield self.board(game)
            yield self.history.ListEvents(history_pb2.ListEventsRequest(game_id=game, page_size=50))

    def submit(self, game: str, seat: int, command: command_pb2.Command, command_id: str) -> None:
        request = games_pb2.SubmitCommandsRequest(game_id=game, seat=seat, commands=[command], command_id=command_id)
        self.games.SubmitCommands(request, metadata=bearer(self.tokens[game][seat]))

    def game(self, game: str) -> Any:
        """Return the public view of a game."""
        return self.games.GetGame(games_pb2.GetGameRequest(game_id=game)).game

    def board(self, game: str) -> Any:
        """Return the whole board."""
        return self.games.GetBoard(games_pb2.GetBoardRequest(game_id=game), metadata=bearer(OPERATOR_TOKEN))

    def table(self, game: str) -> Any:
        """Return the whole table of zones and markers."""
        return self.games.GetTable(games_pb2.GetTableRequest(game_id=game), metadata=bearer(OPERATOR_TOKEN))

    def _has_to_wait_for_bot(self, game: str) -> bool:
        message = self.game(game)
        return not message.HasField("undo_vote") and any(message.seats[seat - 1].bot for seat in message.deciding)

    def legal(self, game: str, seat: int) -> Any:
        request = games_pb2.ListLegalCommandsRequest(game_id=game, seat=seat)
        return self.games.ListLegalCommands(request, metadata=bearer(self.tokens[game][seat]))

    def read_state(self) -> list[bytes]:
        """Return all games and boards as bytes, after the last moves of bots."""
        wait_until(lambda: not any(self._has_to_wait_for_bot(game) for game in self.tokens))
        return [
            message.SerializeToString(deterministic=True)
            for game in self.tokens
            for message in (self.game(game), self.board(game))
        ]

    # --- requests --------------------------------------------------------------------------------------------

    def commands(self, tape: ChoiceSequence, game: str, seat: int) -> list[command_pb2.Command]:
        """Return a legal command of the seat, if one exists."""
        if seat not in self.tokens[game]:
            return [command_pb2.Command()]
        legal = self.legal(game, seat).commands
        return [tape.one_of(legal).command] if legal else []

    def request(self, tape: ChoiceSequence, method: MethodDescriptor) -> Message:
        """Return a plausible request."""
        game = tape.one_of([*self.tokens])
        seat = tape.one_of([*self.tokens[game]] or [1])
        version = tape.below(31)
        id = tape.one_of(("", "turn-1", "an-id-of-the-fuzzer"))
        names = {field.name for field in method.input_type.fields}
        values: dict[str, Any] = {"game_id": game, "seat": seat, "title": tape.one_of([*TITLES]), "page_size": 2}
        values |= {"request_id": id, "command_id": id or "c"}
        if "expected_version" in names and tape.below(2):
            values["expected_version"] = self.game(game).version
        if "version" in names and version:
            values["version"] = version
        if "after_version" in names:
            values["after_version"] = version
        if "request_version" in names:
            values["request_version"] = self.game(game).undo_vote.request_version
        if "commands" in names and method.name != "Play":
            values["commands"] = self.commands(tape, game, seat)
        if "seats" in names:
            values["seats"] = [SEAT(name="Ada"), SEAT(open=True), SEAT(name="Cid")]
        if "position" in names and tape.below(2):
            values["position"] = self.table(game).table
        if method.name == "Play":
            commands = games_pb2.PlayCommands(
                game_id=game, seat=seat, commands=self.commands(tape, game, seat), command_id=id or "c"
            )
            values["commands"] = commands
            action_fields: Any = {"game_id": game, "seat": seat, "command_id": id or "c"}
            actions = [
                games_pb2.PlayAction(**{kind: action_fields})
                for kind in ("request_undo", "answer_undo", "take_seat_back", "hand_seat_to_bot", "resign_seat")
            ]
            if tape.below(3) == 2:
                values = {"action": tape.one_of(actions)}
            elif tape.below(2):
                values = {"subscription": games_pb2.PlaySubscription(game_id=game, after_version=version)}
        if method.name == "ImportRecord":
            values["data"] = tape.one_of(self.records)
        return GetMessageClass(method.input_type)(**{name: values[name] for name in names & values.keys()})

    def metadata(self, tape: ChoiceSequence, request: Message) -> Metadata:
        """Return metadata that usually contain the token for the request."""
        tokens = self.tokens.get(getattr(request, "game_id", ""), {})
        right = tokens.get(getattr(request, "seat", 0))
        all_tokens = [token for others in self.tokens.values() for token in others.values()]
        wrong = tape.one_of((*all_tokens, OPERATOR_TOKEN, "unknown", "x" * 300))
        token = tape.one_of((right, right, right, right, right, wrong, None))
        language = tape.one_of(("en", "de", "de-AT;q=0.9, *;q=x", ";;,", "q" * 300))
        return (*(bearer(token) if token is not None else ()), ("accept-language", language))

    def store_token(self, request: games_pb2.ReissueSeatTokenRequest, answer: bytes) -> None:
        """Store the new token of a seat."""
        given = games_pb2.ReissueSeatTokenResponse.FromString(answer).seat_token
        self.tokens[request.game_id][given.seat] = given.token

    def call(self, method: MethodDescriptor, sent: Sequence[bytes], metadata: Metadata) -> list[bytes]:
        """Return the answers, at most ``MOST_ANSWERS``; raises ``grpc.RpcError``."""
        service = method.containing_service
        assert service is not None
        path = f"/{service.full_name}/{method.name}"
        channel: Any = self.channel
        more: dict[str, Any] = {"metadata": metadata, "timeout": SECONDS}
        if not (method.client_streaming or method.server_streaming):
            return [channel.unary_unary(path)(sent[0], **more)]
        if not method.server_streaming:
            return [channel.stream_unary(path)(iter(sent), **more)]
        stream = channel.stream_stream(path)(iter(sent), **more) if method.client_streaming else None
        stream = stream or channel.unary_stream(path)(sent[0], **more)
        answers: list[bytes] = []
        for answer in stream:
            answers.append(answer)
            update = GetMessageClass(method.output_type).FromString(answer)
            if len(answers) == MOST_ANSWERS or "heartbeat" in {field.name for field, _ in update.ListFields()}:
                stream.cancel()
                break
        return answers


def send_odd_request(server: FuzzedServer, method: MethodDescriptor, numbers: Sequence[int]) -> None:
    """Send an odd request and check the answer."""
    tape = ChoiceSequence(numbers)
    requests: list[Any] = [server.request(tape, method)]
    if method.client_streaming:
        requests += [server.request(tape, method) for _ in range(tape.below(3))]
    metadata = server.metadata(tape, requests[0])
    if method.name == "ImportRecord":
        damaged = (type(request)(data=corrupt(tape, request.data)) for request in requests)
        sent = [request.SerializeToString() for request in damaged]
    else:
        sent = [mutate_request(tape, request, server.words) for request in requests]
    note(f"{method.full_name} {metadata} {[request[:1_000] for request in sent]}")
    succeeded = False
    try:
        answers = server.call(method, sent, metadata)
        succeeded = True
        if method.name == "ReissueSeatToken":
            server.store_token(games_pb2.ReissueSeatTokenRequest.FromString(sent[0]), answers[0])
    except grpc.RpcError as error:
        check_error(error)
    before, server.state = server.state, server.read_state()
    assert server.state == before or (succeeded and method.name in WRITES)


def check_error(error: Any) -> None:
    """Check that an error contains what programs and people need."""
    assert error.code() in CODES, error
    problem = error_details(error)
    assert problem.code is error.code()
    assert problem.reason
    assert problem.text
    assert "Traceback" not in problem.text
    if problem.reason == BAD_REQUEST:
        assert problem.violations
    if RULE in problem.values:
        assert error.code() is grpc.StatusCode.FAILED_PRECONDITION


def fuzz(tmp_path: Path, capsys: pytest.CaptureFixture[str], examples: int, *, repeatable: bool) -> None:
    """Send ``examples`` odd requests to every RPC of one server."""
    chance = Seeded("odd requests") if repeatable else None
    waits: dict[str, Any] = {"heartbeat_seconds": 0.02, "wait_seconds": 0.02}
    with running_service(tmp_path / "games.db", seeded=chance, operator_token=OPERATOR_TOKEN, **waits) as address:
        server = FuzzedServer(address)
        limits = settings(
            max_examples=examples,
            derandomize=repeatable,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        )
        for method in METHODS:
            limits(given(server=st.just(server), method=st.just(method), numbers=NUMBERS_DRAWN)(send_odd_request))()
        server.channel.close()
    logs._writer.flush()
    assert capsys.readouterr().err == "", "only errors are logged here"


def test_odd_requests_get_clear_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fuzz(tmp_path, capsys, 4, repeatable=True)


@pytest.mark.soak
def test_soak_odd_requests_get_clear_answers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fuzz(tmp_path, capsys, 2_500, repeatable=False)
