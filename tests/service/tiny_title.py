"""A small title for tests of the server.

Two to four seats. Each has a purse with two coins. Black and white pearls are in a hidden pile. In turn a seat passes a
coin to another seat, or draws a pearl from the pile into its hidden hand. ``Peek`` reveals the pile to everyone. The
game ends after twelve turns.
"""

# ruff: noqa: ARG002  # parameters of the title interface

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.recorder import Recorder
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.titlekit.title import (
    BotMeta,
    ChoiceMeta,
    Component,
    Difference,
    EditionMeta,
    OptionMeta,
    Play,
    PositionProblem,
    Rule,
    Setup,
    Standing,
    TitleMeta,
)

TURNS = 12


class PassCoin(Struct, frozen=True):
    to: int


class DrawPearl(Struct, frozen=True):
    pass


class Peek(Struct, frozen=True):
    pass


class Spill(Struct, frozen=True):
    """A defective command: it fails halfway."""


class CoinPassed(Struct, frozen=True):
    to: int


class PearlDrawn(Struct, frozen=True):
    pearl: str


class PileShown(Struct, frozen=True):
    pass


class Finished(Struct, frozen=True):
    coins: tuple[int, ...]


class Board(Struct, frozen=True):
    turn: int
    coins: tuple[int, ...]
    hands: tuple[dict[str, int], ...]
    pile: int


class TinyPlay:
    def __init__(self, table: Table, dice: Dice, setup: Setup) -> None:
        self.recorder = Recorder(table, dice)
        self.table = table
        self.players = setup.players
        self.pile = table.pile("pile")
        self.purses = [table.pile(f"purse.{seat}") for seat in range(1, setup.players + 1)]
        self.hands = [table.pile(f"hand.{seat}") for seat in range(1, setup.players + 1)]
        self.turn = table.number("turn")

    def set_up(self) -> None:
        self.recorder.ask(1, "turn")
        self.recorder.emit(0, CoinPassed(0))

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        if self.is_over() or self.table.decisions[seat] != "turn":
            return Rejection("NOT_YOUR_TURN", "tiny.turn", {"seat": str(seat)})
        detail: Struct
        match command:
            case PassCoin(to=to):
                if to == seat or not 1 <= to <= self.players:
                    return Rejection("NO_SUCH_SEAT", "tiny.pass", {"to": str(to)})
                if not self.purses[seat - 1].total():
                    return Rejection("NO_COIN", "tiny.pass", {"seat": str(seat)})
                self.recorder.move("coin", self.purses[seat - 1], self.purses[to - 1])
                detail = CoinPassed(to)
            case DrawPearl():
                if not self.pile.total():
                    return Rejection("EMPTY", "tiny.draw")
                (pearl,) = self.recorder.draw(self.pile, self.hands[seat - 1])
                detail = PearlDrawn(pearl)
            case Peek():
                self.recorder.reveal(self.pile, "public")
                detail = PileShown()
            case Spill():
                self.recorder.move("coin", self.purses[seat - 1], self.pile)
                raise RuntimeError("spilt")
            case _:
                raise TypeError(command)
        self.end_turn(seat, detail)
        if self.is_over():
            self.recorder.emit(0, Finished(tuple(purse.total() for purse in self.purses)))
        return None

    def end_turn(self, seat: int, detail: Struct) -> None:
        self.recorder.set(self.turn, self.turn.value + 1)
        self.recorder.ask(seat, "")
        if self.turn.value < TURNS:
            self.recorder.ask(seat % self.players + 1, "turn")
        self.recorder.emit(seat, detail)

    def legal(self, seat: int) -> Sequence[Struct]:
        if self.is_over() or self.table.decisions[seat] != "turn":
            return ()
        commands: list[Struct] = []
        if self.purses[seat - 1].total():
            commands += [PassCoin(to) for to in range(1, self.players + 1) if to != seat]
        if self.pile.total():
            commands.append(DrawPearl())
        commands.append(Peek())
        return commands

    def board(self, viewer: int) -> Board:
        return Board(
            self.turn.value,
            tuple(purse.total() for purse in self.purses),
            tuple(dict(hand.items) if sees(self.table, hand, viewer) else {} for hand in self.hands),
            self.pile.total(),
        )

    def is_over(self) -> bool:
        return self.turn.value >= TURNS

    def standings(self) -> Sequence[Standing]:
        if not self.is_over():
            return ()
        points = sorted((purse.total() for purse in self.purses), reverse=True)
        return sorted(
            (
                Standing(seat, purse.total(), points.index(purse.total()) + 1)
                for seat, purse in enumerate(self.purses, 1)
            ),
            key=lambda standing: standing.rank,
        )


class TinyTitle:
    meta = TitleMeta(
        id="tiny",
        text={"en": "Tiny", "de": "Winzig"},
        designer="nobody",
        publisher="nobody",
        maturity="test",
        editions=(EditionMeta("first", {"en": "first"}, (2, 4), {"en": "none"}),),
        default_edition="first",
        options=(OptionMeta("pearls", {"en": "pearls"}, (ChoiceMeta("few", {}), ChoiceMeta("many", {})), "many"),),
        readings=(),
        bots=(BotMeta("random", {"en": "Any command"}),),
        rules_versions=("1", "2", "3"),
    )
    position = None
    board_type: type[Struct] | None = None
    commands: Mapping[str, type[Struct]] = {kind.__name__: kind for kind in (PassCoin, DrawPearl, Peek, Spill)}
    events: Mapping[str, type[Struct]] = {kind.__name__: kind for kind in (CoinPassed, PearlDrawn, PileShown, Finished)}

    def automata(self, setup: Setup) -> Sequence[int]:
        return ()

    def automaton_name(self, language: str) -> str:
        return ""

    def layout(self, setup: Setup) -> TableLayout:
        if setup.edition != "first" or not 2 <= setup.players <= 4:
            raise ValueError("no such setup")
        seats = range(1, setup.players + 1)
        return TableLayout(
            setup.players,
            (
                ZoneSpec("pile", "count", {"black": 3, "white": 3}),
                *(ZoneSpec(f"purse.{seat}", "public", {"coin": 2}) for seat in seats),
                *(ZoneSpec(f"hand.{seat}", f"seat.{seat}") for seat in seats),
            ),
            (MarkerSpec("turn", 0),),
        )

    def play(self, table: Table, dice: Dice, setup: Setup) -> TinyPlay:
        return TinyPlay(table, dice, setup)

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        return [["pile", *(zone for zone in table.zones if zone.startswith("hand."))]]

    def check_position(self, table: Table, setup: Setup) -> Sequence[PositionProblem]:
        return ()

    def components(self, setup: Setup) -> Sequence[Component]:
        return ()

    def rules(self) -> Sequence[Rule]:
        return ()

    def differences(self) -> Sequence[Difference]:
        return ()

    def sentence(self, language: str, names: Sequence[str], seat: int, detail: Struct) -> str:
        return f"{names[seat - 1] if seat else ''}: {detail}"

    def explain(self, language: str, names: Sequence[str], rejection: Rejection) -> str:
        return rejection.code

    def choose(self, bot: str, play: Play, seat: int, commands: Sequence[Struct], random: float) -> Any:
        return commands[int(random * len(commands))]


class SoloTitle(TinyTitle):
    """The tiny title for one player, whose hand is hidden even from its own seat."""

    meta = replace(TinyTitle.meta, editions=(replace(TinyTitle.meta.editions[0], players=(1, 1)),))

    def layout(self, setup: Setup) -> TableLayout:
        two = super().layout(replace(setup, players=2))
        zones = (replace(it, visibility="count") if it.id == "hand.1" else it for it in two.zones)
        return replace(two, seats=1, zones=tuple(it for it in zones if not it.id.endswith(".2")))


TINY = TinyTitle()


def load_title(id: str) -> TinyTitle:
    """Load this title."""
    return {"tiny": TINY}[id]
