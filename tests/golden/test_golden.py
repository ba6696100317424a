"""Every golden game is folded without rules and decided again with them, each time the tests run.

If one differs, the rules decide otherwise than when it was recorded. That needs a named reading that keeps the old way,
never another golden file.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.golden.games import created, features, files, game_id, read, registered, secret_of
from tests.kit.adapters import adapter_of

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.titles.registry import TITLES, load_title

BY_NAME = {f"{id}/{path.stem}": path for id in TITLES for path in files(id)}


@pytest.fixture(params=list(BY_NAME.values()), ids=list(BY_NAME), scope="module")
def path(request: pytest.FixtureRequest) -> Path:
    chosen: Path = request.param
    return chosen


def test_it_folds_forwards_and_backwards_without_rules(path: Path) -> None:
    events = read(path)
    layout = created(events).layout
    table = Table(layout)
    before = table.contents()
    components = table.components()
    for event in events:
        table.apply_all(event.effects)
        assert table.components() == components, f"{path.name}: event {event.originator_version} conjures or loses"
    for event in reversed(events):
        for effect in reversed(event.effects):
            table.revert(effect)
    assert table.contents() == before


def test_it_is_decided_again_as_it_was(path: Path) -> None:
    events = read(path)
    first = created(events)
    title = load_title(first.title)
    setup = title.meta.understood(first.setup)
    game, found = Game.create(game_id(path), title, setup, first.seats, secret_of(events), first.server_build, "", 0)
    # What a version of the rules decides every later one decides as well.
    assert created(found) == replace(first, setup=setup, rules_version=title.meta.rules_versions[-1])
    _compare(path, events[1 : len(found)], found[1:])
    game.commit(found)
    for command_id, group in groupby(events[len(found) :], key=lambda event: event.command_id):
        expected = list(group)
        given = expected[0].given
        assert given is not None
        commands = given.structs(title.commands)
        decided = game.decide(given.seat, commands, command_id, 0)
        assert not isinstance(decided, Rejection), (
            f"{path.name}: at version {game.version} seat {given.seat} may not {commands}: {decided}"
        )
        _compare(path, expected, decided)
        game.commit(decided)
    assert game.status == "ended"
    assert game.version == len(events)


def _compare(path: Path, expected: list[GameEvent], found: list[GameEvent]) -> None:
    for one, other in zip(expected, found, strict=False):
        assert one == other, (
            f"{path.name}: first differing event, version {one.originator_version}, caused by {expected[0].given}\n"
            f"recorded {one}\ndecided  {other}\n"
            f"Reproduce: pytest 'tests/golden/test_golden.py' -k '{path.parent.name}/{path.stem}'"
        )
    assert len(expected) == len(found), f"{path.name}: after version {expected[0].originator_version}"


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
    shown = set().union(*(features(read(path)) for path in files(id)))
    missing = (registered(adapter.title) | adapter.to_show) - shown
    assert missing == {*ONLY_ELSEWHERE, *adapter.never_shown}, "no golden game shows this, or no reason is needed"
