"""The client's handling of errors, missing answers and broken streams."""

from __future__ import annotations

import time
from collections.abc import Iterator

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest as BadRequestDetail
from google.rpc.error_details_pb2 import ErrorInfo, LocalizedMessage, RetryInfo
from tests.client.fake_service import (
    Answer,
    FakeGames,
    answer_with,
    fail_with,
    stream_events,
    stream_pieces,
    stream_until_end,
)

from boardkeeper.client import (
    BadRequest,
    BoardkeeperError,
    Client,
    NotFound,
    Overloaded,
    PermissionDenied,
    Rejected,
    Seat,
    Unauthenticated,
    Unavailable,
    VersionConflict,
    person,
)
from boardkeeper.client.errors import from_rpc_error
from boardkeeper.titles.orleans.commands import FinishPlanning
from boardkeeper.v1 import command_pb2, game_pb2, games_pb2

Code = grpc.StatusCode


@pytest.fixture
def games(service: tuple[str, FakeGames]) -> FakeGames:
    return service[1]


@pytest.fixture
def client(service: tuple[str, FakeGames]) -> Iterator[Client]:
    with Client(service[0], language="de", retry_timeout=60) as client:
        yield client


@pytest.fixture
def seat(client: Client) -> Seat:
    return client.seat("g", 2, "secret", title="orleans")


def rejection(index: str | None = None) -> tuple[ErrorInfo, LocalizedMessage]:
    metadata = {"rule": "orleans.technology.never_monk", "space": "monk"} | ({"index": index} if index else {})
    info = ErrorInfo(reason="MONK_SPACE", domain="boardkeeper", metadata=metadata)
    return info, LocalizedMessage(locale="de", message="Technik ersetzt nie einen Mönch.")


def test_a_rejection_has_code_rule_values_and_a_sentence(seat: Seat, games: FakeGames) -> None:
    games.script = [fail_with(Code.FAILED_PRECONDITION, "Technology never replaces a monk.", *rejection("1"))]
    with pytest.raises(Rejected) as caught:
        seat.submit(FinishPlanning())
    rejected = caught.value
    assert rejected.code == "MONK_SPACE"
    assert rejected.rule == "orleans.technology.never_monk"
    assert rejected.values["space"] == "monk"
    assert rejected.values["index"] == "1"
    assert str(rejected) == "Technik ersetzt nie einen Mönch."


def test_check_returns_the_rejection_or_nothing(seat: Seat, games: FakeGames) -> None:
    games.script = [
        fail_with(Code.FAILED_PRECONDITION, "No.", *rejection()),
        answer_with(games_pb2.CheckCommandResponse(version=7)),
    ]
    rejected = seat.check(FinishPlanning())
    assert rejected is not None
    assert rejected.code == "MONK_SPACE"
    assert seat.check(FinishPlanning()) is None


def test_a_version_conflict_has_the_current_version(seat: Seat, games: FakeGames) -> None:
    info = ErrorInfo(reason="VERSION_CONFLICT", domain="boardkeeper", metadata={"version": "41"})
    games.script = [fail_with(Code.ABORTED, "The game is at version 41.", info)]
    with pytest.raises(VersionConflict) as caught:
        seat.submit(FinishPlanning(), expected_version=40)
    assert caught.value.version == 41
    (request,) = games.requests
    assert isinstance(request, games_pb2.SubmitCommandsRequest)
    assert request.expected_version == 40


def test_a_bad_request_names_the_fields(client: Client, games: FakeGames) -> None:
    violations = [BadRequestDetail.FieldViolation(field="seats[0].name", description="is too long")]
    detail = BadRequestDetail(field_violations=violations)
    games.script = [fail_with(Code.INVALID_ARGUMENT, "The request is malformed.", detail)]
    with pytest.raises(BadRequest) as caught:
        client.create_game("orleans", [person("x" * 999)])
    assert [(wrong.field, wrong.description) for wrong in caught.value.violations] == [("seats[0].name", "is too long")]


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (Code.NOT_FOUND, NotFound),
        (Code.UNAUTHENTICATED, Unauthenticated),
        (Code.PERMISSION_DENIED, PermissionDenied),
        (Code.INTERNAL, BoardkeeperError),
    ],
)
def test_other_codes_have_their_exceptions_and_are_not_retried(
    seat: Seat, games: FakeGames, code: grpc.StatusCode, kind: type[BoardkeeperError]
) -> None:
    games.script = [fail_with(code, "why")]
    with pytest.raises(kind, match="why") as caught:
        seat.submit(FinishPlanning())
    assert caught.value.status is code
    assert len(games.requests) == 1


def test_malformed_error_details_are_ignored(seat: Seat, games: FakeGames) -> None:
    def send_malformed_details(request: object, context: grpc.ServicerContext) -> None:
        context.set_trailing_metadata((("grpc-status-details-bin", b"\xff\xff\xff"),))
        context.abort(Code.FAILED_PRECONDITION, "no")

    games.script = [send_malformed_details]
    with pytest.raises(Rejected, match="no"):
        seat.submit(FinishPlanning())


# --- missing answers ---------------------------------------------------------------------------------------


def test_a_call_without_an_answer_is_retried_with_the_same_command_id(seat: Seat, games: FakeGames) -> None:
    games.script = [
        fail_with(Code.UNAVAILABLE, "restarting"),
        fail_with(Code.UNAVAILABLE, "restarting"),
        answer_with(games_pb2.SubmitCommandsResponse(first_version=5, version=6, repeated=True)),
    ]
    outcome = seat.submit(FinishPlanning())
    assert (outcome.first_version, outcome.version, outcome.repeated) == (5, 6, True)
    requests = [request for request in games.requests if isinstance(request, games_pb2.SubmitCommandsRequest)]
    assert len(requests) == 3
    assert requests[0] == requests[1] == requests[2]
    assert 1 <= len(requests[0].command_id) <= 64


def test_the_caller_can_set_the_command_id(seat: Seat, games: FakeGames) -> None:
    games.script = [answer_with(games_pb2.SubmitCommandsResponse())] * 2
    seat.submit(FinishPlanning(), command_id="mine")
    seat.submit(FinishPlanning())
    first, second = (request for request in games.requests if isinstance(request, games_pb2.SubmitCommandsRequest))
    assert first.command_id == "mine"
    assert second.command_id != "mine"


def test_the_retry_delay_of_the_server_is_respected(seat: Seat, games: FakeGames) -> None:
    wait = RetryInfo(retry_delay=Duration(nanos=400_000_000))
    games.script = [
        fail_with(Code.UNAVAILABLE, "draining", wait),
        answer_with(games_pb2.SubmitCommandsResponse(version=1)),
    ]
    start = time.monotonic()
    seat.submit(FinishPlanning())
    assert time.monotonic() - start >= 0.4


def test_retries_end_after_the_retry_timeout(games: FakeGames, service: tuple[str, FakeGames]) -> None:
    games.script = [fail_with(Code.RESOURCE_EXHAUSTED, "busy")] * 50
    with Client(service[0], retry_timeout=0.3) as client, pytest.raises(Overloaded, match="busy"):
        client.seat("g", 1, "t", title="orleans").submit(FinishPlanning())
    assert len(games.requests) > 1


def test_a_missing_server_is_unavailable() -> None:
    with Client("127.0.0.1:1", retry_timeout=0.2) as client, pytest.raises(Unavailable):
        client.game("g")


def test_token_and_language_are_sent_as_metadata(seat: Seat, games: FakeGames) -> None:
    games.script = [answer_with(games_pb2.SubmitCommandsResponse())]
    seat.submit(FinishPlanning())
    assert games.metadata[0]["authorization"] == "Bearer secret"
    assert games.metadata[0]["accept-language"] == "de"
    assert "secret" not in repr(seat)


def test_commands_may_be_structs_messages_or_legal_commands(seat: Seat, games: FakeGames) -> None:
    message = command_pb2.Command()
    message.orleans.finish_planning.SetInParent()
    games.script = [answer_with(games_pb2.SubmitCommandsResponse())]
    seat.submit(FinishPlanning(), message, command_pb2.LegalCommand(command=message, sentence="Finish."))
    (request,) = games.requests
    assert isinstance(request, games_pb2.SubmitCommandsRequest)
    assert list(request.commands) == [message] * 3


def test_pages_are_requested_one_after_another(client: Client, games: FakeGames) -> None:
    pages = [("a", "next"), ("b", "")]
    games.script = [
        answer_with(games_pb2.ListGamesResponse(games=[game_pb2.Game(game_id=id)], next_page_token=token))
        for id, token in pages
    ]
    assert [game.game_id for game in client.games()] == ["a", "b"]
    assert [getattr(request, "page_token", None) for request in games.requests] == ["", "next"]


# --- streams ----------------------------------------------------------------------------------------------


def test_a_broken_stream_continues_without_gap_or_repetition(client: Client, games: FakeGames) -> None:
    games.script = [
        stream_events(11, 12, 0, then=fail_with(Code.UNAVAILABLE, "shutting down")),
        fail_with(Code.UNAVAILABLE, "still down"),
        stream_events(13, then=fail_with(Code.RESOURCE_EXHAUSTED, "too slow")),
        stream_until_end(13, 14, 15),  # repeats one event
    ]
    assert [event.version for event in client.watch("g", after_version=10)] == [11, 12, 13, 14, 15]
    assert [getattr(request, "after_version", None) for request in games.requests] == [10, 12, 12, 13]


def test_a_stream_that_ends_before_the_game_is_reopened(client: Client, games: FakeGames) -> None:
    games.game = game_pb2.Game(status=game_pb2.GAME_STATUS_RUNNING, version=12)
    games.script = [stream_events(11, 12), stream_events(), stream_events(13), stream_until_end(14, 15)]
    assert [event.version for event in client.watch("g", after_version=10, token="t")] == [11, 12, 13, 14, 15]
    assert [getattr(request, "after_version", None) for request in games.requests] == [10, 12, 12, 13]
    assert games.game_reads == ["Bearer t"] * 3


def test_a_finished_game_is_streamed_to_its_last_event(client: Client, games: FakeGames) -> None:
    games.game = game_pb2.Game(status=game_pb2.GAME_STATUS_ENDED, version=3)
    games.script = [stream_events(1), stream_events(2, 3)]  # its last event has an unknown name
    assert [event.version for event in client.watch("g")] == [1, 2, 3]
    assert games.script == []


def test_streams_that_end_immediately_are_not_reopened_without_limit(
    games: FakeGames, service: tuple[str, FakeGames]
) -> None:
    games.game = game_pb2.Game(status=game_pb2.GAME_STATUS_RUNNING, version=1)
    games.script = [stream_events()] * 50
    with Client(service[0], retry_timeout=0.3) as client, pytest.raises(Unavailable, match="ended the stream"):
        list(client.watch("g"))
    assert 1 < len(games.requests) <= 4  # the delays increase


RECORD = (b'{"format":2}\n{"command_id":"","events":[{"events":1}]}\n', b'{"events":1,"head":"ab"}\n')


@pytest.mark.parametrize(
    "broken",
    [
        stream_pieces(),
        stream_pieces(RECORD[0]),
        stream_pieces(*RECORD[0:1], RECORD[1][:-1]),
        stream_pieces(RECORD[0][:-1], RECORD[1]),
    ],
    ids=["nothing", "before the seal", "inside of the seal", "inside of a line"],
)
def test_an_incomplete_record_is_requested_again(client: Client, games: FakeGames, broken: Answer) -> None:
    games.script = [broken, stream_pieces(RECORD[0], then=fail_with(Code.UNAVAILABLE, "gone")), stream_pieces(*RECORD)]
    assert client.record("g") == b"".join(RECORD)
    assert games.script == []


def test_an_incomplete_record_is_not_requested_without_limit(games: FakeGames, service: tuple[str, FakeGames]) -> None:
    games.script = [stream_pieces(RECORD[0])] * 50
    with Client(service[0], retry_timeout=0.3) as client, pytest.raises(Unavailable, match="ended the stream"):
        client.record("g")
    assert len(games.requests) > 1


def test_a_missing_event_is_an_error(client: Client, games: FakeGames) -> None:
    games.script = [stream_events(1, 2, 4)]
    watching = client.watch("g")
    assert [next(watching).version, next(watching).version] == [1, 2]
    with pytest.raises(BoardkeeperError, match="event 3"):
        next(watching)


def test_watching_an_unknown_game_fails_immediately(client: Client, games: FakeGames) -> None:
    games.script = [fail_with(Code.NOT_FOUND, "no such game")]
    with pytest.raises(NotFound, match="no such game"):
        next(client.watch("g"))


def test_a_closed_stream_is_cancelled_on_the_server(client: Client, games: FakeGames) -> None:
    cancelled: list[bool] = []

    def endless(request: object, context: grpc.ServicerContext) -> Iterator[games_pb2.WatchGameResponse]:
        context.add_callback(lambda: cancelled.append(True))
        yield from stream_events(1)(request, context)
        while context.is_active():
            time.sleep(0.01)

    games.script = [endless]
    watching = client.watch("g")
    assert next(watching).version == 1
    watching.close()
    deadline = time.monotonic() + 100
    while not cancelled and time.monotonic() < deadline:
        time.sleep(0.01)
    assert cancelled


def test_a_retry_delay_above_the_retry_timeout_is_an_error(games: FakeGames, service: tuple[str, FakeGames]) -> None:
    info = ErrorInfo(reason="TOO_MANY_COMMANDS", domain="boardkeeper", metadata={"limit": "commands"})
    soon, late = (RetryInfo(retry_delay=Duration(seconds=s, nanos=n)) for s, n in ((0, 300_000_000), (3600, 0)))
    games.script = [
        fail_with(Code.RESOURCE_EXHAUSTED, "busy", info, soon),
        fail_with(Code.RESOURCE_EXHAUSTED, "busy", info, late),
        answer_with(games_pb2.SubmitCommandsResponse()),
    ]
    start = time.monotonic()
    with Client(service[0], retry_timeout=30) as client, pytest.raises(Overloaded, match="busy") as caught:
        client.seat("g", 1, "t", title="orleans").submit(FinishPlanning())
    assert time.monotonic() - start >= 0.3
    assert (caught.value.reason, caught.value.retry_after) == ("TOO_MANY_COMMANDS", 3600)
    assert dict(caught.value.values) == {"limit": "commands"}


class FailedCall(grpc.RpcError):
    """A call that failed without details of the server."""

    def __init__(self, code: grpc.StatusCode, text: str) -> None:
        self._code = code
        self._text = text

    def code(self) -> grpc.StatusCode:
        return self._code

    def details(self) -> str:
        return self._text

    def trailing_metadata(self) -> tuple[()]:
        return ()


@pytest.mark.parametrize("code", [Code.UNKNOWN, Code.INTERNAL])
def test_a_stream_cut_off_by_a_proxy_is_unavailable(code: grpc.StatusCode) -> None:
    cut = from_rpc_error(FailedCall(code, "Stream removed (RST_STREAM (Received RST_STREAM with error code 2))"))
    assert isinstance(cut, Unavailable)
    assert cut.status is Code.UNAVAILABLE
    assert type(from_rpc_error(FailedCall(code, "a fault"))) is BoardkeeperError
