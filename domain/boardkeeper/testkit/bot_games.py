"""Whole games of bots, without a service."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Event
from boardkeeper.table.table import Table
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titlekit.title import Setup, Title

Watch = Callable[[Any, int, Sequence[Struct]], None]
"""Is called before each command with the play, the seat and its legal commands."""


def set_up_play(title: Title, setup: Setup, seed: str) -> Any:
    """Return the play of a new game; its recorder has the events of the setup."""
    play = title.play(Table(title.layout(setup)), Dice(seed.encode()), setup)
    play.set_up()
    return play


def play_bot_game(
    title: Title,
    bots: Sequence[str],
    seed: str,
    watch: Watch | None = None,
    edition: str = "",
    options: dict[str, str] | None = None,
    readings: dict[str, str] | None = None,
) -> tuple[Any, list[Event]]:
    """Play a game of bots to its end, and return the play and all events. ``bots`` has the kind of each seat's bot."""
    chance = random.Random(seed)
    setup = complete(title.meta, Setup(edition, len(bots), options or {}, readings or {}))
    play = set_up_play(title, setup, seed)
    events: list[Event] = play.recorder.take()
    while not play.is_over():
        seat = play.table.deciding()[0]
        legal = play.legal(seat)
        if watch:
            watch(play, seat, legal)
        command = ask_bot(title, setup, play.table, bots[seat - 1], seat, legal, chance.random())
        rejection = play.decide(seat, command)
        assert rejection is None, f"seed {seed}, {command}: {rejection}"
        events += play.recorder.take()
    return play, events
