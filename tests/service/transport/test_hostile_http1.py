"""Hostile HTTP/1.1 peers: nothing that they send causes a server error or blocks the server."""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import socket
import ssl
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from tests.certificates import Authority
from tests.service.web import (
    HttpResponse,
    WebApi,
    call_json,
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

from boardkeeper.service.api.event_streams import EventStreams
from boardkeeper.service.limits.addresses import Peers
from boardkeeper.service.limits.connections_per_address import ConnectionsPerAddress
from boardkeeper.service.process import front
from boardkeeper.service.requests.errors import InvalidRequestError
from boardkeeper.service.transport import http1, read_timeouts
from boardkeeper.service.transport.asgi import peer_name
from boardkeeper.service.transport.framing import CONNECT_END, MAX_REQUEST_BYTES, MessageReader
from boardkeeper.v1 import games_pb2
from boardkeeper.wire.errors import ErrorDetails, parse_status

pytestmark = pytest.mark.socket

CREATE, WATCH, IMPORT = path_of("Games.CreateGame"), path_of("Games.WatchGame"), path_of("History.ImportRecord")
JSON, PROTO = "application/json", "application/proto"
STREAM, STREAM_JSON, GRPC_WEB = "application/connect+proto", "application/connect+json", "application/grpc-web+proto"


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[WebApi]:
    async with run_web_server(tmp_path / "games.db") as api:
        yield api


def problem_in(answer: HttpResponse) -> ErrorDetails:
    """Return the error in a response of any protocol."""
    kind = answer.headers["content-type"]
    if kind.startswith("application/grpc-web"):
        return parse_status(trailer_status(parse_trailers(split_envelopes(answer.body)[-1][1])))
    if kind.startswith("application/connect+"):
        return parse_status(connect_status(json.loads(split_envelopes(answer.body)[-1][1])["error"]))
    return answer.error_details()


def open_connections(api: WebApi) -> set[Any]:
    """Return the open HTTP/1.1 connections."""
    connections = api.service._front.connections
    assert connections is not None
    return {each for each in connections.open if isinstance(each, http1.Http1Protocol)}


# --- bodies --------------------------------------------------------------------------------------------------

ODD_JSON = (
    b"", b"   ", b"null", b"[]", b"0", b'"x"', b"{", b"{}}", b"\xff\xfe", b"[" * 50_000, b'{"seats":' * 2_000,
    b'{"title": 1e999}', b'{"seats": [[]]}', b'{"title": null}', b'{"title": "a", "title": "b"}',
    b'{"seats": {"name": 1}}',
    b'{"seats": [{"entropy": "not base64!"}]}', b'{"seats": [{"seat": 99999999999999999999999999}]}',
    b'{"title": "\\ud800"}', b'{"titel": "orleans"}', b'{"options": {"a": {}}}', b'{"seatTokenLifetime": "1 day"}',
    b'{"timeControl": {"perMove": "NaN"}}', b'{"title": NaN}', b'{"seats": [{"name": "' + b"x" * 200_000 + b'"}]}',
    b'{"title": ' + b"9" * 6_000 + b"}",
)  # fmt: skip


async def test_invalid_json_is_an_error_of_the_client(api: WebApi) -> None:
    async with open_connection(api.web) as connection:
        for text in ODD_JSON:
            answer = await connection.request("POST", CREATE, text, content_type=JSON)
            assert 400 <= answer.status < 500, (text[:60], answer.body)
            assert answer.json()["code"] in ("invalid_argument", "not_found"), (text[:60], answer.body)
    many = b'{"seats": [' + b",".join([b"{}"] * 20_000) + b"]}"
    assert "8000 values" in (await send_request(api.web, "POST", CREATE, many, content_type=JSON)).error_details().text
    named = await send_request(api.web, "POST", CREATE, b'{"titel": "orleans"}', content_type=JSON)
    assert named.error_details().violations == {"titel": "is not a field of CreateGameRequest"}


WRONG_JSON = (
    ("Games.GetGame", b'{"gameId": "a", "game_id": "b"}', "game_id", "is sent twice, as 'gameId' and as 'game_id'"),
    ("Games.GetGame", b'{"gameId": "a", "gameId": "b"}', "", "The JSON has the key 'gameId' twice in one object."),
    ("Games.GetGame", b'{"gameId": 5}', "game_id", "must be a string"),
    ("Games.GetGame", b'{"gameId": "\\ud800"}', "game_id", "must be valid Unicode"),
    ("Games.GetGame", b'{"minVersion": "x"}', "min_version", "must be a whole number from -9223372036854775808 to "),
    ("Games.GetGame", b'{"wait": 25}', "wait", 'must be a number of seconds followed by "s", such as "25s"'),
    ("Games.GetGame", b'{"gameId": "a"', "", "The body is not valid JSON: see line 1, column 15."),
    ("Games.GetGame", b"[1]", "", "The body must be a JSON object."),
    ("Games.GetGame", b"null", "", "The body must be a JSON object."),
    ("Games.GetGame", b"", "", "The body is empty: send at least {}."),
    ("Games.GetGame", b"\xff{}", "", "The body must be UTF-8."),
    ("Games.GetGame", b'{"a": ' * 6_000, "", "The body is not valid JSON for this request."),
    ("Games.ListGames", b'{"status": "OVER"}', "status", "must be one of: GAME_STATUS_UNSPECIFIED, GAME_STATUS_OPEN, "),
    ("Games.ListGames", b'{"createdAfter": "now"}', "created_after", "must be a time with a time zone, such as "),
    ("Games.CreateGame", b'{"seats": [{"name": "A"}, {"nam": "B"}]}', "seats[1].nam", "is not a field of SeatRequest"),
    ("Games.CreateGame", b'{"seats": [{"name": 1}]}', "seats[0].name", "must be a string"),
    ("Games.CreateGame", b'{"seats": [null]}', "seats[0]", "must not be null"),
    ("Games.CreateGame", b'{"seats": {"name": "A"}}', "seats", "must be an array"),
    ("Games.CreateGame", b'{"seats": [[]]}', "seats[0]", "must be an object"),
    ("Games.CreateGame", b'{"seats": [{"entropy": "%%%"}]}', "seats[0].entropy", "must be a string in base64"),
    ("Games.CreateGame", b'{"seats": [{"open": "yes"}]}', "seats[0].open", "must be true or false"),
    ("Games.CreateGame", b'{"options": {"a": 1}}', "options.a", "must be a string"),
    ("Games.CreateGame", b'{"options": ["a"]}', "options", "must be an object"),
    (
        "Games.SubmitCommands",
        b'{"commands": [{"orleans": {"travel": {}, "drawFollowers": {}}}]}',
        "commands[0].orleans.draw_followers",
        "cannot be sent together with 'travel'",
    ),
)


async def test_wrong_json_is_rejected_with_the_path_of_the_field_and_a_translated_text(api: WebApi) -> None:
    async with open_connection(api.web) as connection:
        for rpc, text, path, said in WRONG_JSON:
            answer = await connection.request("POST", path_of(rpc), text, content_type=JSON)
            problem = answer.error_details()
            assert (problem.reason, list(problem.violations)) == ("BAD_REQUEST", [path]), text[:60]
            assert problem.violations[path].startswith(said), text[:60]
            whole = problem.violations[path]
            assert answer.json()["message"] == (f"`{path}` {whole}." if path else whole)
            german = await connection.request("POST", path_of(rpc), text, content_type=JSON, accept_language="de")
            assert german.json()["message"] != answer.json()["message"]


async def test_both_names_of_a_field_and_all_forms_of_values_are_accepted(api: WebApi) -> None:
    mixed = b"""{"title": "orleans", "requestId": "0123456789abcdef", "by_invitation": false, "spectators": null,
        "seats": [{"name": "A", "entropy": "_-8="}, {"name": "B", "entropy": "/+8"}], "options": {},
        "time_control": {"kind": "move", "seconds": "60", "onExpiry": "bot"}, "seatTokenLifetime": "3600s"}"""
    plain = b"""{"title": "orleans", "request_id": "0123456789abcdef",
        "seats": [{"name": "A", "entropy": "/+8="}, {"name": "B", "entropy": "_-8"}],
        "timeControl": {"kind": "move", "seconds": 60.0, "on_expiry": "bot"}, "seat_token_lifetime": "3600s"}"""
    answers = [await send_request(api.web, "POST", CREATE, text, content_type=JSON) for text in (mixed, plain)]
    assert [answer.status for answer in answers] == [200, 200], answers
    first, second = (answer.json() for answer in answers)
    assert first["seatTokens"] == second["seatTokens"]  # they are the same request


@pytest.mark.parametrize("path", [CREATE, WATCH, IMPORT])
async def test_random_requests_never_cause_a_server_error(api: WebApi, path: str) -> None:
    chance = random.Random(path)
    kinds = [JSON, PROTO, STREAM, STREAM_JSON, GRPC_WEB, "application/grpc-web-text", "text/plain", "odd", ""]
    whole = games_pb2.CreateGameRequest(title="orleans", seats=[games_pb2.SeatRequest(name="A")]).SerializeToString()
    for _ in range(150):
        body = chance.choice((whole, envelope(whole), b'{"title": "orleans"}', envelope(b"{}"), b""))
        body = bytes(each if chance.random() > 0.1 else chance.randrange(256) for each in body)
        body = body[: chance.randrange(len(body) + 1)] if chance.random() < 0.3 else body
        headers = {"content_type": chance.choice(kinds)}
        for name in ("content_encoding", "connect_content_encoding", "grpc_encoding"):
            if chance.random() < 0.2:
                headers[name] = chance.choice(("gzip", "identity", "br", "", "\xff"))
        if chance.random() < 0.2:
            headers[chance.choice(("connect_timeout_ms", "grpc_timeout"))] = chance.choice(
                ("x", "9S", "-1", "99999999999")
            )
        answer = await send_request(api.web, "POST", path, body, **headers)
        if answer.status in (405, 415):
            continue
        assert answer.status == 200 or 400 <= answer.status < 500 or answer.status == 501, (headers, body, answer)
        if "error" in answer.body.decode("latin-1") or "grpc-status-details" in answer.body.decode("latin-1"):
            assert problem_in(answer).code.name not in ("UNKNOWN", "INTERNAL"), (headers, body, answer)
    assert (await send_request(api.web, "GET", "/healthz")).status == 200


@pytest.mark.parametrize("content_type", [JSON, PROTO, STREAM_JSON, GRPC_WEB])
async def test_messages_have_a_size_limit_before_and_after_decompression(api: WebApi, content_type: str) -> None:
    is_alone = content_type in (JSON, PROTO)
    path = CREATE if content_type != STREAM_JSON else WATCH
    huge = b" " * (MAX_REQUEST_BYTES + 1)
    sent = huge if is_alone else envelope(huge)
    answer = await send_request(api.web, "POST", path, sent, content_type=content_type)
    assert problem_in(answer).reason == "REQUEST_TOO_LARGE"
    packed = zlib.compressobj(9, wbits=31)
    bomb = b"".join(packed.compress(b"\0" * 1_000_000) for _ in range(64)) + packed.flush()
    assert len(bomb) < MAX_REQUEST_BYTES
    name = {GRPC_WEB: "grpc_encoding", STREAM_JSON: "connect_content_encoding"}.get(content_type, "content_encoding")
    sent = bomb if is_alone else envelope(bomb, flags=1)
    answer = await send_request(api.web, "POST", path, sent, content_type=content_type, **{name: "gzip"})
    assert problem_in(answer).reason == "REQUEST_TOO_LARGE"


@pytest.mark.parametrize("content_type", [STREAM_JSON, GRPC_WEB])
async def test_a_message_without_its_envelope_is_not_called_too_large(api: WebApi, content_type: str) -> None:
    for body in (b'{"gameId": "4f1c"}', b'{"gameId": "' + b"x" * 300_000 + b'"}'):
        problem = problem_in(await send_request(api.web, "POST", WATCH, body, content_type=content_type))
        assert problem.reason == "BAD_REQUEST"
        assert "prefix of five bytes" in problem.text


async def test_corrupt_or_unknown_compression_is_rejected(api: WebApi) -> None:
    good = gzip.compress(b"{}")
    for body in (good[:-3], good + good, b"no gzip", b"", zlib.compress(b"{}")):
        answer = await send_request(api.web, "POST", CREATE, body, content_type=JSON, content_encoding="gzip")
        assert (answer.status, answer.error_details().reason) == (400, "BAD_REQUEST")
    answer = await send_request(api.web, "POST", CREATE, b"{}", content_type=JSON, content_encoding="br")
    assert (answer.status, answer.error_details().reason) == (501, "COMPRESSION_UNKNOWN")
    answer = await send_request(api.web, "POST", WATCH, envelope(good, flags=1), content_type=STREAM_JSON)
    assert problem_in(answer).reason == "BAD_REQUEST"


async def test_a_body_that_is_too_large_is_rejected_before_it_arrives(api: WebApi) -> None:
    async with open_connection(api.web) as connection:
        connection.send("POST", CREATE, None, content_type=JSON, content_length=str(10**12))
        answer = await connection.read_head()
        answer.body = await connection.read_body()
        assert (answer.status, answer.error_details().reason) == (429, "REQUEST_TOO_LARGE")
        assert await connection.wait_closed()


async def test_a_request_has_exactly_one_message(api: WebApi) -> None:
    for body in (envelope(b"") * 2, b"", envelope(b"")[:3], envelope(b"", flags=8)):
        answer = await send_request(api.web, "POST", WATCH, body, content_type=STREAM)
        assert problem_in(answer).reason == "BAD_REQUEST", body


async def test_a_body_that_never_arrives_times_out(api: WebApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_timeouts, "REQUEST_SECONDS", 0.05)
    for path, content_type in ((CREATE, JSON), (WATCH, STREAM)):
        async with open_connection(api.web) as connection:
            connection.send("POST", path, None, content_type=content_type, content_length="100")
            answer = await connection.read_head()
            answer.body = await connection.read_body()
            assert problem_in(answer).reason == "REQUEST_TIMEOUT"


@pytest.mark.parametrize(("message", "flags", "at_once"), [(b"", 0, 32), (gzip.compress(bytes(100_000)), 1, 1)])
async def test_many_messages_in_one_packet_do_not_block_the_loop(message: bytes, flags: int, at_once: int) -> None:
    parts = [envelope(message, flags) * 640]

    class Sent:
        async def chunk(self) -> bytes:
            return parts.pop() if parts else b""

    turns, is_read = 0, False

    async def another() -> None:
        nonlocal turns
        while not is_read:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(another())
    sent: Any = Sent()
    messages = [each async for each in MessageReader(sent.chunk, "gzip")]
    is_read = True
    await other
    assert len(messages) == 640
    assert turns >= 640 // at_once


# --- heads ---------------------------------------------------------------------------------------------------


async def test_request_heads_have_a_size_limit(api: WebApi) -> None:
    for head in (
        b"GET /" + b"x" * 20_000,
        b"GET / HTTP/1.1\r\nhost: a\r\nx: " + b"y" * 20_000,
        b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 4_000,
    ):
        async with open_connection(api.web) as connection:
            connection.writer.write(head)
            assert (await connection.read_head()).status == 431
            await connection.read_body()
            assert await connection.wait_closed()
    many = {f"x-{number}": "1" for number in range(80)}
    answer = await call_json(api.web, "Catalog.ListTitles", {}, **many)
    assert (answer.status, answer.error_details().reason) == (429, "METADATA_TOO_LARGE")


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost localhost\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n",
        b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n",
        b"OPTIONS * HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"CONNECT localhost:1 HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET http://elsewhere.example/ HTTP/1.1\r\nhost: localhost\r\n\r\n",
        b"GET / HTTP/2.0\r\nhost: localhost\r\n\r\n",
        b"DESCRIBE rtsp://localhost/ RTSP/1.0\r\nhost: localhost\r\n\r\n",
        b"GET /\r\n\r\n",
    ],
)
async def test_invalid_requests_are_rejected_and_the_connection_is_closed(api: WebApi, sent: bytes) -> None:
    async with open_connection(api.web) as connection:
        connection.writer.write(sent)
        assert (await connection.read_head()).status in (400, 403, 404, 405, 505)
        await connection.read_body()
        connection.writer.write_eof()
        assert await connection.wait_closed()


async def test_invalid_chunks_end_the_call(api: WebApi) -> None:
    async with open_connection(api.web) as connection:
        connection.send("POST", CREATE, None, content_type=JSON, transfer_encoding="chunked")
        connection.writer.write(b"2\r\n{}\r\nnonsense\r\n")
        assert (await connection.read_head()).status == 400
        await connection.read_body()
        connection.writer.write_eof()
        assert await connection.wait_closed()
    assert api.service._calls.open == 0


@pytest.mark.parametrize("after", [b"2\r\n{}\r\n0\r\na: ", b"2\r\n{}\r\n0\r\n", b"2;"])
async def test_trailers_and_chunk_extensions_have_a_size_limit(api: WebApi, after: bytes) -> None:
    async with open_connection(api.web) as connection:
        connection.send("POST", CREATE, None, content_type=JSON, transfer_encoding="chunked")
        connection.writer.write(after + (b"b: c\r\n" if after.endswith(b"\n") else b"b") * 40_000)
        assert (await connection.read_head()).status in (400, 431)


async def test_trailers_are_not_headers_of_the_call(api: WebApi) -> None:
    async with open_connection(api.web) as connection:
        headers = {"content_type": JSON, "transfer_encoding": "chunked"}
        connection.send("POST", path_of("Catalog.GetTitle"), None, **headers)
        connection.writer.write(b'14\r\n{"title": "orleans"}\r\n0\r\naccept-encoding: gzip\r\n\r\n')
        answer = await connection.read_head()
        assert (answer.status, "content-encoding" in answer.headers) == (200, False)


@pytest.mark.parametrize(
    ("version", "headers"),
    [
        ("1.1", "transfer-encoding: gzip, chunked"),
        ("1.1", "transfer-encoding: identity\r\ntransfer-encoding: chunked"),
        ("1.0", "transfer-encoding: chunked"),
    ],
)
async def test_ambiguous_transfer_encodings_are_rejected(api: WebApi, version: str, headers: str) -> None:
    async with open_connection(api.web) as connection:
        head = f"POST {path_of('Catalog.ListTitles')} HTTP/{version}\r\nhost: localhost\r\ncontent-type: {JSON}\r\n"
        connection.writer.write(f"{head}{headers}\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n".encode())
        assert (await connection.read_head()).status == 501


async def test_a_chunked_body_is_accepted(api: WebApi) -> None:
    async with open_connection(api.web) as connection:
        connection.send("POST", path_of("Catalog.ListTitles"), None, content_type=JSON, transfer_encoding="chunked")
        connection.writer.write(b"1\r\n{\r\n")
        await connection.writer.drain()
        connection.writer.write(b"1\r\n}\r\n0\r\n\r\n")
        assert (await connection.read_head()).status == 200
        await connection.read_body()
        assert (await connection.request("GET", "/healthz")).status == 200


async def test_expect_100_continue_is_answered(api: WebApi) -> None:
    async with open_connection(api.web) as connection:
        headers = {"content_type": JSON, "content_length": "2", "expect": "100-continue"}
        connection.send("POST", path_of("Catalog.ListTitles"), None, **headers)
        assert (await connection.read_head()).status == 100
        connection.writer.write(b"{}")
        assert (await connection.read_head()).status == 200


@pytest.mark.parametrize("protocol", ["websocket", "h2c"])
async def test_offered_upgrades_are_ignored(api: WebApi, protocol: str) -> None:
    offer: Any = {"upgrade": protocol, "connection": "upgrade", "content_type": JSON}
    titles = path_of("Catalog.ListTitles")
    async with open_connection(api.web) as connection:
        assert (await connection.request("GET", "/healthz", **offer)).status == 200
        assert (await connection.request("POST", titles, b"{}", **offer)).status == 200
        connection.send("POST", titles, None, content_length="2", expect="100-continue", **offer)
        assert (await connection.read_head()).status == 100
        connection.writer.write(b"{}")
        assert (await connection.read_head()).status == 200
        await connection.read_body()
        connection.send("POST", titles, None, transfer_encoding="chunked", **offer)
        connection.writer.write(b"2\r\n{}\r\n0\r\n\r\n")
        assert (await connection.read_head()).status == 200


async def test_http_1_0_is_answered_and_closed(api: WebApi) -> None:
    async with open_connection(api.web) as connection:
        connection.writer.write(b"GET /healthz HTTP/1.0\r\n\r\n")
        assert (await connection.read_head()).status == 200
        assert await connection.wait_closed()


# --- connections ---------------------------------------------------------------------------------------------


async def test_connections_are_reused_and_requests_can_be_pipelined(api: WebApi) -> None:
    async with open_connection(api.web) as connection:
        for _ in range(3):
            assert (await connection.request("GET", "/healthz")).status == 200
        connection.writer.write(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n" * 20)
        for _ in range(20):
            assert (await connection.read_head()).status == 200
            await connection.read_body()


async def test_silent_and_idle_connections_are_closed(api: WebApi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http1, "HEAD_SECONDS", 0.05)
    for sent in (b"", b"GET / HTTP/1.1\r\nhost: localhost\r\n"):
        async with open_connection(api.web) as connection:
            connection.writer.write(sent)
            assert await connection.wait_closed()
    monkeypatch.setattr(http1, "IDLE_SECONDS", 0.05)
    async with open_connection(api.web) as connection:
        assert (await connection.request("GET", "/healthz")).status == 200
        assert await connection.wait_closed()


async def test_connections_beyond_the_limit_are_closed(tmp_path: Path) -> None:
    async with run_web_server(tmp_path / "games.db", connections=2) as api, open_connection(api.web) as one:
        assert (await one.request("GET", "/healthz")).status == 200
        async with open_connection(api.web) as two:
            assert (await two.request("GET", "/healthz")).status == 200
            async with open_connection(api.web) as three:
                assert await three.wait_closed()
        async with asyncio.timeout(60):
            while True:  # until the server has noticed that the second one is closed
                async with open_connection(api.web) as again:
                    again.send("GET", "/healthz")
                    try:
                        assert (await again.read_head()).status == 200
                        return
                    except (EOFError, OSError):
                        continue


async def wait_until_closed(api: WebApi) -> None:
    """Wait until the server counts no open connection."""
    async with asyncio.timeout(60):
        while api.service._calls.web.open:  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def test_an_address_has_a_limit_of_connections(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"limits": "on", "connections_of_an_address": 2}
    async with run_web_server(tmp_path / "games.db", **settings) as api:
        for times in (1, 2):  # closed connections do not count
            async with open_connection(api.web) as one, open_connection(api.web) as two:
                assert (await one.request("GET", "/healthz")).status == 200
                assert (await two.request("GET", "/healthz")).status == 200
                async with (
                    open_connection(api.web) as one_too_many,
                    open_connection(api.web, source="127.0.0.2") as neighbour,
                ):
                    assert await one_too_many.wait_closed()
                    assert (await neighbour.request("GET", "/healthz")).status == 200
                assert api.service._calls.web.rejected == {"service": 0, "address": times}
            await wait_until_closed(api)


async def test_handshakes_count_for_their_address(tmp_path: Path) -> None:
    (tmp_path / "certificates").mkdir()
    ours = Authority(tmp_path / "certificates", "ours")
    own = ours.sign("localhost")
    tls = ssl.create_default_context(cafile=ours.file)
    settings: dict[str, Any] = {"tls_certificate": own.certificate, "tls_key": own.key, "limits": "on"}
    async with run_web_server(tmp_path / "games.db", connections_of_an_address=1, **settings) as api:
        for _ in range(2):
            async with open_connection(api.web) as silent:
                silent.writer.write(b"\x16\x03\x01\x02\x00")
                async with open_connection(api.web) as another:
                    assert await another.wait_closed()
                async with open_connection(api.web, tls, source="127.0.0.2") as neighbour:
                    assert (await neighbour.request("GET", "/healthz")).status == 200
            await wait_until_closed(api)
        assert api.service._calls.web.rejected == {"service": 0, "address": 2}


@pytest.mark.parametrize(
    "settings",
    [
        {"trusted_proxies": "127.0.0.0/8"},
        {"limits": "on", "web": "unix:{folder}/web.sock"},
        {},  # limits do not apply on loopback
    ],
)
async def test_proxies_and_loopback_have_no_limit_of_connections(tmp_path: Path, settings: dict[str, str]) -> None:
    config: dict[str, Any] = {name: value.format(folder=tmp_path) for name, value in settings.items()}
    async with run_web_server(tmp_path / "games.db", connections_of_an_address=1, **config) as api:
        async with open_connection(api.web) as one, open_connection(api.web) as two:
            assert (await one.request("GET", "/healthz")).status == 200
            assert (await two.request("GET", "/healthz")).status == 200
        assert api.service._calls.web.rejected == {"service": 0, "address": 0}


def test_ipv6_addresses_are_counted_by_their_first_64_bits() -> None:
    connections_per_address = ConnectionsPerAddress(Peers("2001:db8:1::/48"), 1)
    one, another, elsewhere, proxy = (
        connections_per_address.address(peer_name((host, 1, 0, 0)))
        for host in ("2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "2001:db8:1::1")
    )
    assert (one, another, proxy) == ("2001:db8::/64", "2001:db8::/64", None)
    assert [connections_per_address.enter(each) for each in (one, another, elsewhere, proxy, proxy)] == [
        True,
        False,
        True,
        True,
        True,
    ]
    connections_per_address.leave(one)
    assert connections_per_address.enter(another)


async def test_connections_use_tcp_keepalive(api: WebApi) -> None:
    async with open_connection(api.web) as connection:
        assert (await connection.request("GET", "/healthz")).status == 200
        (taken,) = open_connections(api)
        assert taken.transport.get_extra_info("socket").getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)


async def test_data_after_the_last_envelope_is_rejected() -> None:
    parts = [envelope(b"", flags=2) + envelope(b"late")]

    class Sent:
        async def chunk(self) -> bytes:
            return parts.pop() if parts else b""

    sent: Any = Sent()
    with pytest.raises(InvalidRequestError):
        _ = [each async for each in MessageReader(sent.chunk, "", end_flags=CONNECT_END)]


# --- slow readers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("stalls", "ends"), [(1e9, "TOO_SLOW"), (1.0, "")])
async def test_slow_readers_get_the_version_to_resume_from_and_stalled_readers_are_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stalls: float, ends: str
) -> None:
    encode = EventStreams.encode
    padding = b"\x7a\xc0\x9a\x0c" + bytes(200_000)  # an unknown field, larger than all buffers in between
    monkeypatch.setattr(EventStreams, "encode", lambda *of: encode(*of) + padding)
    monkeypatch.setattr(front, "_STALL_FACTOR", stalls)
    async with run_web_server(tmp_path / "games.db", slow_reader_seconds=0.02) as api:
        game, _ = await api.create()
        body = envelope(games_pb2.WatchGameRequest(game_id=game.game_id).SerializeToString())
        calls = api.service._calls
        async with open_connection(api.web, receives=2048) as watching, asyncio.timeout(100):
            watching.send("POST", WATCH, body, content_type=STREAM)
            while not any(each.flow.write_paused for each in open_connections(api)):  # noqa: ASYNC110
                await asyncio.sleep(0.001)
            if not ends:
                while calls.open:  # noqa: ASYNC110
                    await asyncio.sleep(0.001)
                return
            await asyncio.sleep(0.05)  # longer than the limit for slow readers
            await watching.read_head()
            kind, last = 0, b""
            while not kind:
                kind, last = await watching.read_envelope()
            problem = parse_status(connect_status(json.loads(last)["error"]))
            assert problem.reason == ends
            assert 0 < int(problem.values["version"]) < game.version


# --- limits of clients ---------------------------------------------------------------------------------------


async def test_an_address_has_the_same_limits_on_both_ports(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"limits": "on", "address_limits": "reads=1/s:2"}
    async with run_web_server(tmp_path / "games.db", **settings) as api:
        api.service._admission._clock = lambda: 0.0
        with pytest.raises(grpc.aio.AioRpcError):  # noqa: PT012  # one of them
            for _ in range(10):
                await api.games.ListGames(games_pb2.ListGamesRequest())
        assert (await call_json(api.web, "Games.ListGames", {})).status == 429


async def test_a_trusted_proxy_reports_the_address_of_the_client(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"limits": "on", "address_limits": "reads=1/s:1", "trusted_proxies": "127.0.0.1"}
    async with run_web_server(tmp_path / "games.db", **settings) as api:
        api.service._admission._clock = lambda: 0.0
        for address, status in (("203.0.113.1", 200), ("203.0.113.2", 200), ("203.0.113.1", 429)):
            assert (await call_json(api.web, "Games.ListGames", {}, x_forwarded_for=address)).status == status
