"""Forks of a game: exact for the operator, dealt anew for everybody else, and played on to the end."""

from __future__ import annotations

from random import Random
from uuid import UUID

import msgspec
import pytest
from tests.game.games import create, started
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


def begun(fork: Fork | Rejection, of: Game) -> tuple[Game, list[GameEvent]]:
    """A game of bots that begins from a fork."""
    assert isinstance(fork, Fork), fork
    seats = ["bot.random"] * of.created.setup.players
    game, events = create_game(NEW, of.title, of.created.setup, seats, bytes(32), "test", "", 5, fork=fork)
    game.commit(events)
    return game, events


@pytest.mark.parametrize("turns", [0, 1, 7, 60, 200])
@pytest.mark.parametrize("title", [TINY, ORLEANS], ids=["tiny", "orleans"])
def test_an_operators_fork_is_exact_and_is_played_on(title: Title, turns: int) -> None:
    original, history = started(title=title)
    random = Random(turns)
    for _ in range(min(turns, 10) if title is TINY else turns):
        seat = random.choice(original.table.deciding())
        history += give(original, seat, random.choice(original.legal(seat)))
    fork = fork_game(Game.load(title, SECRET, history), OPERATOR, b"")
    game, events = begun(fork, original)
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


def test_a_seats_fork_shows_it_what_it_knew_and_hides_the_rest_as_well() -> None:
    original, history = started()
    for turn in range(4):
        history += give(original, turn % 2 + 1, DrawPearl())
    assert original.play is not None
    tables = set()
    for key in range(10):
        game, _ = begun(fork_game(Game.load(TINY, SECRET, history), 1, bytes([key])), original)
        assert game.play is not None
        assert game.play.board(1) == original.play.board(1)
        assert game.table.components() == original.table.components()
        tables.add(game.table.digest())
    assert len(tables) > 1


def test_bags_that_everybody_can_tell_are_kept() -> None:
    original, history = started(title=ORLEANS)
    random = Random(1)
    for _ in range(150):
        seat = random.choice(original.table.deciding())
        history += give(original, seat, random.choice(original.legal(seat)))
    game, _ = begun(fork_game(Game.load(ORLEANS, SECRET, history), 1, b"x"), original)
    assert game.table.contents() == original.table.contents()


def test_plans_behind_raised_screens_are_not_dealt() -> None:
    game, _ = create("bot.random", "bot.random", setup=Setup("", 2, {"planning": "sealed"}), title=ORLEANS)
    assert "plan" in game.table.decisions
    refused = fork_game(game, 1, b"")
    assert isinstance(refused, Rejection)
    assert refused.code == "PLANS_HIDDEN"
    assert isinstance(fork_game(game, OPERATOR, b""), Fork)


def test_only_a_running_game_is_forked() -> None:
    waiting, _ = create()
    assert isinstance(fork_game(waiting, OPERATOR, b""), Rejection)
    game, _ = started()
    finish_game(game, Random(1))
    assert isinstance(fork_game(game, OPERATOR, b""), Rejection)


def test_a_first_event_without_lineage_reads() -> None:
    _, (first, *_) = create()
    stored = msgspec.json.decode(msgspec.json.encode(first.detail))
    del stored["forked_game"], stored["forked_version"]
    stored["layout"]["zones"] = [zone[:5] for zone in stored["layout"]["zones"]]
    assert msgspec.convert(stored, GameCreated) == first.detail


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1000))
def test_many_forks_are_exact_and_are_played_on(seed: int) -> None:
    random = Random(seed)
    original, history = started(*[b""] * random.randint(2, 5), title=ORLEANS)
    for _ in range(random.randint(0, 400)):
        if original.status != "running":
            return
        seat = random.choice(original.table.deciding())
        history += give(original, seat, random.choice(original.legal(seat)))
    if original.status == "running":
        viewer = random.choice([OPERATOR, 0, 1, 2])
        game, _ = begun(fork_game(Game.load(ORLEANS, SECRET, history), viewer, b"x"), original)
        assert game.table.contents() == original.table.contents()
        finish_game(game, random)
