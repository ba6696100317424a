"""Conformance tests of a client, and their results."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from boardkeeper.operations.support import server_imports
from boardkeeper.terminal.command_line import Arguments
from boardkeeper.terminal.errors import DONE, FAILED, UNCHECKED, USAGE, CommandError, count_noun
from boardkeeper.terminal.local_server import NO_TEMPORARY_FOLDER
from boardkeeper.terminal.output import Output

if TYPE_CHECKING:
    from boardkeeper.conformance.scenarios import Scenario
    from boardkeeper.conformance.verdicts import Verdict

_STYLES = {"passed": "green", "failed": "bold red", "not met": "yellow"}


def run_conformance(arguments: Arguments, output: Output) -> int:
    """List the scenarios, run a command in each, or serve one of them."""
    with server_imports():
        from boardkeeper.conformance.scenarios import scenarios
        from boardkeeper.service.errors import StartupError
        from boardkeeper.service.process.server import run_loop
    known = scenarios()
    if arguments.list:
        return _list(list(known.values()), output)
    for name in [*arguments.scenario, *([arguments.serve] if arguments.serve else [])]:
        if name not in known:
            raise CommandError(
                f"unknown scenario {name!r}. List the scenarios with: boardkeeper conformance --list", USAGE
            )
    _check_temporary_folder()
    try:
        if arguments.serve:
            if arguments.client:
                raise CommandError("with --serve you start the client yourself: leave the command out.", USAGE)
            return run_loop(_serve(known[arguments.serve], arguments, output))
        _check_command(arguments.client)
        chosen = [known[name] for name in arguments.scenario or known]
        output.progress(f"Running {count_noun(len(chosen), 'scenarios')}, up to {arguments.jobs} at a time ...")
        return run_loop(_run_scenarios(chosen, arguments, output))
    except StartupError as error:
        raise CommandError(f"{error}.", UNCHECKED) from error


def _list(known: Sequence[Scenario], output: Output) -> int:
    habit = ""
    for scenario in known:
        if scenario.habit != habit:
            output.line(habit := scenario.habit, "bold")
        output.line(f"  {scenario.name:20} {scenario.title}")
        output.record(
            {
                "scenario": scenario.name,
                "title": scenario.title,
                "habit": scenario.habit,
                "story": scenario.story,
                "why": scenario.why,
                "must": scenario.must,
            }
        )
    return DONE


def _check_command(command: Sequence[str]) -> None:
    """Raise :class:`CommandError` if the command cannot be a client."""
    from boardkeeper.conformance.command_clients import ADDRESS_PLACEHOLDER, WEB_ADDRESS_PLACEHOLDER

    if not command:
        raise CommandError(
            "name the client to test, for example: boardkeeper conformance -- python my_client.py {address}", USAGE
        )
    if not any(place in word for word in command for place in (ADDRESS_PLACEHOLDER, WEB_ADDRESS_PLACEHOLDER)):
        places = f"{ADDRESS_PLACEHOLDER} or {WEB_ADDRESS_PLACEHOLDER}"
        raise CommandError(f"the command must contain {places}, which is replaced by the server's address.", USAGE)
    if shutil.which(command[0]) is None:
        raise CommandError(f"the program {command[0]} does not exist.", USAGE)


def _check_temporary_folder() -> None:
    """Raise :class:`CommandError` if no temporary folder is available for the database of the tests."""
    try:
        tempfile.gettempdir()
    except OSError as error:
        raise CommandError(f"cannot create a temporary folder: {NO_TEMPORARY_FOLDER}.", UNCHECKED) from error


async def _run_scenarios(chosen: Sequence[Scenario], arguments: Arguments, output: Output) -> int:
    from boardkeeper.conformance.command_clients import command_client
    from boardkeeper.conformance.kit import open_kit

    client = command_client(arguments.client)
    limit = asyncio.Semaphore(arguments.jobs)
    began = time.monotonic()
    async with open_kit() as kit:

        async def run(scenario: Scenario) -> Verdict:
            async with limit:
                return await kit.run_client(scenario, client, arguments.timeout)

        tasks = [asyncio.create_task(run(scenario)) for scenario in chosen]
        try:
            # Print the verdicts in the order of the scenarios, each as soon as possible.
            first_scenarios: dict[tuple[str, ...], str] = {}
            verdicts = [
                _print_verdict(scenario, await task, output, first_scenarios)
                for scenario, task in zip(chosen, tasks, strict=True)
            ]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
    failed = sum(it.verdict == "failed" for it in verdicts)
    passed = sum(it.verdict == "passed" for it in verdicts)
    others = len(verdicts) - failed - passed
    counts = [f"{passed} passed", f"{failed} failed", *([f"{others} not met"] if others else [])]
    output.line(f"{', '.join(counts)}, in {time.monotonic() - began:.0f} s", "bold")
    return FAILED if failed else DONE


async def _serve(scenario: Scenario, arguments: Arguments, output: Output) -> int:
    from boardkeeper.conformance.kit import open_kit
    from boardkeeper.conformance.verdicts import judge

    async with open_kit() as kit:
        try:
            async with kit.session(scenario, arguments.listen.host.strip("[]"), arguments.listen.port) as session:
                web = f" (Connect: {session.web_address})" if session.web_address else ""
                output.remark(f"{scenario.name}: {scenario.story}")
                output.remark(f"Waiting for one client at {session.address}{web}. Press Ctrl-C to stop.")
                await session.is_game_over.wait()
                await session.wait_until_disconnected()
        except OSError as error:
            raise CommandError(f"cannot listen on {arguments.listen}: {error.strerror or error}.", UNCHECKED) from error
    verdict = judge(scenario, session.observations)
    _print_verdict(scenario, verdict, output, {})
    return FAILED if verdict.failures else DONE


def _print_verdict(
    scenario: Scenario, verdict: Verdict, output: Output, first_scenarios: dict[tuple[str, ...], str]
) -> Verdict:
    """Print a verdict and return it.

    A client that makes no call fails in the same way in many scenarios. ``first_scenarios`` maps such failures to the
    first scenario with them, so that they are printed only once.
    """
    output.record(msgspec.to_builtins(verdict))
    output.line(f"{verdict.verdict:8} {scenario.name:20} {scenario.title}", _STYLES[verdict.verdict])
    if verdict.failures and not verdict.calls:
        first = first_scenarios.setdefault(tuple(failure.text for failure in verdict.failures), scenario.name)
        if first != scenario.name:
            output.line(f"           same as in {first}")
            return verdict
    for failure in verdict.failures:
        output.line(f"           {failure.text}")
    if verdict.failures:
        output.line(f"           Why it matters: {scenario.why}", "dim")
    return verdict
