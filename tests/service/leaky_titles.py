"""Variants of the small title that each leak hidden information of other seats, like a defective title."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from tests.service.tiny_title import Board, DrawPearl, PearlDrawn, Peek, TinyPlay, TinyTitle

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.titlekit.title import Setup


class _Play(TinyPlay):
    def hidden_number(self) -> int:
        """Return a number that depends on the black pearls in each hand."""
        return sum(7**seat * hand.counts().get("black", 0) for seat, hand in enumerate(self.hands))


class LegalPlay(_Play):
    """The legal commands depend on the hands of other seats."""

    def legal(self, seat: int) -> Sequence[Struct]:
        listed = super().legal(seat)
        return [*listed, *[Peek()] * (self.hidden_number() % 53)] if listed else ()


class BoardPlay(_Play):
    """The board depends on the hidden hands."""

    def board(self, viewer: int) -> Board:
        return replace(super().board(viewer), pile=10 * self.pile.total() + self.hidden_number())


class RejectionPlay(_Play):
    """The text of a rejection depends on the hidden hands."""

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        rejection = super().decide(seat, command)
        return rejection and replace(rejection, values={**rejection.values, "pearls": str(self.hidden_number())})


class EventPlay(_Play):
    """A public event says which pearl was drawn."""

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        before = {it: self.hands[seat - 1].counts().get(it, 0) for it in ("black", "white")}
        rejection = super().decide(seat, command)
        if rejection is None and command == DrawPearl():
            hand = self.hands[seat - 1]
            self.recorder.emit(0, PearlDrawn(next(it for it in before if hand.counts().get(it, 0) > before[it])))
        return rejection


class LeakyTitle(TinyTitle):
    """The small title with one of these rules."""

    def __init__(self, rules: type[TinyPlay]) -> None:
        self.rules_of = rules

    def play(self, table: Table, dice: Dice, setup: Setup) -> TinyPlay:
        return self.rules_of(table, dice, setup)


class SoloTitle(TinyTitle):
    """The small title for one player, who does not see the own hand."""

    meta = replace(TinyTitle.meta, editions=(replace(TinyTitle.meta.editions[0], players=(1, 1)),))

    def layout(self, setup: Setup) -> TableLayout:
        two = super().layout(replace(setup, players=2))
        zones = (replace(it, visibility="count") if it.id == "hand.1" else it for it in two.zones)
        return replace(two, seats=1, zones=tuple(it for it in zones if not it.id.endswith(".2")))
