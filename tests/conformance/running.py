"""Run clients of this process in scenarios of the kit, each in a separate thread."""

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
    """Return a client that calls a blocking function in a thread."""

    async def run(address: str, _web: str) -> ClientExit:
        lines: list[str] = []
        try:
            await asyncio.to_thread(play, address, lines.append)
        except Exception as error:  # noqa: BLE001  # a client process would exit with it
            return ClientExit(1, "\n".join(lines), f"{type(error).__name__}: {error}")
        return ClientExit(0, "\n".join(lines))

    return run


def in_loop(play: Callable[[str, Say], Awaitable[None]]) -> Client:
    """Return an asyncio client. It has a separate event loop, because the kit may use another kind of loop."""

    async def run(address: str, say: Say) -> None:
        await play(address, say)

    return in_thread(lambda address, say: asyncio.run(run(address, say)))


LIMIT = 200.0
"""The time limit of a client for a scenario, in seconds. A busy machine may need much more than usual."""

Cases = Sequence[tuple[str | Scenario, Client]]
"""Scenarios, or their names, with the client to run."""


def run_cases(cases: Cases) -> list[Verdict]:
    """Return the verdicts of the kit. See :func:`run_cases_async`."""
    return run_loop(run_cases_async(cases))


async def run_cases_async(cases: Cases) -> list[Verdict]:
    """Return the verdicts of the kit. Run six cases at the same time, because most of them wait."""
    slots = asyncio.Semaphore(6)
    async with open_kit() as kit:

        async def run(scenario: str | Scenario, client: Client) -> Verdict:
            async with slots:
                chosen = scenarios()[scenario] if isinstance(scenario, str) else scenario
                return await kit.run_client(chosen, client, LIMIT)

        return await asyncio.gather(*(run(*case) for case in cases))


def not_passed(found: list[Verdict]) -> dict[str, list[str]]:
    """Return the failures of the scenarios that were not passed."""
    return {it.scenario: failures(it) or [it.verdict] for it in found if it.verdict != PASSED}


def failures(verdict: Verdict) -> list[str]:
    """Return the failures of a verdict as lines."""
    return [f"{failure.expectation}: {failure.text}" for failure in verdict.failures]
