"""Clients of this process that the kit tries: each in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from boardkeeper.conformance.judging import PASSED, Verdict
from boardkeeper.conformance.kit import Client, kit
from boardkeeper.conformance.scenarios import Scenario, scenarios
from boardkeeper.conformance.sightings import Ran
from boardkeeper.service.process.server import run_loop

Say = Callable[[str], None]


def in_thread(play: Callable[[str, Say], None]) -> Client:
    """A client that blocks, and says its lines."""

    async def run(address: str, _web: str) -> Ran:
        lines: list[str] = []
        try:
            await asyncio.to_thread(play, address, lines.append)
        except Exception as error:  # noqa: BLE001  # a process would end with it
            return Ran(1, "\n".join(lines), f"{type(error).__name__}: {error}")
        return Ran(0, "\n".join(lines))

    return run


def in_loop(play: Callable[[str, Say], Awaitable[None]]) -> Client:
    """A client for asyncio, which has a loop of its own all the same: the kit's may be another kind."""
    return in_thread(lambda address, say: asyncio.run(_awaited(play(address, say))))


async def _awaited(it: Awaitable[None]) -> None:
    await it


LIMIT = 200.0
"""Seconds that a client has for a scenario. It needs a few; but a machine may be busy."""

Cases = Sequence[tuple[str | Scenario, Client]]
"""Scenarios, by name or as they are, each with who is tried in it."""


def tried(cases: Cases, at_once: int = 6) -> list[Verdict]:
    """What the kit says of each; some are tried at once, for most of them wait."""
    return run_loop(verdicts(cases, at_once))


async def verdicts(cases: Cases, at_once: int = 6) -> list[Verdict]:
    """The same, within a loop."""
    room = asyncio.Semaphore(at_once)
    async with kit() as it:

        async def one(scenario: str | Scenario, client: Client) -> Verdict:
            async with room:
                it_is = scenarios()[scenario] if isinstance(scenario, str) else scenario
                return await it.tried(it_is, client, LIMIT)

        return await asyncio.gather(*(one(*case) for case in cases))


def not_passed(found: list[Verdict]) -> dict[str, list[str]]:
    """Those that were not passed, and why."""
    return {it.scenario: faults(it) or [it.verdict] for it in found if it.verdict != PASSED}


def faults(verdict: Verdict) -> list[str]:
    """What was found, in lines."""
    return [f"{fault.must}: {fault.text}" for fault in verdict.faults]
