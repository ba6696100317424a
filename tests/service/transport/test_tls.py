"""TLS and listen addresses: certificates, client certificates, renewals, and messages of failures."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from tests.certificates import Authority, Files
from tests.service.keys import create_key_in
from tests.service.log_capture import capture_logs

from boardkeeper.client import Client, NoSecureConnection, Tls, Unavailable, bot
from boardkeeper.client.aio import AsyncClient
from boardkeeper.client.tls import Endpoint as ClientEndpoint
from boardkeeper.service.api.catalog import CatalogServicer
from boardkeeper.service.config import Config
from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.errors import FileInUseError, SettingError, StartupError
from boardkeeper.service.process.server import Service, running, running_service
from boardkeeper.service.transport.call import Call
from boardkeeper.service.transport.tls import certificates_of

pytestmark = pytest.mark.socket


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """The authority that clients trust."""
    (tmp_path / "certificates").mkdir()
    return Authority(tmp_path / "certificates", "ours")


@pytest.fixture
def stranger(tmp_path: Path, authority: Authority) -> Authority:
    """An authority that no client trusts."""
    return Authority(tmp_path / "certificates", "theirs")


@pytest.fixture
def own(authority: Authority) -> Files:
    """The certificate of the server."""
    return authority.sign("localhost", "127.0.0.1")


def tls(files: Files, **more: str) -> dict[str, Any]:
    """Return the settings of a server with these files."""
    return {"tls_certificate": files.certificate, "tls_key": files.key, **more}


def url_by_name(address: str) -> str:
    """Return the URL of an address with the name of this machine and TLS."""
    return f"https://localhost:{address.rpartition(':')[2]}"


# --- in TLS --------------------------------------------------------------------------------------------------


async def test_calls_and_streams_go_through_tls(tmp_path: Path, authority: Authority, own: Files) -> None:
    made = create_key_in(tmp_path / "games.db", "lobby")
    service = Service(Config(database=str(tmp_path / "games.db"), listen="0.0.0.0:0", log="off", **tls(own)))
    await service.start()
    try:
        async with AsyncClient(url_by_name(service.address), key=made.secret, tls=Tls(authority.file)) as client:
            game = (await client.create_game("orleans", [bot("random"), bot("random")])).game.game_id
            names = [event.name async for event in client.watch(game)]
        assert names[-1] == "GameEnded"
    finally:
        await service.stop()


def test_the_blocking_client_uses_tls_by_host_name_and_by_address(
    tmp_path: Path, authority: Authority, own: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running_service(tmp_path / "games.db", **tls(own)) as address:
        for place in (url_by_name(address), f"https://{address}", f"HTTPS://{address}/"):
            with Client(place, tls=Tls(authority.file)) as client:
                assert client.titles()
        monkeypatch.setenv("SSL_CERT_FILE", authority.file)
        with Client(url_by_name(address)) as client:
            assert client.titles()


@pytest.mark.parametrize("trusted", ["stranger", "public"])
async def test_an_untrusted_certificate_is_an_error_without_retries(
    tmp_path: Path, stranger: Authority, own: Files, trusted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    trust = Tls(stranger.file if trusted == "stranger" else "")
    lost: list[object] = []
    with running_service(tmp_path / "games.db", **tls(own)) as address:
        place = url_by_name(address)
        with Client(place, tls=trust, retry_timeout=1e9, on_connection=lost.append) as client:
            for ask in (client.titles, lambda: next(client.watch("4f1c0000-0000-0000-0000-000000000000"))):
                with pytest.raises(NoSecureConnection, match=f"certificate of {place} is not trusted") as caught:
                    ask()
                assert caught.value.reason == "CERTIFICATE_NOT_TRUSTED"
        async with AsyncClient(place, tls=trust, retry_timeout=1e9, on_connection=lost.append) as other:
            with pytest.raises(NoSecureConnection, match="is not trusted"):
                await other.titles()
    assert lost == []


def test_a_certificate_for_another_host_name_is_rejected(tmp_path: Path, authority: Authority) -> None:
    elsewhere = authority.sign("games.example")
    with (
        running_service(tmp_path / "games.db", **tls(elsewhere)) as address,
        Client(url_by_name(address), tls=Tls(authority.file), retry_timeout=1e9) as client,
        pytest.raises(NoSecureConnection, match="certificate for another host name") as caught,
    ):
        client.titles()
    assert caught.value.reason == "CERTIFICATE_OF_ANOTHER_NAME"


async def test_errors_say_whether_the_server_uses_tls(tmp_path: Path, authority: Authority, own: Files) -> None:
    with running_service(tmp_path / "encrypted.db", **tls(own)) as address:
        with Client(address, retry_timeout=1e9) as client, pytest.raises(NoSecureConnection) as caught:
            client.titles()
        assert (caught.value.reason, f"call it as https://{address}" in str(caught.value)) == ("TLS_THERE", True)
        async with AsyncClient(address, retry_timeout=1e9) as other:
            with pytest.raises(NoSecureConnection, match=f"call it as https://{address}"):
                await other.titles()
    with (
        running_service(tmp_path / "plain.db") as address,
        Client(url_by_name(address), tls=Tls(authority.file), retry_timeout=1e9) as client,
        pytest.raises(NoSecureConnection, match="does not use TLS") as caught,
    ):
        client.titles()
    assert caught.value.reason == "NO_TLS_THERE"


def test_an_address_without_a_server_is_unavailable(authority: Authority) -> None:
    for address, trust in (("127.0.0.1:1", None), ("https://127.0.0.1:1", Tls(authority.file))):
        with Client(address, tls=trust, retry_timeout=0) as client, pytest.raises(Unavailable):
            client.titles()


def test_a_connection_that_closes_after_the_handshake_is_no_certificate_error(authority: Authority, own: Files) -> None:
    """A server that stops between the handshake and the first byte does not need a client certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*own)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def hang_up_once() -> None:
            connection, _ = server.accept()
            server.close()
            context.wrap_socket(connection, server_side=True).close()

        thread = threading.Thread(target=hang_up_once)
        thread.start()
        endpoint = ClientEndpoint(f"https://127.0.0.1:{server.getsockname()[1]}", Tls(authority.file))
        assert endpoint.diagnose() is None
        thread.join()


# --- client certificates --------------------------------------------------------------------------------------


async def test_clients_need_a_certificate_of_the_right_authority(
    tmp_path: Path, authority: Authority, stranger: Authority, own: Files
) -> None:
    clients = Authority(tmp_path / "certificates", "platforms")
    member, other = clients.sign("platform.example"), stranger.sign("platform.example")
    with running_service(tmp_path / "games.db", **tls(own, tls_client_ca=clients.file)) as address:
        place = url_by_name(address)
        with Client(place, tls=Tls(authority.file, *member)) as client:
            assert client.titles()
        for shown, reason in (((), "CLIENT_CERTIFICATE_WANTED"), (other, "CLIENT_CERTIFICATE_REFUSED")):
            trust = Tls(authority.file, *shown)
            with Client(place, tls=trust, retry_timeout=1e9) as client, pytest.raises(NoSecureConnection) as caught:
                client.titles()
            assert caught.value.reason == reason
            async with AsyncClient(place, tls=trust, retry_timeout=1e9) as asyncio_client:
                with pytest.raises(NoSecureConnection) as caught:
                    await asyncio_client.titles()
            assert caught.value.reason == reason


async def test_a_call_has_the_names_of_the_client_certificate(
    tmp_path: Path, authority: Authority, own: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[tuple[str, ...]] = []
    list_titles = CatalogServicer.ListTitles

    async def record_names(self: CatalogServicer, request: Any, call: Call) -> Any:
        called.append(call.caller.certificate_names())
        return await list_titles(self, request, call)

    monkeypatch.setattr(CatalogServicer, "ListTitles", record_names)
    named = authority.sign("platform.example", "10.0.0.7", "anna@platform.example", common_name="Platform, Inc.")
    bare = authority.sign(common_name="Anna")
    with running_service(tmp_path / "one.db", **tls(own, tls_client_ca=authority.file)) as address:
        for shown in (named, bare):
            with Client(url_by_name(address), tls=Tls(authority.file, *shown)) as client:
                client.titles()
    with (
        running_service(tmp_path / "two.db", **tls(own)) as address,
        Client(url_by_name(address), tls=Tls(authority.file, *named)) as client,
    ):
        client.titles()
    with running_service(tmp_path / "three.db") as address, Client(address) as client:
        client.titles()
    (*names, subject), (only,), unasked, plain = called
    assert names == ["dns:platform.example", "email:anna@platform.example", "ip:10.0.0.7"]
    assert subject.startswith(r"subject:CN=Platform\, Inc.,")
    assert only.startswith("subject:CN=Anna,")
    assert unasked == plain == ()


class RawClient:
    """A client with a certificate that can resume its TLS session."""

    def __init__(self, version: ssl.TLSVersion, protocol: str, trusted: Authority, shown: Files) -> None:
        self.context = ssl.create_default_context(cafile=trusted.file)
        self.context.minimum_version = self.context.maximum_version = version
        self.context.set_alpn_protocols([protocol])
        self.context.load_cert_chain(*shown)
        self._first_bytes = {
            "h2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]),
            "http/1.1": b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n",
        }[protocol]

    def visit(self, address: str, session: ssl.SSLSession | None) -> tuple[ssl.SSLSession | None, bool]:
        """Connect and wait for the first byte. Return the session and whether it was resumed."""
        with (
            socket.create_connection(("localhost", int(address.rpartition(":")[2]))) as connection,
            self.context.wrap_socket(connection, server_hostname="localhost", session=session) as secure,
        ):
            secure.sendall(self._first_bytes)
            if not secure.recv(1):
                raise EOFError
            return secure.session, bool(secure.session_reused)


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
@pytest.mark.parametrize("protocol", ["h2", "http/1.1"])
def test_no_tls_session_outlives_the_authority_of_its_certificate(
    tmp_path: Path, authority: Authority, own: Files, version: ssl.TLSVersion, protocol: str
) -> None:
    old, new = (Authority(tmp_path / "certificates", name) for name in ("old", "new"))
    named = tmp_path / "clients.pem"
    shutil.copyfile(old.file, named)
    with running(tmp_path / "games.db", **tls(own, tls_client_ca=str(named)), web="127.0.0.1:0") as service:
        address = service.web_address if protocol == "http/1.1" else service.address
        member = RawClient(version, protocol, authority, old.sign("platform.example"))
        session, _ = member.visit(address, None)
        session, _ = member.visit(address, session)
        shutil.copyfile(new.file, named)
        for shown in (session, None):
            with pytest.raises((OSError, EOFError)):
                member.visit(address, shown)
        other = RawClient(version, protocol, authority, new.sign("platform.example"))
        other.visit(address, None)


@pytest.mark.parametrize("version", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
def test_clients_with_certificates_get_no_session_tickets(
    tmp_path: Path, authority: Authority, own: Files, version: ssl.TLSVersion
) -> None:
    with running(tmp_path / "games.db", **tls(own, tls_client_ca=authority.file), web="127.0.0.1:0") as service:
        member = RawClient(version, "http/1.1", authority, authority.sign("platform.example"))
        session, _ = member.visit(service.web_address, None)
        assert session is None or not session.has_ticket


# --- renewed certificates ------------------------------------------------------------------------------------


def test_new_connections_use_a_renewed_certificate_without_a_restart(
    tmp_path: Path, authority: Authority, stranger: Authority, own: Files
) -> None:
    """Another authority signs the new one, so that the test can distinguish them."""
    with running_service(tmp_path / "games.db", **tls(own)) as address:
        place = url_by_name(address)
        with Client(place, tls=Tls(authority.file)) as before:
            assert before.titles()
            stranger.sign_into(own, "localhost")
            with Client(place, tls=Tls(stranger.file)) as after:
                assert after.titles()
            assert before.titles()  # open connections stay
        with Client(place, tls=Tls(authority.file)) as late, pytest.raises(NoSecureConnection):
            late.titles()


async def test_an_unusable_renewed_certificate_is_logged_once_and_the_old_one_stays(
    tmp_path: Path, authority: Authority, stranger: Authority, own: Files
) -> None:
    service = Service(Config(database=str(tmp_path / "games.db"), listen="127.0.0.1:0", log="off", **tls(own)))
    await service.start()

    async def connect(trust: Authority) -> None:
        async with AsyncClient(url_by_name(service.address), tls=Tls(trust.file), retry_timeout=1e9) as client:
            assert await client.titles()

    try:
        with capture_logs() as lines:
            key, certificate = Path(own.key), Path(own.certificate)
            renewed = stranger.sign("localhost")
            shutil.copyfile(renewed.certificate, certificate)  # its key is not there yet
            await connect(authority)
            await connect(authority)
            key.unlink()  # noqa: ASYNC240  # does not block
            await connect(authority)
            await connect(authority)
            problems = [line["problem"] for line in lines if line["event"] == "the old certificate stays in use"]
            assert len(problems) == 2, problems
            assert "does not belong to the certificate" in problems[0]
            assert "No such file" in problems[1]
            shutil.copyfile(renewed.key, key)
            key.chmod(0o600)  # noqa: ASYNC240
            await connect(stranger)
            assert [line["names"] for line in lines if line["event"] == "certificate"] == ["localhost"]
    finally:
        await service.stop()


# --- certificates that cannot be used ------------------------------------------------------------------------


def test_a_certificate_needs_its_key(own: Files) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"tls_certificate": own.certificate}, "tls_certificate needs tls_key"),
        ({"tls_key": own.key}, "tls_key needs tls_certificate"),
        ({"tls_client_ca": own.certificate}, "tls_client_ca needs tls_certificate and tls_key"),
    ]
    for values, message in wrong:
        with pytest.raises(SettingError, match=message):
            certificates_of(Config(**values))


def test_files_that_are_not_certificates_or_keys_are_named(
    tmp_path: Path, authority: Authority, stranger: Authority, own: Files
) -> None:
    missing, letter = str(tmp_path / "missing.pem"), str(tmp_path / "letter")
    Path(letter).write_text("Dear Sir or Madam")
    Path(letter).chmod(0o600)
    other = stranger.sign("localhost")
    reordered = tmp_path / "reordered.pem"
    reordered.write_bytes(Path(other.certificate).read_bytes() + Path(own.certificate).read_bytes())
    for values, message in (
        (tls(Files(missing, own.key)), f"cannot read {missing} (from tls_certificate): No such file"),
        (tls(Files(own.certificate, missing)), f"cannot read {missing} (from tls_key): No such file"),
        (tls(own, tls_client_ca=missing), f"cannot read {missing} (from tls_client_ca): No such file"),
        (tls(Files(str(tmp_path), own.key)), f"cannot read {tmp_path} (from tls_certificate)"),
        (tls(Files("a\0b", own.key)), "(from tls_certificate): embedded null byte"),
        (tls(Files(letter, own.key)), f"{letter} contains no PEM certificate"),
        (tls(Files(own.key, own.key)), f"{own.key} contains no PEM certificate"),
        (tls(Files(own.certificate, letter)), f"{letter} contains no PEM private key"),
        (tls(own, tls_client_ca=letter), f"{letter} contains no PEM certificate"),
        (
            tls(Files(own.certificate, other.key)),
            f"{other.key} does not belong to the certificate in {own.certificate}",
        ),
        (tls(Files(str(reordered), own.key)), f"the first certificate in {reordered} must belong to the key"),
    ):
        with pytest.raises(SettingError) as caught:
            certificates_of(Config(**values))
        assert message in str(caught.value)


def test_unsupported_private_keys_are_rejected(tmp_path: Path, own: Files) -> None:
    key = load_pem_private_key(Path(own.key).read_bytes(), None)
    path = tmp_path / "other.key"
    for made, encryption, message in (
        (key, BestAvailableEncryption(b"secret"), "has a password"),
        (Ed25519PrivateKey.generate(), NoEncryption(), "clients do not accept this kind of private key"),
    ):
        path.write_bytes(made.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption))
        path.chmod(0o600)
        with pytest.raises(SettingError, match=message):
            certificates_of(Config(**tls(Files(own.certificate, str(path)))))


@pytest.mark.skipif(os.name == "nt", reason="permissions are another matter there")
def test_a_key_that_other_users_can_read_is_rejected(own: Files) -> None:
    Path(own.key).chmod(0o644)
    with pytest.raises(SettingError, match=f"other users have access to the private key {own.key}: .*chmod 600"):
        certificates_of(Config(**tls(own)))


def test_an_expired_certificate_is_rejected(authority: Authority) -> None:
    expired = authority.sign("localhost", until=datetime.now(UTC) - timedelta(minutes=5))
    with pytest.raises(SettingError, match=rf"{expired.certificate} expired on 20.* UTC: renew it"):
        certificates_of(Config(**tls(expired)))


@pytest.mark.parametrize(("days", "level"), [(13, "warning"), (15, "info")])
async def test_the_start_logs_the_expiry_of_the_certificate_and_warns_two_weeks_before(
    tmp_path: Path, authority: Authority, days: int, level: str
) -> None:
    until = datetime.now(UTC) + timedelta(days=days, hours=1)
    own = authority.sign("localhost", "127.0.0.1", until=until)
    service = Service(Config(database=str(tmp_path / "games.db"), listen="127.0.0.1:0", log="off", **tls(own)))
    with capture_logs() as lines:
        await service.start()
        await service.stop()
    (line,) = [line for line in lines if line["event"] == "certificate"]
    assert (line["log_level"], line["days"], line["names"]) == (level, days, "localhost, 127.0.0.1")
    assert line["until"] == f"{until:%Y-%m-%d %H:%M} UTC"


# --- without encryption --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "listen",
    ["127.0.0.1:0", "127.9.9.9:1", "localhost:0", "LocalHost:0", "[::1]:0", "unix:/run/games.sock", "unix:games.sock"],
)
def test_loopback_addresses_need_no_tls(listen: str) -> None:
    certificates_of(Config(listen=listen))


@pytest.mark.parametrize(
    "listen", ["0.0.0.0:0", "[::]:0", "192.0.2.7:1", "[2001:db8::1]:1", "games.example:1", "localhost.example:1", "1:1"]
)
async def test_other_addresses_need_tls_or_insecure(tmp_path: Path, own: Files, listen: str) -> None:
    settings: dict[str, Any] = {"database": str(tmp_path / "games.db"), "listen": listen, "log": "off"}
    with pytest.raises(SettingError, match=r"not be encrypted: set --tls-certificate .*--insecure"):
        await Service(Config(**settings)).start()
    assert not (tmp_path / "games.db").exists()
    certificates_of(Config(**settings, **tls(own)))
    certificates_of(Config(**settings, insecure=True))


async def test_each_start_without_encryption_logs_a_warning(tmp_path: Path) -> None:
    create_key_in(tmp_path / "games.db", "lobby")
    service = Service(Config(database=str(tmp_path / "games.db"), listen="0.0.0.0:0", log="off", insecure=True))
    with capture_logs() as lines:
        await service.start()
    try:
        (line,) = [line for line in lines if line["event"] == "traffic is not encrypted"]
        assert line["log_level"] == "warning"
        async with AsyncClient(f"127.0.0.1:{service.address.rpartition(':')[2]}") as client:
            assert await client.titles()
    finally:
        await service.stop()


async def test_loopback_addresses_log_no_warning(tmp_path: Path) -> None:
    service = Service(Config(database=str(tmp_path / "games.db"), listen="127.0.0.1:0", log="off", insecure=True))
    with capture_logs() as lines:
        await service.start()
        await service.stop()
    assert "traffic is not encrypted" not in {line["event"] for line in lines}


def test_contradicting_settings_are_rejected(own: Files) -> None:
    with pytest.raises(SettingError, match="insecure and tls_certificate contradict"):
        certificates_of(Config(listen="0.0.0.0:0", insecure=True, **tls(own)))
    with pytest.raises(SettingError, match=r"unix:/run/games\.sock is a Unix socket and uses no TLS"):
        certificates_of(Config(listen="unix:/run/games.sock", **tls(own)))


# --- sockets -------------------------------------------------------------------------------------------------

has_sockets = pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="there are no Unix sockets")


@pytest.mark.sqlite_only
@has_sockets
async def test_a_server_on_a_unix_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with running_service("games.db", listen="unix:games.sock") as address:
        assert address == f"unix:{tmp_path / 'games.sock'}"
        for place in (address, "unix:games.sock", f"unix://{tmp_path / 'games.sock'}"):
            with Client(place) as client:
                assert client.titles()
            async with AsyncClient(place) as other:
                assert await other.titles()
        with pytest.raises(FileInUseError) as error, running_service("games.db"):
            pass
        assert error.value.address == address
    assert not (tmp_path / "games.sock").exists()


@has_sockets
def test_only_an_abandoned_socket_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "games.sock"
    with running_service(tmp_path / "one.db", listen=f"unix:{path}") as address:
        with (
            pytest.raises(StartupError, match="another process listens there"),
            running_service(tmp_path / "two.db", listen=address),
        ):
            pass
        with Client(address) as client:
            assert client.titles()
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(path))
    assert path.exists()
    with running_service(tmp_path / "two.db", listen=f"unix:{path}") as address, Client(address) as client:
        assert client.titles()


@has_sockets
def test_impossible_socket_paths(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("Dear Sir or Madam")
    for path, message in (
        (tmp_path / "letter", "that is not a socket"),
        (tmp_path / "typo" / "games.sock", "does not exist"),
        (tmp_path / "letter" / "games.sock", "cannot listen on unix"),
        (tmp_path / ("x" * 107), "at most 107 bytes"),
        ("", "the path of the Unix socket is missing"),
    ):
        with pytest.raises(StartupError, match=message), running_service(tmp_path / "a.db", listen=f"unix:{path}"):
            pass
    assert (tmp_path / "letter").read_text() == "Dear Sir or Madam"


# --- addresses -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "endpoint"),
    [
        ("localhost:1", Endpoint("localhost", 1)),
        ("[::1]:50051", Endpoint("[::1]", 50051)),
        ("0.0.0.0:0", Endpoint("0.0.0.0", 0)),
        ("unix:/run/games.sock", Endpoint(path=Path("/run/games.sock"))),
        ("unix:///run/games.sock", Endpoint(path=Path("/run/games.sock"))),
    ],
)
def test_listen_addresses(text: str, endpoint: Endpoint) -> None:
    assert Config(listen=text).endpoints == (endpoint,)
    assert str(Endpoint.parse(str(endpoint))) == str(endpoint)
