"""Tables of Orléans Stories in the middle of a game, for tests that draw them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from msgspec import Struct
from tests.client import looking
from tests.client.looking import NAMES
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
        viewer = self.seat if viewer is None else viewer
        return looking.look(DRAWING, _catalogue(language, self.setup.edition), self.setup, viewer, language, names)


@cache
def _catalogue(language: str, edition: str) -> looking.Catalogue:
    return looking.catalogue(DRAWING, TITLE, Setup(edition, 4), language)


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
