"""Tables of Paladins in the middle of a game, for tests that draw them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from msgspec import Struct
from tests.client import looking
from tests.client.looking import NAMES
from tests.titles.paladins.eager import eager

from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.paladins import DRAWING
from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.events import Event
from boardkeeper.table.table import Table
from boardkeeper.table.title import Setup
from boardkeeper.titles.paladins.board import Board
from boardkeeper.titles.paladins.play import PaladinsPlay
from boardkeeper.titles.paladins.title import TITLE

ALONE = {"opponent": "standard"}


@dataclass
class Moment:
    """A table at which a seat has to decide; ``decision`` is empty once the game is over.

    ``events`` led here, and ``command`` is what the seat will do.
    """

    setup: Setup
    table: Table
    play: PaladinsPlay
    seat: int
    decision: str
    events: tuple[Event, ...]
    command: Struct | None

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
        return looking.look(DRAWING, _catalogue(language), self.setup, viewer, language, names)


@cache
def _catalogue(language: str) -> looking.Catalogue:
    return looking.catalogue(DRAWING, TITLE, Setup(TITLE.meta.default_edition, 2), language)


def moments(
    players: int, options: Mapping[str, str] | None = None, readings: Mapping[str, str] | None = None, seed: int = 1
) -> Iterator[Moment]:
    """A game of eager seats: every decision, and at last the end."""
    setup = complete(TITLE.meta, Setup("", players, dict(options or {}), dict(readings or {})))
    table = Table(TITLE.layout(setup))
    play = TITLE.play(table, Dice(seed.to_bytes(32, "big")), setup)
    play.set_up()
    events = play.recorder.take()
    chance = random.Random(seed)
    while not play.is_over():
        seat = table.deciding()[0]
        command = eager(chance, play, seat, play.legal(seat))
        yield Moment(setup, table, play, seat, table.decisions[seat], tuple(events), command)
        assert play.decide(seat, command) is None
        events = play.recorder.take()
    yield Moment(setup, table, play, 1, "", tuple(events), None)
