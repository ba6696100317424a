"""Histories of random games: finished and unfinished games, forks, and games with undos."""

from __future__ import annotations

from random import Random

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.forking import Fork, fork_game
from boardkeeper.game.game import ENDED, Game
from boardkeeper.table.visibility import OPERATOR
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.games import ID, SECRET, give, undo
from boardkeeper.testkit.setups import default_setup, mixed_setup
from boardkeeper.titlekit.title import Setup, Title

TO_THE_END = 1_000_000
"""More turns than any game has."""


def start_game(title: Title, setup: Setup, fork: Fork | None = None) -> tuple[Game, list[GameEvent]]:
    """Return a running game, which people have joined, and its events."""
    people = ["person"] * (setup.players - len(title.automata(setup)))
    game, events = create_game(ID, title, setup, people, SECRET, "test", "", 1, fork=fork)
    game.commit(events)
    for seat in game.seats.free():
        joined = game.join([seat], b"", "", 2)
        game.commit(joined)
        events += joined
    return game, events


def random_fork(title: Title, setup: Setup, viewer: int, turns: int, chance: Random) -> Fork:
    """Return the fork of a viewer after ``turns`` random commands, or as soon as possible after them."""
    game, history = start_game(title, setup)
    while game.status != ENDED:
        seat = chance.choice(game.table.deciding())
        history += give(game, seat, chance.choice(game.legal(seat)))
        turns -= 1
        if turns < 0:
            fork = fork_game(Game.load(title, SECRET, history), viewer, b"chance")
            if isinstance(fork, Fork):
                return fork
    raise AssertionError("the game ended before it could be forked")


def eager_history(
    adapter: Adapter,
    setup: Setup,
    chance: Random,
    *,
    fork: Fork | None = None,
    turns: int = TO_THE_END,
    undos: int = 0,
    may_be_short: bool = False,
) -> list[GameEvent]:
    """Return the events of an eager game of at most ``turns`` commands.

    ``undos`` is the number of undos in it, each of a seat's last command. Raises ``AssertionError`` if the game ends
    earlier, unless it ``may_be_short``.
    """
    game, events = start_game(adapter.title, setup, fork)
    for turn in range(turns):
        if game.status == ENDED:
            break
        assert turn < adapter.most_commands, "the game has no end"
        seat = chance.choice(game.table.deciding())
        events += give(game, seat, adapter.eager(chance, game.play, seat, game.legal(seat)))
        if undos and game.status != ENDED and chance.random() < 0.3 and isinstance(game.first_undo_version(seat), int):
            undos -= 1
            undo(game, events, seat, f"undo {turn}")
    assert may_be_short or not undos, f"{undos} undos were left at the end of the game"
    return events


def histories(adapter: Adapter, players: int) -> dict[str, tuple[GameEvent, ...]]:
    """Return histories of games with this number of players, by a description."""
    title, chance = adapter.title, Random(f"histories {players}")
    setup, other = default_setup(title, players), mixed_setup(title, 2, players)
    return {
        "finished": tuple(eager_history(adapter, setup, chance)),
        "finished, with other choices than the usual ones": tuple(eager_history(adapter, other, chance)),
        "unfinished": tuple(eager_history(adapter, setup, chance, turns=chance.randint(20, 100))),
        "with undos": tuple(eager_history(adapter, setup, chance, undos=6)),
        "an operator's fork": tuple(
            eager_history(adapter, setup, chance, fork=random_fork(title, setup, OPERATOR, 40, chance))
        ),
        "a seat's fork": tuple(
            eager_history(adapter, setup, chance, fork=random_fork(title, setup, 1, 60, chance), undos=2)
        ),
        "a seat's fork, unfinished": tuple(
            eager_history(adapter, setup, chance, fork=random_fork(title, setup, 1, 10, chance), turns=30)
        ),
    }
