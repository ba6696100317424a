"""A process that thinks for bots, so that a search never blocks the event loop of the server.

It reads decisions from standard input and writes answers to standard output, each as four bytes with the length and a
pickle. It ends when its input ends, so it never outlives the server. The server starts it with the setting ``titles``
as its argument (:mod:`boardkeeper.service.games.bot_processes`).
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import BinaryIO

from msgspec import Struct

from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.table_values import TableValues, ValueStore
from boardkeeper.titlekit.bots import ask_bot
from boardkeeper.titlekit.search import SearchLimits
from boardkeeper.titlekit.title import Setup
from boardkeeper.titles.registry import allow_listed, load_title

LENGTH_BYTES = 4
_NICENESS = 5
"""Thinking has a lower priority than serving."""


class Decision(Struct, frozen=True):
    """A decision of a bot. ``layout`` is that of the game if the title has a newer one."""

    title: str
    setup: Setup
    layout: TableLayout | None
    values: TableValues
    bot: str
    seat: int
    commands: Sequence[Struct]
    random: float
    limits: SearchLimits


class Answer(Struct, frozen=True):
    """The index of the chosen command, or an error."""

    index: int = 0
    error: str = ""


def encode(message: Struct) -> bytes:
    """Return a message with its length."""
    body = pickle.dumps(message)
    return len(body).to_bytes(LENGTH_BYTES, "big") + body


def decide(decision: Decision) -> int:
    """Return the index of the command that a bot chooses."""
    title = load_title(decision.title)
    table = Table(decision.layout or title.layout(decision.setup))
    ValueStore(table).load(decision.values)
    arguments = (decision.seat, decision.commands, decision.random, decision.limits)
    return decision.commands.index(ask_bot(title, decision.setup, table, decision.bot, *arguments))


def run(source: BinaryIO, target: BinaryIO) -> None:
    """Answer decisions until the input ends."""
    while length := source.read(LENGTH_BYTES):
        decision = pickle.loads(source.read(int.from_bytes(length, "big")))
        try:
            answer = Answer(decide(decision))
        except Exception as error:  # noqa: BLE001  # the server logs it, and the bot tries again
            answer = Answer(error=f"{type(error).__name__}: {error}")
        target.write(encode(answer))
        target.flush()


def main() -> None:
    """Run the process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C also reaches this process, but the server ends it
    with suppress(AttributeError, OSError):
        os.nice(_NICENESS)
    allow_listed(sys.argv[1])
    with suppress(BrokenPipeError):
        run(sys.stdin.buffer, sys.stdout.buffer)
