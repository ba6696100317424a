"""Servers in processes of their own, as operators start them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.waiting import wait_until

KINDS = ("uvicorn", "grpcio")
"""The gRPC servers, as `--grpc-server` names them. All tests of this folder run with each."""


@dataclass
class Server:
    """A running server."""

    address: str
    log: Path

    def calls(self) -> dict[str, dict[str, Any]]:
        """Return the log lines of ended calls by the id of the call."""
        return {line["call_id"]: line for line in read_log(self.log) if line["event"] == "call"}


@contextmanager
def running_process(folder: Path, kind: str, **settings: str) -> Iterator[Server]:
    """Run `boardkeeper serve` with a new database until the end of the block."""
    log = folder / "log.jsonl"
    flags = {"listen": "127.0.0.1:0", "db": str(folder / "games.db"), "log": "json", "grpc-server": kind} | settings
    if kind == "grpcio":
        flags.setdefault("grpc-listen", "127.0.0.1:0")
    command = [
        sys.executable,
        "-m",
        "boardkeeper",
        "serve",
        *(f"--{name}={value}" for name, value in flags.items()),
    ]
    with log.open("w") as stream:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream)
    try:
        wait_until(lambda: process.poll() is not None or any(it["event"] == "listening" for it in read_log(log)))
        assert process.poll() is None, log.read_text()
        yield Server(next(it["address"] for it in read_log(log) if it["event"] == "listening"), log)
        assert process.poll() is None, log.read_text()
    finally:
        process.kill()
        process.wait()


def read_log(log: Path) -> list[dict[str, Any]]:
    """Return the complete lines of a log in JSON."""
    complete = log.read_text().rpartition("\n")[0]
    return [json.loads(line) for line in complete.splitlines() if line.startswith("{")]
