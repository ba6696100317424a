"""Whole games of Orléans in process, with bots in all seats."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from msgspec import Struct

from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.events import Event
from boardkeeper.table.table import Table
from boardkeeper.table.title import Setup
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.title import TITLE

Watch = Callable[[OrleansPlay, int, Sequence[Struct]], None]


def play_out(
    bots: Sequence[str],
    seed: str,
    watch: Watch | None = None,
    edition: str = "capstone-2021",
    options: dict[str, str] | None = None,
    readings: dict[str, str] | None = None,
) -> tuple[OrleansPlay, list[Event]]:
    """Play a game to its end; ``watch`` sees the play, the seat and its legal commands at each decision."""
    chance = random.Random(seed)
    setup = complete(TITLE.meta, Setup(edition, len(bots), options or {}, readings or {}))
    table = Table(TITLE.layout(setup))
    play: OrleansPlay = TITLE.play(table, Dice(seed.encode()), setup)
    play.set_up()
    events = play.recorder.take()
    while not play.is_over():
        seat = table.deciding()[0]
        legal = play.legal(seat)
        if watch:
            watch(play, seat, legal)
        bot = bots[seat - 1]
        board = play.board(seat)
        command = TITLE.choose(bot, board, seat, legal, chance.random())
        rejection = play.decide(seat, command)
        assert rejection is None, f"seed {seed}, {command}: {rejection}"
        events += play.recorder.take()
    return play, events
