"""A server in a separate process, which can be killed and restarted at the same address."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

TIMEOUT = 200.0
PLAYERS = ("Anna", "Ben", "Cleo", "Dan")


class ServerProcess:
    """One `boardkeeper serve`; ``web`` is its address for browsers."""

    def __init__(self, folder: Path, *more: str) -> None:
        self._folder = folder
        self._more = more
        self._log = folder / "log"
        self.web = ""
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start the server, after a restart on the same port, and wait until it listens."""
        listen = self.web.removeprefix("http://") or "127.0.0.1:0"
        command = [sys.executable, "-m", "boardkeeper", "serve", "--db", str(self._folder / "games.db")]
        before = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log:
            command += ["--listen", listen, "--log-format", "json", *self._more]
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        self.web = self._wait_until_listening(before)["web"]

    def kill(self) -> None:
        """Kill the process, without a shutdown."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """Stop the server with SIGTERM."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self.kill()

    def call(self, method: str, request: dict[str, Any], token: str = "", language: str = "en") -> Any:
        """Call an rpc with JSON and return its answer."""
        headers = {"content-type": "application/json", "accept-language": language}
        headers |= {"authorization": f"Bearer {token}"} if token else {}
        address = f"{self.web}/boardkeeper.v1.{method}"
        posted = urllib.request.Request(address, json.dumps(request).encode(), headers)
        with urllib.request.urlopen(posted, timeout=TIMEOUT) as answer:
            return json.load(answer)

    def create_game(
        self,
        title: str = "orleans",
        edition: str = "",
        players: int = 2,
        *,
        persons: int | None = None,
        seats: list[dict[str, Any]] | None = None,
    ) -> Any:
        """Create a game and return the answer. Bots play the seats without ``persons``; default: all are persons."""
        if seats is None:
            persons = players if persons is None else persons
            seats = [*({"name": name} for name in PLAYERS[:persons]), *[{"bot": "sensible"}] * (players - persons)]
        return self.call("Games/CreateGame", {"title": title, "edition": edition, "seats": seats})

    def wait_for_end(self, game: str) -> int:
        """Wait until bots have finished a game, and return its number of events."""
        deadline = time.monotonic() + 5 * TIMEOUT
        while True:
            known = self.call("Games/GetGame", {"gameId": game})["game"]
            if known["status"] == "GAME_STATUS_ENDED":
                return int(known["version"])
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def _wait_until_listening(self, after: int) -> dict[str, str]:
        deadline = time.monotonic() + TIMEOUT
        while True:
            log = self._log.read_bytes()[after:].decode()
            for line in re.findall(r"^\{.*\}$", log, re.MULTILINE):
                entry: dict[str, str] = json.loads(line)
                if entry.get("event") == "listening":
                    return entry
            assert self._process is not None
            assert self._process.poll() is None, log
            assert time.monotonic() < deadline, log
            time.sleep(0.02)
