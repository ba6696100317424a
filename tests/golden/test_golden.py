"""Every golden game is folded without rules and decided again with them, each time the tests run.

If one differs, the rules decide otherwise than when it was recorded. That needs a named reading that keeps the old way,
never another golden file.
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


def test_it_folds_forwards_and_backwards_without_rules(path: Path) -> None:
    check_replay_and_revert(path)


def test_it_is_decided_again_as_it_was(path: Path) -> None:
    check_decisions(path)


# --- together they show everything ---------------------------------------------------------------------------------

ONLY_ELSEWHERE = {
    "event:game.SeatJoined": "golden games are of bots; joining is tested in tests/game and tests/service",
    "event:game.UndoRequested": "undo is tested in tests/game/test_undo.py",
    "event:game.UndoConsented": "undo is tested in tests/game/test_undo.py",
    "event:game.UndoDeclined": "undo is tested in tests/game/test_undo.py",
    "event:game.Undone": "undo is tested in tests/game/test_undo.py",
    "event:game.SeatHandedToBot": "who plays a seat is tested in tests/game/test_handing_over.py",
    "event:game.SeatTakenBack": "who plays a seat is tested in tests/game/test_handing_over.py",
    "event:game.TimeExpired": "clocks are tested in tests/game/test_clocks.py",
    "event:game.SeatResigned": "resignation is tested in tests/game/test_handing_over.py",
}
"""What no golden game of any title shows, with the reason."""


@pytest.mark.parametrize("id", TITLES)
def test_together_they_show_everything(id: str) -> None:
    adapter = adapter_of(id)
    shown = set().union(*(features(adapter, read(path)) for path in files(id)))
    missing = (expected_features(adapter.title) | adapter.to_show) - shown
    assert missing == {*ONLY_ELSEWHERE, *adapter.never_shown}, "no golden game shows this, or no reason is needed"
