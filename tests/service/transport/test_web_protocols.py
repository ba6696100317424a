"""Browsers get the same responses as gRPC clients: unary calls and streams over Connect and gRPC-Web."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.service.api_server import bearer
from tests.service.log_capture import capture_logs
from tests.service.paused_reads import PausedReads
from tests.service.web import (
    WebApi,
    call_json,
    call_proto,
    connect_status,
    envelope,
    open_connection,
    parse_trailers,
    path_of,
    run_web_server,
    send_request,
    split_envelopes,
    trailer_status,
)

from boardkeeper.service.transport.json_codec import JsonCodec
from boardkeeper.v1 import catalog_pb2, feed_pb2, games_pb2, history_pb2
from boardkeeper.wire.errors import parse_status

pytestmark = pytest.mark.socket

STREAM, STREAM_JSON, GRPC_WEB = "application/connect+proto", "application/connect+json", "application/grpc-web+proto"


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[WebApi]:
    async with run_web_server(tmp_path / "games.db", heartbeat_seconds=30.0, wait_seconds=0.05) as api:
        yield api


async def test_a_game_is_created_and_played_in_json(api: WebApi) -> None:
    seats = [{"name": "Ada"}, {"name": "Bob"}]
    created = await call_json(api.web, "Games.CreateGame", {"title": "orleans", "seats": seats})
    assert created.status == 200, created.body
    game, tokens = created.json()["game"]["gameId"], created.json()["seatTokens"]
    bearer = f"Bearer {tokens[0]['token']}"
    legal = await call_json(api.web, "Games.ListLegalCommands", {"gameId": game, "seat": 1}, authorization=bearer)
    command = legal.json()["commands"][0]["command"]
    request = {"gameId": game, "seat": 1, "commandId": "first", "commands": [command]}
    done = await call_json(api.web, "Games.SubmitCommands", request, authorization=bearer)
    assert done.status == 200, done.body
    again = await call_json(api.web, "Games.SubmitCommands", request, authorization=bearer)
    assert again.json()["version"] == done.json()["version"]
    assert str((await api.game(game)).version) == done.json()["version"]


async def test_connect_and_grpc_web_give_the_same_as_grpc(api: WebApi) -> None:
    game, _ = await api.create()
    request = games_pb2.GetGameRequest(game_id=game.game_id)
    expected = await api.games.GetGame(request)
    binary = await call_proto(api.web, "Games.GetGame", request)
    assert binary.headers["content-type"] == "application/proto"
    assert games_pb2.GetGameResponse.FromString(binary.body) == expected
    assert binary.headers["x-request-id"] == binary.headers["trailer-x-request-id"] != ""
    body = envelope(request.SerializeToString())
    web = await send_request(api.web, "POST", path_of("Games.GetGame"), body, content_type=GRPC_WEB)
    (kind, message), (end, last) = split_envelopes(web.body)
    assert (kind, end, web.status) == (0, 0x80, 200)
    assert games_pb2.GetGameResponse.FromString(message) == expected
    assert parse_trailers(last)["grpc-status"] == "0"
    assert parse_trailers(last)["x-request-id"] == web.headers["x-request-id"]
    text = "application/grpc-web-text"
    web = await send_request(api.web, "POST", path_of("Games.GetGame"), base64.b64encode(body), content_type=text)
    (_, message), (_, last) = split_envelopes(
        b"".join(base64.b64decode(web.body[at : at + 4]) for at in range(0, len(web.body), 4))
    )
    assert games_pb2.GetGameResponse.FromString(message) == expected


async def test_the_call_id_of_the_client_is_returned(api: WebApi) -> None:
    answer = await call_json(api.web, "Catalog.ListTitles", {}, x_request_id="mine-1")
    assert answer.headers["x-request-id"] == answer.headers["trailer-x-request-id"] == "mine-1"


async def test_responses_and_requests_can_be_compressed(api: WebApi) -> None:
    plain = await call_json(api.web, "Catalog.GetTitle", {"title": "orleans"})
    packed = await call_json(api.web, "Catalog.GetTitle", {"title": "orleans"}, accept_encoding="br, gzip;q=0.5")
    assert (plain.headers.get("content-encoding"), packed.headers.get("content-encoding")) == (None, "gzip")
    assert packed.json() == plain.json()
    assert int(packed.headers["content-length"]) * 3 < len(plain.body)
    request = gzip.compress(b'{"title": "orleans"}')
    headers = {"content_type": "application/json", "content_encoding": "gzip"}
    again = await send_request(api.web, "POST", path_of("Catalog.GetTitle"), request, **headers)
    assert again.json() == plain.json()


@pytest.mark.parametrize("content_type", [STREAM, STREAM_JSON, GRPC_WEB])
async def test_watching_a_game_and_resuming_the_stream(api: WebApi, content_type: str) -> None:
    game, tokens = await api.create()
    as_json = content_type == STREAM_JSON

    def request(after: int) -> bytes:
        if as_json:
            return envelope(json.dumps({"gameId": game.game_id, "afterVersion": str(after)}).encode())
        return envelope(games_pb2.WatchGameRequest(game_id=game.game_id, after_version=after).SerializeToString())

    def version(message: bytes) -> int:
        if as_json:
            return int(json.loads(message)["event"]["version"])
        return int(games_pb2.WatchGameResponse.FromString(message).event.version)

    async with open_connection(api.web) as watching:
        watching.send("POST", path_of("Games.WatchGame"), request(0), content_type=content_type)
        head = await watching.read_head()
        assert (head.status, head.headers["content-type"]) == (200, content_type)
        seen = [version((await watching.read_envelope())[1]) for _ in range(game.version)]
        assert seen == list(range(1, game.version + 1))
        legal = await api.legal(game.game_id, 1, tokens[1])
        await api.submit(game.game_id, 1, tokens[1], "one", legal.commands[0].command)
        assert version((await watching.read_envelope())[1]) == game.version + 1
    async with open_connection(api.web) as watching:
        watching.send("POST", path_of("Games.WatchGame"), request(game.version - 1), content_type=content_type)
        await watching.read_head()
        assert [version((await watching.read_envelope())[1]) for _ in range(2)] == [game.version, game.version + 1]


async def test_the_head_of_a_stream_is_sent_before_the_first_event(api: WebApi) -> None:
    game, _ = await api.create()
    request = games_pb2.WatchGameRequest(game_id=game.game_id, after_version=game.version)
    async with open_connection(api.web) as watching:
        body = envelope(request.SerializeToString())
        watching.send("POST", path_of("Games.WatchGame"), body, content_type=STREAM)
        assert (await watching.read_head()).status == 200


async def test_a_fetched_record_can_be_imported(api: WebApi, tmp_path: Path) -> None:
    game, _ = await api.create()
    body = envelope(history_pb2.GetRecordRequest(game_id=game.game_id).SerializeToString())
    fetched = await send_request(api.web, "POST", path_of("History.GetRecord"), body, content_type=STREAM)
    *blocks, (end, last) = split_envelopes(fetched.body)
    assert (end, "error" in json.loads(last)) == (2, False)
    sent = b"".join(
        envelope(
            history_pb2.ImportRecordRequest(
                data=history_pb2.GetRecordResponse.FromString(block).data
            ).SerializeToString()
        )
        for _, block in blocks
    )
    answer = await send_request(api.web, "POST", path_of("History.ImportRecord"), sent, content_type=STREAM)
    ((_, last),) = split_envelopes(answer.body)
    assert parse_status(connect_status(json.loads(last)["error"])).reason == "GAME_EXISTS"


async def test_bidirectional_streams_are_rejected_with_an_alternative(api: WebApi) -> None:
    answer = await send_request(api.web, "POST", path_of("Games.Play"), envelope(b""), content_type=STREAM)
    ((_, last),) = split_envelopes(answer.body)
    problem = parse_status(connect_status(json.loads(last)["error"]))
    assert (problem.code, problem.reason) == (grpc.StatusCode.UNIMPLEMENTED, "NOT_OVER_HTTP")
    assert "WatchGame" in problem.text


GAME = "11111111-2222-4333-8444-555555555555"
FAILING_CALLS: list[tuple[str, Any, dict[str, str]]] = [
    ("Games.GetGame", games_pb2.GetGameRequest(game_id=GAME), {}),
    ("Games.GetGame", games_pb2.GetGameRequest(game_id="x"), {}),
    ("Games.GetGame", games_pb2.GetGameRequest(game_id="$GAME", min_version=10_000), {}),
    ("Games.ListLegalCommands", games_pb2.ListLegalCommandsRequest(game_id="$GAME", seat=1), {}),
    ("Games.ListLegalCommands", games_pb2.ListLegalCommandsRequest(game_id="$GAME", seat=9), {}),
    (
        "Games.ListLegalCommands",
        games_pb2.ListLegalCommandsRequest(game_id="$GAME", seat=1),
        {"authorization": "Bearer x"},
    ),
    ("Games.ListLegalCommands", games_pb2.ListLegalCommandsRequest(game_id="$GAME", seat=1), {"authorization": "odd"}),
    ("Games.RemoveGame", games_pb2.RemoveGameRequest(game_id="$GAME"), {}),
    ("Games.CreateGame", games_pb2.CreateGameRequest(title="ludo", seats=[games_pb2.SeatRequest(name="A")]), {}),
    ("Games.CreateGame", games_pb2.CreateGameRequest(title="orleans"), {"accept-language": "de"}),
    ("Games.JoinGame", games_pb2.JoinGameRequest(game_id="$GAME", name="Cy"), {}),
    ("Catalog.GetTitle", catalog_pb2.GetTitleRequest(title="ludo"), {"accept-language": "de-AT,en;q=0.5"}),
    (
        "Games.SubmitCommands",
        games_pb2.SubmitCommandsRequest(game_id="$GAME", seat=1, command_id="a"),
        {"authorization": "$TOKEN"},
    ),
    ("Games.SubmitCommands", "rejected", {"authorization": "$TOKEN"}),
    ("Games.SubmitCommands", "conflict", {"authorization": "$TOKEN"}),
]


async def test_errors_have_the_same_details_as_over_grpc(api: WebApi) -> None:
    game, tokens = await api.create()
    legal = (await api.legal(game.game_id, 1, tokens[1])).commands
    wrong = games_pb2.SubmitCommandsRequest(game_id=game.game_id, seat=1, command_id="b", commands=[legal[0].command])
    wrong.commands[0].orleans.place_follower.place = "nowhere"
    late = games_pb2.SubmitCommandsRequest(
        game_id=game.game_id, seat=1, command_id="c", commands=[legal[0].command], expected_version=1
    )
    codes = set()
    for rpc, template, metadata in FAILING_CALLS:
        request = {"rejected": wrong, "conflict": late}.get(template) if isinstance(template, str) else type(template)()
        assert request is not None
        if not isinstance(template, str):
            request.CopyFrom(template)
            if getattr(request, "game_id", "") == "$GAME":
                request.game_id = game.game_id
        sent = {key: f"Bearer {tokens[1]}" if value == "$TOKEN" else value for key, value in metadata.items()}
        sent["x-request-id"] = "the-same"
        service, _, name = rpc.partition(".")
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await getattr(getattr(api, service.lower()), name)(request, metadata=tuple(sent.items()))
        details = dict(caught.value.trailing_metadata() or ())["grpc-status-details-bin"]
        expected = type(trailer_status({"grpc-status": "0"}))()
        expected.ParseFromString(details)
        headers = {key.replace("-", "_"): value for key, value in sent.items()}
        connect = await call_proto(api.web, rpc, request, **headers)
        assert connect.status_message() == expected, (rpc, connect.body)
        assert connect.status >= 400
        body = envelope(request.SerializeToString())
        web = await send_request(api.web, "POST", path_of(rpc), body, content_type=GRPC_WEB, **headers)
        ((_, last),) = split_envelopes(web.body)
        assert trailer_status(parse_trailers(last)) == expected, rpc
        codes.add(parse_status(expected).code)
    assert len(codes) >= 7, codes


async def test_the_curl_examples_of_the_documentation_work(api: WebApi, repository: Path) -> None:
    shown = re.compile(r"^curl http://localhost:8050(\S+)([^\n]*) --json '(\{.*\})'$", re.MULTILINE)
    game, tokens = await api.create()
    done = 0
    for name in ("README.md", "docs/web.md"):
        for path, flags, text in shown.findall((repository / name).read_text(encoding="utf-8")):
            headers = {"authorization": f"Bearer {tokens[1]}"} if "$TOKEN" in flags else {}
            body = text.replace("'$GAME'", game.game_id).encode()
            answer = await send_request(api.web, "POST", path, body, content_type="application/json", **headers)
            assert answer.status == 200, (name, path, answer.body)
            done += 1
    assert done == 3


async def test_a_rejected_stream_ends_with_the_error(api: WebApi) -> None:
    body = envelope(games_pb2.WatchGameRequest(game_id=GAME).SerializeToString())
    connect = await send_request(api.web, "POST", path_of("Games.WatchGame"), body, content_type=STREAM)
    ((kind, last),) = split_envelopes(connect.body)
    assert (connect.status, kind) == (200, 2)
    assert parse_status(connect_status(json.loads(last)["error"])).reason == "GAME_NOT_FOUND"
    web = await send_request(api.web, "POST", path_of("Games.WatchGame"), body, content_type=GRPC_WEB)
    ((kind, last),) = split_envelopes(web.body)
    assert (kind, parse_status(trailer_status(parse_trailers(last))).reason) == (0x80, "GAME_NOT_FOUND")


async def test_a_stream_ends_when_its_client_disconnects(api: WebApi) -> None:
    game, _ = await api.create()
    counters = api.service._calls
    async with open_connection(api.web) as watching:
        request = games_pb2.WatchGameRequest(game_id=game.game_id)
        watching.send("POST", path_of("Games.WatchGame"), envelope(request.SerializeToString()), content_type=STREAM)
        await watching.read_head()
        await watching.read_envelope()
        assert counters.open == 1
    async with asyncio.timeout(60):
        while counters.open:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_streams_end_with_a_retry_time_when_the_server_stops(tmp_path: Path) -> None:
    async with (
        run_web_server(tmp_path / "games.db") as api,
        open_connection(api.web) as watching,
        open_connection(api.web) as idle,
    ):
        game, _ = await api.create()
        assert (await idle.request("GET", "/healthz")).status == 200
        request = games_pb2.WatchGameRequest(game_id=game.game_id, after_version=game.version)
        watching.send("POST", path_of("Games.WatchGame"), envelope(request.SerializeToString()), content_type=STREAM)
        await watching.read_head()
        await api.service.stop()
        kind, last = await watching.read_envelope()
        problem = parse_status(connect_status(json.loads(last)["error"]))
        assert (kind, problem.code, problem.reason) == (2, grpc.StatusCode.UNAVAILABLE, "SHUTTING_DOWN")
        assert problem.retry_after > 0
        assert await watching.wait_closed()
        assert await idle.wait_closed()


async def test_open_calls_finish_and_new_calls_are_rejected_during_a_stop(tmp_path: Path, paused: PausedReads) -> None:
    async with run_web_server(tmp_path / "games.db", grace_seconds=200.0) as api, open_connection(api.web) as other:
        game, _ = await api.create()
        assert (await other.request("GET", "/healthz")).status == 200
        reading = asyncio.create_task(call_json(api.web, "Games.GetGame", {"gameId": game.game_id, "minVersion": "1"}))
        await paused.begun.wait()
        stop = asyncio.create_task(api.service.stop())
        await api.service._registry.drained.wait()
        assert (await other.request("GET", "/healthz")).status == 503
        late = await other.request("POST", path_of("Games.ListGames"), b"{}", content_type="application/json")
        assert (late.status, late.error_details().reason) == (503, "SHUTTING_DOWN")
        paused.may_end.set()
        assert (await reading).status == 200
        await stop
        assert await other.wait_closed()


async def test_a_call_is_cancelled_when_its_client_disconnects(api: WebApi, paused: PausedReads) -> None:
    game, _ = await api.create()
    async with open_connection(api.web) as connection:
        body = json.dumps({"gameId": game.game_id, "minVersion": "1"}).encode()
        connection.send("POST", path_of("Games.GetGame"), body, content_type="application/json")
        await paused.begun.wait()
    await paused.was_cancelled.wait()


async def test_the_log_lines_of_calls_are_the_same_as_for_grpc(tmp_path: Path) -> None:
    with capture_logs() as lines:
        async with run_web_server(tmp_path / "games.db") as api:
            game, _ = await api.create()
            request = games_pb2.GetGameRequest(game_id=game.game_id)
            await api.games.GetGame(request, metadata=(("x-request-id", "the-same"),))
            await call_proto(api.web, "Games.GetGame", request, x_request_id="the-same")
            await call_json(api.web, "Games.GetGame", {"gameId": "x"})
        calls = [each | {"ms": 0} for each in lines if each["event"] == "call" and each["rpc"] == "Games.GetGame"]
    assert len(calls) == 3
    assert calls[0] == calls[1]
    assert (calls[0]["game"], calls[0]["call_id"]) == (game.game_id, "the-same")
    assert calls[2]["code"] == "INVALID_ARGUMENT"


async def test_the_feed_of_all_games_can_be_watched(api: WebApi) -> None:
    async with open_connection(api.web) as following:
        body = envelope(feed_pb2.WatchGamesRequest().SerializeToString())
        following.send("POST", path_of("Feed.WatchGames"), body, content_type=STREAM)
        assert (await following.read_head()).status == 200
        game, _ = await api.create()
        item = feed_pb2.WatchGamesResponse()
        while item.item.game_id != game.game_id:
            item = feed_pb2.WatchGamesResponse.FromString((await following.read_envelope())[1])


async def test_a_deadline_ends_a_call(tmp_path: Path) -> None:
    async with run_web_server(tmp_path / "games.db", wait_seconds=200.0) as api:
        game, _ = await api.create()
        request = {"gameId": game.game_id, "minVersion": "1000"}
        late = await call_json(api.web, "Games.GetGame", request, connect_timeout_ms="50")
        assert (late.status, late.json()["code"]) == (504, "deadline_exceeded")
        body = envelope(games_pb2.GetGameRequest(game_id=game.game_id, min_version=1000).SerializeToString())
        web = await send_request(
            api.web, "POST", path_of("Games.GetGame"), body, content_type=GRPC_WEB, grpc_timeout="50m"
        )
        ((_, last),) = split_envelopes(web.body)
        assert parse_trailers(last)["grpc-status"] == "4"
        for header in ({"grpc_timeout": "99999999H"}, {"connect_timeout_ms": "9999999999"}):
            long = await call_json(api.web, "Games.GetGame", {"gameId": game.game_id}, **header)
            assert long.status == 200
        odd = await call_json(api.web, "Games.GetGame", request, connect_timeout_ms="soon")
        assert odd.error_details().violations.keys() == {"connect-timeout-ms"}


async def test_only_version_1_of_connect_is_accepted(api: WebApi) -> None:
    assert (await call_json(api.web, "Catalog.ListTitles", {}, connect_protocol_version="1")).status == 200
    odd = await call_json(api.web, "Catalog.ListTitles", {}, connect_protocol_version="2")
    assert (odd.status, set(odd.error_details().violations)) == (400, {"connect-protocol-version"})


async def test_responses_forbid_caching(api: WebApi) -> None:
    for rpc, request in (("Catalog.ListTitles", {}), ("Games.GetGame", {"gameId": "x"}), ("Games.Nothing", {})):
        answer = await call_json(api.web, rpc, request)
        assert answer.headers["cache-control"] == "no-store"
    game, _ = await api.create()
    body = envelope(history_pb2.GetRecordRequest(game_id=game.game_id).SerializeToString())
    answer = await send_request(api.web, "POST", path_of("History.GetRecord"), body, content_type=STREAM)
    assert answer.headers["cache-control"] == "no-store"


async def test_only_the_json_of_shared_stream_messages_is_cached(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> bytes:
        raise AssertionError("it was cached")

    monkeypatch.setattr("boardkeeper.service.transport.json_codec.lru_cache", lambda **_: lambda _: never)
    games = {method.name: JsonCodec(method) for method in games_pb2.DESCRIPTOR.services_by_name["Games"].methods}
    assert json.loads(await games["CreateGame"].encode_answer(b"")) == {}
    with pytest.raises(AssertionError, match="it was cached"):
        await games["WatchGame"].encode_answer(b"")


async def test_tokens_and_languages_are_headers(api: WebApi) -> None:
    game, tokens = await api.create()
    request = games_pb2.ListLegalCommandsRequest(game_id=game.game_id, seat=1)
    for language in ("de", "en"):
        metadata = bearer(tokens[1], **{"accept-language": language})
        expected = await api.games.ListLegalCommands(request, metadata=(metadata[0], ("accept-language", language)))
        headers = {"authorization": f"Bearer {tokens[1]}", "accept_language": f"{language}-CH, fr;q=0.9"}
        answer = await call_proto(api.web, "Games.ListLegalCommands", request, **headers)
        assert games_pb2.ListLegalCommandsResponse.FromString(answer.body) == expected
