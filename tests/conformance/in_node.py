"""The TypeScript SDK as a client of the kit: one process plays all games."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from tests.conformance.faulty_client import entry_of, timeout_of

from boardkeeper.conformance.kit import Client
from boardkeeper.conformance.observations import ClientExit
from boardkeeper.conformance.scenarios import Scenario
from build_web import environment, node


@asynccontextmanager
async def client_in_node(sdk: Path) -> AsyncIterator[Callable[[Scenario], Client]]:
    """Start the process, and yield a function that returns a client for a scenario. The clients use Connect."""
    process = await asyncio.create_subprocess_exec(
        node(), "test/conformance.ts", cwd=sdk, env=environment(),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, limit=1 << 20,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    ids = itertools.count(1)
    waiting: dict[str, asyncio.Future[ClientExit]] = {}

    async def read(lines: asyncio.StreamReader) -> None:
        while line := await lines.readline():
            done = json.loads(line)
            waiting.pop(done["id"]).set_result(ClientExit(done["status"], done["out"], done["err"]))
        for one in waiting.values():
            one.set_result(ClientExit(1, "", "the process ended"))

    reading = asyncio.create_task(read(process.stdout))

    async def run(scenario: Scenario, _address: str, web: str) -> ClientExit:
        assert process.stdin is not None
        id = str(next(ids))
        waiting[id] = asyncio.get_running_loop().create_future()
        process.stdin.write(f"{id} {web} {timeout_of(scenario):.0f} {entry_of(scenario)}\n".encode())
        return await waiting[id]

    try:
        yield lambda scenario: partial(run, scenario)
    finally:
        process.stdin.close()
        process.kill()
        await process.wait()
        await reading
