"""Content of a title of another package over every protocol, and the schema that describes it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from google.protobuf.descriptor_pool import DescriptorPool
from grpc import StatusCode
from tests.service.api_server import bearer, grpc_error
from tests.service.outside.test_service import created
from tests.service.transport.test_reflection import Reflection
from tests.service.transport.test_web_protocols import GRPC_WEB, STREAM, STREAM_JSON
from tests.service.web import (
    WebApi,
    call_json,
    call_proto,
    envelope,
    open_connection,
    path_of,
    run_web_server,
    send_request,
    split_envelopes,
)

from boardkeeper.titles.registry import TITLES
from boardkeeper.v1 import catalog_pb2, command_pb2, games_pb2
from boardkeeper.wire.schema import messages_of
from boardkeeper.wire.title import load_title_wire

pytestmark = pytest.mark.socket

COMMAND = {"outside": {"@type": "type.googleapis.com/boardkeeper.pebbles.v1.Command", "drawPebbles": {"count": 2}}}


@pytest.fixture
async def api(site: Path, tmp_path: Path) -> AsyncIterator[WebApi]:
    async with run_web_server(tmp_path / "games.db", titles="built-in,pebbles", heartbeat_seconds=30.0) as api:
        yield api


async def schema_of(api: WebApi, title: str) -> Any:
    return (await api.catalog.GetSchema(catalog_pb2.GetSchemaRequest(title=title))).schema


async def test_a_game_is_played_in_json(api: WebApi) -> None:
    game, tokens = await created(api)
    token = f"Bearer {tokens[1]}"
    asked = {"gameId": game.game_id, "seat": 1}
    legal = await call_json(api.web, "Games.ListLegalCommands", asked, authorization=token)
    assert legal.json()["commands"][1]["command"] == COMMAND
    request = {**asked, "commandId": "a", "commands": [COMMAND]}
    done = await call_json(api.web, "Games.SubmitCommands", request, authorization=token)
    assert done.status == 200, done.body
    (event,) = done.json()["events"]
    type_url = "type.googleapis.com/boardkeeper.pebbles.v1.EventDetail"
    assert event["detail"] == {"outside": {"@type": type_url, "pebblesDrawn": {"count": 2}}}
    board = await call_json(api.web, "Games.GetBoard", {"gameId": game.game_id})
    assert board.json()["board"]["outside"] == {
        "@type": "type.googleapis.com/boardkeeper.pebbles.v1.Board", "turn": 1, "bag": 9,
    }  # fmt: skip


WRONG_OUTSIDE = {
    "type.googleapis.com/boardkeeper.chess.v1.Command": "is of the title 'chess', which this server does not serve",
    "type.googleapis.com/boardkeeper.pebbles.v1.Command": "must be the JSON of a message boardkeeper.pebbles",
    "x/y": 'must be an object with an "@type" such as',
}


@pytest.mark.parametrize("type_url", WRONG_OUTSIDE)
async def test_json_of_another_title_says_which(api: WebApi, type_url: str) -> None:
    game, tokens = await created(api)
    command = {"outside": {"@type": type_url, "drawPebbles": {"number": 2}}}
    request = {"gameId": game.game_id, "seat": 1, "commandId": "a", "commands": [command]}
    answer = await call_json(api.web, "Games.SubmitCommands", request, authorization=f"Bearer {tokens[1]}")
    ((field, problem),) = answer.error_details().violations.items()
    assert field == "commands[0].outside"
    assert problem.startswith(WRONG_OUTSIDE[type_url])


@pytest.mark.parametrize(
    "outside",
    [
        {"@type": "type.googleapis.com/boardkeeper.chess.v1.Command"},
        {"@type": "type.googleapis.com/boardkeeper.pebbles.v1.Command", "drawPebbles": {"count": "many"}},
        {"@type": "type.googleapis.com/boardkeeper.pebbles.v1.Command", "drawStones": {}},
        {"@type": "type.googleapis.com/boardkeeper.pebbles.v1.DrawPebbles", "count": 2},
        {"@type": "type.googleapis.com/google.protobuf.Duration", "value": "3s"},
        {"drawPebbles": {"count": 2}},
        {},
    ],
)
async def test_json_that_is_no_command_is_a_bad_request(api: WebApi, outside: dict[str, Any]) -> None:
    game, tokens = await created(api)
    request = {"gameId": game.game_id, "seat": 1, "commandId": "a", "commands": [{"outside": outside}]}
    answer = await call_json(api.web, "Games.SubmitCommands", request, authorization=f"Bearer {tokens[1]}")
    assert answer.status == 400, answer.body
    assert answer.error_details().reason == "BAD_REQUEST"
    assert (await api.game(game.game_id)).version == game.version


async def test_unary_calls_give_the_same_over_every_protocol(api: WebApi) -> None:
    game, tokens = await created(api)
    await api.submit(game.game_id, 1, tokens[1], "a", json_format.ParseDict(COMMAND, command_pb2.Command()))
    calls: dict[str, tuple[Any, type[Any]]] = {
        "Games.GetGame": (games_pb2.GetGameRequest(game_id=game.game_id), games_pb2.GetGameResponse),
        "Games.ListLegalCommands": (
            games_pb2.ListLegalCommandsRequest(game_id=game.game_id, seat=2), games_pb2.ListLegalCommandsResponse,
        ),
        "Games.GetBoard": (games_pb2.GetBoardRequest(game_id=game.game_id), games_pb2.GetBoardResponse),
    }  # fmt: skip
    for name, (request, kind) in calls.items():
        by_grpc = await getattr(api.games, name.partition(".")[2])(request, metadata=bearer(tokens[2]))
        token = f"Bearer {tokens[2]}"
        assert kind.FromString((await call_proto(api.web, name, request, authorization=token)).body) == by_grpc
        asked = json_format.MessageToDict(request)
        by_json = await call_json(api.web, name, asked, authorization=token)
        assert json_format.Parse(by_json.body, kind()) == by_grpc
        body = envelope(request.SerializeToString())
        web = await send_request(api.web, "POST", path_of(name), body, content_type=GRPC_WEB, authorization=token)
        assert kind.FromString(split_envelopes(web.body)[0][1]) == by_grpc


@pytest.mark.parametrize("content_type", [STREAM, STREAM_JSON, GRPC_WEB])
async def test_streams_give_the_same_over_every_protocol(api: WebApi, content_type: str) -> None:
    game, tokens = await created(api)
    request = games_pb2.WatchGameRequest(game_id=game.game_id, after_version=game.version)
    command = json_format.ParseDict(COMMAND, command_pb2.Command())
    done = await api.submit(game.game_id, 1, tokens[1], "a", command)
    watching = api.games.WatchGame(request, metadata=bearer(tokens[1]))
    while not (by_grpc := await watching.read()).HasField("event"):
        pass
    async with open_connection(api.web) as connection:
        is_json = content_type == STREAM_JSON
        body = json_format.MessageToJson(request).encode() if is_json else request.SerializeToString()
        headers = {"content_type": content_type, "authorization": f"Bearer {tokens[1]}"}
        connection.send("POST", path_of("Games.WatchGame"), envelope(body), **headers)
        assert (await connection.read_head()).status == 200
        answer = games_pb2.WatchGameResponse()
        while not answer.HasField("event"):
            data = (await connection.read_envelope())[1]
            answer = games_pb2.WatchGameResponse()
            json_format.Parse(data, answer) if is_json else answer.ParseFromString(data)
    assert answer.event == by_grpc.event
    assert answer.event.version == done.version
    assert answer.event.detail.outside.TypeName() == "boardkeeper.pebbles.v1.EventDetail"


async def test_the_schema_is_all_that_a_client_needs(api: WebApi) -> None:
    game, tokens = await created(api)
    pool = DescriptorPool()
    types = messages_of(await schema_of(api, "pebbles"), pool)
    legal = await api.legal(game.game_id, 1, tokens[1])
    command: Any = types["Command"].FromString(legal.commands[1].command.outside.value)
    assert (command.WhichOneof("command"), command.draw_pebbles.count) == ("draw_pebbles", 2)
    assert json_format.MessageToDict(legal.commands[1].command, descriptor_pool=pool) == COMMAND


@pytest.mark.parametrize("title", TITLES)
async def test_our_titles_have_a_schema_too(api: WebApi, title: str) -> None:
    types = messages_of(await schema_of(api, title), DescriptorPool())
    published = load_title_wire(title).command_message.DESCRIPTOR
    assert list(types["Command"].DESCRIPTOR.fields_by_name) == list(published.fields_by_name)


async def test_an_unknown_title_has_no_schema(api: WebApi) -> None:
    async with grpc_error(StatusCode.NOT_FOUND, "TITLE_NOT_FOUND"):
        await schema_of(api, "chess")
    answer = await call_json(api.web, "Catalog.GetSchema", {"title": "pebbles"})
    assert [file["name"] for file in json.loads(answer.body)["schema"]["file"]] == [
        f"boardkeeper/pebbles/v1/{name}.proto" for name in ("commands", "events", "board")
    ]


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
async def test_reflection_describes_the_content(api: WebApi, version: str) -> None:
    reflection = Reflection(api.channel, version)
    assert await reflection.files(file_containing_symbol="boardkeeper.pebbles.v1.Command")
    found = reflection.pool.FindMessageTypeByName("boardkeeper.pebbles.v1.DrawPebbles")
    assert list(found.fields_by_name) == ["count"]
