"""Tables of Orléans Stories in the middle of a game, for tests that draw them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from msgspec import Struct
from tests.titles.stories.eager import eager

from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.stories import DRAWING
from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.title import Setup
from boardkeeper.titles.stories.board import Board
from boardkeeper.titles.stories.commands import DeclareMission
from boardkeeper.titles.stories.play import StoriesPlay
from boardkeeper.titles.stories.title import TITLE

NAMES = {1: "Anna", 2: "Bruno", 3: "Clara", 4: "David"}
LONG = {seat: f"Bartholomäus-Maximilian von und zu Hohenlohe {seat}" for seat in NAMES}


@dataclass
class Moment:
    """A table at which a seat has to decide; ``decision`` is empty once the game is over."""

    setup: Setup
    table: Table
    play: StoriesPlay
    seat: int
    decision: str

    def board(self, viewer: int) -> Board:
        """What a viewer sees."""
        board = self.play.board(viewer)
        assert isinstance(board, Board)
        return board

    def legal(self) -> list[Struct]:
        """What the seat may do."""
        return list(self.play.legal(self.seat))

    def look(self, language: str = "en", viewer: int | None = None, names: Mapping[int, str] = NAMES) -> Look:
        """How somebody looks at the table; the seat that decides, unless another viewer is named."""
        called, facts = _catalogue(language, self.setup.edition)
        choices = {**self.setup.options, **self.setup.readings}
        return Look(
            words=DRAWING.words(language),
            names=called,
            plurals=DRAWING.several(language),
            facts=DRAWING.facts(facts, choices),
            seats={seat: names[seat] for seat in range(1, self.setup.players + 1)},
            viewer=self.seat if viewer is None else viewer,
            choices=choices,
        )


@cache
def _catalogue(language: str, edition: str) -> tuple[dict[str, str], dict[str, dict[str, str]]]:
    names = DRAWING.extra_names(language)
    facts: dict[str, dict[str, str]] = {}
    for component in TITLE.components(Setup(edition, 4)):
        id = component.id.partition(".")[0]
        names.setdefault(id, component.text[language])
        facts.setdefault(id, component.facts)
    return names, facts


def _patient(chance: random.Random, legal: Sequence[Struct]) -> Sequence[Struct]:
    """Seldom a declaration: it ends the game."""
    return legal if chance.random() < 0.01 else [it for it in legal if not isinstance(it, DeclareMission)]


def moments(edition: str, players: int, seed: int = 1, **options: str) -> Iterator[Moment]:
    """A game of eager seats: every decision, and at last the end."""
    setup = complete(TITLE.meta, Setup(edition, players, options, {}))
    table = Table(TITLE.layout(setup))
    play = TITLE.play(table, Dice(seed.to_bytes(32, "big")), setup)
    play.set_up()
    play.recorder.take()
    chance = random.Random(seed)
    while not play.is_over():
        seat = table.deciding()[0]
        yield Moment(setup, table, play, seat, table.decisions[seat])
        assert play.decide(seat, eager(chance, play, seat, _patient(chance, play.legal(seat)))) is None
        play.recorder.take()
    yield Moment(setup, table, play, 1, "")
