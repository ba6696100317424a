"""An undo tells nobody what was hidden: neither what it takes back nor where that had lain."""

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
    """Undo a seat's last command with everybody's consent."""
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


def seen(history: list[GameEvent], viewer: int) -> list[tuple[Effect, ...]]:
    """What a viewer may know of the effects of every event."""
    return [
        redact_effects(visibility, event.effects, viewer)[0]
        for event, visibility in zip(history, VisibilityHistory(history).snapshots(history), strict=True)
    ]


def second_planning() -> list[GameEvent]:
    """A game with sealed plans up to where the screens of the second round have just gone up."""
    game, history = create("person", "person", setup=SEALED, title=load_title("orleans"))
    joined = game.join([1, 2], b"", "", 1)
    game.commit(joined)
    history += joined
    random = Random(4)
    while game.table.number("round").value < 2 or game.table.decisions[1:] != ["plan", "plan"]:
        seat = random.choice(game.table.deciding())
        history += give(game, seat, random.choice(game.legal(seat)))
    return history


def test_what_was_planned_in_secret_is_not_told_when_screens_are_taken_back() -> None:
    begun = second_planning()
    last = next(event for event in reversed(begun) if event.given is not None)
    assert last.given is not None
    asks = last.given.seat
    plans = 3 - asks
    told: list[list[list[tuple[Effect, ...]]]] = []
    game = Game.load(load_title("orleans"), SECRET, begun)
    placements = [it for it in game.legal(plans) if isinstance(it, PlaceFollower)]
    assert len(placements) > 3
    for placement in placements:
        history = list(begun)
        game = Game.load(load_title("orleans"), SECRET, history)
        history += give(game, plans, placement)
        undone = take_back(game, history, asks)
        assert any(isinstance(it, Move) and it.component == placement.follower for it in undone.effects)
        told.append([seen(history, viewer) for viewer in (0, asks)])
    assert all(other == told[0] for other in told), "who may not see the plan sees the same, whatever it was"


@pytest.mark.parametrize("commands", [(DrawPearl(), Peek()), (Peek(), DrawPearl())], ids=["drawn first", "shown first"])
def test_what_is_hidden_again_stays_hidden_over_the_undo(commands: tuple[Struct, ...]) -> None:
    game, history = create("person", "person", title=TINY)
    joined = game.join([1, 2], b"", "", 1)
    game.commit(joined)
    history += joined
    for seat, command in enumerate(commands, 1):
        history += give(game, seat, command)
    undone = take_back(game, history, 1)
    (moved,) = (it for it in undone.effects if isinstance(it, Move))
    drew = 1 + commands.index(DrawPearl())
    assert Move("?", 1, moved.source, moved.target) in seen(history, 3 - drew)[-1]
    assert moved in seen(history, drew)[-1]


def test_the_page_on_which_an_undo_stands_does_not_matter() -> None:
    begun = second_planning()
    last = next(event for event in reversed(begun) if event.given is not None)
    assert last.given is not None
    game = Game.load(load_title("orleans"), SECRET, begun)
    take_back(game, begun, last.given.seat)
    visibility_history = VisibilityHistory(begun)
    whole = [visibility.contents() for visibility in visibility_history.snapshots(begun)]
    for cut in range(len(begun) - 12, len(begun)):
        assert [visibility.contents() for visibility in visibility_history.snapshots(begun[cut:])] == whole[cut:]
