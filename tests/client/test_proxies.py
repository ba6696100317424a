"""Proxy variables: they never apply to servers on this machine, and errors of other servers name them."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator

import pytest
from tests.client.conftest import RunCommand

from boardkeeper.client import Client, Unavailable
from boardkeeper.client.addresses import Address
from boardkeeper.client.aio import AsyncClient
from boardkeeper.client.proxies import PROXY_VARIABLES, is_loopback, proxy_variable

pytestmark = pytest.mark.socket

REMOTE = "games.invalid:50051"


class Proxy(socketserver.ThreadingTCPServer):
    """An HTTP proxy that rejects every request and notes its first line."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), RejectingHandler)
        self.requests: list[str] = []
        self.url = f"http://anna:secret@127.0.0.1:{self.server_address[1]}"


class RejectingHandler(socketserver.StreamRequestHandler):
    server: Proxy

    def handle(self) -> None:
        self.server.requests.append(self.rfile.readline().decode())
        self.wfile.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    for name in (*PROXY_VARIABLES, "no_grpc_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with Proxy() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("variable", PROXY_VARIABLES)
def test_commands_call_a_local_server_directly(
    run_in_process: RunCommand, address: str, proxy: Proxy, variable: str
) -> None:
    port = address.rpartition(":")[2]
    for server in (address, f"localhost:{port}"):
        for command in ("titles", "health"):
            result = run_in_process(command, "--server", server, **{variable: proxy.url})
            assert result.status == 0, result.err
    assert run_in_process("games", BOARDKEEPER_SERVER=address, **{variable: proxy.url}).status == 0
    assert proxy.requests == []


def test_a_demo_calls_its_server_directly(run_in_process: RunCommand, proxy: Proxy) -> None:
    result = run_in_process("demo", "--record", "game.jsonl", "--players", "2", http_proxy=proxy.url)
    assert result.status == 0, result.err
    assert proxy.requests == []


async def test_both_clients_call_a_local_server_directly(
    address: str, proxy: Proxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("grpc_proxy", proxy.url)
    with Client(address, retry_timeout=0) as client:
        assert client.titles()
    async with AsyncClient(address, retry_timeout=0) as async_client:
        assert await async_client.titles()
    assert proxy.requests == []


@pytest.mark.parametrize("variable", PROXY_VARIABLES)
async def test_errors_of_remote_servers_name_the_variable(
    run_in_process: RunCommand, proxy: Proxy, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    hint = f"he variable {variable} sends this call through a proxy; to call directly, set no_proxy=games.invalid"
    for arguments, usual in ((("titles", "--server", REMOTE), "127.0.0.1:1"), (("games",), REMOTE)):
        result = run_in_process(*arguments, BOARDKEEPER_SERVER=usual, **{variable: proxy.url})
        assert result.status == 3
        assert result.err.replace("\n", " ") == f"boardkeeper: no answer from {REMOTE}. T{hint}. "
    monkeypatch.setenv(variable, proxy.url)
    with Client(REMOTE, retry_timeout=0) as client, pytest.raises(Unavailable, match=hint) as raised:
        client.titles()
    assert "secret" not in str(raised.value)
    async with AsyncClient(REMOTE, retry_timeout=0) as async_client:
        with pytest.raises(Unavailable, match=hint):
            await async_client.titles()
    assert set(proxy.requests) == {f"CONNECT {REMOTE} HTTP/1.1\r\n"}


@pytest.mark.parametrize(
    ("environment", "variable"),
    [
        ({}, ""),
        ({"http_proxy": "http://proxy:3128"}, "http_proxy"),
        ({"http_proxy": "http://proxy:3128", "grpc_proxy": "http://other:3128"}, "grpc_proxy"),
        ({"http_proxy": "socks5://proxy:3128"}, ""),
        ({"http_proxy": ""}, ""),
        ({"http_proxy": "http://proxy:3128", "no_proxy": "a.example, games.invalid"}, ""),
        ({"http_proxy": "http://proxy:3128", "no_proxy": ".invalid"}, ""),
        ({"http_proxy": "http://proxy:3128", "no_proxy": ".invalid", "no_grpc_proxy": "b.example"}, "http_proxy"),
    ],
)
def test_the_variable_that_applies(
    monkeypatch: pytest.MonkeyPatch, proxy: Proxy, environment: dict[str, str], variable: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert proxy_variable(Address.parse(REMOTE)) == variable


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("localhost:1", True),
        ("LOCALHOST:1", True),
        ("127.0.0.2:1", True),
        ("[::1]:1", True),
        ("[::ffff:127.0.0.1]:1", True),
        ("0.0.0.0:1", True),
        ("https://localhost", True),
        ("localhost.example.org:1", False),
        ("192.0.2.1:1", False),
    ],
)
def test_addresses_of_this_machine(address: str, local: bool) -> None:
    assert is_loopback(Address.parse(address)) is local
