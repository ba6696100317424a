"""Beginning a game, laid anew or from another one's table, with everybody in his seat."""

from __future__ import annotations

from collections.abc import Sequence

from boardkeeper.engine.arguments import Clock
from boardkeeper.engine.seeds import id_of
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Fork, Game
from boardkeeper.game.time_control import TimeControl
from boardkeeper.table.visible_table import VisibleTable
from boardkeeper.titlekit.title import Setup, Title

BUILD = "boardkeeper.rules"  # games store it: the old name of this package stays
"""What stands in a game's first event for the server that began it."""


def start_game(
    title: Title,
    setup: Setup,
    kinds: Sequence[str],
    secret: bytes,
    clock: Clock | None,
    *,
    position: VisibleTable | None = None,
    fork: Fork | None = None,
    time_control: TimeControl | None = None,
) -> tuple[Game, list[GameEvent]]:
    """A game with everybody seated, and its events, which are committed."""
    time = clock() if clock is not None else 0
    made = (id_of(secret), title, setup, kinds, secret, BUILD, "create", time)
    game, history = Game.create(*made, position=position, fork=fork, time_control=time_control)
    game.commit(history)
    free = game.free_seats()
    if free:
        joined = game.join(free, b"", "join", time)
        game.commit(joined)
        history += joined
    return game, history
