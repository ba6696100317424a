"""The requests that the SDK sends: each field of each request can be set, and invalid arguments are errors."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from msgspec import Struct

from boardkeeper.client import BoardkeeperError, Client, Seat, VersionConflict, per_move, person, requests
from boardkeeper.client.aio import AsyncClient, AsyncSeat
from boardkeeper.client.connection import CallHeaders, RetryPolicy
from boardkeeper.titles.orleans.commands import FinishPlanning, Travel
from boardkeeper.v1 import catalog_pb2, feed_pb2, game_pb2, games_pb2, history_pb2, players_pb2
from boardkeeper.v1.table_pb2 import Table

RPCS = {
    rpc.name: rpc
    for module in (catalog_pb2, feed_pb2, games_pb2, history_pb2, players_pb2)
    for service in module.DESCRIPTOR.services_by_name.values()
    for rpc in service.methods
    if rpc.name != "Play"  # the SDK has no method for this stream
}

SET_BY_SDK = {"page_size", "page_token"}
"""Fields that callers cannot set: the SDK sets them itself to read all pages."""

SEATS = [person("Anna", b"entropy")]
FINISH = FinishPlanning()
LIFETIME = timedelta(hours=2)
TIME = datetime(2026, 11, 1, tzinfo=UTC)


def get_seat(client: Any) -> Any:
    return client.seat("g", 2, "secret", title="orleans")


CALLS: dict[str, Callable[[Any], Any]] = {
    "ListTitles": lambda client: client.titles(),
    "GetTitle": lambda client: client.title(
        "orleans", "capstone-2021", players=3, options={"a": "b"}, readings={"c": "d"}
    ),
    "GetSchema": lambda client: client.schema("orleans"),
    "CreateGame": lambda client: client.create_game(
        "orleans",
        SEATS,
        edition="capstone-2021",
        options={"a": "b"},
        readings={"c": "d"},
        position=Table(),
        request_id="mine",
        spectators=True,
        time_control=per_move(60),
        by_invitation=True,
        seat_token_lifetime=LIFETIME,
    ),
    "ForkGame": lambda client: client.fork(
        "g",
        SEATS,
        version=7,
        token="secret",
        request_id="mine",
        spectators=True,
        time_control=per_move(60),
        by_invitation=True,
        seat_token_lifetime=LIFETIME,
    ),
    "ReissueSeatToken": lambda client: client.reissue("g", 2, token="secret", lifetime=LIFETIME),
    "RemoveGame": lambda client: client.remove("g", token="secret"),
    "GetGame": lambda client: client.game("g", min_version=7, wait=timedelta(seconds=1)),
    "ListGames": lambda client: client.games(
        title="orleans",
        status=game_pb2.GAME_STATUS_OPEN,
        id_prefix="4f1c",
        player_id="p1",
        deciding=True,
        outcome=game_pb2.GAME_OUTCOME_WON,
        created_after=TIME,
        created_before=TIME,
        updated_after=TIME,
        updated_before=TIME,
        ended_after=TIME,
        ended_before=TIME,
        platform="lobby",
    ),
    "JoinGame": lambda client: client.join(
        "g", "Anna", seat=2, entropy=b"entropy", request_id="mine", player_id="p1", invitation="bki_x"
    ),
    "SubmitCommands": lambda client: client.submit(get_seat(client), FINISH, expected_version=7, command_id="mine"),
    "RequestUndo": lambda client: client.request_undo(get_seat(client), expected_version=7, command_id="mine"),
    "AnswerUndo": lambda client: client.answer_undo(get_seat(client), 7, consent=True, command_id="mine"),
    "ResignSeat": lambda client: client.resign(get_seat(client), command_id="mine"),
    "HandSeatToBot": lambda client: client.hand_to_bot(get_seat(client), "sensible", command_id="mine"),
    "TakeSeatBack": lambda client: client.take_back(get_seat(client), command_id="mine"),
    "CheckCommand": lambda client: client.check(get_seat(client), FINISH, expected_version=7, min_version=7),
    "ListLegalCommands": lambda client: client.legal_commands(
        get_seat(client), version=7, min_version=7, with_effects=True
    ),
    "ExplainRefusals": lambda client: client.explain_refusals(get_seat(client), "seat.2.bag", min_version=7),
    "GetBoard": lambda client: client.board("g", version=7, min_version=7, token="secret"),
    "GetTable": lambda client: client.table("g", version=7, min_version=7, token="secret"),
    "GetScores": lambda client: client.scores("g", version=7, min_version=7, token="secret"),
    "WatchGame": lambda client: client.watch("g", after_version=7, token="secret"),
    "WatchGames": lambda client: client.watch_games(
        after_cursor="c", from_now=True, title="orleans", game_id="g", kinds=["turn"], token="secret"
    ),
    "ListEvents": lambda client: client.events("g", after_version=7, min_version=7, token="secret"),
    "GetRecord": lambda client: client.record("g", min_version=7, token="secret"),
    "ImportRecord": lambda client: client.import_record(b"{}"),
    "VerifyGame": lambda client: client.verify_game("g", min_version=7, token="secret"),
    "SetSeatPlayer": lambda client: client.set_player("g", 2, "p1"),
    "ErasePlayer": lambda client: client.erase_player("p1", platform="lobby", token="secret"),
    "CreateInvitation": lambda client: client.invite("g", 2, lifetime=LIFETIME, player_id="p1"),
    "ListInvitations": lambda client: client.invitations("g", token="secret"),
    "RevokeInvitation": lambda client: client.revoke_invitation("g", "i"),
    "ListResults": lambda client: client.results(
        cursor="c", title="orleans", newest_first=True, platform="lobby", page_size=7
    ),
    "GetStandings": lambda client: client.standings("orleans", ["p1"], people_only=True, platform="lobby"),
    "ListKeys": lambda client: client.record_keys(),
}


class Recorder(grpc.GenericRpcHandler):
    """A gRPC server that answers each RPC with an empty response. It records requests and ``x-game-id`` headers."""

    def __init__(self) -> None:
        self.requests: list[Message] = []
        self.games: list[str | bytes] = []

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any]:
        rpc = RPCS[details.method.rpartition("/")[2]]
        request_type, response_type = GetMessageClass(rpc.input_type), GetMessageClass(rpc.output_type)

        def record(request: Any, context: grpc.ServicerContext) -> None:
            self.requests += list(request) if rpc.client_streaming else [request]
            self.games.append(dict(context.invocation_metadata()).get("x-game-id", ""))

        def unary(request: Any, context: grpc.ServicerContext) -> Message:
            record(request, context)
            return response_type()

        def stream(request: Any, context: grpc.ServicerContext) -> Iterator[Message]:
            record(request, context)
            return iter(())

        kind = f"{'stream' if rpc.client_streaming else 'unary'}_{'stream' if rpc.server_streaming else 'unary'}"
        make = getattr(grpc, f"{kind}_rpc_method_handler")
        handler: grpc.RpcMethodHandler[Any, Any] = make(
            stream if rpc.server_streaming else unary, request_type.FromString, response_type.SerializeToString
        )
        return handler


@contextmanager
def run_recorder() -> Iterator[tuple[str, Recorder]]:
    recorder = Recorder()
    server = grpc.server(ThreadPoolExecutor(2))
    server.add_generic_rpc_handlers((recorder,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}", recorder
    finally:
        server.stop(None).wait()


def unset_fields(recorder: Recorder) -> set[str]:
    """Return the names of the fields that are not set in the first recorded request, without ``SET_BY_SDK``."""
    request = recorder.requests[0]
    return (
        {field.name for field in request.DESCRIPTOR.fields}
        - {field.name for field, _ in request.ListFields()}
        - SET_BY_SDK
    )


def test_calls_contain_every_rpc() -> None:
    assert set(CALLS) == set(RPCS)


@pytest.mark.parametrize("rpc", CALLS)
def test_every_field_of_a_request_can_be_set(rpc: str) -> None:
    no_answer = suppress(BoardkeeperError, IndexError)  # the SDK fails on the empty response, after it sent the request
    with run_recorder() as (address, recorder), Client(address, retry_timeout=0) as client, no_answer:
        outcome = CALLS[rpc](client)
        if inspect.isgenerator(outcome):
            list(outcome)
    assert unset_fields(recorder) == set()
    assert recorder.games[0] == getattr(recorder.requests[0], "game_id", "")


@pytest.mark.parametrize("rpc", CALLS)
async def test_every_field_of_a_request_can_be_set_with_asyncio(rpc: str) -> None:
    with run_recorder() as (address, recorder):
        async with AsyncClient(address, retry_timeout=0) as client:
            with suppress(BoardkeeperError, IndexError):
                outcome = CALLS[rpc](client)
                if inspect.isasyncgen(outcome):
                    _ = [item async for item in outcome]
                else:
                    await outcome
    assert unset_fields(recorder) == set()
    assert recorder.games[0] == getattr(recorder.requests[0], "game_id", "")


@pytest.mark.parametrize("game", ["", "gä", "g\n", "g" * 65, " "])
def test_an_invalid_game_id_is_not_sent_in_headers(game: str) -> None:
    assert "x-game-id" not in dict(CallHeaders().metadata("", games_pb2.GetGameRequest(game_id=game)))


@pytest.mark.parametrize(("client", "seat"), [(Client, Seat), (AsyncClient, AsyncSeat)])
def test_seat_methods_have_the_same_parameters_as_client_methods(client: type, seat: type) -> None:
    own = {"self", "seat", "game_id", "token"}
    shared = [name for name in vars(seat) if not name.startswith("_") and callable(getattr(client, name, None))]
    assert {"check", "submit", "board", "events", "record", "game"} <= set(shared)
    for name in shared:
        of_client, of_seat = (inspect.signature(getattr(kind, name)).parameters for kind in (client, seat))
        assert set(of_client) - own == set(of_seat) - own, name


@pytest.mark.socket
def test_check_uses_the_requested_version(client: Client) -> None:
    anna = client.create_game("orleans", [person("Anna"), person("Ben")]).seats[0]
    version = anna.game().version
    assert anna.check(FINISH, expected_version=version, min_version=version) is None
    with pytest.raises(VersionConflict) as caught:
        anna.check(FINISH, expected_version=version - 1)
    assert caught.value.version == version
    with pytest.raises(BoardkeeperError, match=str(version + 1)):
        anna.check(FINISH, min_version=version + 1)


def test_the_number_of_known_titles_is_limited() -> None:
    known = requests.KnownTitles()
    for number in range(known.MAX_GAMES + 1):
        known.add(f"g{number}", "orleans")
    assert known.get(f"g{known.MAX_GAMES}", [FINISH]) == "orleans"
    assert known.get("g0", [FINISH]) is None
    assert known.get("g0", [Travel("ship", "tours")]) == "", "only one title has this command"


def test_a_struct_that_is_not_a_command_is_rejected_before_the_call() -> None:
    with pytest.raises(TypeError, match="Struct is not a command of a title"):
        requests.to_messages([Struct()], "orleans")


def test_the_deadline_of_a_long_poll_includes_its_wait() -> None:
    policy = RetryPolicy(timeout=2.0, retry_timeout=0.0)
    request = games_pb2.GetGameRequest(game_id="g", min_version=7, wait=requests.to_duration(timedelta(seconds=30)))
    assert policy.deadline(request) == 32.0
    assert policy.deadline(games_pb2.GetGameRequest(game_id="g")) == 2.0
    assert next(policy.delays(request), None) is not None, "a long poll is retried if the server stops"
    assert next(policy.delays(), None) is None


def test_the_deprecated_name_of_retry_timeout_still_works() -> None:
    with pytest.warns(DeprecationWarning, match="use retry_timeout"):
        client = Client("127.0.0.1:1", patience=2.0)
    assert client._connection._retry_policy.retry_timeout == 2.0
