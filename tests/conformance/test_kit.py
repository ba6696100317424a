"""The kit passes correct clients, and finds the fault of each faulty client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import grpc
import pytest
from msgspec.structs import replace
from tests.conformance import drivers
from tests.conformance.faulty_client import TIMEOUT, FaultyClient, entry_of, timeout_of
from tests.conformance.in_node import client_in_node
from tests.conformance.running import Say, failures, in_loop, in_thread, not_passed, run_cases, run_cases_async

from boardkeeper.conformance import expectations
from boardkeeper.conformance.expectations import EXPECTATIONS
from boardkeeper.conformance.faults import fail
from boardkeeper.conformance.kit import Client
from boardkeeper.conformance.observations import ObservedCall
from boardkeeper.conformance.scenarios import ALWAYS, Fault, Scenario, scenarios
from boardkeeper.conformance.verdicts import Verdict
from boardkeeper.service.process.server import run_loop
from boardkeeper.service.transport.call import Context

T = TypeVar("T")

pytestmark = pytest.mark.socket

FAULTS = {
    "new-game-lost": {"new_id_each_time": "creates_one_game"},
    "seat-lost": {"new_id_each_time": "retries_with_same_id"},
    "fork-lost": {"new_id_each_time": "creates_one_game"},
    "asked-twice": {"no_request_id": "creates_one_game"},
    "play-cut": {"new_id_each_time": "retries_with_same_id"},
    "command-lost": {"new_id_each_time": "retries_with_same_id"},
    "command-unavailable": {"does_not_wait": "waits_before_retry", "new_id_each_time": "retries_with_same_id"},
    "command-overloaded": {"does_not_wait": "waits_before_retry"},
    "read-overloaded": {"does_not_wait": "waits_before_retry"},
    "watch-limited": {"ignores_limits": "waits_before_retry"},
    "no-answer": {"no_deadline": "sets_deadlines", "gives_up_on_timeout": "retries_after_deadline"},
    "lagging-reader": {"no_min_version": "reads_own_writes"},
    "version-conflict": {"keeps_expected_version": "reads_after_conflict"},
    "command-rejected": {
        "repeats_rejected": "does_not_repeat_rejected",
        "hides_rejections": "prints_why",
        "exits_silently": "finishes_the_game",
    },
    "command-malformed": {"repeats_rejected": "does_not_repeat_rejected", "hides_events": "prints_each_event_once"},
    "stream-ended": {"watches_from_the_start": "resumes_streams", "does_not_wait": "waits_before_retry"},
    "stream-ended-early": {"ends_with_the_stream": "resumes_streams", "reconnects_at_once": "backs_off"},
    "goodbye": {"cancels_on_goodbye": "lets_calls_finish"},
    "stream-cut": {"watches_once": "resumes_streams"},
    "slow-reader": {"gives_up_when_slow": "resumes_streams"},
    "event-doubled": {"prints_twice": "prints_each_event_once"},
    "heartbeats": {"handles_heartbeats_as_events": "prints_each_event_once"},
    "restart": {"gives_up": "finishes_the_game"},
    "token": {
        "no_token_on_streams": "sends_token_correctly",
        "token_twice": "sends_token_correctly",
        "token_for_catalog": "sends_token_correctly",
    },
    "language": {"no_language_on_streams": "sends_language"},
    "deadlines": {"no_deadline": "sets_deadlines"},
    "undo-vote": {"fails_on_undo_votes": "finishes_the_game"},
    "taken-back": {"fails_on_undo": "finishes_the_game", "hides_events": "prints_each_event_once"},
    "hidden": {"fails_on_hidden_components": "finishes_the_game"},
    "unknown-fields": {"fails_on_unknown_fields": "finishes_the_game"},
    "unknown-events": {"fails_on_unknown_events": "finishes_the_game"},
    "unknown-updates": {"handles_unknown_updates_as_events": "prints_each_event_once"},
    "unknown-values": {"fails_on_unknown_values": "finishes_the_game"},
    "unknown-commands": {"rebuilds_commands": "returns_commands_unchanged"},
}
"""For each scenario, the faults of clients and the expectation that the kit must report for each."""


def _play(fault: str, address: str, say: Say, entry: str = "", seconds: float = TIMEOUT) -> None:
    FaultyClient(address, say, fault, entry, seconds).play()


def _in_thread(play: Callable[..., None], scenario: str) -> Client:
    return in_thread(_for_scenario(play, scenario))


def _in_loop(play: Callable[..., Awaitable[None]], scenario: str) -> Client:
    return in_loop(_for_scenario(play, scenario))


def _for_scenario(play: Callable[..., T], name: str) -> Callable[..., T]:
    scenario = scenarios()[name]
    return partial(play, entry=entry_of(scenario), seconds=timeout_of(scenario))


SDK_SCENARIOS = [scenario for scenario in scenarios() if scenario != "play-cut"]
"""The SDKs do not use the RPC ``Play``."""


def test_each_scenario_and_each_expectation_has_a_faulty_client() -> None:
    assert set(FAULTS) == set(scenarios())
    for name, scenario in scenarios().items():
        assert set(scenario.must) <= set(EXPECTATIONS)
        assert set(FAULTS[name].values()) <= {*scenario.must, *ALWAYS}
    expected = {must for scenario in scenarios().values() for must in (*scenario.must, *ALWAYS)}
    found = {must for faults in FAULTS.values() for must in faults.values()}
    assert expected == found == set(EXPECTATIONS)


@pytest.mark.parametrize(
    ("client_for", "chosen"),
    [
        pytest.param(partial(_in_thread, partial(_play, "")), scenarios(), id="stubs"),
        pytest.param(partial(_in_thread, drivers.blocking), SDK_SCENARIOS, id="blocking"),
        pytest.param(partial(_in_loop, drivers.with_asyncio), SDK_SCENARIOS, id="asyncio"),
    ],
)
def test_correct_clients_pass(client_for: Callable[[str], Client], chosen: Iterable[str]) -> None:
    assert not_passed(run_cases([(scenario, client_for(scenario)) for scenario in chosen])) == {}


def test_the_typescript_sdk_passes(sdk: Path) -> None:
    async def run() -> list[Verdict]:
        async with client_in_node(sdk) as client_for:
            return await run_cases_async([(name, client_for(scenarios()[name])) for name in SDK_SCENARIOS])

    assert not_passed(run_loop(run())) == {}


LONG = 60.0
"""A wait in seconds that is longer than any delay of a busy machine, so that a client that does not wait is found."""

NOT_WAITING = {"does_not_wait", "cancels_on_goodbye", "ignores_limits"}
"""Faults of clients that do not wait for the server."""


def scenario_for(fault: str, name: str) -> Scenario:
    """Return a scenario, with long waits if the fault is that the client does not wait."""
    scenario = scenarios()[name]
    if fault not in NOT_WAITING:
        return scenario
    slow = tuple(replace(fault, seconds=LONG if fault.seconds else 0.0) for fault in scenario.faults)
    return replace(scenario, faults=slow)


def test_every_fault_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expectations, "_MIN_BACK_OFF_SECONDS", LONG)  # a busy machine may delay the faulty client
    cases = [(scenario, fault, must) for scenario, faults in FAULTS.items() for fault, must in faults.items()]
    found = run_cases(
        [(scenario_for(fault, scenario), _in_thread(partial(_play, fault), scenario)) for scenario, fault, _ in cases]
    )
    missed = {
        (scenario, fault): failures(verdict)
        for (scenario, fault, must), verdict in zip(cases, found, strict=True)
        if must not in [it.expectation for it in verdict.failures]
    }
    assert missed == {}


async def test_waits_are_measured_from_before_the_error_is_sent() -> None:
    """The time that the server needs after the response, on a busy machine, must not shorten the client's wait."""
    call = ObservedCall("WatchGame", 1, {}, None)
    known: list[float] = []

    class Slow:
        async def abort(self, *_status: Any, **_trailers: Any) -> None:
            known.append(call.end)
            raise grpc.aio.AbortError

    with pytest.raises(grpc.aio.AbortError):
        await fail(Fault(call="WatchGame", kind="fail", seconds=1.0), call, cast(Context, Slow()))
    assert known[0] > 0
    call.set_end()
    assert call.end == known[0]
