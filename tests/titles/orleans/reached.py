"""Tables that random games come to."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from tests.titles.orleans.playouts import META, Playout

from boardkeeper.game.choices import complete
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans.data import Options
from boardkeeper.titles.orleans.material import Orleans

Wanted = Callable[[Orleans], bool]


class Base(NamedTuple):
    """A table at which a seat has that decision in that phase."""

    phase: str
    decision: str
    wanted: Wanted = lambda _: True
    players: int = 3
    choices: tuple[tuple[str, str], ...] = ()
    edition: str = ""


def setup_of(players: int, choices: tuple[tuple[str, str], ...] = (), edition: str = "") -> Setup:
    """A setup with these options and readings."""
    options = {name: choice for name, choice in choices if name in Options.__struct_fields__}
    readings = {name: choice for name, choice in choices if name not in options}
    return complete(META, Setup(edition, players, options, readings))


@lru_cache(maxsize=64)
def reached(base: Base) -> Playout:
    """The first random game that comes to such a table, there."""
    for seed in range(40):
        game = Playout(seed, setup_of(base.players, base.choices, base.edition))
        while not game.play.is_over():
            game.step()
            t = game.play.t
            if t.phase.value == base.phase and base.decision in game.table.decisions and base.wanted(t):
                return game
    raise AssertionError(f"no game came to {base}")
