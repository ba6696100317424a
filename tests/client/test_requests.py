"""Everything that an rpc can be asked, the SDK can ask: no field of a request is out of a client's reach."""

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
    if rpc.name != "Play"  # the stream for busy clients, which needs stubs
}

OURS = {"page_size", "page_token"}
"""What the SDK says by itself: whoever calls it gets all pages as one."""

SEATS = [person("Anna", b"entropy")]
END = FinishPlanning()
WHILE = timedelta(hours=2)
THEN = datetime(2026, 11, 1, tzinfo=UTC)


def seat_of(client: Any) -> Any:
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
        seat_token_lifetime=WHILE,
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
        seat_token_lifetime=WHILE,
    ),
    "ReissueSeatToken": lambda client: client.reissue("g", 2, token="secret", lifetime=WHILE),
    "RemoveGame": lambda client: client.remove("g", token="secret"),
    "GetGame": lambda client: client.game("g", min_version=7, wait=timedelta(seconds=1)),
    "ListGames": lambda client: client.games(
        title="orleans",
        status=game_pb2.GAME_STATUS_OPEN,
        id_prefix="4f1c",
        player_id="p1",
        deciding=True,
        outcome=game_pb2.GAME_OUTCOME_WON,
        created_after=THEN,
        created_before=THEN,
        updated_after=THEN,
        updated_before=THEN,
        ended_after=THEN,
        ended_before=THEN,
        platform="lobby",
    ),
    "JoinGame": lambda client: client.join(
        "g", "Anna", seat=2, entropy=b"entropy", request_id="mine", player_id="p1", invitation="bki_x"
    ),
    "SubmitCommands": lambda client: client.submit(seat_of(client), END, expected_version=7, command_id="mine"),
    "RequestUndo": lambda client: client.request_undo(seat_of(client), expected_version=7, command_id="mine"),
    "AnswerUndo": lambda client: client.answer_undo(seat_of(client), 7, consent=True, command_id="mine"),
    "ResignSeat": lambda client: client.resign(seat_of(client), command_id="mine"),
    "HandSeatToBot": lambda client: client.hand_to_bot(seat_of(client), "sensible", command_id="mine"),
    "TakeSeatBack": lambda client: client.take_back(seat_of(client), command_id="mine"),
    "CheckCommand": lambda client: client.check(seat_of(client), END, expected_version=7, min_version=7),
    "ListLegalCommands": lambda client: client.legal_commands(
        seat_of(client), version=7, min_version=7, with_effects=True
    ),
    "ExplainRefusals": lambda client: client.explain_refusals(seat_of(client), "seat.2.bag", min_version=7),
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
    "CreateInvitation": lambda client: client.invite("g", 2, lifetime=WHILE, player_id="p1"),
    "ListInvitations": lambda client: client.invitations("g", token="secret"),
    "RevokeInvitation": lambda client: client.revoke_invitation("g", "i"),
    "ListResults": lambda client: client.results(
        cursor="c", title="orleans", newest_first=True, platform="lobby", page_size=7
    ),
    "GetStandings": lambda client: client.standings("orleans", ["p1"], people_only=True, platform="lobby"),
    "ListKeys": lambda client: client.record_keys(),
}


class Recorder(grpc.GenericRpcHandler):
    """Answers every rpc with nothing, and keeps what was asked, and which game it was said to be about."""

    def __init__(self) -> None:
        self.asked: list[Message] = []
        self.games: list[str | bytes] = []

    def service(self, details: grpc.HandlerCallDetails) -> grpc.RpcMethodHandler[Any, Any]:
        rpc = RPCS[details.method.rpartition("/")[2]]
        question, answer = GetMessageClass(rpc.input_type), GetMessageClass(rpc.output_type)

        def keep(asked: Any, context: grpc.ServicerContext) -> None:
            self.asked += list(asked) if rpc.client_streaming else [asked]
            self.games.append(dict(context.invocation_metadata()).get("x-game-id", ""))

        def once(asked: Any, context: grpc.ServicerContext) -> Message:
            keep(asked, context)
            return answer()

        def nothing(asked: Any, context: grpc.ServicerContext) -> Iterator[Message]:
            keep(asked, context)
            return iter(())

        kind = f"{'stream' if rpc.client_streaming else 'unary'}_{'stream' if rpc.server_streaming else 'unary'}"
        make = getattr(grpc, f"{kind}_rpc_method_handler")
        made: grpc.RpcMethodHandler[Any, Any] = make(
            nothing if rpc.server_streaming else once, question.FromString, answer.SerializeToString
        )
        return made


@contextmanager
def recording() -> Iterator[tuple[str, Recorder]]:
    recorder = Recorder()
    server = grpc.server(ThreadPoolExecutor(2))
    server.add_generic_rpc_handlers((recorder,))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"127.0.0.1:{port}", recorder
    finally:
        server.stop(None).wait()


def unsaid(recorder: Recorder) -> set[str]:
    """The fields of the request that the call could not fill."""
    asked = recorder.asked[0]
    return {field.name for field in asked.DESCRIPTOR.fields} - {field.name for field, _ in asked.ListFields()} - OURS


def test_every_rpc_is_among_the_calls() -> None:
    assert set(CALLS) == set(RPCS)


@pytest.mark.parametrize("rpc", CALLS)
def test_every_field_of_a_request_can_be_said(rpc: str) -> None:
    nothing_is_no_answer = suppress(BoardkeeperError, IndexError)  # but what was asked is enough
    with recording() as (address, recorder), Client(address, retry_timeout=0) as client, nothing_is_no_answer:
        outcome = CALLS[rpc](client)
        if inspect.isgenerator(outcome):
            list(outcome)
    assert unsaid(recorder) == set()
    assert recorder.games[0] == getattr(recorder.asked[0], "game_id", "")


@pytest.mark.parametrize("rpc", CALLS)
async def test_the_asyncio_client_can_say_it_too(rpc: str) -> None:
    with recording() as (address, recorder):
        async with AsyncClient(address, retry_timeout=0) as client:
            with suppress(BoardkeeperError, IndexError):
                outcome = CALLS[rpc](client)
                if inspect.isasyncgen(outcome):
                    _ = [item async for item in outcome]
                else:
                    await outcome
    assert unsaid(recorder) == set()
    assert recorder.games[0] == getattr(recorder.asked[0], "game_id", "")


@pytest.mark.parametrize("game", ["", "gä", "g\n", "g" * 65, " "])
def test_what_cannot_be_the_name_of_a_game_is_not_put_beside_a_call(game: str) -> None:
    assert "x-game-id" not in dict(CallHeaders().metadata("", games_pb2.GetGameRequest(game_id=game)))


@pytest.mark.parametrize(("client", "seat"), [(Client, Seat), (AsyncClient, AsyncSeat)])
def test_a_seat_can_say_what_its_client_can(client: type, seat: type) -> None:
    own = {"self", "seat", "game_id", "token"}
    shared = [name for name in vars(seat) if not name.startswith("_") and callable(getattr(client, name, None))]
    assert {"check", "submit", "board", "events", "record", "game"} <= set(shared)
    for name in shared:
        of_client, of_seat = (inspect.signature(getattr(kind, name)).parameters for kind in (client, seat))
        assert set(of_client) - own == set(of_seat) - own, name


@pytest.mark.socket
def test_a_check_is_of_the_version_that_was_meant(client: Client) -> None:
    anna = client.create_game("orleans", [person("Anna"), person("Ben")]).seats[0]
    version = anna.game().version
    assert anna.check(END, expected_version=version, min_version=version) is None
    with pytest.raises(VersionConflict) as caught:
        anna.check(END, expected_version=version - 1)
    assert caught.value.version == version
    with pytest.raises(BoardkeeperError, match=str(version + 1)):
        anna.check(END, min_version=version + 1)


def test_the_titles_of_games_are_not_kept_without_end() -> None:
    known = requests.KnownTitles()
    for number in range(known.MAX_GAMES + 1):
        known.add(f"g{number}", "orleans")
    assert known.get(f"g{known.MAX_GAMES}", [END]) == "orleans"
    assert known.get("g0", [END]) is None
    assert known.get("g0", [Travel("ship", "tours")]) == "", "a command of one title alone needs nobody to ask"


def test_what_is_no_command_of_a_title_is_refused_before_anything_is_sent() -> None:
    with pytest.raises(TypeError, match="Struct is not a command of a title"):
        requests.to_messages([Struct()], "orleans")


def test_an_attempt_lasts_longer_than_the_service_is_to_wait() -> None:
    policy = RetryPolicy(timeout=2.0, retry_timeout=0.0)
    request = games_pb2.GetGameRequest(game_id="g", min_version=7, wait=requests.to_duration(timedelta(seconds=30)))
    assert policy.deadline(request) == 32.0
    assert policy.deadline(games_pb2.GetGameRequest(game_id="g")) == 2.0
    assert next(policy.delays(request), None) is not None, "a service that stops meanwhile is asked again"
    assert next(policy.delays(), None) is None


def test_the_old_name_of_the_time_for_retries_still_works() -> None:
    with pytest.warns(DeprecationWarning, match="use retry_timeout"):
        client = Client("127.0.0.1:1", patience=2.0)
    assert client._connection._retry_policy.retry_timeout == 2.0
