"""Clients of this process that the kit tries: each in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from boardkeeper.conformance.kit import Client, open_kit
from boardkeeper.conformance.observations import ClientExit
from boardkeeper.conformance.scenarios import Scenario, scenarios
from boardkeeper.conformance.verdicts import PASSED, Verdict
from boardkeeper.service.process.server import run_loop

Say = Callable[[str], None]


def in_thread(play: Callable[[str, Say], None]) -> Client:
    """A client that blocks, and says its lines."""

    async def run(address: str, _web: str) -> ClientExit:
        lines: list[str] = []
        try:
            await asyncio.to_thread(play, address, lines.append)
        except Exception as error:  # noqa: BLE001  # a process would end with it
            return ClientExit(1, "\n".join(lines), f"{type(error).__name__}: {error}")
        return ClientExit(0, "\n".join(lines))

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
    async with open_kit() as kit:

        async def one(scenario: str | Scenario, client: Client) -> Verdict:
            async with room:
                it_is = scenarios()[scenario] if isinstance(scenario, str) else scenario
                return await kit.run_client(it_is, client, LIMIT)

        return await asyncio.gather(*(one(*case) for case in cases))


def not_passed(found: list[Verdict]) -> dict[str, list[str]]:
    """Those that were not passed, and why."""
    return {it.scenario: failures(it) or [it.verdict] for it in found if it.verdict != PASSED}


def failures(verdict: Verdict) -> list[str]:
    """What was found, in lines."""
    return [f"{failure.expectation}: {failure.text}" for failure in verdict.failures]
