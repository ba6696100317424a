"""Clients of other gRPC implementations: each runs the same scenarios, and gets the same results from every server."""

from __future__ import annotations

from pathlib import Path

import pytest
from grpc import StatusCode
from tests.foreign.expectations import ALTERNATIVES, ENDED_BY_CLIENT, OWN_RESULTS, SCENARIOS, Result
from tests.foreign.programs import PROGRAMS, Program
from tests.foreign.servers import Server
from tests.waiting import wait_until

from boardkeeper.client import Client, person

pytestmark = [pytest.mark.socket, pytest.mark.timeout(600)]  # includes the builds

_CODES = {code.value[0]: code for code in StatusCode}


@pytest.mark.parametrize("program", [pytest.param(it, id=it.language) for it in PROGRAMS])
def test_every_scenario_has_its_result(program: Program, kind: str, server: Server, record: Path) -> None:
    program.build()
    with Client(server.address) as client:
        created = client.create_game("orleans", [person("Ada"), person("Bob")])
    lines = program.run(server.address, created.game.game_id, created.seats[0].token, str(record))
    assert list(lines) == list(SCENARIOS)
    expected = SCENARIOS | OWN_RESULTS.get(kind, {})
    alternatives = ALTERNATIVES.get(program.language, {})
    got = {}
    for scenario, line in lines.items():
        message = None if expected[scenario].message is None else line["message"]
        result = Result(_CODES[line["code"]], line["value"], message)
        got[scenario] = expected[scenario] if result == alternatives.get(scenario) else result
    assert got == expected
    wait_until(lambda: server.calls().keys() >= set(ENDED_BY_CLIENT))
    assert {server.calls()[it]["code"] for it in ENDED_BY_CLIENT} <= {"CANCELLED", "DEADLINE_EXCEEDED"}
