"""A test title in which some cards are visible to several seats, but not to all.

Each of four seats is dealt a nation (two England, two France) and sees its own card. In turn a seat looks at the card
of another seat, shows its own card to everyone, or waits. The game ends after twelve turns, and all cards are shown.
"""

# ruff: noqa: ARG002  # parameters of the title interface

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace
from tests.service.tiny_title import TinyTitle

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.recorder import Recorder
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import PUBLIC, only, seats_of, sees, shared_by
from boardkeeper.table.zones import Pile
from boardkeeper.titlekit.title import Setup, Standing

TURNS = 12
SEATS = (1, 2, 3, 4)
ENGLAND, FRANCE = "england", "france"


class Look(Struct, frozen=True):
    at: int


class Declare(Struct, frozen=True):
    pass


class Wait(Struct, frozen=True):
    pass


class NationsDealt(Struct, frozen=True):
    pass


class NationSeen(Struct, frozen=True):
    """A seat has seen a card. Visible to the seats that see the card."""

    of: int
    nation: str


class Looked(Struct, frozen=True):
    """A seat has looked at a card. Public."""

    at: int


class NationDeclared(Struct, frozen=True):
    nation: str


class Waited(Struct, frozen=True):
    pass


class NationsShown(Struct, frozen=True):
    nations: tuple[str, ...]


class NationsBoard(Struct, frozen=True):
    turn: int
    nations: tuple[str, ...]
    """By seat. Empty if the viewer does not see the card."""


class NationsPlay:
    def __init__(self, table: Table, dice: Dice, setup: Setup) -> None:
        self.recorder = Recorder(table, dice)
        self.table = table
        self.box = table.pile("nations")
        self.cards = {seat: table.pile(f"seat.{seat}.nation") for seat in SEATS}
        self.turn = table.number("turn")

    def set_up(self) -> None:
        for card in self.cards.values():
            self.recorder.draw(self.box, card)
        self.recorder.emit(0, NationsDealt())
        self.recorder.ask(1, "turn")
        self.recorder.emit(1, Waited())

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        if self.is_over() or self.table.decisions[seat] != "turn":
            return Rejection("NOT_YOUR_TURN", "nations.turn", {"seat": str(seat)})
        if command not in self.legal(seat):
            return Rejection("NOT_NOW", "nations.look", {"seat": str(seat)})
        detail: Struct
        match command:
            case Look(at=at):
                card = self.cards[at]
                self.recorder.show(card, shared_by(*seats_of(card.visibility), seat))
                self.recorder.emit(seat, NationSeen(at, _nation(card)))
                detail = Looked(at)
            case Declare():
                self.recorder.show(self.cards[seat], PUBLIC)
                detail = NationDeclared(_nation(self.cards[seat]))
            case _:
                detail = Waited()
        self.recorder.set(self.turn, self.turn.value + 1)
        self.recorder.ask(seat, "")
        if not self.is_over():
            self.recorder.ask(seat % len(SEATS) + 1, "turn")
        self.recorder.emit(seat, detail)
        if self.is_over():
            for card in self.cards.values():
                self.recorder.show(card, PUBLIC)
            self.recorder.emit(0, NationsShown(tuple(map(_nation, self.cards.values()))))
        return None

    def legal(self, seat: int) -> Sequence[Struct]:
        if self.is_over() or self.table.decisions[seat] != "turn":
            return ()
        unseen = [at for at, card in self.cards.items() if not sees(self.table, card, seat)]
        declares = [Declare()] if self.cards[seat].visibility != PUBLIC else []
        return [*map(Look, unseen), *declares, Wait()]

    def board(self, viewer: int) -> NationsBoard:
        cards = (_nation(card) if sees(self.table, card, viewer) else "" for card in self.cards.values())
        return NationsBoard(self.turn.value, tuple(cards))

    def is_over(self) -> bool:
        return self.turn.value >= TURNS

    def standings(self) -> Sequence[Standing]:
        if not self.is_over():
            return ()
        won = {seat: _nation(card) == ENGLAND for seat, card in self.cards.items()}
        ranked = sorted(SEATS, key=lambda seat: not won[seat])
        return [Standing(seat, int(won[seat]), 1 if won[seat] else 3) for seat in ranked]


def _nation(card: Pile) -> str:
    """Return the nation of a seat, or an empty string before it is dealt."""
    return next(iter(card.items), "")


class NationsTitle(TinyTitle):
    meta = replace(
        TinyTitle.meta, id="nations", editions=(replace(TinyTitle.meta.editions[0], players=(4, 4)),), options=()
    )
    commands: Mapping[str, type[Struct]] = {kind.__name__: kind for kind in (Look, Declare, Wait)}
    events: Mapping[str, type[Struct]] = {
        kind.__name__: kind for kind in (NationsDealt, NationSeen, Looked, NationDeclared, Waited, NationsShown)
    }

    def layout(self, setup: Setup) -> TableLayout:
        if setup.players != len(SEATS):
            raise ValueError("no such setup")
        cards = (ZoneSpec(f"seat.{seat}.nation", only(seat)) for seat in SEATS)
        return TableLayout(4, (ZoneSpec("nations", "count", {ENGLAND: 2, FRANCE: 2}), *cards), (MarkerSpec("turn"),))

    def play(self, table: Table, dice: Dice, setup: Setup) -> NationsPlay:  # type: ignore[override]
        return NationsPlay(table, dice, setup)

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        return [["nations", *(f"seat.{seat}.nation" for seat in SEATS)]]


NATIONS = NationsTitle()
