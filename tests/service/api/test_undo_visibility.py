"""An undo reveals nothing hidden: neither the undone components nor their places."""

from __future__ import annotations

from random import Random

import pytest
from msgspec import Struct
from tests.game.games import create
from tests.service.tiny_title import TINY, DrawPearl, Peek

from boardkeeper.game.events import GameEvent, Undone
from boardkeeper.game.game import Game
from boardkeeper.service.cache.visibility_history import VisibilityHistory
from boardkeeper.table.effects import Effect, Move
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visibility import redact_effects
from boardkeeper.testkit.games import give
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans.commands import PlaceFollower
from boardkeeper.titles.registry import load_title

pytestmark = pytest.mark.databases

SECRET = bytes(range(32))
SEALED = Setup("", 2, {"planning": "sealed"})


def take_back(game: Game, history: list[GameEvent], seat: int) -> GameEvent:
    """Undo a seat's last command with the consent of all seats."""
    first = game.first_undo_version(seat)
    assert isinstance(first, int)
    decided = game.request_undo(seat, history[first - 1 :], "undo", 5)
    while not isinstance(decided, Rejection):
        game.commit(decided)
        history += decided
        if game.undo.vote is None:
            assert isinstance(history[-1].detail, Undone)
            return history[-1]
        other = game.undo.vote.waiting[0]
        decided = game.answer_undo(other, game.undo.vote.version, True, history[first - 1 :], f"answer {other}", 5)
    raise AssertionError(decided)


def effects_for(history: list[GameEvent], viewer: int) -> list[tuple[Effect, ...]]:
    """Return the effects of each event, redacted for a viewer."""
    return [
        redact_effects(visibility, event.effects, viewer)[0]
        for event, visibility in zip(history, VisibilityHistory(history).snapshots(history), strict=True)
    ]


def play_to_second_planning() -> list[GameEvent]:
    """Return the events of a game with sealed plans up to the start of planning in the second round."""
    game, history = create("person", "person", setup=SEALED, title=load_title("orleans"))
    joined = game.join([1, 2], b"", "", 1)
    game.commit(joined)
    history += joined
    random = Random(4)
    while game.table.number("round").value < 2 or game.table.decisions[1:] != ["plan", "plan"]:
        seat = random.choice(game.table.deciding())
        history += give(game, seat, random.choice(game.legal(seat)))
    return history


def test_undoing_the_reveal_of_plans_does_not_show_the_secret_plan() -> None:
    events = play_to_second_planning()
    last = next(event for event in reversed(events) if event.given is not None)
    assert last.given is not None
    requester = last.given.seat
    planner = 3 - requester
    views: list[list[list[tuple[Effect, ...]]]] = []
    game = Game.load(load_title("orleans"), SECRET, events)
    placements = [it for it in game.legal(planner) if isinstance(it, PlaceFollower)]
    assert len(placements) > 3
    for placement in placements:
        history = list(events)
        game = Game.load(load_title("orleans"), SECRET, history)
        history += give(game, planner, placement)
        undone = take_back(game, history, requester)
        assert any(isinstance(it, Move) and it.component == placement.follower for it in undone.effects)
        views.append([effects_for(history, viewer) for viewer in (0, requester)])
    assert all(other == views[0] for other in views), "other viewers see the same for each plan"


@pytest.mark.parametrize("commands", [(DrawPearl(), Peek()), (Peek(), DrawPearl())], ids=["drawn first", "shown first"])
def test_an_undo_hides_components_that_were_hidden(commands: tuple[Struct, ...]) -> None:
    game, history = create("person", "person", title=TINY)
    joined = game.join([1, 2], b"", "", 1)
    game.commit(joined)
    history += joined
    for seat, command in enumerate(commands, 1):
        history += give(game, seat, command)
    undone = take_back(game, history, 1)
    (moved,) = (it for it in undone.effects if isinstance(it, Move))
    drawer = 1 + commands.index(DrawPearl())
    assert Move("?", 1, moved.source, moved.target) in effects_for(history, 3 - drawer)[-1]
    assert moved in effects_for(history, drawer)[-1]


def test_visibility_does_not_depend_on_where_a_page_starts() -> None:
    events = play_to_second_planning()
    last = next(event for event in reversed(events) if event.given is not None)
    assert last.given is not None
    game = Game.load(load_title("orleans"), SECRET, events)
    take_back(game, events, last.given.seat)
    visibility_history = VisibilityHistory(events)
    whole = [visibility.contents() for visibility in visibility_history.snapshots(events)]
    for cut in range(len(events) - 12, len(events)):
        assert [visibility.contents() for visibility in visibility_history.snapshots(events[cut:])] == whole[cut:]
