"""The command line at a service that speaks TLS, and with one that does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.certificates import Authority, Files
from tests.client.conftest import Ran

from boardkeeper.client import Client, Tls, Unavailable, bot
from boardkeeper.client.addresses import Address
from boardkeeper.client.tls import Endpoint
from boardkeeper.service.process.server import running_service

Run = Callable[..., Ran]

pytestmark = pytest.mark.socket


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    """Whom this person may trust."""
    (tmp_path / "certificates").mkdir()
    return Authority(tmp_path / "certificates", "ours")


@pytest.fixture
def member(authority: Authority) -> Files:
    """A certificate of this person."""
    return authority.sign("anna.example")


@pytest.fixture
def encrypted(tmp_path: Path, authority: Authority) -> Iterator[str]:
    """The address of a service that speaks TLS."""
    own = authority.sign("localhost", "127.0.0.1")
    with running_service(tmp_path / "tls.db", tls_certificate=own.certificate, tls_key=own.key) as address:
        yield address


@pytest.fixture
def closed(tmp_path: Path, authority: Authority) -> Iterator[str]:
    """The address of one that wants to see certificates."""
    own = authority.sign("localhost", "127.0.0.1")
    with running_service(
        tmp_path / "mtls.db", tls_certificate=own.certificate, tls_key=own.key, tls_client_ca=authority.file
    ) as address:
        yield address


def test_a_service_is_reached_at_https_with_flags_or_variables(
    inside: Run, encrypted: str, authority: Authority
) -> None:
    place = f"https://{encrypted}"
    assert inside("titles", "--server", place, "--ca-file", authority.file).status == 0
    assert inside("titles", "--server", place, BOARDKEEPER_CA_FILE=authority.file).status == 0
    assert inside("games", BOARDKEEPER_SERVER=place, BOARDKEEPER_CA_FILE=authority.file).status == 0
    assert inside("games", "--ca-file", authority.file, BOARDKEEPER_SERVER=place).status == 0


def test_a_seat_is_played_there_and_its_token_goes_nowhere_else(
    inside: Run, encrypted: str, authority: Authority, tmp_path: Path
) -> None:
    trusted = {"BOARDKEEPER_CA_FILE": authority.file}
    with Client(f"https://{encrypted}", tls=Tls(authority.file)) as client:
        game = client.create_game("orleans", [bot(), bot()]).game.game_id
    forked = inside("fork", game, "--server", f"https://{encrypted}", **trusted)
    assert forked.status == 0, forked.err
    assert f'"server": "https://{encrypted}"' in (tmp_path / "home" / "seats.jsonl").read_text()


def test_a_certificate_is_shown_where_one_is_wanted(
    inside: Run, closed: str, authority: Authority, member: Files
) -> None:
    place = f"https://{closed}"
    shown = ("--client-cert", member.certificate, "--client-key", member.key)
    ran = inside("titles", "--server", place, "--ca-file", authority.file, *shown)
    assert ran.status == 0, ran.err
    ran = inside(
        "titles", "--server", place, BOARDKEEPER_CA_FILE=authority.file, BOARDKEEPER_CLIENT_CERT=member.certificate,
        BOARDKEEPER_CLIENT_KEY=member.key,
    )  # fmt: skip
    assert ran.status == 0, ran.err
    ran = inside("titles", "--server", place, "--ca-file", authority.file)
    assert (ran.status, ran.err.count("\n")) == (3, 1)
    assert (
        "requires a client certificate: set one with its private key, with --client-cert and --client-key." in ran.err
    )


def test_what_went_wrong_and_what_to_do_is_one_clear_line(
    inside: Run, encrypted: str, address: str, authority: Authority
) -> None:
    for server, said in (
        (f"https://{encrypted}", "is not trusted (unable to get local issuer certificate): name the authority that"),
        (f"https://{encrypted}", "with --ca-file."),
        (encrypted, f"{encrypted} requires TLS: call it as https://{encrypted}."),
        (
            f"https://{address}",
            f"https://{address} does not use TLS: on a trusted network, call it as {address}, without https://.",
        ),
    ):
        ran = inside("titles", "--server", server, SSL_CERT_FILE="")
        assert (ran.status, ran.err.count("\n")) == (3, 1), ran.err
        assert said in ran.err


def test_a_certificate_is_judged_where_grpc_does_not_tell_of_it(
    encrypted: str, authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error of gRPC names the last address, where ::1 refuses connections, and not the bad certificate."""
    monkeypatch.setenv("SSL_CERT_FILE", "")
    refused = Unavailable("failed to connect to all addresses; last error: ipv6:[::1]:1: Connection refused")
    (tmp_path / "others").mkdir()
    other = Authority(tmp_path / "others", "theirs")
    for tls, reason in (
        (Tls(), "CERTIFICATE_NOT_TRUSTED"),
        (Tls(other.file), "CERTIFICATE_NOT_TRUSTED"),
        (Tls(authority.file), ""),
    ):
        endpoint = Endpoint(f"https://{encrypted}", tls)
        assert endpoint.can_diagnose(refused)
        asked = endpoint.diagnose()
        assert (asked.reason if asked else "") == reason
    named = authority.sign("games.example")
    with running_service(tmp_path / "named.db", tls_certificate=named.certificate, tls_key=named.key) as address:
        asked = Endpoint(f"https://{address}", Tls(authority.file)).diagnose()
    assert asked is not None
    assert asked.reason == "CERTIFICATE_OF_ANOTHER_NAME"


def test_files_that_cannot_be_used_are_one_clear_line(
    inside: Run, encrypted: str, address: str, authority: Authority, member: Files, tmp_path: Path
) -> None:
    place, empty = f"https://{encrypted}", tmp_path / "empty"
    empty.touch()
    for flags, said in (
        (("--server", place, "--ca-file", "missing.pem"), "cannot read missing.pem: No such file or directory."),
        (("--server", place, "--ca-file", member.key), f"{member.key} contains no PEM certificates."),
        (("--server", place, "--ca-file", str(empty)), f"{empty} contains no PEM certificates."),
        (("--server", place, "--client-cert", member.certificate), "need each other: set both."),
        (
            ("--server", place, "--client-cert", member.certificate, "--client-key", member.certificate),
            "must be a PEM certificate and its private key without a password.",
        ),
        (
            ("--server", address, "--ca-file", authority.file),
            f"--ca-file needs a server at https://: write https://{address}",
        ),
    ):
        ran = inside("titles", *flags)
        assert (ran.status, ran.err.count("\n")) == (2, 1), ran.err
        assert said in ran.err


def test_a_file_that_a_service_with_tls_serves_is_asked_for_there(
    inside: Run, encrypted: str, authority: Authority
) -> None:
    ran = inside("games", "--db", "tls.db", BOARDKEEPER_CA_FILE=authority.file)
    assert ran.status == 0, ran.err
    assert f"is in use by the server at https://{encrypted}" in ran.err
    assert "is not trusted" in inside("games", "--db", "tls.db", SSL_CERT_FILE="").err


def test_a_usual_service_that_is_none_is_told(inside: Run) -> None:
    ran = inside("games", BOARDKEEPER_SERVER="somewhere")
    assert (ran.status, ran.err.count("\n")) == (2, 1)
    assert "'somewhere' must be HOST:PORT" in ran.err
    assert "BOARDKEEPER_SERVER" in ran.err


def test_serve_refuses_to_be_open_to_others_and_config_tells_so_before(boardkeeper: Run) -> None:
    for command in ("config", "serve"):
        ran = boardkeeper(command, "--listen", "0.0.0.0:0")
        assert ran.status == 1
        assert "set --tls-certificate and --tls-key" in ran.err
        assert ran.err.count("\n") == 1
    assert boardkeeper("config", "--listen", "0.0.0.0:0", "--insecure").status == 0


def test_a_service_on_a_socket_is_a_place_like_others(inside: Run, tmp_path: Path) -> None:
    with running_service(tmp_path / "games.db", listen=f"unix:{tmp_path / 'a.sock'}") as address:
        assert inside("titles", "--server", address).status == 0
        assert inside("games", BOARDKEEPER_SERVER=address).status == 0
        ran = inside("games", "--db", "games.db")
        assert ran.status == 0, ran.err
        assert f"is in use by the server at {address}" in ran.err
    assert inside("titles", BOARDKEEPER_SERVER=address).status == 0  # which needs no service


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
def test_addresses_that_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"must be HOST:PORT|must name a socket"):
        Address.parse(text)


def test_tls_is_for_https_and_said_once(authority: Authority) -> None:
    trust = Tls(authority.file)
    with pytest.raises(ValueError, match="write https://localhost:1"):
        Client("localhost:1", tls=trust)
    with pytest.raises(ValueError, match="not both"):
        Client("https://localhost:1", tls=trust, credentials=trust.credentials())
