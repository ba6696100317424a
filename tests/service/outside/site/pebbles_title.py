"""Pebbles, a title of another package: chance, hidden piles and a market in one module.

In turn each seat draws one to three pebbles from the bag into its hidden hand. The seat with most white pebbles wins.
"""

# ruff: noqa: ARG002  # a title takes all arguments that any title may need

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.recorder import Recorder
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.titlekit.title import (
    BotMeta,
    Component,
    Difference,
    EditionMeta,
    Play,
    PositionProblem,
    Rule,
    Setup,
    Standing,
    TitleMeta,
)

WHITE, BLACK = "white", "black"
BAG = {WHITE: 5, BLACK: 6}
MOST = 3


class DrawPebbles(Struct, frozen=True):
    """Draw pebbles from the bag."""

    count: int
    """How many: 1 to 3, and at most the pebbles in the bag."""


class PebblesDrawn(Struct, frozen=True):
    """A seat drew pebbles."""

    count: int
    """How many."""


class BagEmptied(Struct, frozen=True):
    """The bag is empty: all hands are shown."""

    white: tuple[int, ...]
    """The number of white pebbles of each seat, from seat 1."""


class Board(Struct, frozen=True):
    """The table."""

    turn: int
    """The number of turns so far."""
    bag: int
    """The number of pebbles in the bag."""


class PebblesPlay:
    """One table."""

    def __init__(self, table: Table, dice: Dice, players: int) -> None:
        self.table = table
        self.recorder = Recorder(table, dice)
        self.players = players
        self.bag = table.pile("bag")
        self.turn = table.number("turn")
        self.hands = [table.pile(f"seat.{seat}.hand") for seat in range(1, players + 1)]

    def set_up(self) -> None:
        self.recorder.ask(1, "draw")
        self.recorder.emit(0, PebblesDrawn(0))

    def decide(self, seat: int, command: Struct) -> Rejection | None:
        assert isinstance(command, DrawPebbles)
        if self.table.decisions[seat] != "draw":
            return Rejection("NOT_YOUR_TURN", "pebbles.turn", {"seat": str(seat)})
        if not 1 <= command.count <= min(MOST, self.bag.total()):
            return Rejection("NOT_SO_MANY", "pebbles.draw", {"count": str(command.count)})
        self.recorder.draw(self.bag, self.hands[seat - 1], command.count)
        self.recorder.set(self.turn, self.turn.value + 1)
        self.recorder.ask(seat, "")
        if self.bag.total():
            self.recorder.ask(seat % self.players + 1, "draw")
        self.recorder.emit(seat, PebblesDrawn(command.count))
        if not self.bag.total():
            for hand in self.hands:
                self.recorder.reveal(hand, "public")
            self.recorder.emit(0, BagEmptied(self._white()))
        return None

    def legal(self, seat: int) -> Sequence[Struct]:
        if self.table.decisions[seat] != "draw":
            return ()
        return [DrawPebbles(count) for count in range(1, min(MOST, self.bag.total()) + 1)]

    def board(self, viewer: int) -> Board:
        return Board(self.turn.value, self.bag.total())

    def is_over(self) -> bool:
        return not self.bag.total()

    def standings(self) -> Sequence[Standing]:
        if not self.is_over():
            return ()
        white = self._white()
        order = sorted(white, reverse=True)
        ranked = [Standing(seat, points, order.index(points) + 1) for seat, points in enumerate(white, 1)]
        return sorted(ranked, key=lambda standing: standing.rank)

    def _white(self) -> tuple[int, ...]:
        return tuple(hand.items.get(WHITE, 0) for hand in self.hands)


class PebblesTitle:
    """The rules and words."""

    meta = TitleMeta(
        id="pebbles",
        text={"en": "Pebbles", "de": "Kiesel"},
        designer="",
        publisher="",
        maturity="playable",
        editions=(EditionMeta("first", {"en": "First edition", "de": "Erste Ausgabe"}, (2, 3), {"en": "Rules"}),),
        default_edition="first",
        options=(),
        readings=(),
        bots=(BotMeta("greedy", {"en": "Greedy bot"}), BotMeta("random", {"en": "Random bot"})),
    )
    position = None
    board_type = Board
    commands: Mapping[str, type[Struct]] = {"DrawPebbles": DrawPebbles}
    events: Mapping[str, type[Struct]] = {"PebblesDrawn": PebblesDrawn, "BagEmptied": BagEmptied}

    def automata(self, setup: Setup) -> Sequence[int]:
        return ()

    def automaton_name(self, language: str) -> str:
        return ""

    def layout(self, setup: Setup) -> TableLayout:
        if setup.edition != "first" or setup.players not in (2, 3):
            raise ValueError("Pebbles is for 2 or 3 players")
        hands = tuple(ZoneSpec(f"seat.{seat}.hand", f"seat.{seat}") for seat in range(1, setup.players + 1))
        return TableLayout(setup.players, (ZoneSpec("bag", "count", BAG), *hands), (MarkerSpec("turn", 0),))

    def play(self, table: Table, dice: Dice, setup: Setup) -> PebblesPlay:
        return PebblesPlay(table, dice, setup.players)

    def exchangeable_zones(self, table: Table, viewer: int) -> Sequence[Sequence[str]] | None:
        return [[zone for zone in table.zones if zone != f"seat.{viewer}.hand"]]

    def check_position(self, table: Table, setup: Setup) -> Sequence[PositionProblem]:
        return ()

    def components(self, setup: Setup) -> Sequence[Component]:
        names = {WHITE: {"en": "white pebble", "de": "weißer Kiesel"}, BLACK: {"en": "black pebble", "de": "Kiesel"}}
        return [Component(id, "pebble", names[id], {}, "original", {}, BAG[id]) for id in BAG]

    def rules(self) -> Sequence[Rule]:
        texts = {"pebbles.turn": "One seat after the other.", "pebbles.draw": "Draw 1 to 3 pebbles."}
        return [Rule(id, {"en": text, "de": text}, {}) for id, text in texts.items()]

    def differences(self) -> Sequence[Difference]:
        return ()

    def sentence(self, language: str, names: Sequence[str], seat: int, detail: Struct) -> str:
        who = names[seat - 1] if seat else ""
        match detail:
            case DrawPebbles(count=count):
                return f"Draw {count}" if language == "en" else f"{count} ziehen"
            case PebblesDrawn(count=count):
                return f"{who} draws {count}." if language == "en" else f"{who} zieht {count}."
            case _:
                return "The bag is empty." if language == "en" else "Der Beutel ist leer."

    def explain(self, language: str, names: Sequence[str], rejection: Rejection) -> str:
        return f"{rejection.rule}: {rejection.values}"

    def choose(self, bot: str, play: Play, seat: int, commands: Sequence[Struct], random: float) -> Struct:
        return commands[-1] if bot == "greedy" else commands[int(random * len(commands))]


TITLE = PebblesTitle()
