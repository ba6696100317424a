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
from tests.conformance.running import Say, faults, in_loop, in_thread, not_passed, tried, verdicts

from boardkeeper.conformance import musts
from boardkeeper.conformance.harm import refuse
from boardkeeper.conformance.judging import Verdict
from boardkeeper.conformance.kit import Client
from boardkeeper.conformance.musts import MUSTS
from boardkeeper.conformance.scenarios import ALWAYS, Harm, Scenario, scenarios
from boardkeeper.conformance.sightings import Sighting
from boardkeeper.service.process.server import run_loop
from boardkeeper.service.transport.call import Context

T = TypeVar("T")

pytestmark = pytest.mark.socket

CAUGHT = {
    "new-game-lost": {"new_id_each_time": "one_game"},
    "seat-lost": {"new_id_each_time": "same_id_again"},
    "fork-lost": {"new_id_each_time": "one_game"},
    "asked-twice": {"no_request_id": "one_game"},
    "play-cut": {"new_id_each_time": "same_id_again"},
    "command-lost": {"new_id_each_time": "same_id_again"},
    "command-unavailable": {"does_not_wait": "waits_as_asked", "new_id_each_time": "same_id_again"},
    "command-overloaded": {"does_not_wait": "waits_as_asked"},
    "read-overloaded": {"does_not_wait": "waits_as_asked"},
    "watch-limited": {"takes_limits_for_slowness": "waits_as_asked"},
    "no-answer": {"no_deadline": "has_deadlines", "gives_up_on_silence": "asks_again"},
    "lagging-reader": {"no_min_version": "sees_its_own_writes"},
    "version-conflict": {"expects_the_same": "looks_again"},
    "command-rejected": {
        "insists": "does_not_insist",
        "says_nothing_of_refusals": "says_why",
        "leaves_in_silence": "goes_on",
    },
    "command-malformed": {"insists": "does_not_insist", "says_nothing_of_events": "tells_each_once"},
    "stream-ended": {"watches_from_the_start": "resumes", "does_not_wait": "waits_as_asked"},
    "stream-ended-early": {"takes_any_end_for_the_end": "resumes", "rushes": "pauses"},
    "goodbye": {"hangs_up_on_goodbye": "lets_calls_finish"},
    "stream-cut": {"watches_once": "resumes"},
    "slow-reader": {"no_slow_reader": "resumes"},
    "event-doubled": {"tells_twice": "tells_each_once"},
    "heartbeats": {"takes_heartbeats_for_events": "tells_each_once"},
    "restart": {"gives_up": "goes_on"},
    "token": {
        "no_token_on_streams": "keeps_its_token",
        "token_twice": "keeps_its_token",
        "token_for_the_catalogue": "keeps_its_token",
    },
    "language": {"no_language_on_streams": "keeps_its_language"},
    "deadlines": {"no_deadline": "has_deadlines"},
    "undo-vote": {"knows_no_votes": "goes_on"},
    "taken-back": {"knows_no_undo": "goes_on", "says_nothing_of_events": "tells_each_once"},
    "hidden": {"knows_all_components": "goes_on"},
    "unknown-fields": {"knows_all_fields": "goes_on"},
    "unknown-events": {"knows_all_events": "goes_on"},
    "unknown-updates": {"takes_all_for_events": "tells_each_once"},
    "unknown-values": {"knows_all_values": "goes_on"},
    "unknown-commands": {"rebuilds_commands": "sends_back_what_it_got"},
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
        assert set(scenario.must) <= set(MUSTS)
        assert set(CAUGHT[name].values()) <= {*scenario.must, *ALWAYS}
    asked = {must for scenario in scenarios().values() for must in (*scenario.must, *ALWAYS)}
    caught = {must for left in CAUGHT.values() for must in left.values()}
    assert asked == caught == set(MUSTS)


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
    slow = tuple(replace(harm, seconds=LONG if harm.seconds else 0.0) for harm in scenario.harm)
    return replace(scenario, harm=slow)


def test_who_leaves_a_habit_out_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(musts, "_LEAST_PAUSES", LONG)  # who rushes may be held up
    cases = [(scenario, fault, must) for scenario, left in CAUGHT.items() for fault, must in left.items()]
    found = tried(
        [(as_met_by(fault, scenario), _in_thread(partial(_play, fault), scenario)) for scenario, fault, _ in cases]
    )
    missed = {
        (scenario, fault): faults(verdict)
        for (scenario, fault, must), verdict in zip(cases, found, strict=True)
        if must not in [it.must for it in verdict.faults]
    }
    assert missed == {}


async def test_waits_are_measured_from_before_the_client_is_told() -> None:
    """What the service still has to do after it has answered, on a busy machine, is not taken from a client's wait."""
    call = Sighting("WatchGame", 1, {}, None)
    known: list[float] = []

    class Slow:
        async def abort(self, *_status: Any, **_trailers: Any) -> None:
            known.append(call.ended)
            raise grpc.aio.AbortError

    with pytest.raises(grpc.aio.AbortError):
        await refuse(Harm(call="WatchGame", what="refuse", seconds=1.0), call, cast(Context, Slow()))
    assert known[0] > 0
    call.end()
    assert call.ended == known[0]
