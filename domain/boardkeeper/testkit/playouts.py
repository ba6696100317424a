"""Random games of any title, with checks of its rules.

Games with an even seed choose uniformly among the legal commands, which leads to unusual situations. Games with an odd
seed use the adapter's ``eager`` policy. If a check fails, the error has a note with the setup, the seed and all
commands, so that the game can be reproduced.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import Struct

from boardkeeper.table.decoding import decode
from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Effect, Event
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.titlekit.command_space import command_space
from boardkeeper.titlekit.title import Play, Setup

P = TypeVar("P", bound=Play)
G = TypeVar("G", bound="Playout[Any]")

EFFECTS = msgspec.json.Decoder(tuple[Effect, ...])


class Playout(Generic[P]):
    """A random game, with all its commands and events."""

    play: P

    def __init__(self, adapter: Adapter, seed: int, setup: Setup) -> None:
        self.adapter = adapter
        self.seed = seed
        self.setup = setup
        self.random = Random(f"game {seed}")
        self.layout: TableLayout = adapter.title.layout(setup)
        self.table = Table(self.layout)
        self.play = self.bind(self.table)
        self.play.set_up()
        listed = command_space(adapter.title, setup)
        self.space = None if listed is None else frozenset(listed)
        self.commands: list[tuple[int, Struct]] = []
        self.events: list[Event] = self.play.recorder.take()
        self.marks = [(0, len(self.events))]
        """Pairs of a number of commands and the number of events after them."""

    def bind(self, table: Table) -> P:
        """Return the rules, bound to another table of the same game."""
        return cast(P, self.adapter.title.play(table, Dice(str(self.seed).encode()), self.setup))

    def at(self, events: int) -> Table:
        """Return the table after a number of events, without using the rules."""
        table = Table(self.layout)
        for event in self.events[:events]:
            table.apply_all(event.effects)
        return table

    def choose(self) -> tuple[int, Struct]:
        """Return a seat with a decision, and one of its legal commands."""
        deciding = self.table.deciding()
        assert deciding, "the game is not over, but no seat has to decide: let a seat decide, or end the game"
        seat = deciding[int(self.random.random() * len(deciding))]
        legal = self.play.legal(seat)
        assert legal, f"seat {seat} has the decision {self.table.decisions[seat]!r}, but no legal command"
        most = self.adapter.most_legal
        assert len(legal) <= most, f"seat {seat} has {len(legal)} legal commands, more than {most}"
        assert self.space is None or self.space.issuperset(legal), (
            f"command_space() lacks {[command for command in legal if command not in self.space]}"
        )
        if self.seed % 2 and self.random.random() < 0.97:
            return seat, self.adapter.eager(self.random, self.play, seat, legal)
        return seat, legal[int(self.random.random() * len(legal))]

    def step(self) -> list[Event]:
        """Give a random legal command; returns its events."""
        most = self.adapter.most_commands
        assert len(self.commands) < most, f"the game has no end: it has {most} commands already"
        seat, command = self.choose()
        self.commands.append((seat, command))
        rejection = self.play.decide(seat, command)
        assert rejection is None, f"seat {seat}: {command} is listed, but rejected: {rejection}"
        events = self.play.recorder.take()
        assert events, f"seat {seat}: {command} had no event"
        self.events += events
        self.marks.append((len(self.commands), len(self.events)))
        return events

    def finish(self) -> None:
        """Play to the end."""
        while not self.play.is_over():
            self.step()

    def reproduction(self) -> str:
        """Return everything that is needed to play the same game again."""
        commands = [[seat, type(command).__name__, msgspec.to_builtins(command)] for seat, command in self.commands]
        last = [f"  {seat}: {command}" for seat, command in self.commands[-5:]]
        deciding = {seat: self.table.decisions[seat] for seat in self.table.deciding()}
        lines = [
            f"Reproduce with Playout(Adapter({self.adapter.id!r}), {self.seed}, {self.setup}):",
            f"{len(self.commands)} commands, {len(self.events)} events, open decisions {deciding}; last:",
            *last,
            "All commands: " + msgspec.json.encode(commands).decode(),
        ]
        return "\n".join(lines)


@contextmanager
def with_reproduction(game: G) -> Iterator[G]:
    """Add a game's reproduction to any error."""
    try:
        yield game
    except Exception as error:
        error.add_note(game.reproduction())
        raise


@contextmanager
def with_seed_note(adapter: Adapter, seed: int, setup: Setup) -> Iterator[None]:
    """Add the title, seed and setup of a game to any error."""
    try:
        yield
    except Exception as error:
        error.add_note(f"{adapter.id}: seed {seed}, {setup}")
        raise


@contextmanager
def playout(adapter: Adapter, seed: int, setup: Setup) -> Iterator[Playout[Play]]:
    """Return a random game of a title, and add its reproduction to any error."""
    with with_reproduction(Playout[Play](adapter, seed, setup)) as game:
        yield game


def check_same_events(expected: Sequence[Event], found: Sequence[Event]) -> None:
    """Raise ``AssertionError`` at the first event that differs."""
    for index, (one, other) in enumerate(zip(expected, found, strict=False)):
        assert one == other, f"first differing event: {index}\nexpected {one}\nfound    {other}"
    assert len(expected) == len(found), f"{len(expected)} events expected, {len(found)} found"


def store_and_load(adapter: Adapter, event: Event) -> Event:
    """Return an event after encoding it as JSON and decoding it."""
    detail = decode(msgspec.json.encode(event.detail), adapter.title.events[event.name])
    effects = EFFECTS.decode(msgspec.json.encode(event.effects))
    return Event(event.seat, detail, effects)
