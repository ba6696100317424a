"""The small title with an automaton in seat 2. It plays within the command of the seat before it.

The option ``rival`` of two seats: ``meek`` gives its coins away and draws when it has none; ``keen`` draws until the
pile is empty. A single player plays against ``keen``.
"""

# ruff: noqa: ARG002  # parameters of the title interface

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace
from tests.service.tiny_title import TURNS, CoinPassed, PearlDrawn, TinyPlay, TinyTitle

from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.titlekit.title import BotMeta, ChoiceMeta, OptionMeta, Play, Setup

RIVAL = 2
CHOICES = (ChoiceMeta("off", {}), ChoiceMeta("meek", {}, (2,)), ChoiceMeta("keen", {}, (2,)))


class RivalPlay(TinyPlay):
    def __init__(self, table: Table, dice: Dice, setup: Setup) -> None:
        super().__init__(table, dice, setup)
        self.is_keen = setup.options["rival"] == "keen"

    def end_turn(self, seat: int, detail: Struct) -> None:
        self.recorder.set(self.turn, self.turn.value + 1)
        self.recorder.ask(seat, "")
        self.recorder.emit(seat, detail)
        self._play_rival()

    def _play_rival(self) -> None:
        purse = self.purses[RIVAL - 1]
        self.recorder.set(self.turn, self.turn.value + 1)
        done: Struct = CoinPassed(0)
        if self.pile.total() and (self.is_keen or not purse.total()):
            (pearl,) = self.recorder.draw(self.pile, self.hands[RIVAL - 1])
            done = PearlDrawn(pearl)
        elif purse.total():
            self.recorder.move("coin", purse, self.purses[0])
            done = CoinPassed(1)
        if self.turn.value < TURNS:
            self.recorder.ask(1, "turn")
        self.recorder.emit(RIVAL, done)


class RivalTitle(TinyTitle):
    meta = replace(
        TinyTitle.meta,
        options=(*TinyTitle.meta.options, OptionMeta("rival", {"en": "rival"}, CHOICES, "off")),
        bots=(BotMeta("eager", {"en": "The first command"}), BotMeta("random", {"en": "Any command"})),
        alone={"rival": "keen"},
    )

    def automata(self, setup: Setup) -> Sequence[int]:
        return () if setup.options["rival"] == "off" else (RIVAL,)

    def automaton_name(self, language: str) -> str:
        return {"de": "Rivale"}.get(language, "Rival")

    def play(self, table: Table, dice: Dice, setup: Setup) -> TinyPlay:
        return (RivalPlay if self.automata(setup) else TinyPlay)(table, dice, setup)

    def choose(self, bot: str, play: Play, seat: int, commands: Sequence[Struct], random: float) -> Struct:
        return commands[0] if bot == "eager" else commands[int(random * len(commands))]


RIVAL_TITLE = RivalTitle()


def load_title(id: str) -> RivalTitle:
    """Load this title under the id of the small one."""
    return {"tiny": RIVAL_TITLE}[id]
