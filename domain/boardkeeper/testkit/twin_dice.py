"""Dice of twin games: draws from zones that a viewer sees are equal in both games, other draws differ.

The streams of dice are zones. Draws from a visible zone use a key that both games share, draws from other zones use the
game's own secret. If every hidden draw differed, the games would differ visibly once hidden components are shown. So
only a fraction ``apart`` of the hidden zones differ, chosen by the shared key.
"""

from __future__ import annotations

import random
from typing import Any, cast

from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.titlekit.title import Play, Setup, Title


class TwinDice(Dice):
    """The dice of one of two games."""

    __slots__ = ("_apart", "_by_draw", "_own", "_seed", "_table", "_viewer")

    def __init__(self, own: Dice, shared: bytes, table: Table, viewer: int, apart: float, *, by_draw: bool) -> None:
        super().__init__(shared)
        self._by_draw = by_draw
        self._own = own
        self._seed = shared
        self._table = table
        self._viewer = viewer
        self._apart = apart

    def number(self, stream: str, counter: int, bound: int) -> int:
        """Return a number: the same in both games, or from this game's own dice."""
        if sees(self._table, self._table.zones[stream], self._viewer) or not self._is_apart(stream, counter):
            return super().number(stream, counter, bound)
        return self._own.number(stream, counter, bound)

    def _is_apart(self, stream: str, counter: int) -> bool:
        draw = f"{stream}:{counter}" if self._by_draw else stream
        return random.Random(f"{self._seed.hex()}:{draw}").random() < self._apart


class TwinTitle:
    """A title whose games use :class:`TwinDice` while ``fate_changed`` is false."""

    def __init__(self, title: Title, viewer: int, shared: bytes, apart: float, *, by_draw: bool = False) -> None:
        self._title = title
        self._viewer = viewer
        self._shared = shared
        self._apart = apart
        self._by_draw = by_draw
        self.fate_changed = False
        """Whether all further draws use the game's own secret."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._title, name)

    def play(self, table: Table, dice: Dice, setup: Setup) -> Play:
        if not self.fate_changed:
            dice = TwinDice(dice, self._shared, table, self._viewer, self._apart, by_draw=self._by_draw)
        return self._title.play(table, dice, setup)

    def as_title(self) -> Title:
        """Return this object as a ``Title``: it has all attributes of one, which type checkers cannot see."""
        return cast(Title, self)
