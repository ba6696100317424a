"""Random games of any title, played beside independent checks of what its rules did.

Games with an even seed choose uniformly among the legal commands; many odd things happen in them. Those with an odd
seed are eager, as the title's adapter says, and so come to where its rules bite.

A playout keeps every command and event. If a check fails, the error carries a note with all that is needed to play the
same game again: setup, seed and the commands so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import Struct
from tests.kit.adapters import Adapter

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Effect
from boardkeeper.table.events import Event
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.title import Play, Setup

P = TypeVar("P", bound=Play)
G = TypeVar("G", bound="Playout[Any]")

EFFECTS = msgspec.json.Decoder(tuple[Effect, ...])


class Playout(Generic[P]):
    """One random game: the table, and everything that was done to it."""

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
        self.commands: list[tuple[int, Struct]] = []
        self.events: list[Event] = self.play.recorder.take()
        self.marks = [(0, len(self.events))]
        """After how many commands there were how many events, from the beginning of the game."""

    def bind(self, table: Table) -> P:
        """The rules of this game on another table."""
        return cast(P, self.adapter.title.play(table, Dice(str(self.seed).encode()), self.setup))

    def at(self, events: int) -> Table:
        """The table after that many events, folded without any rules."""
        table = Table(self.layout)
        for event in self.events[:events]:
            table.apply_all(event.effects)
        return table

    def choose(self) -> tuple[int, Struct]:
        """A seat that has to decide, and one of its commands."""
        deciding = self.table.deciding()
        assert deciding, "the game is not over and nobody has to decide"
        seat = deciding[int(self.random.random() * len(deciding))]
        legal = self.play.legal(seat)
        assert legal, f"seat {seat} has to decide ({self.table.decisions[seat]}) and no legal command"
        most = self.adapter.most_legal
        assert len(legal) <= most, f"seat {seat} has {len(legal)} legal commands, more than {most}"
        if self.seed % 2 and self.random.random() < 0.97:
            return seat, self.adapter.eager(self.random, self.play, seat, legal)
        return seat, legal[int(self.random.random() * len(legal))]

    def step(self) -> list[Event]:
        """Give a random legal command; returns its events."""
        seat, command = self.choose()
        self.commands.append((seat, command))
        rejection = self.play.decide(seat, command)
        assert rejection is None, f"seat {seat} may not {command} though it is listed: {rejection}"
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
        """Everything that is needed to play the same game again."""
        given = [[seat, type(command).__name__, msgspec.to_builtins(command)] for seat, command in self.commands]
        last = [f"  {seat}: {command}" for seat, command in self.commands[-5:]]
        deciding = {seat: self.table.decisions[seat] for seat in self.table.deciding()}
        lines = [
            f"Reproduce with Playout(adapter_of({self.adapter.id!r}), {self.seed}, {self.setup}):",
            f"{len(self.commands)} commands, {len(self.events)} events, open decisions {deciding}; last:",
            *last,
            "All commands: " + msgspec.json.encode(given).decode(),
        ]
        return "\n".join(lines)


@contextmanager
def noted(game: G) -> Iterator[G]:
    """A game whose reproduction is noted on any error."""
    try:
        yield game
    except Exception as error:
        error.add_note(game.reproduction())
        raise


@contextmanager
def playout(adapter: Adapter, seed: int, setup: Setup) -> Iterator[Playout[Play]]:
    """A game of a title whose reproduction is noted on any error."""
    with noted(Playout[Play](adapter, seed, setup)) as game:
        yield game


def same_history(expected: Sequence[Event], found: Sequence[Event]) -> None:
    """Fail at the first event that differs."""
    for index, (one, other) in enumerate(zip(expected, found, strict=False)):
        assert one == other, f"first differing event: {index}\nexpected {one}\nfound    {other}"
    assert len(expected) == len(found), f"{len(expected)} events expected, {len(found)} found"


def stored(adapter: Adapter, event: Event) -> Event:
    """An event after a journey through JSON."""
    detail = msgspec.json.decode(msgspec.json.encode(event.detail), type=adapter.title.events[event.name])
    effects = EFFECTS.decode(msgspec.json.encode(event.effects))
    return Event(event.seat, detail, effects)
