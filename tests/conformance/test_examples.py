"""The examples pass the kit too, each as its `make play` starts it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from tests.conformance.running import not_passed, tried
from tests.examples import EXAMPLES, Example, clean_environment

from boardkeeper.conformance.command_clients import ADDRESS_PLACEHOLDER, command_client
from boardkeeper.conformance.scenarios import scenarios

pytestmark = [pytest.mark.socket, pytest.mark.timeout(600)]

NOT_USED = {"seat-lost", "fork-lost", "play-cut"}
"""Scenarios about what no example does: the kit says of them that they were not met."""
SLOW = {"java", "python", "typescript"}
"""A program in one of these needs half a second of a processor before it does anything."""
IN_SHORT = (
    "new-game-lost", "command-lost", "command-unavailable", "version-conflict", "command-rejected", "stream-ended",
    "stream-ended-early", "watch-limited", "goodbye", "stream-cut", "slow-reader", "event-doubled", "restart",
    "unknown-updates", "unknown-commands",
)  # fmt: skip
"""What such a one is tried in here: it matters how its gRPC sees lines that break, and what is unknown."""

in_each_language = pytest.mark.parametrize("example", [pytest.param(it, id=it.language) for it in EXAMPLES])


def check(example: Example, chosen: Iterable[str]) -> None:
    """Raises unless the example passes in these scenarios."""
    example.build()
    client = command_client(example.command(ADDRESS_PLACEHOLDER), clean_environment())
    used = [scenario for scenario in chosen if scenario not in NOT_USED]
    assert not_passed(tried([(scenario, client) for scenario in used])) == {}


@in_each_language
def test_an_example_has_good_habits(example: Example) -> None:
    check(example, IN_SHORT if example.language in SLOW else scenarios())


@pytest.mark.soak
@in_each_language
def test_an_example_passes_in_all_scenarios(example: Example) -> None:
    check(example, scenarios())
