"""Tables of random games that meet a condition."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from tests.titles.orleans.playouts import META, Playout

from boardkeeper.game.choices import complete
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.orleans.data import Options
from boardkeeper.titles.orleans.material import Orleans

Condition = Callable[[Orleans], bool]


class Base(NamedTuple):
    """A condition for tables: a seat has this decision in this phase, and ``condition`` is true."""

    phase: str
    decision: str
    condition: Condition = lambda _: True
    players: int = 3
    choices: tuple[tuple[str, str], ...] = ()
    edition: str = ""


def setup_of(players: int, choices: tuple[tuple[str, str], ...] = (), edition: str = "") -> Setup:
    """Return a setup with these options and readings."""
    options = {name: choice for name, choice in choices if name in Options.__struct_fields__}
    readings = {name: choice for name, choice in choices if name not in options}
    return complete(META, Setup(edition, players, options, readings))


@lru_cache(maxsize=64)
def reached(base: Base) -> Playout:
    """Return the first random game that reaches such a table, stopped there."""
    for seed in range(40):
        game = Playout(seed, setup_of(base.players, base.choices, base.edition))
        while not game.play.is_over():
            game.step()
            t = game.play.t
            if t.phase.value == base.phase and base.decision in game.table.decisions and base.condition(t):
                return game
    raise AssertionError(f"no game reached {base}")
