"""Browsers: allowed origins, the files of the web client, and addresses of the HTTP server."""

from __future__ import annotations

import asyncio
import shutil
import socket
import ssl
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from tests.certificates import Authority
from tests.service.keys import create_key_in
from tests.service.web import (
    HttpResponse,
    WebApi,
    call_json,
    envelope,
    open_connection,
    parse_trailers,
    path_of,
    run_web_server,
    send_request,
    split_envelopes,
    trailer_status,
)

from boardkeeper.operations.setting_flags import settings_from_flags
from boardkeeper.service.api.catalog import CatalogServicer
from boardkeeper.service.config import Config
from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.errors import SettingError, StartupError
from boardkeeper.service.process.server import Service
from boardkeeper.service.process.supervisor import Supervisor
from boardkeeper.service.transport import static_files
from boardkeeper.service.transport.call import Call
from boardkeeper.service.transport.listeners import Listener
from boardkeeper.service.transport.origins import Origins
from boardkeeper.service.transport.tls import certificates_of
from boardkeeper.terminal.main import parse
from boardkeeper.wire.errors import parse_status
from pack_client import pack

pytestmark = pytest.mark.socket

TITLES = path_of("Catalog.ListTitles")


@pytest.fixture
async def api(tmp_path: Path) -> AsyncIterator[WebApi]:
    async with run_web_server(tmp_path / "games.db", web_origin="https://games.example.org http://[::1]:8080") as api:
        yield api


async def call_from_page(api: WebApi, **headers: str) -> HttpResponse:
    """Call the server like a web page."""
    return await call_json(api.web, "Catalog.ListTitles", {}, **headers)


# --- pages of other sites ------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ["https://games.example.org", "http://[::1]:8080", "HTTPS://GAMES.example.org"])
async def test_pages_of_allowed_origins_may_call(api: WebApi, origin: str) -> None:
    preflight_headers: Any = {
        "origin": origin,
        "access_control_request_method": "POST",
        "access_control_request_headers": "content-type",
    }
    preflight = await send_request(
        api.web, "OPTIONS", TITLES, access_control_request_private_network="true", **preflight_headers
    )
    assert preflight.status == 204
    assert preflight.headers["access-control-allow-origin"] == origin
    assert preflight.headers["access-control-allow-methods"] == "POST"
    assert preflight.headers["access-control-allow-private-network"] == "true"
    allowed = preflight.headers["access-control-allow-headers"].split(", ")
    assert {"authorization", "content-type", "connect-protocol-version", "x-grpc-web", "x-boardkeeper-key"} <= set(
        allowed
    )
    answer = await call_from_page(api, origin=origin)
    assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, origin)
    assert {"grpc-status", "x-request-id"} <= set(answer.headers["access-control-expose-headers"].split(", "))
    assert "access-control-allow-credentials" not in answer.headers


FOREIGN = ("https://evil.example", "http://games.example.org", "https://games.example.org.evil.example", "null", "odd")


@pytest.mark.parametrize("origin", FOREIGN)
async def test_calls_of_other_pages_are_rejected(api: WebApi, origin: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object) -> None:
        raise AssertionError("it was called")

    monkeypatch.setattr(CatalogServicer, "ListTitles", never)
    for headers in ({"origin": origin}, {"sec_fetch_site": "cross-site"}, {"sec_fetch_site": "same-site"}):
        answer = await call_from_page(api, **headers)
        assert (answer.status, answer.error_details().reason) == (403, "ORIGIN_NOT_ALLOWED")
        assert "access-control-allow-origin" not in answer.headers
    preflight = await send_request(api.web, "OPTIONS", TITLES, origin=origin, access_control_request_method="POST")
    assert preflight.status == 403
    assert "access-control-allow-origin" not in preflight.headers
    body = envelope(b"")
    web = await send_request(api.web, "POST", TITLES, body, content_type="application/grpc-web+proto", origin=origin)
    ((_, last),) = split_envelopes(web.body)
    assert parse_status(trailer_status(parse_trailers(last))).reason == "ORIGIN_NOT_ALLOWED"


async def test_the_page_of_the_server_may_call(api: WebApi) -> None:
    assert (await call_from_page(api, origin=api.web, sec_fetch_site="same-origin")).status == 200
    assert (await call_from_page(api, sec_fetch_site="none")).status == 200
    plain = await send_request(api.web, "POST", TITLES, b"{}", content_type="text/plain", origin=api.web)
    assert plain.status == 415


async def test_every_page_may_call_with_a_star(tmp_path: Path) -> None:
    async with run_web_server(tmp_path / "games.db", web_origin="*") as api:
        for origin in (*FOREIGN, "https://games.example.org"):
            answer = await call_from_page(api, origin=origin, sec_fetch_site="cross-site", host="other.example")
            assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, origin)


async def test_loopback_servers_accept_only_their_own_host_names(api: WebApi) -> None:
    port = urlsplit(api.web).port
    for host in (f"localhost:{port}", f"127.0.0.1:{port}", "[::1]", "games.localhost", "games.example.org"):
        assert (await call_from_page(api, host=host)).status == 200, host
        assert (await send_request(api.web, "GET", "/", host=host)).status == 200
    for host in (
        "evil.example",
        f"evil.example:{port}",
        "127.0.0.1.evil.example",
        "10.0.0.1",
        "",
        "[",
        "localhost@evil",
    ):
        answer = await call_from_page(api, host=host, origin=f"http://{host}")
        assert (answer.status, answer.error_details().reason) == (403, "HOST_NOT_ALLOWED"), host
        for path in ("/", "/healthz"):
            assert (await send_request(api.web, "GET", path, host=host)).status == 403, host


def test_invalid_origins_are_rejected() -> None:
    for odd in ("games.example.org", "https://games.example.org/lobby", "ftp://a", "https://a b:x", "https://u@a"):
        with pytest.raises(SettingError, match="is not an origin"):
            Origins(odd, local=True)


# --- files ---------------------------------------------------------------------------------------------------


@pytest.fixture
def client(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the files of a client."""
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><p>Hello")
    (folder / "assets/app-1a2b.js").write_text("plain")
    (folder / "assets/app-1a2b.js.br").write_text("brotli")
    (folder / "assets/app-1a2b.js.gz").write_text("gzip")
    (folder / ".hidden").write_text("secret")
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(static_files, "CLIENT", folder)
    return folder


async def test_files_have_strict_headers(tmp_path: Path, client: Path) -> None:
    async with run_web_server(tmp_path / "games.db") as api:
        page = await send_request(api.web, "GET", "/")
        assert (page.status, page.body) == (200, b"<!doctype html><p>Hello")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert page.headers["cache-control"] == "no-cache"
        policy = dict(each.split(" ", 1) for each in page.headers["content-security-policy"].split("; "))
        assert (policy["default-src"], policy["script-src"], policy["connect-src"]) == ("'none'", "'self'", "'self'")
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
        assert "unsafe" not in page.headers["content-security-policy"]
        assert page.headers["x-content-type-options"] == "nosniff"
        assert page.headers["referrer-policy"] == "no-referrer"
        assert page.headers["cross-origin-opener-policy"] == "same-origin"
        assert "camera=()" in page.headers["permissions-policy"]
        assert (await send_request(api.web, "GET", "/index.html")).body == page.body
        missing = await send_request(api.web, "GET", "/nothing")
        assert (missing.status, missing.headers["content-security-policy"]) == (
            404,
            page.headers["content-security-policy"],
        )


async def test_files_are_compressed_and_cached(tmp_path: Path, client: Path) -> None:
    async with run_web_server(tmp_path / "games.db") as api:
        script = "/assets/app-1a2b.js"
        tags = set()
        for accepted, body, encoding in (
            ("gzip, br", b"brotli", "br"),
            ("br;q=0", b"plain", None),
            ("", b"plain", None),
        ):
            answer = await send_request(api.web, "GET", script, accept_encoding=accepted)
            assert (answer.body, answer.headers.get("content-encoding")) == (body, encoding)
            assert answer.headers["content-type"] == "text/javascript; charset=utf-8"
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.headers["vary"] == "accept-encoding"
            again = await send_request(
                api.web, "GET", script, accept_encoding=accepted, if_none_match=answer.headers["etag"]
            )
            assert (again.status, again.body, again.headers["etag"]) == (304, b"", answer.headers["etag"])
            tags.add(answer.headers["etag"])
        assert len(tags) == 2
        async with open_connection(api.web) as connection:
            head = await connection.request("HEAD", script)
            assert (head.status, head.body, head.headers["content-length"]) == (200, b"", "5")
            assert (await connection.request("GET", script)).body == b"plain"
        assert (await send_request(api.web, "POST", script, b"x")).status == 405


async def test_files_are_served_from_the_archive_of_a_wheel(tmp_path: Path, client: Path) -> None:
    """The server compresses large files at the start."""
    long = b"plain " * 1000
    (client / "assets/app-1a2b.js").write_bytes(long)
    client.with_name("client.tar.xz").write_bytes(pack(client))
    shutil.rmtree(client)
    async with run_web_server(tmp_path / "games.db") as api:
        page = await send_request(api.web, "GET", "/", accept_encoding="gzip, br")
        assert (page.body, page.headers.get("content-encoding")) == (b"<!doctype html><p>Hello", None)
        for accepted, encoding in (("gzip, br", "gzip"), ("br", None)):
            script = await send_request(api.web, "GET", "/assets/app-1a2b.js", accept_encoding=accepted)
            assert script.headers.get("content-encoding") == encoding
            assert script.body == long
            assert script.headers["content-type"] == "text/javascript; charset=utf-8"
        for missing in ("/assets/app-1a2b.js.gz", "/assets/app-1a2b.js.br"):
            assert (await send_request(api.web, "GET", missing)).status == 404


@pytest.mark.parametrize(
    "path",
    ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/../../secret.txt", "//etc/passwd", "/.hidden",
     "/assets", "/assets/", "/assets/app-1a2b.js.br", "/index.html%00", "/%ff", "/secret.txt"],
)  # fmt: skip
async def test_other_paths_are_not_found(tmp_path: Path, client: Path, path: str) -> None:
    async with run_web_server(tmp_path / "games.db") as api:
        answer = await send_request(api.web, "GET", path)
        assert (answer.status, b"secret" in answer.body) == (404, False)


async def test_without_a_built_client_a_page_says_how_to_build_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static_files, "CLIENT", tmp_path / "nothing")
    async with run_web_server(tmp_path / "games.db") as api:
        page = await send_request(api.web, "GET", "/")
        assert page.status == 200
        assert b"make web" in page.body


async def test_healthz_reports_the_health_of_the_server(tmp_path: Path) -> None:
    async with run_web_server(tmp_path / "games.db") as api:
        assert (await send_request(api.web, "GET", "/healthz")).status == 200
        await api.service._set_health(False)
        unhealthy = await send_request(api.web, "GET", "/healthz")
        assert (unhealthy.status, unhealthy.headers["cache-control"]) == (503, "no-store")


# --- addresses -----------------------------------------------------------------------------------------------


async def test_a_busy_port_is_an_error_with_advice(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        web = f"127.0.0.1:{other.getsockname()[1]}"
        service = Service(Config(database=str(tmp_path / "a.db"), listen="127.0.0.1:0", web=web, log="off"))
        with pytest.raises(SettingError, match=r"the port is in use.*--listen"):
            await service.start()
    async with run_web_server(tmp_path / "a.db"):  # nothing was left open
        pass


async def test_an_invalid_setting_stops_the_start_and_leaves_nothing_open(tmp_path: Path) -> None:
    config = Config(
        database=str(tmp_path / "a.db"), listen="127.0.0.1:0", web="127.0.0.1:0", web_origin="odd", log="off"
    )
    with pytest.raises(SettingError, match="is not an origin"):
        await Service(config).start()
    async with run_web_server(tmp_path / "a.db"):
        pass


def test_only_worker_processes_share_a_port() -> None:
    alone = Listener(Endpoint("127.0.0.1", 0), None, shares_port=False)
    busy = Endpoint.parse(alone.address)
    for shares_port in (False, True):
        with pytest.raises(SettingError, match="the port is in use"):
            Listener(busy, None, shares_port=shares_port)
    alone.close()
    listeners = [Listener(busy, None, shares_port=True) for _ in range(3)]
    assert {each.address for each in listeners} == {str(busy)}
    for each in listeners:
        each.close()


async def test_workers_do_not_start_on_a_busy_port(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        busy = Endpoint("127.0.0.1", other.getsockname()[1])
        supervisor = Supervisor(2, lambda *_: [], (Endpoint("127.0.0.1", 0), busy))
        with pytest.raises(StartupError, match=r"the port is in use.*--listen"):
            await supervisor.run()


def test_flags_of_the_command_line() -> None:
    def config(*flags: str) -> Config:
        return Config.read(settings_from_flags(parse(["serve", *flags])), {})

    assert not config("--no-web").has_web
    assert config("--web", "127.0.0.1:0").web == "127.0.0.1:0"
    assert [str(each) for each in config("--listen", "a:1", "--grpc-listen", "b:2").endpoints] == ["a:1", "b:2"]
    assert [str(each) for each in config("--no-grpc-listen").endpoints] == ["127.0.0.1:8050"]
    assert config("--web-origin", "https://a.example", "--web-origin", "https://b.example").web_origin.split() == [
        "https://a.example", "https://b.example",
    ]  # fmt: skip


def test_addresses_of_the_front() -> None:
    """One address for everything, and a second one for gRPC clients that expect it."""

    def front(**settings: Any) -> list[str]:
        return [str(endpoint) for endpoint in Config(**settings).front_endpoints]

    assert front() == ["127.0.0.1:8050", "127.0.0.1:50051"]
    assert front(listen="127.0.0.1:0") == ["127.0.0.1:0"]
    assert front(listen="unix:/tmp/a", grpc_listen="[::1]:1") == ["unix:/tmp/a", "[::1]:1"]
    assert front(grpc_listen="off") == ["127.0.0.1:8050"]
    assert front(web="off") == ["127.0.0.1:8050", "127.0.0.1:50051"]
    for odd in ("8050", "unix:"):
        with pytest.raises(StartupError, match=r"write (HOST:PORT, for example 127\.0\.0\.1:8050, or )?unix:PATH"):
            front(listen=odd)


def test_the_old_setting_has_separate_addresses_for_browsers_and_grpc() -> None:
    def front(**settings: Any) -> list[str]:
        return [str(endpoint) for endpoint in Config(**settings).front_endpoints]

    assert front(listen="127.0.0.1:0", web="[::1]:1") == ["[::1]:1", "127.0.0.1:0"]
    assert front(web="unix:/run/web.sock") == ["unix:/run/web.sock", "127.0.0.1:50051"]


def test_grpcio_has_a_separate_address() -> None:
    config = Config(grpc_server="grpcio")
    assert [str(endpoint) for endpoint in config.front_endpoints] == ["127.0.0.1:8050"]
    assert str(config.grpcio_endpoint) == "127.0.0.1:50051"
    assert str(Config(grpc_server="grpcio", listen="a:1", grpc_listen="b:2").grpcio_endpoint) == "b:2"
    with pytest.raises(SettingError, match="--grpc-listen"):
        _ = Config(grpc_server="grpcio", listen="127.0.0.1:0").grpcio_endpoint


async def test_a_proxy_can_use_a_unix_socket(tmp_path: Path) -> None:
    """The socket exists while the server runs, belongs to one process, and uses no TLS."""
    path = tmp_path / "web.sock"
    web = f"unix:{path}"
    async with run_web_server(tmp_path / "games.db", web=web, web_origin="https://games.example.org") as api:
        assert api.web == web
        page = await send_request(web, "GET", "/", host="games.example.org")
        assert page.status == 200
        assert "content-security-policy" in page.headers
        assert (await call_from_page(api)).status == 200
        assert (await call_from_page(api, host="games.example.org", origin="https://games.example.org")).status == 200
        assert (await call_from_page(api, host="other.example")).error_details().reason == "HOST_NOT_ALLOWED"
        second = Service(Config(database=str(tmp_path / "b.db"), listen="127.0.0.1:0", web=web, log="off"))
        with pytest.raises(StartupError, match="another process listens there"):
            await second.start()
        assert (await call_from_page(api)).status == 200
    assert not path.exists()
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(path))  # without removing the file
    async with run_web_server(tmp_path / "games.db", web=web) as api:
        assert (await call_from_page(api)).status == 200
    path.write_text("precious")
    with pytest.raises(StartupError, match="a file of that name exists"):
        Listener(Endpoint.parse(web), None, shares_port=False)
    assert path.read_text() == "precious"
    supervisor = Supervisor(2, lambda *_: [], (Endpoint("127.0.0.1", 0), Endpoint.parse(web)))
    with pytest.raises(SettingError, match="several workers cannot share"):
        await supervisor.run()


async def test_no_http_port_without_the_setting_or_in_read_only_mode(tmp_path: Path) -> None:
    cases: list[tuple[dict[str, Any], bool]] = [({"web": "off"}, False), ({"web": "127.0.0.1:0"}, True)]
    for settings, read_only in cases:
        service = Service(
            Config(database=str(tmp_path / "a.db"), listen="127.0.0.1:0", log="off", **settings), read_only=read_only
        )
        await service.start()
        try:
            assert service.web_address == ""
        finally:
            await service.stop()


def test_other_addresses_need_tls_as_for_grpc(tmp_path: Path) -> None:
    (tmp_path / "certificates").mkdir()
    own = Authority(tmp_path / "certificates", "ours").sign("localhost")
    tls: dict[str, Any] = {"tls_certificate": own.certificate, "tls_key": own.key}
    with pytest.raises(
        SettingError, match=r"other machines can reach 0\.0\.0\.0:0, and traffic would not be encrypted"
    ):
        certificates_of(Config(web="0.0.0.0:0"))
    certificates_of(Config(web="0.0.0.0:0", **tls))
    certificates_of(Config(web="0.0.0.0:0", listen="unix:/run/games.sock", **tls))
    certificates_of(Config(web="0.0.0.0:0", insecure=True))


async def test_other_addresses_need_api_keys(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"web": "0.0.0.0:0", "insecure": True}
    service = Service(Config(database=str(tmp_path / "a.db"), listen="127.0.0.1:0", log="off", **settings))
    with pytest.raises(SettingError, match="there are no API keys"):
        await service.start()
    secret = create_key_in(tmp_path / "b.db", "platform").secret
    async with run_web_server(tmp_path / "b.db", **settings) as api:
        assert (await call_json(api.web, "Games.ListGames", {})).error_details().reason == "KEY_MISSING"
        assert (await call_json(api.web, "Games.ListGames", {}, authorization=f"Bearer {secret}")).status == 200


# --- TLS -----------------------------------------------------------------------------------------------------


async def test_the_certificate_is_the_one_of_grpc_and_is_renewed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "certificates").mkdir()
    ours, theirs = (Authority(tmp_path / "certificates", name) for name in ("ours", "theirs"))
    own, named = ours.sign("localhost"), ours.sign("platform.example", "anna@platform.example", common_name="Anna")
    called: list[tuple[str, ...]] = []
    list_titles = CatalogServicer.ListTitles

    async def record_names(self: CatalogServicer, request: Any, call: Call) -> Any:
        called.append(call.caller.certificate_names())
        return await list_titles(self, request, call)

    monkeypatch.setattr(CatalogServicer, "ListTitles", record_names)
    settings: dict[str, Any] = {"tls_certificate": own.certificate, "tls_key": own.key, "tls_client_ca": ours.file}

    async def call_from_page(api: WebApi, trusted: Authority, shown: Any) -> int:
        context = ssl.create_default_context(cafile=trusted.file)
        if shown is not None:
            context.load_cert_chain(*shown)
        async with open_connection(api.web, context) as connection:
            return (await connection.request("POST", TITLES, b"{}", content_type="application/json")).status

    async with run_web_server(tmp_path / "games.db", **settings) as api:
        assert api.web.startswith("https://")
        assert await call_from_page(api, ours, named) == 200
        *names, subject = called[0]
        assert names == ["dns:platform.example", "email:anna@platform.example"]
        assert subject.startswith("subject:CN=Anna,")
        with pytest.raises((ssl.SSLError, OSError, EOFError)):
            await call_from_page(api, ours, None)
        with pytest.raises(ssl.SSLCertVerificationError):
            await call_from_page(api, theirs, named)
        theirs.sign_into(own, "localhost")
        assert await call_from_page(api, theirs, named) == 200
        renewed = ours.sign("localhost")
        shutil.copyfile(renewed.certificate, own.certificate)  # its key is not there yet
        assert await call_from_page(api, theirs, named) == 200


async def test_unfinished_handshakes_count_as_connections(tmp_path: Path) -> None:
    (tmp_path / "certificates").mkdir()
    ours = Authority(tmp_path / "certificates", "ours")
    own = ours.sign("localhost")
    settings: dict[str, Any] = {"tls_certificate": own.certificate, "tls_key": own.key, "connections": 1}
    async with run_web_server(tmp_path / "games.db", **settings) as api, asyncio.timeout(60):
        web = api.service._calls.web

        async def wait_for_open(number: int) -> None:
            while web.open != number:  # noqa: ASYNC110
                await asyncio.sleep(0.001)

        async with open_connection(api.web.replace("https", "http")) as silent:
            silent.writer.write(b"\x16\x03\x01\x02\x00")
            await wait_for_open(1)
            async with open_connection(api.web.replace("https", "http")) as another:
                assert await another.wait_closed()
            assert web.rejected == {"service": 1, "address": 0}
        await wait_for_open(0)
        async with open_connection(api.web, ssl.create_default_context(cafile=ours.file)) as connection:
            assert (await connection.request("GET", "/healthz")).status == 200
            await wait_for_open(1)
        await wait_for_open(0)
        async with open_connection(api.web.replace("https", "http")) as odd:
            odd.writer.write(b"GET / HTTP/1.1\r\n\r\n")
            assert await odd.wait_closed()
