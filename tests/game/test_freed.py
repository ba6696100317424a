"""A game is freed as soon as no reference exists, so a program needs memory only for the games that it uses."""

from __future__ import annotations

from uuid import uuid4

import pytest
from tests.garbage_checks import assert_all_freed

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.forking import fork_game
from boardkeeper.game.game import Game
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans.commands import Pass
from boardkeeper.titles.registry import load_title

ORLEANS = load_title("orleans")
SETUP = Setup("capstone-2021", 2)


def start(kind: str = "person") -> tuple[Game, list[GameEvent]]:
    game, events = create_game(uuid4(), ORLEANS, SETUP, (kind,) * 2, bytes(32), "test", "", 1)
    game.commit(events)
    if free := game.seats.free():
        joined = game.join(free, b"salt", "", 1)
        game.commit(joined)
        events += joined
    return game, events


def play(game: Game, events: list[GameEvent], turns: int) -> None:
    for turn in range(turns):
        seat, *_ = game.table.deciding()
        decided = game.decide(seat, [game.legal(seat)[-1]], f"{seat}:{turn}", 2)
        assert isinstance(decided, list)
        game.commit(decided)
        events += decided


def create() -> None:
    start()


def load() -> None:
    _, events = start()
    Game.load(ORLEANS, bytes(32), events)


def play_some_turns() -> None:
    play(*start(), turns=40)


def play_to_the_end() -> None:
    game, events = start("bot.random")
    while game.status == "running":
        play(game, events, 1)


def view() -> None:
    game, events = start()
    play(game, events, 20)
    assert game.play is not None
    for viewer in (OPERATOR, 0, 1):
        game.play.board(viewer)


def decide_without_commit() -> None:
    game, _ = start()
    seat, *_ = game.table.deciding()
    assert isinstance(game.decide(seat, [game.legal(seat)[0]], "a", 2), list)


def reject() -> None:
    game, _ = start()
    seat, *_ = game.table.deciding()
    assert isinstance(game.decide(seat, [Pass()], "a", 2), Rejection)
    assert isinstance(game.check(seat, [game.legal(seat)[0], Pass()]), Rejection)


def undo() -> None:
    game, events = start()
    play(game, events, 6)
    for seat in (1, 2):
        first = game.first_undo_version(seat)
        if isinstance(first, int):
            undone = game.request_undo(seat, events[first - 1 :], f"{seat}:undo", 3)
            if isinstance(undone, list):
                game.commit(undone)
                events += undone


def fork() -> None:
    game, events = start()
    play(game, events, 20)
    forked = fork_game(game, OPERATOR, b"chance")
    assert not isinstance(forked, Rejection)
    other, more = create_game(uuid4(), ORLEANS, SETUP, ("bot.random",) * 2, bytes(32), "test", "", 1, fork=forked)
    other.commit(more)
    play(other, more, 5)


@pytest.mark.parametrize(
    "use", [create, load, play_some_turns, play_to_the_end, view, decide_without_commit, reject, undo, fork]
)
def test_a_game_is_freed_after_use(use: object) -> None:
    assert callable(use)
    use()  # fill the caches that all games share
    with assert_all_freed():
        use()
