"""The SDK in TypeScript and a real server, over a proxy that loses, repeats and cuts off answers."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from tests.relay import relay
from tests.service.process.test_running import Process

from build_web import environment, node

pytestmark = pytest.mark.socket

SECONDS = 200
"""The time limit of the test."""


async def web_address(server: Process) -> str:
    """Wait until the server listens; return its address for browsers as ``host:port``."""
    await server.address()
    (url,) = [line["web"] for line in server.lines() if line["event"] == "listening"]
    return str(url).removeprefix("http://").replace("localhost", "127.0.0.1")


async def test_no_command_is_lost_or_carried_out_twice(sdk: Path, tmp_path: Path) -> None:
    """Answers are dropped, requests repeated, streams cut, and the server is killed in between."""

    async def start_server() -> Process:
        (tmp_path / "games.db.log").unlink(missing_ok=True)
        server = Process(tmp_path / "games.db")
        proxy.target = await web_address(server)
        return server

    with relay() as proxy:
        server = await start_server()
        playing = await asyncio.create_subprocess_exec(
            node(), "test/service.ts", f"http://{proxy.address}",
            cwd=sdk, env=environment(), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert playing.stdin is not None
        assert playing.stdout is not None
        try:
            async with asyncio.timeout(SECONDS):
                request = await playing.stdout.readline()
                assert b"kill" in request, request
                server.process.kill()
                server.process.wait()
                server = await start_server()
                playing.stdin.write(b"it is back\n")
                counts = json.loads(await playing.stdout.readline() or "{}")
                assert await playing.wait() == 0
        finally:
            if playing.returncode is None:
                playing.kill()
            server.process.kill()
            server.process.wait()
    assert min(counts["dropped"], counts["doubled"], counts["cut"]) > 5
    assert counts["events"] > 50
