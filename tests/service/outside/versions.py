"""Versions of the package ``pebbles``, written into folders, and server processes that have one of them installed."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
from tests.service.api_server import Api
from tests.waiting import until

SITE = Path(__file__).parent / "site"

CHANGES: Mapping[str, Mapping[str, str]] = {
    "nothing": {},
    "a zone": {r'"bag"': '"sack"'},
    "a marker": {r'"turn"': '"turns"'},
    "a field": {r"\bcount: int": "amount: int", r"command\.count": "command.amount", r"\(count=": "(amount="},
    "an event": {r"\bPebblesDrawn\b": "HandfulDrawn"},
    "a function": {r"def legal": "def legal(self, seat):\n        raise KeyError('bag')\n\n    def illegal"},
    "standings": {r"Standing\(seat, points,": "Standing(seat, 10 * points,"},
}
"""The changes in another version of the package: regular expressions and their replacements."""


def installed(folder: Path, version: str, changed: str = "nothing") -> Path:
    """Return a folder for ``PYTHONPATH`` with the package in that version."""
    text = (SITE / "pebbles_title.py").read_text("utf-8")
    for pattern, replacement in CHANGES[changed].items():
        text, count = re.subn(pattern, replacement, text)
        assert count, pattern
    info = folder / f"pebbles-{version}.dist-info"
    info.mkdir(parents=True)
    (folder / "pebbles_title.py").write_text(text, "utf-8")
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pebbles\nVersion: {version}\n", "utf-8")
    (info / "entry_points.txt").write_text("[boardkeeper.titles]\npebbles = pebbles_title\n", "utf-8")
    return folder


def run(site: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python with that folder on its path."""
    environment = os.environ | {"PYTHONPATH": str(site), "BOARDKEEPER_TITLES": "built-in,pebbles"}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, check=False, env=environment, cwd=site
    )


@asynccontextmanager
async def serving(site: Path, database: Path) -> AsyncIterator[tuple[Api, Path]]:
    """A server process with that folder on its path, and its log."""
    log = database.with_suffix(".log")
    command = [sys.executable, "-m", "boardkeeper", "serve", "--titles", "built-in,pebbles"]
    flags = ["--db", str(database), "--listen", "127.0.0.1:0", "--log-format", "json"]
    environment = os.environ | {"PYTHONPATH": str(site)}
    with log.open("w") as stream:
        process = await asyncio.create_subprocess_exec(*command, *flags, stderr=stream, stdout=stream, env=environment)
    try:
        await until(lambda: listening(log) or process.returncode is not None)
        assert process.returncode is None, log.read_text()
        async with grpc.aio.insecure_channel(listening(log)[0]) as channel:
            yield Api(channel, listening(log)[0]), log
    finally:
        if process.returncode is None:
            process.terminate()
            await process.wait()


def lines_of(log: Path) -> list[dict[str, str]]:
    """Return the lines of a log that are complete."""
    return [json.loads(line) for line in log.read_text("utf-8").splitlines(keepends=True) if line.endswith("}\n")]


def listening(log: Path) -> list[str]:
    """Return the address of the server once it listens."""
    return [line["address"] for line in lines_of(log) if line["event"] == "listening"]
