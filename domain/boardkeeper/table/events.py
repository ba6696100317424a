"""Events: one rulebook sentence each, in the past tense, with the effects that it had."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from boardkeeper.table.effects import Effect
from boardkeeper.table.table import Table


class Event(Struct, frozen=True, gc=False):
    """A fact of one game.

    ``seat`` is the seat it happened to (0: the table as a whole), ``detail`` a small typed struct whose class
    name is the event's name, ``effects`` everything that changed.
    """

    seat: int
    detail: Struct
    effects: tuple[Effect, ...]

    @property
    def name(self) -> str:
        """The event's name, past tense: ``FollowerRecruited``."""
        return type(self.detail).__name__


def fold(table: Table, effects: Iterable[Effect]) -> None:
    """Step a table one event forwards."""
    table.apply_all(effects)


def unfold(table: Table, effects: tuple[Effect, ...]) -> None:
    """Step a table one event backwards."""
    for effect in reversed(effects):
        table.revert(effect)
