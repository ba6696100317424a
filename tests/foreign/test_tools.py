"""Tools that know none of our protos: they ask the server by reflection, in both versions of the protocol."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from tests.certificates import Authority
from tests.examples import clean_environment
from tests.foreign.programs import FOLDER, program_of, run
from tests.foreign.servers import Server, running_process

pytestmark = [pytest.mark.socket, pytest.mark.timeout(600)]  # includes the build

LIST_TITLES = "boardkeeper.v1.Catalog/ListTitles"
GET_GAME = "boardkeeper.v1.Games/GetGame"
WATCH = "boardkeeper.v1.Games/WatchGame"
HEALTH = "grpc.health.v1.Health"
UNKNOWN = json.dumps({"gameId": "00000000-0000-4000-8000-000000000000"})


@pytest.fixture(scope="module")
def server(kind: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tools, which change nothing."""
    program_of("go").build()
    with running_process(tmp_path_factory.mktemp("server"), kind) as server:
        yield server


def go_tool(name: str, *arguments: str) -> list[str]:
    """Return the command of a tool that `go/go.mod` lists."""
    return [str(FOLDER / "go" / "build" / name), *arguments]


def failing(*command: str) -> str:
    """Run a command that must fail, and return everything that it prints."""
    done = subprocess.run(
        command, env=clean_environment(), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    assert done.returncode != 0, done.stdout
    return done.stdout


def test_grpcurl(server: Server) -> None:
    def command(*arguments: str) -> list[str]:
        return go_tool("grpcurl", "-plaintext", *arguments)

    services = run(*command(server.address, "list")).split()
    assert {"boardkeeper.v1.Games", HEALTH, "grpc.reflection.v1.ServerReflection"} <= set(services)
    for service in services:
        for method in run(*command(server.address, "list", service)).split():
            assert run(*command(server.address, "describe", method)).startswith(f"{method} is a method:")
    titles = json.loads(run(*command(server.address, LIST_TITLES)))["titles"]
    assert "orleans" in [title["id"] for title in titles]
    problem = json.loads(failing(*command("-format-error", "-d", UNKNOWN, server.address, GET_GAME)))
    assert problem["code"] == 5
    assert problem["details"][0]["reason"] == "GAME_NOT_FOUND"
    assert json.loads(run(*command(server.address, f"{HEALTH}/Check"))) == {"status": "SERVING"}


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
def test_buf_curl(server: Server, version: str) -> None:
    url = f"http://{server.address}"
    command = ["buf", "curl", "--http2-prior-knowledge", "--protocol=grpc", f"--reflect-protocol=grpc-{version}"]
    assert LIST_TITLES in run(*command, "--list-methods", url).split()
    assert "orleans" in run(*command, f"{url}/{LIST_TITLES}")
    problem = json.loads(failing(*command, "--data", UNKNOWN, f"{url}/{GET_GAME}"))
    assert problem["code"] == "not_found"
    assert "google.rpc.ErrorInfo" in [detail["type"] for detail in problem["details"]]


def test_ghz(server: Server) -> None:
    """A hundred calls at once on one connection, whose answers together exceed its window: they must take turns."""
    options = [
        "--insecure",
        "--call",
        LIST_TITLES,
        "--total=1500",
        "--concurrency=100",
        "--connections=1",
        "--timeout=0",
    ]
    report = json.loads(run(*go_tool("ghz", *options, "--format=json", server.address)))
    assert report["statusCodeDistribution"] == {"OK": 1500}
    slowest = max(report["details"], key=lambda call: call["latency"])
    overtaking = [
        call for call in report["details"] if _began(call) > _began(slowest) and _ended(call) < _ended(slowest)
    ]
    assert len(overtaking) < 1000


def _began(call: dict[str, Any]) -> float:
    return datetime.fromisoformat(call["timestamp"]).timestamp()


def _ended(call: dict[str, Any]) -> float:
    return _began(call) + float(call["latency"]) / 1e9


@pytest.mark.parametrize("service", ["", "boardkeeper.v1.Games"])
def test_grpc_health_probe(server: Server, service: str) -> None:
    probe = go_tool("grpc-health-probe", f"-addr={server.address}", "-connect-timeout=100s", "-rpc-timeout=100s")
    run(*probe, f"-service={service}")
    assert "NotFound" in failing(*probe, "-service=boardkeeper.v1.NoSuchService")


def test_tls_with_client_certificates(kind: str, tmp_path: Path) -> None:
    """grpc-go and buf choose HTTP/2 by ALPN, and present a certificate."""
    program_of("go").build()
    (tmp_path / "certificates").mkdir()
    authority = Authority(tmp_path / "certificates", "ours")
    own, client = authority.sign("localhost"), authority.sign("client")
    settings = {"tls-certificate": own.certificate, "tls-key": own.key, "tls-client-ca": authority.file}
    with running_process(tmp_path, kind, **settings) as server:
        address = server.address.replace("127.0.0.1", "localhost")
        certificates = [
            "-connect-timeout=100",
            "-cacert",
            authority.file,
            "-cert",
            client.certificate,
            "-key",
            client.key,
        ]
        assert "orleans" in run(*go_tool("grpcurl", *certificates, address, LIST_TITLES))
        options = ["-tls", f"-tls-ca-cert={authority.file}"]
        options += [f"-tls-client-cert={client.certificate}", f"-tls-client-key={client.key}"]
        run(*go_tool("grpc-health-probe", f"-addr={address}", "-connect-timeout=100s", "-rpc-timeout=100s", *options))
        buf = ["buf", "curl", "--protocol=grpc", "--cacert", authority.file, f"https://{address}/{LIST_TITLES}"]
        assert "orleans" in run(*buf, "--cert", client.certificate, "--key", client.key)
        failing(*buf)


def test_unix_sockets(kind: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    program_of("go").build()
    folder = tmp_path_factory.mktemp("unix")
    path = folder / "socket"
    setting = {"grpc-listen" if kind == "grpcio" else "listen": f"unix:{path}"}
    with running_process(folder, kind, **setting):
        grpcurl = go_tool("grpcurl", "-plaintext", "-connect-timeout=100", f"unix://{path}", LIST_TITLES)
        assert "orleans" in run(*grpcurl)
        probe = go_tool("grpc-health-probe", f"-addr=unix://{path}", "-connect-timeout=100s", "-rpc-timeout=100s")
        run(*probe)
