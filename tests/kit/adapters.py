"""What the test kit has to be told of a title; everything else it reads off the registry.

A title's adapter is ``ADAPTER`` in ``tests/titles/<title>/adapter.py``. Its functions are handed the title's own play,
so they may reach whatever they need of it.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from msgspec import Struct
from tests.kit.setups import numbers

from boardkeeper.game.events import GameEvent
from boardkeeper.table.events import Event
from boardkeeper.table.title import Setup, Title
from boardkeeper.titles.registry import TITLES

FOLDER = Path(__file__).parent.parent / "titles"

Eager = Callable[[Random, Any, int, Sequence[Struct]], Struct]
"""Of the legal commands of a seat the one that brings it on: random, the play, the seat, and the commands."""

Holds = Callable[[Any, Setup], None]
"""Fails if something is not as it has to be between two commands: the play, and what it is played with."""

Ended = Callable[[Any, Setup, Sequence[Event]], None]
"""The same of a game that is over, with all its events."""


def _never(play: Any, setup: Setup) -> Hashable:
    return None


def _nothing(event: GameEvent) -> Iterable[str]:
    return ()


@dataclass(frozen=True)
class Adapter:
    """What the kit cannot read off a title itself."""

    title: Title
    decisions: tuple[str, ...]
    """Every decision that can be open."""
    eager: Eager
    """Random games choose uniformly and hardly come to where a rule bites; eager ones do."""
    holds: Holds
    """What no sequence of commands may break."""
    ended: Ended
    """What every finished game has in common: how many rounds, scores, ends."""
    values: Mapping[str, Sequence[Any]]
    """What each field of a command or an event may have, to make sentences, and to change listed commands by.

    By the name of the field, or by ``Struct.field`` where it means something else; numbers need be given only where not
    every number makes sense, and truth values never.
    """
    most_legal: int
    """No seat ever has more commands to choose from."""
    idle: tuple[Struct, ...] = ()
    """What a seat does that wants to do nothing; the first that is legal."""
    alike: Callable[[Struct], Hashable] = type
    """Commands of which it is enough to change a few."""
    simultaneous: Callable[[Any, Setup], Hashable] = _never
    """A name for the present as long as seats decide at the same time, in any order; else nothing."""
    examples: tuple[Struct, ...] = ()
    """What the fields one by one do not show to whoever says them: parts that are empty, or empty together."""
    offers: tuple[type[Struct], ...] = ()
    """Commands as they are offered, where the command alone would not say what it does."""
    seats: tuple[str, ...] = ("leader", "last", "winner", "winners", "start_seat")
    """Fields that hold numbers of seats."""
    yes_or_no: tuple[str, ...] = ()
    """How the ids of markers end that are 1 or 0."""
    sealed: tuple[str, ...] = ()
    """Zones whose contents nothing moves once the table is laid."""
    open_draws: tuple[str, ...] = ()
    """The editions in which everybody sees at once whatever chance draws."""
    shows: Callable[[GameEvent], Iterable[str]] = _nothing
    """What an event shows that the rules treat in a way of its own, as short words, for golden games."""
    to_show: frozenset[str] = frozenset()
    """All such words: golden games show them together, besides every command, event, option, reading and edition."""
    never_shown: Mapping[str, str] = field(default_factory=dict)
    """What no golden game has to show, with the reason."""
    not_catalogued: Mapping[str, str] = field(default_factory=dict)
    """What lies on a table and is in no catalogue, with the reason; of copies what stands before the last point."""
    hardly_played: Mapping[str, str] = field(default_factory=dict)
    """Commands and events that random games need not come to, with the reason."""

    @property
    def id(self) -> str:
        """The title's id."""
        return self.title.meta.id

    @property
    def package(self) -> str:
        """Where the title's modules are."""
        return type(self.title).__module__.rpartition(".")[0]

    @property
    def folder(self) -> Path:
        """Where the title's tests are."""
        return FOLDER / self.id

    @property
    def players(self) -> tuple[int, ...]:
        """Every number of players, as :func:`tests.kit.setups.numbers` counts them."""
        return numbers(self.title.meta)

    def values_of(self, struct: type[Struct], name: str) -> Sequence[Any]:
        """What a field may have; empty if nothing is said of it."""
        return self.values.get(f"{struct.__name__}.{name}", self.values.get(name, ()))

    @property
    def decides_together(self) -> bool:
        """Whether seats ever decide at the same time."""
        return self.simultaneous is not _never


@cache
def adapter_of(id: str) -> Adapter:
    """The adapter of a title; raises ``ModuleNotFoundError`` if it has none."""
    found: Adapter = import_module(f"tests.titles.{id}.adapter").ADAPTER
    return found


def adapters() -> tuple[Adapter, ...]:
    """Those of all titles that have one; that each has is demanded in ``test_every_title.py``."""
    return tuple(adapter_of(id) for id in TITLES if find_spec(f"tests.titles.{id}.adapter"))
