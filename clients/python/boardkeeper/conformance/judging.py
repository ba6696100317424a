"""What the kit thinks of a client."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.conformance.musts import MUSTS
from boardkeeper.conformance.scenarios import ALWAYS, Scenario
from boardkeeper.conformance.sightings import Seen

PASSED = "passed"
FAILED = "failed"
NOT_MET = "not met"
"""The client does not use what is tested, or never came so far."""


class Fault(Struct, frozen=True):
    """Something that was not right: which must, and what happened."""

    must: str
    text: str


class Verdict(Struct, frozen=True):
    """What became of one client in one scenario."""

    scenario: str
    verdict: str
    faults: tuple[Fault, ...] = ()
    calls: int = 0
    seconds: float = 0.0


def judge(scenario: Scenario, seen: Seen, seconds: float = 0.0) -> Verdict:
    """Look at everything that must be seen, the scenario's own first."""
    names = list(dict.fromkeys((*scenario.must, *(() if scenario.may_end and _gave_up(seen) else ALWAYS))))
    faults = tuple(Fault(name, text) for name in names for text in MUSTS[name](seen))
    met = not scenario.harm or any(call.harms for call in seen.calls)
    verdict = FAILED if faults else PASSED if met else NOT_MET
    return Verdict(scenario.name, verdict, faults, len(seen.calls), round(seconds, 3))


def _gave_up(seen: Seen) -> bool:
    """Whether a client said by its status that it did not come to the end; of one started by hand nobody knows."""
    return seen.ran is None or seen.ran.status not in (0, None)
