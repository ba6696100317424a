"""A service in a process of its own, as browsers meet it: it can be killed and started again at the same address."""

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

WAIT = 200.0


class House:
    """One `boardkeeper serve`; ``web`` is its address for browsers."""

    def __init__(self, folder: Path, *more: str) -> None:
        self._folder = folder
        self._more = more
        self._log = folder / "log"
        self.web = ""
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    def start(self) -> None:
        """Start the server, on the port that it had before if it is started again, and wait until it listens."""
        listen = self.web.removeprefix("http://") or "127.0.0.1:0"
        command = [sys.executable, "-m", "boardkeeper", "serve", "--db", str(self._folder / "games.db")]
        before = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log:
            command += ["--listen", listen, "--log-format", "json", *self._more]
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        self.web = self._listening(before)["web"]

    def kill(self) -> None:
        """Without a word."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def close(self) -> None:
        """End it as an operator does."""
        assert self._process is not None
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(WAIT)
        except subprocess.TimeoutExpired:
            self.kill()

    def call(self, method: str, request: dict[str, Any], token: str = "", language: str = "en") -> Any:
        """What an rpc answers, by JSON."""
        headers = {"content-type": "application/json", "accept-language": language}
        headers |= {"authorization": f"Bearer {token}"} if token else {}
        address = f"{self.web}/boardkeeper.v1.{method}"
        posted = urllib.request.Request(address, json.dumps(request).encode(), headers)
        with urllib.request.urlopen(posted, timeout=WAIT) as answer:
            return json.load(answer)

    def waits_for_the_end(self, game: str) -> int:
        """Until bots have played a game to its end; tells how many events it has."""
        give_up = time.monotonic() + 5 * WAIT
        while True:
            known = self.call("Games/GetGame", {"gameId": game})["game"]
            if known["status"] == "GAME_STATUS_ENDED":
                return int(known["version"])
            assert time.monotonic() < give_up
            time.sleep(0.05)

    def log(self) -> str:
        """All that it has logged."""
        return self._log.read_text()

    def _listening(self, after: int) -> dict[str, str]:
        give_up = time.monotonic() + WAIT
        while True:
            said = self._log.read_bytes()[after:].decode()
            for line in re.findall(r"^\{.*\}$", said, re.MULTILINE):
                told: dict[str, str] = json.loads(line)
                if told.get("event") == "listening":
                    return told
            assert self._process is not None
            assert self._process.poll() is None, said
            assert time.monotonic() < give_up, said
            time.sleep(0.02)
