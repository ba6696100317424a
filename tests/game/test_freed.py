"""A game that nobody holds any more is freed at once, so an embedder pays for the games that it holds."""

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


def begun(kind: str = "person") -> tuple[Game, list[GameEvent]]:
    game, events = create_game(uuid4(), ORLEANS, SETUP, (kind,) * 2, bytes(32), "test", "", 1)
    game.commit(events)
    if free := game.seats.free():
        joined = game.join(free, b"salt", "", 1)
        game.commit(joined)
        events += joined
    return game, events


def go_on(game: Game, events: list[GameEvent], turns: int) -> None:
    for turn in range(turns):
        seat, *_ = game.table.deciding()
        decided = game.decide(seat, [game.legal(seat)[-1]], f"{seat}:{turn}", 2)
        assert isinstance(decided, list)
        game.commit(decided)
        events += decided


def created() -> None:
    begun()


def loaded() -> None:
    _, events = begun()
    Game.load(ORLEANS, bytes(32), events)


def played() -> None:
    go_on(*begun(), turns=40)


def played_to_the_end() -> None:
    game, events = begun("bot.random")
    while game.status == "running":
        go_on(game, events, 1)


def shown() -> None:
    game, events = begun()
    go_on(game, events, 20)
    assert game.play is not None
    for viewer in (OPERATOR, 0, 1):
        game.play.board(viewer)


def decided_and_let_go() -> None:
    game, _ = begun()
    seat, *_ = game.table.deciding()
    assert isinstance(game.decide(seat, [game.legal(seat)[0]], "a", 2), list)


def rejected() -> None:
    game, _ = begun()
    seat, *_ = game.table.deciding()
    assert isinstance(game.decide(seat, [Pass()], "a", 2), Rejection)
    assert isinstance(game.check(seat, [game.legal(seat)[0], Pass()]), Rejection)


def undone() -> None:
    game, events = begun()
    go_on(game, events, 6)
    for seat in (1, 2):
        first = game.first_undo_version(seat)
        if isinstance(first, int):
            undo = game.request_undo(seat, events[first - 1 :], f"{seat}:undo", 3)
            if isinstance(undo, list):
                game.commit(undo)
                events += undo


def forked() -> None:
    game, events = begun()
    go_on(game, events, 20)
    fork = fork_game(game, OPERATOR, b"chance")
    assert not isinstance(fork, Rejection)
    other, more = create_game(uuid4(), ORLEANS, SETUP, ("bot.random",) * 2, bytes(32), "test", "", 1, fork=fork)
    other.commit(more)
    go_on(other, more, 5)


@pytest.mark.parametrize(
    "use", [created, loaded, played, played_to_the_end, shown, decided_and_let_go, rejected, undone, forked]
)
def test_a_game_let_go_is_gone(use: object) -> None:
    assert callable(use)
    use()  # once before, for what is made once and kept for all games
    with assert_all_freed():
        use()
