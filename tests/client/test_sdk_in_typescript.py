"""The SDK in TypeScript and a real service, over a line on which answers are lost, doubled and cut off."""

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
"""Nothing here takes so long."""


async def web_address(server: Process) -> str:
    """Where it answers browsers, once it does: ``host:port``."""
    await server.address()
    (url,) = [line["web"] for line in server.lines() if line["event"] == "listening"]
    return str(url).removeprefix("http://").replace("localhost", "127.0.0.1")


async def test_nothing_is_lost_or_done_twice(sdk: Path, tmp_path: Path) -> None:
    """Though answers are dropped, requests doubled, streams cut, and the service is killed amid it all."""

    async def started() -> Process:
        (tmp_path / "games.db.log").unlink(missing_ok=True)
        server = Process(tmp_path / "games.db")
        between.target = await web_address(server)
        return server

    with relay() as between:
        server = await started()
        playing = await asyncio.create_subprocess_exec(
            node(), "test/service.ts", f"http://{between.address}",
            cwd=sdk, env=environment(), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert playing.stdin is not None
        assert playing.stdout is not None
        try:
            async with asyncio.timeout(SECONDS):
                asked = await playing.stdout.readline()
                assert b"kill" in asked, asked
                server.process.kill()
                server.process.wait()
                server = await started()
                playing.stdin.write(b"it is back\n")
                told = json.loads(await playing.stdout.readline() or "{}")
                assert await playing.wait() == 0
        finally:
            if playing.returncode is None:
                playing.kill()
            server.process.kill()
            server.process.wait()
    assert min(told["dropped"], told["doubled"], told["cut"]) > 5
    assert told["events"] > 50
