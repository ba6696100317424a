"""Defective variants of the tiny title. Each leaks hidden information to viewers who must not see it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from tests.service.tiny_title import Board, DrawPearl, PearlDrawn, Peek, TinyPlay, TinyTitle

from boardkeeper.table.dice import Dice
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.titlekit.title import Setup


class _LeakyPlay(TinyPlay):
    def hidden_number(self) -> int:
        """Compute a number from the black pearls in all hidden hands."""
        return sum(7**seat * hand.counts().get("black", 0) for seat, hand in enumerate(self.hands))


class LegalLeak(_LeakyPlay):
    """The number of legal commands depends on the hidden hands."""

    def legal(self, seat: int) -> Sequence[Struct]:
        listed = super().legal(seat)
        return [*listed, *[Peek()] * (self.hidden_number() % 53)] if listed else ()


class BoardLeak(_LeakyPlay):
    """The board's pile count depends on the hidden hands."""

    def board(self, viewer: int) -> Board:
        return replace(super().board(viewer), pile=10 * self.pile.total() + self.hidden_number())


class RejectionLeak(_LeakyPlay):
    """The values of a rejection depend on the hidden hands."""

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        rejection = super().decide(seat, command)
        return rejection and replace(rejection, values={**rejection.values, "pearls": str(self.hidden_number())})


class EventLeak(_LeakyPlay):
    """A public event shows whether the drawn pearl is black or white."""

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        before = {it: self.hands[seat - 1].counts().get(it, 0) for it in ("black", "white")}
        rejection = super().decide(seat, command)
        if rejection is None and command == DrawPearl():
            hand = self.hands[seat - 1]
            self.recorder.emit(0, PearlDrawn(next(it for it in before if hand.counts().get(it, 0) > before[it])))
        return rejection


class LeakyTitle(TinyTitle):
    """The tiny title with one of these defective rules."""

    def __init__(self, rules: type[TinyPlay]) -> None:
        self.rules_of = rules

    def play(self, table: Table, dice: Dice, setup: Setup) -> TinyPlay:
        return self.rules_of(table, dice, setup)
