"""Each test run replays every golden game without rules, and lets the rules decide all its commands again.

A difference means that the rules no longer decide as when the game was recorded. Such a change needs a named reading
that keeps the old behaviour, never another golden file.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.golden.games import files
from tests.kit.adapters import adapter_of

from boardkeeper.testkit.golden import check_decisions, check_replay_and_revert, expected_features, features, read
from boardkeeper.testkit.packed_files import name_of
from boardkeeper.titles.registry import TITLES

BY_NAME = {f"{id}/{name_of(path)}": path for id in TITLES for path in files(id)}


@pytest.fixture(params=list(BY_NAME.values()), ids=list(BY_NAME), scope="module")
def path(request: pytest.FixtureRequest) -> Path:
    chosen: Path = request.param
    return chosen


def test_stored_effects_replay_and_revert(path: Path) -> None:
    check_replay_and_revert(path)


def test_rules_decide_all_commands_as_recorded(path: Path) -> None:
    check_decisions(path)


# --- coverage of all golden games -----------------------------------------------------------------------------------

TESTED_ELSEWHERE = {
    "event:game.SeatJoined": "golden games are of bots; joining is tested in tests/game and tests/service",
    "event:game.UndoRequested": "undo is tested in tests/game/test_undo.py",
    "event:game.UndoConsented": "undo is tested in tests/game/test_undo.py",
    "event:game.UndoDeclined": "undo is tested in tests/game/test_undo.py",
    "event:game.Undone": "undo is tested in tests/game/test_undo.py",
    "event:game.SeatHandedToBot": "handing over is tested in tests/game/test_handing_over.py",
    "event:game.SeatTakenBack": "handing over is tested in tests/game/test_handing_over.py",
    "event:game.TimeExpired": "clocks are tested in tests/game/test_clocks.py",
    "event:game.SeatResigned": "resignation is tested in tests/game/test_handing_over.py",
}
"""Features that no golden game of any title contains, with the reason."""


@pytest.mark.parametrize("id", TITLES)
def test_golden_games_together_contain_every_feature(id: str) -> None:
    adapter = adapter_of(id)
    shown = set().union(*(features(adapter, read(path)) for path in files(id)))
    missing = (expected_features(adapter.title) | adapter.to_show) - shown
    assert missing == {*TESTED_ELSEWHERE, *adapter.never_shown}, "no golden game shows this, or no reason is needed"
