"""Verdicts about clients."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.conformance.expectations import EXPECTATIONS
from boardkeeper.conformance.observations import Observations
from boardkeeper.conformance.scenarios import ALWAYS, Scenario

PASSED = "passed"
FAILED = "failed"
NOT_MET = "not met"
"""The verdict if no fault was injected: the client did not make the call that the scenario is about."""


class Failure(Struct, frozen=True, rename={"expectation": "must"}):
    """An expectation that a client did not meet, and what happened."""

    expectation: str
    text: str


class Verdict(Struct, frozen=True, rename={"failures": "faults"}):
    """The verdict about a client in one scenario. ``boardkeeper conformance --json`` prints it."""

    scenario: str
    verdict: str
    failures: tuple[Failure, ...] = ()
    calls: int = 0
    seconds: float = 0.0


def judge(scenario: Scenario, observations: Observations, seconds: float = 0.0) -> Verdict:
    """Check the expectations of a scenario, and those of all scenarios."""
    names = list(dict.fromkeys((*scenario.must, *(() if scenario.may_end and _gave_up(observations) else ALWAYS))))
    failures = tuple(Failure(name, text) for name in names for text in EXPECTATIONS[name](observations))
    is_met = not scenario.faults or any(call.faults for call in observations.calls)
    verdict = FAILED if failures else PASSED if is_met else NOT_MET
    return Verdict(scenario.name, verdict, failures, len(observations.calls), round(seconds, 3))


def _gave_up(observations: Observations) -> bool:
    """Return whether a client may have given up: its exit status is not 0, or the kit did not start it."""
    return observations.exit is None or observations.exit.status not in (0, None)
