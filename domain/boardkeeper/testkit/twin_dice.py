"""Dice for twins: two games in which a viewer sees the same drawn, and something else is drawn where it cannot see.

The streams of dice are zones. A zone that the viewer sees into follows from a key that both games have, every other one
from the game's own secret, as in any game. Where what was drawn unseen is shown afterwards, the twins cannot go that
way; so only some of those zones can be told apart as well, other ones for each key.
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
        """The same number in both games, or one of this game's own."""
        if sees(self._table, self._table.zones[stream], self._viewer) or not self._is_apart(stream, counter):
            return super().number(stream, counter, bound)
        return self._own.number(stream, counter, bound)

    def _is_apart(self, stream: str, counter: int) -> bool:
        draw = f"{stream}:{counter}" if self._by_draw else stream
        return random.Random(f"{self._seed.hex()}:{draw}").random() < self._apart


class TwinTitle:
    """A title whose games have the dice of twins, until their fate is changed."""

    def __init__(self, title: Title, viewer: int, shared: bytes, apart: float, *, by_draw: bool = False) -> None:
        self._title = title
        self._viewer = viewer
        self._shared = shared
        self._apart = apart
        self._by_draw = by_draw
        self.fate_changed = False
        """Whether everything follows from a game's own secret from now on."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self._title, name)

    def play(self, table: Table, dice: Dice, setup: Setup) -> Play:
        """The title's own rules with other dice."""
        if not self.fate_changed:
            dice = TwinDice(dice, self._shared, table, self._viewer, self._apart, by_draw=self._by_draw)
        return self._title.play(table, dice, setup)

    def as_title(self) -> Title:
        """Return this object as a ``Title``: it has all attributes of one, which type checkers cannot see."""
        return cast(Title, self)
