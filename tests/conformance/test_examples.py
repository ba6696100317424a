"""The examples pass the kit, started by `make play`."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from tests.conformance.running import not_passed, run_cases
from tests.examples import EXAMPLES, Example, clean_environment

from boardkeeper.conformance.command_clients import ADDRESS_PLACEHOLDER, command_client
from boardkeeper.conformance.scenarios import scenarios

pytestmark = [pytest.mark.socket, pytest.mark.timeout(600)]

NOT_USED = {"seat-lost", "fork-lost", "play-cut"}
"""Scenarios about calls that no example makes. The kit reports that their faults did not occur."""
SLOW = {"java", "python", "typescript"}
"""Languages whose programs need half a second of processor time to start."""
SELECTED = (
    "new-game-lost", "command-lost", "command-unavailable", "version-conflict", "command-rejected", "stream-ended",
    "stream-ended-early", "watch-limited", "goodbye", "stream-cut", "slow-reader", "event-doubled", "restart",
    "unknown-updates", "unknown-commands",
)  # fmt: skip
"""The scenarios for slow languages in normal runs: those that depend on the gRPC library, such as cut connections."""

in_each_language = pytest.mark.parametrize("example", [pytest.param(it, id=it.language) for it in EXAMPLES])


def check(example: Example, chosen: Iterable[str]) -> None:
    example.build()
    client = command_client(example.command(ADDRESS_PLACEHOLDER), clean_environment())
    used = [scenario for scenario in chosen if scenario not in NOT_USED]
    assert not_passed(run_cases([(scenario, client) for scenario in used])) == {}


@in_each_language
def test_an_example_passes(example: Example) -> None:
    check(example, SELECTED if example.language in SLOW else scenarios())


@pytest.mark.soak
@in_each_language
def test_soak_an_example_passes_in_all_scenarios(example: Example) -> None:
    check(example, scenarios())
