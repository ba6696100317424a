"""The kit passes who has good habits, and catches who leaves one out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, TypeVar, cast

import grpc
import pytest
from msgspec.structs import replace
from tests.conformance import drivers
from tests.conformance.careless import TIMEOUT, Careless, timeout_of, way_of
from tests.conformance.in_node import client_in_node
from tests.conformance.running import Say, failures, in_loop, in_thread, not_passed, tried, verdicts

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

CAUGHT = {
    "new-game-lost": {"new_id_each_time": "creates_one_game"},
    "seat-lost": {"new_id_each_time": "retries_with_same_id"},
    "fork-lost": {"new_id_each_time": "creates_one_game"},
    "asked-twice": {"no_request_id": "creates_one_game"},
    "play-cut": {"new_id_each_time": "retries_with_same_id"},
    "command-lost": {"new_id_each_time": "retries_with_same_id"},
    "command-unavailable": {"does_not_wait": "waits_before_retry", "new_id_each_time": "retries_with_same_id"},
    "command-overloaded": {"does_not_wait": "waits_before_retry"},
    "read-overloaded": {"does_not_wait": "waits_before_retry"},
    "watch-limited": {"takes_limits_for_slowness": "waits_before_retry"},
    "no-answer": {"no_deadline": "sets_deadlines", "gives_up_on_silence": "retries_after_deadline"},
    "lagging-reader": {"no_min_version": "reads_own_writes"},
    "version-conflict": {"expects_the_same": "reads_after_conflict"},
    "command-rejected": {
        "insists": "does_not_repeat_rejected",
        "says_nothing_of_refusals": "prints_why",
        "leaves_in_silence": "finishes_the_game",
    },
    "command-malformed": {"insists": "does_not_repeat_rejected", "says_nothing_of_events": "prints_each_event_once"},
    "stream-ended": {"watches_from_the_start": "resumes_streams", "does_not_wait": "waits_before_retry"},
    "stream-ended-early": {"takes_any_end_for_the_end": "resumes_streams", "rushes": "backs_off"},
    "goodbye": {"hangs_up_on_goodbye": "lets_calls_finish"},
    "stream-cut": {"watches_once": "resumes_streams"},
    "slow-reader": {"no_slow_reader": "resumes_streams"},
    "event-doubled": {"tells_twice": "prints_each_event_once"},
    "heartbeats": {"takes_heartbeats_for_events": "prints_each_event_once"},
    "restart": {"gives_up": "finishes_the_game"},
    "token": {
        "no_token_on_streams": "sends_token_correctly",
        "token_twice": "sends_token_correctly",
        "token_for_the_catalogue": "sends_token_correctly",
    },
    "language": {"no_language_on_streams": "sends_language"},
    "deadlines": {"no_deadline": "sets_deadlines"},
    "undo-vote": {"knows_no_votes": "finishes_the_game"},
    "taken-back": {"knows_no_undo": "finishes_the_game", "says_nothing_of_events": "prints_each_event_once"},
    "hidden": {"knows_all_components": "finishes_the_game"},
    "unknown-fields": {"knows_all_fields": "finishes_the_game"},
    "unknown-events": {"knows_all_events": "finishes_the_game"},
    "unknown-updates": {"takes_all_for_events": "prints_each_event_once"},
    "unknown-values": {"knows_all_values": "finishes_the_game"},
    "unknown-commands": {"rebuilds_commands": "returns_commands_unchanged"},
}
"""By scenario: what a client leaves out there, and what the kit must find."""


def _play(fault: str, address: str, say: Say, way: str = "", seconds: float = TIMEOUT) -> None:
    Careless(address, say, fault, way, seconds).play()


def _in_thread(play: Callable[..., None], scenario: str) -> Client:
    """A client that comes to its game as that scenario wants it."""
    return in_thread(_as_wanted(play, scenario))


def _in_loop(play: Callable[..., Awaitable[None]], scenario: str) -> Client:
    return in_loop(_as_wanted(play, scenario))


def _as_wanted(play: Callable[..., T], scenario: str) -> Callable[..., T]:
    wanted = scenarios()[scenario]
    return partial(play, way=way_of(wanted), seconds=timeout_of(wanted))


OF_SDKS = [scenario for scenario in scenarios() if scenario != "play-cut"]
"""The SDKs have all rpcs but ``Play``, which needs stubs."""


def test_each_scenario_is_about_something_and_has_a_client_that_it_catches() -> None:
    assert set(CAUGHT) == set(scenarios())
    for name, scenario in scenarios().items():
        assert set(scenario.must) <= set(EXPECTATIONS)
        assert set(CAUGHT[name].values()) <= {*scenario.must, *ALWAYS}
    asked = {must for scenario in scenarios().values() for must in (*scenario.must, *ALWAYS)}
    caught = {must for left in CAUGHT.values() for must in left.values()}
    assert asked == caught == set(EXPECTATIONS)


@pytest.mark.parametrize(
    ("client_for", "chosen"),
    [
        pytest.param(partial(_in_thread, partial(_play, "")), scenarios(), id="stubs"),
        pytest.param(partial(_in_thread, drivers.blocking), OF_SDKS, id="blocking"),
        pytest.param(partial(_in_loop, drivers.with_asyncio), OF_SDKS, id="asyncio"),
    ],
)
def test_good_habits_pass(client_for: Callable[[str], Client], chosen: Iterable[str]) -> None:
    assert not_passed(tried([(scenario, client_for(scenario)) for scenario in chosen])) == {}


def test_the_sdk_in_typescript_passes(sdk: Path) -> None:
    async def found() -> list[Verdict]:
        async with client_in_node(sdk) as client_for:
            return await verdicts([(name, client_for(scenarios()[name])) for name in OF_SDKS])

    assert not_passed(run_loop(found())) == {}


LONG = 60.0
"""Seconds. Nobody who should wait, and does not, is held up for so long even by a busy machine."""

IMPATIENT = {"does_not_wait", "hangs_up_on_goodbye", "takes_limits_for_slowness"}
"""Who does not wait for what the service asks for, or promises."""


def as_met_by(fault: str, name: str) -> Scenario:
    """A scenario in which one waits for so long that who does not is sure to come too early."""
    scenario = scenarios()[name]
    if fault not in IMPATIENT:
        return scenario
    slow = tuple(replace(fault, seconds=LONG if fault.seconds else 0.0) for fault in scenario.faults)
    return replace(scenario, faults=slow)


def test_who_leaves_a_habit_out_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expectations, "_MIN_BACK_OFF_SECONDS", LONG)  # who rushes may be held up
    cases = [(scenario, fault, must) for scenario, left in CAUGHT.items() for fault, must in left.items()]
    found = tried(
        [(as_met_by(fault, scenario), _in_thread(partial(_play, fault), scenario)) for scenario, fault, _ in cases]
    )
    missed = {
        (scenario, fault): failures(verdict)
        for (scenario, fault, must), verdict in zip(cases, found, strict=True)
        if must not in [it.expectation for it in verdict.failures]
    }
    assert missed == {}


async def test_waits_are_measured_from_before_the_client_is_told() -> None:
    """What the service still has to do after it has answered, on a busy machine, is not taken from a client's wait."""
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
