"""Every golden game is folded without rules and decided again with them, each time the tests run.

If one differs, the rules decide otherwise than when it was recorded. That needs a named reading that keeps the old way,
never another golden file.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.golden.games import created, features, files, game_id, read, secret_of

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.titles.orleans.data import data_for
from boardkeeper.titles.orleans.title import TITLE

BY_NAME = {path.stem: path for path in files()}


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
    setup = TITLE.meta.understood(first.setup)
    game, found = Game.create(game_id(path), TITLE, setup, first.seats, secret_of(events), first.server_build, "", 0)
    # What a version of the rules decides every later one decides as well.
    assert created(found) == replace(first, setup=setup, rules_version=TITLE.meta.rules_versions[-1])
    _compare(path, events[1 : len(found)], found[1:])
    game.commit(found)
    for command_id, group in groupby(events[len(found) :], key=lambda event: event.command_id):
        expected = list(group)
        given = expected[0].given
        assert given is not None
        commands = given.structs(TITLE.commands)
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
            f"Reproduce: pytest 'tests/golden/test_golden.py' -k '{path.stem}'"
        )
    assert len(expected) == len(found), f"{path.name}: after version {expected[0].originator_version}"


# --- together they show everything ---------------------------------------------------------------------------------

ONLY_ELSEWHERE = {
    "citizen:deed.canalization": "hardly ever are its ten spaces filled; test_deeds.py completes every deed",
    "event:game.SeatJoined": "golden games are of bots; joining is tested in tests/game and tests/service",
    "event:game.UndoRequested": "undo is tested in tests/game/test_undo.py",
    "event:game.UndoConsented": "undo is tested in tests/game/test_undo.py",
    "event:game.UndoDeclined": "undo is tested in tests/game/test_undo.py",
    "event:game.Undone": "undo is tested in tests/game/test_undo.py",
}
"""What no golden game shows, with the reason."""


def everything() -> set[str]:
    """All that golden games should show, read off the registries."""
    from boardkeeper.game.events import GAME_EVENTS

    wanted = {f"event:game.{event.__name__}" for event in GAME_EVENTS}
    wanted |= {f"event:orleans.{event}" for event in TITLE.events} | {f"command:{name}" for name in TITLE.commands}
    for edition in TITLE.meta.editions:
        fewest, most = edition.players
        wanted |= {f"played:{edition.id}:{players}" for players in range(fewest, most + 1)}
    for kind, options in (("option", TITLE.meta.options), ("reading", TITLE.meta.readings)):
        wanted |= {f"{kind}:{option.id}:{choice.id}" for option in options for choice in option.choices}
    data = data_for(created(read(BY_NAME["capstone-2021-5p"])).setup)
    wanted |= {f"used:{place.id}" for place in data.places.values() if place.spaces}
    wanted |= {f"tile:{tile}" for tile in data.place_tiles}
    wanted |= {f"deed:{deed.id}:{follower}" for deed in data.deeds.values() for follower in deed.spaces}
    wanted |= {f"hour_glass:{event}.{pile}" for pile, events in data.piles.items() for event in events}
    wanted |= {f"recruited:{character}" for character in (*data.track_of, "monk")}
    wanted |= {f"citizen:track.development.{space}" for space in data.development_citizens}
    wanted |= {f"citizen:track.{track}" for track in data.track_citizens}
    wanted |= {f"citizen:deed.{deed}" for deed in data.deeds} | {"citizen:most_stations"}
    kinds = ("station_built", "station_supply", "technology_placed", "technology_held")
    wanted |= {f"torture:{kind}" for kind in kinds}
    return wanted


def test_together_they_show_everything() -> None:
    shown = set().union(*(features(read(path)) for path in BY_NAME.values()))
    missing = everything() - shown
    assert missing == set(ONLY_ELSEWHERE), "no golden game shows this, or a reason for that is no longer needed"
