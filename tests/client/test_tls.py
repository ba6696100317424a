"""The command line with servers with and without TLS."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.certificates import Authority, Files
from tests.client.conftest import RunCommand

from boardkeeper.client import Client, Tls, Unavailable, bot
from boardkeeper.client.addresses import Address
from boardkeeper.client.tls import Endpoint
from boardkeeper.service.process.server import running_service

pytestmark = pytest.mark.socket


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """A certificate authority."""
    (tmp_path / "certificates").mkdir()
    return Authority(tmp_path / "certificates", "ours")


@pytest.fixture
def member(authority: Authority) -> Files:
    """A client certificate."""
    return authority.sign("anna.example")


@pytest.fixture
def tls_server(tmp_path: Path, authority: Authority) -> Iterator[str]:
    """The address of a server with TLS."""
    own = authority.sign("localhost", "127.0.0.1")
    with running_service(tmp_path / "tls.db", tls_certificate=own.certificate, tls_key=own.key) as address:
        yield address


@pytest.fixture
def mtls_server(tmp_path: Path, authority: Authority) -> Iterator[str]:
    """The address of a server that requires client certificates."""
    own = authority.sign("localhost", "127.0.0.1")
    with running_service(
        tmp_path / "mtls.db", tls_certificate=own.certificate, tls_key=own.key, tls_client_ca=authority.file
    ) as address:
        yield address


def test_a_tls_server_is_called_with_flags_or_variables(
    run_in_process: RunCommand, tls_server: str, authority: Authority
) -> None:
    url = f"https://{tls_server}"
    assert run_in_process("titles", "--server", url, "--ca-file", authority.file).status == 0
    assert run_in_process("titles", "--server", url, BOARDKEEPER_CA_FILE=authority.file).status == 0
    assert run_in_process("games", BOARDKEEPER_SERVER=url, BOARDKEEPER_CA_FILE=authority.file).status == 0
    assert run_in_process("games", "--ca-file", authority.file, BOARDKEEPER_SERVER=url).status == 0


def test_the_seat_file_has_the_https_address(
    run_in_process: RunCommand, tls_server: str, authority: Authority, tmp_path: Path
) -> None:
    trusted = {"BOARDKEEPER_CA_FILE": authority.file}
    with Client(f"https://{tls_server}", tls=Tls(authority.file)) as client:
        game = client.create_game("orleans", [bot(), bot()]).game.game_id
    forked = run_in_process("fork", game, "--server", f"https://{tls_server}", **trusted)
    assert forked.status == 0, forked.err
    assert f'"server": "https://{tls_server}"' in (tmp_path / "home" / "seats.jsonl").read_text()


def test_a_client_certificate_is_presented_if_required(
    run_in_process: RunCommand, mtls_server: str, authority: Authority, member: Files
) -> None:
    url = f"https://{mtls_server}"
    flags = ("--client-cert", member.certificate, "--client-key", member.key)
    result = run_in_process("titles", "--server", url, "--ca-file", authority.file, *flags)
    assert result.status == 0, result.err
    result = run_in_process(
        "titles", "--server", url, BOARDKEEPER_CA_FILE=authority.file, BOARDKEEPER_CLIENT_CERT=member.certificate,
        BOARDKEEPER_CLIENT_KEY=member.key,
    )  # fmt: skip
    assert result.status == 0, result.err
    result = run_in_process("titles", "--server", url, "--ca-file", authority.file)
    assert (result.status, result.err.count("\n")) == (3, 1)
    assert (
        "requires a client certificate: set one with its private key, with --client-cert and --client-key."
        in result.err
    )


def test_errors_of_tls_are_one_clear_line_with_advice(
    run_in_process: RunCommand, tls_server: str, address: str, authority: Authority
) -> None:
    for server, problem in (
        (f"https://{tls_server}", "is not trusted (unable to get local issuer certificate): name the authority that"),
        (f"https://{tls_server}", "with --ca-file."),
        (tls_server, f"{tls_server} requires TLS: call it as https://{tls_server}."),
        (
            f"https://{address}",
            f"https://{address} does not use TLS: on a trusted network, call it as {address}, without https://.",
        ),
    ):
        result = run_in_process("titles", "--server", server, SSL_CERT_FILE="")
        assert (result.status, result.err.count("\n")) == (3, 1), result.err
        assert problem in result.err


def test_a_bad_certificate_is_diagnosed_if_grpc_does_not_report_it(
    tls_server: str, authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error of gRPC names only the last address, such as ::1 without a server, and not the bad certificate."""
    monkeypatch.setenv("SSL_CERT_FILE", "")
    error = Unavailable("failed to connect to all addresses; last error: ipv6:[::1]:1: Connection refused")
    (tmp_path / "others").mkdir()
    other = Authority(tmp_path / "others", "theirs")
    for tls, reason in (
        (Tls(), "CERTIFICATE_NOT_TRUSTED"),
        (Tls(other.file), "CERTIFICATE_NOT_TRUSTED"),
        (Tls(authority.file), ""),
    ):
        endpoint = Endpoint(f"https://{tls_server}", tls)
        assert endpoint.can_diagnose(error)
        diagnosis = endpoint.diagnose()
        assert (diagnosis.reason if diagnosis else "") == reason
    named = authority.sign("games.example")
    with running_service(tmp_path / "named.db", tls_certificate=named.certificate, tls_key=named.key) as address:
        diagnosis = Endpoint(f"https://{address}", Tls(authority.file)).diagnose()
    assert diagnosis is not None
    assert diagnosis.reason == "CERTIFICATE_OF_ANOTHER_NAME"


def test_unusable_files_are_one_clear_line(
    run_in_process: RunCommand, tls_server: str, address: str, authority: Authority, member: Files, tmp_path: Path
) -> None:
    url, empty = f"https://{tls_server}", tmp_path / "empty"
    empty.touch()
    for flags, problem in (
        (("--server", url, "--ca-file", "missing.pem"), "cannot read missing.pem: No such file or directory."),
        (("--server", url, "--ca-file", member.key), f"{member.key} contains no PEM certificates."),
        (("--server", url, "--ca-file", str(empty)), f"{empty} contains no PEM certificates."),
        (("--server", url, "--client-cert", member.certificate), "need each other: set both."),
        (
            ("--server", url, "--client-cert", member.certificate, "--client-key", member.certificate),
            "must be a PEM certificate and its private key without a password.",
        ),
        (
            ("--server", address, "--ca-file", authority.file),
            f"--ca-file needs a server at https://: write https://{address}",
        ),
    ):
        result = run_in_process("titles", *flags)
        assert (result.status, result.err.count("\n")) == (2, 1), result.err
        assert problem in result.err


def test_a_file_in_use_by_a_tls_server_is_read_through_it(
    run_in_process: RunCommand, tls_server: str, authority: Authority
) -> None:
    result = run_in_process("games", "--db", "tls.db", BOARDKEEPER_CA_FILE=authority.file)
    assert result.status == 0, result.err
    assert f"is in use by the server at https://{tls_server}" in result.err
    assert "is not trusted" in run_in_process("games", "--db", "tls.db", SSL_CERT_FILE="").err


def test_an_invalid_default_server_is_reported(run_in_process: RunCommand) -> None:
    result = run_in_process("games", BOARDKEEPER_SERVER="somewhere")
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert "'somewhere' must be HOST:PORT" in result.err
    assert "BOARDKEEPER_SERVER" in result.err


def test_serve_and_config_reject_a_public_address_without_tls(run_program: RunCommand) -> None:
    for command in ("config", "serve"):
        result = run_program(command, "--listen", "0.0.0.0:0")
        assert result.status == 1
        assert "set --tls-certificate and --tls-key" in result.err
        assert result.err.count("\n") == 1
    assert run_program("config", "--listen", "0.0.0.0:0", "--insecure").status == 0


def test_a_server_on_a_unix_socket(run_in_process: RunCommand, tmp_path: Path) -> None:
    with running_service(tmp_path / "games.db", listen=f"unix:{tmp_path / 'a.sock'}") as address:
        assert run_in_process("titles", "--server", address).status == 0
        assert run_in_process("games", BOARDKEEPER_SERVER=address).status == 0
        result = run_in_process("games", "--db", "games.db")
        assert result.status == 0, result.err
        assert f"is in use by the server at {address}" in result.err
    assert run_in_process("titles", BOARDKEEPER_SERVER=address).status == 0  # titles needs no server


@pytest.mark.parametrize(
    ("text", "target", "secure"),
    [
        ("localhost:50051", "localhost:50051", False),
        ("http://localhost:50051/", "localhost:50051", False),
        ("https://games.example", "games.example:443", True),
        ("HTTPS://games.example:8443/", "games.example:8443", True),
        ("https://[::1]", "[::1]:443", True),
        ("[::1]:5", "[::1]:5", False),
        ("unix:/run/games.sock", "unix:/run/games.sock", False),
    ],
)
def test_addresses(text: str, target: str, secure: bool) -> None:
    assert Address.parse(text) == Address(target, secure)
    assert Address.parse(str(Address.parse(text))) == Address(target, secure)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "localhost",
        ":1",
        "a:b",
        "a:70000",
        "https://",
        "https:///x",
        "https://a/b",
        "http://a",
        "https://a:x",
        "unix:",
    ],
)
def test_invalid_addresses(text: str) -> None:
    with pytest.raises(ValueError, match=r"must be HOST:PORT|must name a socket"):
        Address.parse(text)


def test_tls_needs_https_and_one_setting(authority: Authority) -> None:
    trust = Tls(authority.file)
    with pytest.raises(ValueError, match="write https://localhost:1"):
        Client("localhost:1", tls=trust)
    with pytest.raises(ValueError, match="not both"):
        Client("https://localhost:1", tls=trust, credentials=trust.credentials())
