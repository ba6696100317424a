"""Tables of Orléans in the middle of a game, for tests that draw them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec import Struct
from tests.client import looking

from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.orleans import DRAWING
from boardkeeper.table.bots import ask_bot
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.title import Play, Setup
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.registry import load_title

TITLE = load_title("orleans")
SEATS = {1: "Anna", 2: "Bruno", 3: "Clara", 4: "David", 5: "Emma"}


@dataclass
class PlayedTable:
    """A table after some decisions of random bots."""

    table: Table
    play: Play
    players: int

    @property
    def deciding(self) -> Sequence[int]:
        return self.table.deciding()

    def board(self, viewer: int) -> Board:
        board = self.play.board(viewer)
        assert isinstance(board, Board)
        return board

    def legal(self, seat: int) -> list[Struct]:
        return list(self.play.legal(seat))


def played(players: int, decisions: int, seed: int = 1, bot: str = "sensible") -> PlayedTable:
    """A table on which bots have taken that many decisions, or the game is over."""
    setup = Setup("capstone-2021", players)
    table = Table(TITLE.layout(setup))
    play = TITLE.play(table, Dice(seed.to_bytes(32, "big")), setup)
    play.set_up()
    chance = random.Random(seed)
    for _ in range(decisions):
        if play.is_over():
            break
        seat = table.deciding()[0]
        command = ask_bot(TITLE, setup, table, bot, seat, play.legal(seat), chance.random())
        assert play.decide(seat, command) is None
        play.recorder.take()
    return PlayedTable(table, play, players)


def look(players: int, language: str = "en", viewer: int = 0) -> Look:
    """How somebody looks at such a table."""
    names, facts = looking.catalogue(DRAWING, TITLE, Setup("capstone-2021", players), language)
    seats = {seat: SEATS[seat] for seat in range(1, players + 1)}
    return Look(DRAWING.words(language), names, DRAWING.several(language), facts, seats, viewer, DRAWING.own)
