"""Forks of a game: exact copies for the operator, with hidden components dealt again for other viewers."""

from __future__ import annotations

from random import Random
from uuid import UUID

import msgspec
import pytest
from tests.game.games import create, start
from tests.service.tiny_title import TINY, DrawPearl

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameCreated, GameEvent
from boardkeeper.game.forking import Fork, fork_game
from boardkeeper.game.game import Game
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.testkit.games import ID, SECRET, finish_game, give
from boardkeeper.titlekit.title import Setup, Title
from boardkeeper.titles.registry import load_title

NEW = UUID(int=2)
ORLEANS = load_title("orleans")


def start_fork(fork: Fork | Rejection, original: Game) -> tuple[Game, list[GameEvent]]:
    """Start a game of bots from a fork."""
    assert isinstance(fork, Fork), fork
    setup = original.created.setup
    seats = ["bot.random"] * setup.players
    game, events = create_game(NEW, original.title, setup, seats, bytes(32), "test", "", 5, fork=fork)
    game.commit(events)
    return game, events


@pytest.mark.parametrize("turns", [0, 1, 7, 60, 200])
@pytest.mark.parametrize("title", [TINY, ORLEANS], ids=["tiny", "orleans"])
def test_a_fork_of_the_operator_is_exact_and_can_be_played(title: Title, turns: int) -> None:
    original, history = start(title=title)
    random = Random(turns)
    for _ in range(min(turns, 10) if title is TINY else turns):
        seat = random.choice(original.table.deciding())
        history += give(original, seat, random.choice(original.legal(seat)))
    fork = fork_game(Game.load(title, SECRET, history), OPERATOR, b"")
    game, events = start_fork(fork, original)
    assert game.table.contents() == original.table.contents()
    for seat in (1, 2):
        assert game.legal(seat) == original.legal(seat)
    created = events[0].detail
    assert isinstance(created, GameCreated)
    assert (created.forked_game, created.forked_version) == (str(ID), original.version)
    whole = game.table.components()
    events += finish_game(game, random)
    assert game.table.components() == whole
    assert Game.load(title, bytes(32), events).table.contents() == game.table.contents()


def test_a_fork_of_a_seat_keeps_what_the_seat_sees_and_deals_the_rest() -> None:
    original, history = start()
    for turn in range(4):
        history += give(original, turn % 2 + 1, DrawPearl())
    assert original.play is not None
    tables = set()
    for key in range(10):
        game, _ = start_fork(fork_game(Game.load(TINY, SECRET, history), 1, bytes([key])), original)
        assert game.play is not None
        assert game.play.board(1) == original.play.board(1)
        assert game.table.components() == original.table.components()
        tables.add(game.table.digest())
    assert len(tables) > 1


def test_a_fork_of_a_seat_keeps_bags_with_known_contents() -> None:
    original, history = start(title=ORLEANS)
    random = Random(1)
    for _ in range(150):
        seat = random.choice(original.table.deciding())
        history += give(original, seat, random.choice(original.legal(seat)))
    game, _ = start_fork(fork_game(Game.load(ORLEANS, SECRET, history), 1, b"x"), original)
    assert game.table.contents() == original.table.contents()


def test_a_seat_cannot_fork_during_sealed_planning() -> None:
    game, _ = create("bot.random", "bot.random", setup=Setup("", 2, {"planning": "sealed"}), title=ORLEANS)
    assert "plan" in game.table.decisions
    rejection = fork_game(game, 1, b"")
    assert isinstance(rejection, Rejection)
    assert rejection.code == "PLANS_HIDDEN"
    assert isinstance(fork_game(game, OPERATOR, b""), Fork)


def test_only_a_running_game_can_be_forked() -> None:
    waiting, _ = create()
    assert isinstance(fork_game(waiting, OPERATOR, b""), Rejection)
    game, _ = start()
    finish_game(game, Random(1))
    assert isinstance(fork_game(game, OPERATOR, b""), Rejection)


def test_first_events_without_fork_fields_can_be_read() -> None:
    _, (first, *_) = create()
    stored = msgspec.json.decode(msgspec.json.encode(first.detail))
    del stored["forked_game"], stored["forked_version"]
    stored["layout"]["zones"] = [zone[:5] for zone in stored["layout"]["zones"]]
    assert msgspec.convert(stored, GameCreated) == first.detail


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1000))
def test_soak_forks_are_exact_and_can_be_played(seed: int) -> None:
    random = Random(seed)
    original, history = start(*[b""] * random.randint(2, 5), title=ORLEANS)
    for _ in range(random.randint(0, 400)):
        if original.status != "running":
            return
        seat = random.choice(original.table.deciding())
        history += give(original, seat, random.choice(original.legal(seat)))
    if original.status == "running":
        viewer = random.choice([OPERATOR, 0, 1, 2])
        game, _ = start_fork(fork_game(Game.load(ORLEANS, SECRET, history), viewer, b"x"), original)
        assert game.table.contents() == original.table.contents()
        finish_game(game, random)
