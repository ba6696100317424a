"""A drawing is found by the title's id, has its captions in both languages, and is a plain listing for all others."""

from __future__ import annotations

import subprocess
import sys

import pytest
from msgspec import Struct
from tests.client.orleans_tables import look, played
from tests.client.test_drawing import text
from tests.service.tiny_title import TINY, Board

from boardkeeper.client.drawing.drawing import PLAIN, drawing_of
from boardkeeper.client.drawing.look import Look
from boardkeeper.client.drawing.words import CAPTIONS, LANGUAGES
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.title import Setup
from boardkeeper.titles.registry import TITLES

DRAWN = [title for title in TITLES if drawing_of(title) is not PLAIN]


class Purse(Struct, frozen=True):
    """Something of a seat."""

    seat: int
    coins: int
    kept: tuple[str, ...]
    won: bool = True


class Heap(Struct, frozen=True):
    """A board with everything that boards have: words, numbers, components, lists, seats and nothing at all."""

    round: int
    phase: str
    supply: dict[str, int]
    purses: tuple[Purse, ...]
    rows: tuple[tuple[str, ...], ...] = ()
    note: str = ""


HEAP = Heap(
    round=3,
    phase="trading_day",
    supply={"monk": 2, "farmer": 1, "knight": 0},
    purses=(Purse(1, 0, ("monk", "[b]ox")), Purse(2, 7, (), won=False)),
    rows=(("farmer", "monk"), ()),
)


@pytest.mark.parametrize(
    "title",
    [
        *("a title to come", "", "menu", "drawing", "orleans.menu", "..", "__pycache__", "os", "orléans"),
        *("families", "families.followers", "followers"),
    ],
)
def test_what_is_no_title_with_a_drawing_is_listed(title: str) -> None:
    """A service may have titles that nobody here knows, by whatever ids."""
    assert drawing_of(title) is PLAIN


def test_no_drawing_is_imported_before_its_title_is_met() -> None:
    code = (
        "import sys; from boardkeeper.client.drawing.drawing import drawing_of;"
        "loaded = lambda: [name for name in sys.modules if name.startswith('boardkeeper.titles.orleans')"
        " or name.startswith('boardkeeper.client.drawing.orleans')];"
        "print(loaded()); drawing_of('orleans'); print(len(loaded()) > 1)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["[]", "True"]


@pytest.mark.parametrize("title", DRAWN)
def test_the_captions_of_a_drawing_are_in_both_languages(title: str) -> None:
    drawing = drawing_of(title)
    assert drawing.captions["en"].keys() == drawing.captions["de"].keys()
    assert drawing.words("de").keys() == drawing.words("xx").keys() == drawing.words("en").keys()
    for key, (caption, _) in drawing.views.items():
        assert len(key) == 1
        assert drawing.words("en")[caption]
    for language in LANGUAGES:
        assert drawing.words(language)["legend"]


def test_both_languages_have_the_same_captions() -> None:
    assert CAPTIONS["en"].keys() == CAPTIONS["de"].keys()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [40, 80, 140])
def test_a_listing_has_every_field_in_lines_that_fit(language: str, width: int) -> None:
    names = {"monk": "Monk", "farmer": "Farmer", "knight": "Knight"}
    seats = {1: "Anna", 2: "Bruno"}
    view = Look(PLAIN.words(language), names, PLAIN.several(language), {}, seats, 1)
    drawn = text(PLAIN.table(HEAP, view), width)
    assert max(map(len, drawn.splitlines())) <= width
    for line in ("Heap", "round: 3", "phase: Trading day", "supply: 2 Monk, 1 Farmer", "note: –", "Anna", "coins: 0"):
        assert line in drawn, line
    assert "kept: Monk, [b]ox" in drawn
    assert "1: Farmer, Monk" in drawn
    assert [line.split()[-1] for line in drawn.splitlines() if "won" in line] == ["True", "False"]


@pytest.mark.parametrize("width", [60, 80, 140])
def test_a_board_of_a_title_that_nobody_has_drawn_is_listed(width: int) -> None:
    board = played(5, 400).board(0)
    drawn = text(PLAIN.table(board, look(5)), width)
    assert f"round: {board.round}" in drawn
    assert "hour_glass" in drawn
    assert "…" not in drawn
    assert max(map(len, drawn.splitlines())) <= width
    for seat in board.seats:
        assert f"coins: {seat.coins}" in drawn


def test_a_listing_of_the_test_title_and_its_menu() -> None:
    setup = Setup("first", 2)
    play = TINY.play(Table(TINY.layout(setup)), Dice(bytes(32)), setup)
    play.set_up()
    board = play.board(1)
    assert isinstance(board, Board)
    view = Look(PLAIN.words("en"), viewer=1)
    drawing = drawing_of("tiny")
    drawn = text(drawing.table(board, view))
    assert "turn: 0" in drawn
    assert "coins: 2, 2" in drawn
    commands = play.legal(1)
    sections = drawing.sections(commands, [type(command).__name__ for command in commands], board, view)
    assert [entry.label for section in sections for entry in section.entries] == ["PassCoin", "DrawPearl", "Peek"]
    assert [entry.number for section in sections for entry in section.entries] == [1, 2, 3]
