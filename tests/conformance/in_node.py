"""The SDK in TypeScript as a client of the kit: one process plays all games that it is asked to."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from tests.conformance.careless import timeout_of, way_of

from boardkeeper.conformance.kit import Client
from boardkeeper.conformance.observations import ClientExit
from boardkeeper.conformance.scenarios import Scenario
from build_web import environment, node


@asynccontextmanager
async def client_in_node(sdk: Path) -> AsyncIterator[Callable[[Scenario], Client]]:
    """Clients that play by Connect, until the end of the block, each as a scenario wants it."""
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
            told = json.loads(line)
            waiting.pop(told["id"]).set_result(ClientExit(told["status"], told["out"], told["err"]))
        for one in waiting.values():
            one.set_result(ClientExit(1, "", "the process ended"))

    reading = asyncio.create_task(read(process.stdout))

    async def run(scenario: Scenario, _address: str, web: str) -> ClientExit:
        assert process.stdin is not None
        own = str(next(ids))
        waiting[own] = asyncio.get_running_loop().create_future()
        process.stdin.write(f"{own} {web} {timeout_of(scenario):.0f} {way_of(scenario)}\n".encode())
        return await waiting[own]

    try:
        yield lambda scenario: partial(run, scenario)
    finally:
        process.stdin.close()
        process.kill()
        await process.wait()
        await reading
