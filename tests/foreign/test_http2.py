"""HTTP/2 as clients that are no gRPC libraries speak it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from google.protobuf.duration_pb2 import Duration
from tests.foreign.servers import Server, running_process
from tests.service.raw_http2 import ACK, PING, RawConnection

from boardkeeper.client import Client, person
from boardkeeper.v1 import games_pb2

pytestmark = [pytest.mark.socket, pytest.mark.timeout(300)]

_RESET = 92
"""curl's exit status after RST_STREAM. gRPC's C core resets streams of clients that do not announce trailers."""


@pytest.fixture(scope="module")
def server(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests."""
    with running_process(tmp_path_factory.mktemp("server"), kind) as server:
        yield server


def curl(server: Server, path: str, message: bytes, folder: Path, *headers: str) -> tuple[int, str, bytes]:
    """Call a method by curl; returns its exit status, the headers with the trailers, and the body."""
    if shutil.which("curl") is None:
        assert not os.environ.get("CI"), "CI has curl"
        pytest.skip("without curl")
    request, answer = folder / "request", folder / "answer"
    request.write_bytes(b"\0" + len(message).to_bytes(4) + message)
    command = ["curl", "--silent", "--http2-prior-knowledge", "--max-time", "200", "--dump-header", "-"]
    command += ["--output", str(answer), "--data-binary", f"@{request}", f"http://{server.address}/{path}"]
    for header in ("content-type: application/grpc", *headers):
        command += ["--header", header]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, answer.read_bytes() if answer.exists() else b""


@pytest.mark.parametrize("headers", [(), ("te: trailers",)])
def test_a_client_is_answered_whether_it_accepts_trailers_or_not(
    server: Server, tmp_path: Path, headers: tuple[str, ...]
) -> None:
    status, received, body = curl(server, "boardkeeper.v1.Catalog/ListTitles", b"", tmp_path, *headers)
    if headers or status != _RESET:
        assert status == 0
        assert b"orleans" in body
        assert len(body) == 5 + int.from_bytes(body[1:5])
    if headers:
        assert "grpc-status: 0" in received.splitlines()


def test_the_server_ends_a_call_at_its_deadline(server: Server, tmp_path: Path) -> None:
    """The client neither ends the call nor the connection."""
    with Client(server.address) as client:
        game_id = client.create_game("orleans", [person("Ada"), person("Bob")]).game.game_id
    request = games_pb2.GetGameRequest(game_id=game_id, min_version=1_000_000, wait=Duration(seconds=30))
    headers = ("te: trailers", "grpc-timeout: 200m", "x-request-id: late")
    status, received, _ = curl(server, "boardkeeper.v1.Games/GetGame", request.SerializeToString(), tmp_path, *headers)
    assert status == 0
    assert "grpc-status: 4" in received.splitlines()


async def test_pings_are_acknowledged(server: Server) -> None:
    raw = await RawConnection.open(server.address)
    raw.greet()
    raw.send(PING, b"12345678")
    while (answer := await raw.read_first(PING)).flags != ACK:  # a ping of the server
        pass
    assert answer.payload == b"12345678"
    raw.close()
