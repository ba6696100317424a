"""What may become of a game of any title, for whoever reads its events: over or not, forked, with undos."""

from __future__ import annotations

from random import Random
from uuid import UUID

from tests.game.games import SECRET, give
from tests.game.records import undo
from tests.kit.adapters import Adapter
from tests.kit.setups import standard, usual_or_not

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import ENDED, Fork, Game
from boardkeeper.table.title import Setup, Title
from boardkeeper.table.visibility import OPERATOR

ID = UUID(int=1)

TO_THE_END = 1_000_000
"""More turns than any game has."""


def begun(title: Title, setup: Setup, fork: Fork | None = None) -> tuple[Game, list[GameEvent]]:
    """A running game of persons, against the rules where the setup says so."""
    people = ["person"] * (setup.players - len(title.automata(setup)))
    game, events = Game.create(ID, title, setup, people, SECRET, "test", "", 1, fork=fork)
    game.commit(events)
    for seat in game.free_seats():
        joined = game.join([seat], b"", "", 2)
        game.commit(joined)
        events += joined
    return game, events


def forked(title: Title, setup: Setup, viewer: int, turns: int, chance: Random) -> Fork:
    """What a viewer may begin from after so many random commands, or the next time that he may."""
    game, history = begun(title, setup)
    while game.status != ENDED:
        seat = chance.choice(game.table.deciding())
        history += give(game, seat, chance.choice(game.legal(seat)))
        turns -= 1
        if turns < 0:
            fork = Game.load(title, SECRET, history).fork(viewer, b"chance")
            if isinstance(fork, Fork):
                return fork
    raise AssertionError("the game was over before anybody could fork it")


def played(
    adapter: Adapter, setup: Setup, chance: Random, *, fork: Fork | None = None, turns: int = TO_THE_END, undos: int = 0
) -> list[GameEvent]:
    """The events of an eager game of so many turns, or up to its end.

    So many times a seat takes its last commands back, as soon as it may, on its own or because the others consent.
    """
    game, events = begun(adapter.title, setup, fork)
    for turn in range(turns):
        if game.status == ENDED:
            break
        seat = chance.choice(game.table.deciding())
        events += give(game, seat, adapter.eager(chance, game.play, seat, game.legal(seat)))
        if undos and game.status != ENDED and chance.random() < 0.3 and isinstance(game.undo_from(seat), int):
            undos -= 1
            undo(game, events, seat, f"undo {turn}")
    assert not undos, "nobody could take back so much"
    return events


def histories(adapter: Adapter, players: int) -> dict[str, tuple[GameEvent, ...]]:
    """Games of a title with so many players, by what became of them."""
    title, chance = adapter.title, Random(f"histories {players}")
    setup, other = standard(title, players), usual_or_not(title, 2, players)
    return {
        "finished": tuple(played(adapter, setup, chance)),
        "finished, with other choices than the usual ones": tuple(played(adapter, other, chance)),
        "unfinished": tuple(played(adapter, setup, chance, turns=chance.randint(20, 100))),
        "with undos": tuple(played(adapter, setup, chance, undos=6)),
        "an operator's fork": tuple(played(adapter, setup, chance, fork=forked(title, setup, OPERATOR, 40, chance))),
        "a seat's fork": tuple(played(adapter, setup, chance, fork=forked(title, setup, 1, 60, chance), undos=2)),
        "a seat's fork, unfinished": tuple(
            played(adapter, setup, chance, fork=forked(title, setup, 1, 10, chance), turns=30)
        ),
    }
