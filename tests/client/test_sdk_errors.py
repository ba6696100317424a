"""What the client makes of errors, lost answers and broken streams."""

from __future__ import annotations

import time
from collections.abc import Iterator

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest as BadRequestDetail
from google.rpc.error_details_pb2 import ErrorInfo, LocalizedMessage, RetryInfo
from tests.client.fake_service import Answer, FakeGames, answer, fake_service, pieces, refuse, stream, stream_the_end

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
def service() -> Iterator[tuple[str, FakeGames]]:
    with fake_service() as running:
        yield running


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
    games.script = [refuse(Code.FAILED_PRECONDITION, "Technology never replaces a monk.", *rejection("1"))]
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
        refuse(Code.FAILED_PRECONDITION, "No.", *rejection()),
        answer(games_pb2.CheckCommandResponse(version=7)),
    ]
    rejected = seat.check(FinishPlanning())
    assert rejected is not None
    assert rejected.code == "MONK_SPACE"
    assert seat.check(FinishPlanning()) is None


def test_a_version_conflict_says_where_the_game_stands(seat: Seat, games: FakeGames) -> None:
    info = ErrorInfo(reason="VERSION_CONFLICT", domain="boardkeeper", metadata={"version": "41"})
    games.script = [refuse(Code.ABORTED, "The game is at version 41.", info)]
    with pytest.raises(VersionConflict) as caught:
        seat.submit(FinishPlanning(), expected_version=40)
    assert caught.value.version == 41
    (request,) = games.requests
    assert isinstance(request, games_pb2.SubmitCommandsRequest)
    assert request.expected_version == 40


def test_a_bad_request_names_the_fields(client: Client, games: FakeGames) -> None:
    violations = [BadRequestDetail.FieldViolation(field="seats[0].name", description="is too long")]
    detail = BadRequestDetail(field_violations=violations)
    games.script = [refuse(Code.INVALID_ARGUMENT, "The request is malformed.", detail)]
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
def test_other_codes_have_their_exception_and_are_not_repeated(
    seat: Seat, games: FakeGames, code: grpc.StatusCode, kind: type[BoardkeeperError]
) -> None:
    games.script = [refuse(code, "why")]
    with pytest.raises(kind, match="why") as caught:
        seat.submit(FinishPlanning())
    assert caught.value.status is code
    assert len(games.requests) == 1


def test_details_of_somebody_elses_making_do_no_harm(seat: Seat, games: FakeGames) -> None:
    def garbage(request: object, context: grpc.ServicerContext) -> None:
        context.set_trailing_metadata((("grpc-status-details-bin", b"\xff\xff\xff"),))
        context.abort(Code.FAILED_PRECONDITION, "no")

    games.script = [garbage]
    with pytest.raises(Rejected, match="no"):
        seat.submit(FinishPlanning())


# --- answers that do not come ------------------------------------------------------------------------------


def test_a_lost_answer_is_asked_for_again_with_the_same_command_id(seat: Seat, games: FakeGames) -> None:
    games.script = [
        refuse(Code.UNAVAILABLE, "restarting"),
        refuse(Code.UNAVAILABLE, "restarting"),
        answer(games_pb2.SubmitCommandsResponse(first_version=5, version=6, repeated=True)),
    ]
    outcome = seat.submit(FinishPlanning())
    assert (outcome.first_version, outcome.version, outcome.repeated) == (5, 6, True)
    requests = [request for request in games.requests if isinstance(request, games_pb2.SubmitCommandsRequest)]
    assert len(requests) == 3
    assert requests[0] == requests[1] == requests[2]
    assert 1 <= len(requests[0].command_id) <= 64


def test_a_command_id_can_be_ones_own(seat: Seat, games: FakeGames) -> None:
    games.script = [answer(games_pb2.SubmitCommandsResponse())] * 2
    seat.submit(FinishPlanning(), command_id="mine")
    seat.submit(FinishPlanning())
    first, second = (request for request in games.requests if isinstance(request, games_pb2.SubmitCommandsRequest))
    assert first.command_id == "mine"
    assert second.command_id != "mine"


def test_the_wait_that_the_service_asks_for_is_kept(seat: Seat, games: FakeGames) -> None:
    wait = RetryInfo(retry_delay=Duration(nanos=400_000_000))
    games.script = [
        refuse(Code.UNAVAILABLE, "draining", wait),
        answer(games_pb2.SubmitCommandsResponse(version=1)),
    ]
    began = time.monotonic()
    seat.submit(FinishPlanning())
    assert time.monotonic() - began >= 0.4


def test_patience_ends(games: FakeGames, service: tuple[str, FakeGames]) -> None:
    games.script = [refuse(Code.RESOURCE_EXHAUSTED, "busy")] * 50
    with Client(service[0], retry_timeout=0.3) as client, pytest.raises(Overloaded, match="busy"):
        client.seat("g", 1, "t", title="orleans").submit(FinishPlanning())
    assert len(games.requests) > 1


def test_nobody_there_is_unavailable() -> None:
    with Client("127.0.0.1:1", retry_timeout=0.2) as client, pytest.raises(Unavailable):
        client.game("g")


def test_the_token_and_the_language_go_beside_the_call(seat: Seat, games: FakeGames) -> None:
    games.script = [answer(games_pb2.SubmitCommandsResponse())]
    seat.submit(FinishPlanning())
    assert games.metadata[0]["authorization"] == "Bearer secret"
    assert games.metadata[0]["accept-language"] == "de"
    assert "secret" not in repr(seat)


def test_commands_may_be_structs_messages_or_legal_commands(seat: Seat, games: FakeGames) -> None:
    message = command_pb2.Command()
    message.orleans.finish_planning.SetInParent()
    games.script = [answer(games_pb2.SubmitCommandsResponse())]
    seat.submit(FinishPlanning(), message, command_pb2.LegalCommand(command=message, sentence="Finish."))
    (request,) = games.requests
    assert isinstance(request, games_pb2.SubmitCommandsRequest)
    assert list(request.commands) == [message] * 3


def test_pages_are_fetched_one_after_another(client: Client, games: FakeGames) -> None:
    pages = [("a", "next"), ("b", "")]
    games.script = [
        answer(games_pb2.ListGamesResponse(games=[game_pb2.Game(game_id=id)], next_page_token=token))
        for id, token in pages
    ]
    assert [game.game_id for game in client.games()] == ["a", "b"]
    assert [getattr(request, "page_token", None) for request in games.requests] == ["", "next"]


# --- streams ----------------------------------------------------------------------------------------------


def test_a_broken_stream_goes_on_without_gap_or_repetition(client: Client, games: FakeGames) -> None:
    games.script = [
        stream(11, 12, 0, then=refuse(Code.UNAVAILABLE, "shutting down")),
        refuse(Code.UNAVAILABLE, "still down"),
        stream(13, then=refuse(Code.RESOURCE_EXHAUSTED, "too slow")),
        stream_the_end(13, 14, 15),  # sends one again
    ]
    assert [event.version for event in client.watch("g", after_version=10)] == [11, 12, 13, 14, 15]
    assert [getattr(request, "after_version", None) for request in games.requests] == [10, 12, 12, 13]


def test_a_stream_that_was_ended_before_the_game_goes_on(client: Client, games: FakeGames) -> None:
    games.game = game_pb2.Game(status=game_pb2.GAME_STATUS_RUNNING, version=12)
    games.script = [stream(11, 12), stream(), stream(13), stream_the_end(14, 15)]
    assert [event.version for event in client.watch("g", after_version=10, token="t")] == [11, 12, 13, 14, 15]
    assert [getattr(request, "after_version", None) for request in games.requests] == [10, 12, 12, 13]
    assert games.looks == ["Bearer t"] * 3


def test_a_game_that_has_ended_is_told_to_its_end(client: Client, games: FakeGames) -> None:
    games.game = game_pb2.Game(status=game_pb2.GAME_STATUS_ENDED, version=3)
    games.script = [stream(1), stream(2, 3)]  # whatever its last event is called
    assert [event.version for event in client.watch("g")] == [1, 2, 3]
    assert games.script == []


def test_a_service_that_ends_each_stream_at_once_is_not_asked_for_ever(
    games: FakeGames, service: tuple[str, FakeGames]
) -> None:
    games.game = game_pb2.Game(status=game_pb2.GAME_STATUS_RUNNING, version=1)
    games.script = [stream()] * 50
    with Client(service[0], retry_timeout=0.3) as client, pytest.raises(Unavailable, match="ended the stream"):
        list(client.watch("g"))
    assert 1 < len(games.requests) <= 4  # each pause is longer than the one before


RECORD = (b'{"format":2}\n{"command_id":"","events":[{"events":1}]}\n', b'{"events":1,"head":"ab"}\n')


@pytest.mark.parametrize(
    "broken",
    [pieces(), pieces(RECORD[0]), pieces(*RECORD[0:1], RECORD[1][:-1]), pieces(RECORD[0][:-1], RECORD[1])],
    ids=["nothing", "before the seal", "amid the seal", "amid a line"],
)
def test_a_record_that_does_not_come_to_its_seal_is_asked_for_again(
    client: Client, games: FakeGames, broken: Answer
) -> None:
    games.script = [broken, pieces(RECORD[0], then=refuse(Code.UNAVAILABLE, "gone")), pieces(*RECORD)]
    assert client.record("g") == b"".join(RECORD)
    assert games.script == []


def test_a_service_that_never_sends_a_record_whole_is_not_asked_for_ever(
    games: FakeGames, service: tuple[str, FakeGames]
) -> None:
    games.script = [pieces(RECORD[0])] * 50
    with Client(service[0], retry_timeout=0.3) as client, pytest.raises(Unavailable, match="ended the stream"):
        client.record("g")
    assert len(games.requests) > 1


def test_a_missing_event_is_not_passed_over(client: Client, games: FakeGames) -> None:
    games.script = [stream(1, 2, 4)]
    watching = client.watch("g")
    assert [next(watching).version, next(watching).version] == [1, 2]
    with pytest.raises(BoardkeeperError, match="event 3"):
        next(watching)


def test_watching_an_unknown_game_fails_at_once(client: Client, games: FakeGames) -> None:
    games.script = [refuse(Code.NOT_FOUND, "no such game")]
    with pytest.raises(NotFound, match="no such game"):
        next(client.watch("g"))


def test_a_stream_that_nobody_reads_any_more_is_cancelled(client: Client, games: FakeGames) -> None:
    ended: list[bool] = []

    def endless(request: object, context: grpc.ServicerContext) -> Iterator[games_pb2.WatchGameResponse]:
        context.add_callback(lambda: ended.append(True))
        yield from stream(1)(request, context)
        while context.is_active():
            time.sleep(0.01)

    games.script = [endless]
    watching = client.watch("g")
    assert next(watching).version == 1
    watching.close()
    deadline = time.monotonic() + 100
    while not ended and time.monotonic() < deadline:
        time.sleep(0.01)
    assert ended


def test_a_limit_is_waited_for_as_long_as_patience_allows(games: FakeGames, service: tuple[str, FakeGames]) -> None:
    info = ErrorInfo(reason="TOO_MANY_COMMANDS", domain="boardkeeper", metadata={"limit": "commands"})
    soon, late = (RetryInfo(retry_delay=Duration(seconds=s, nanos=n)) for s, n in ((0, 300_000_000), (3600, 0)))
    games.script = [
        refuse(Code.RESOURCE_EXHAUSTED, "busy", info, soon),
        refuse(Code.RESOURCE_EXHAUSTED, "busy", info, late),
        answer(games_pb2.SubmitCommandsResponse()),
    ]
    began = time.monotonic()
    with Client(service[0], retry_timeout=30) as client, pytest.raises(Overloaded, match="busy") as caught:
        client.seat("g", 1, "t", title="orleans").submit(FinishPlanning())
    assert time.monotonic() - began >= 0.3
    assert (caught.value.reason, caught.value.retry_after) == ("TOO_MANY_COMMANDS", 3600)
    assert dict(caught.value.values) == {"limit": "commands"}


class Failed(grpc.RpcError):
    """A call that failed without a word of the service."""

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
def test_a_stream_that_a_proxy_cuts_off_can_be_asked_for_again(code: grpc.StatusCode) -> None:
    cut = from_rpc_error(Failed(code, "Stream removed (RST_STREAM (Received RST_STREAM with error code 2))"))
    assert isinstance(cut, Unavailable)
    assert cut.status is Code.UNAVAILABLE
    assert type(from_rpc_error(Failed(code, "a fault"))) is BoardkeeperError
