"""Tables without lines lose no text, even on narrow terminals."""

from __future__ import annotations

from collections import Counter

import pytest
from rich.text import Text
from tests.client.test_drawing import text

from boardkeeper.terminal.drawing.columns import draw_captioned, draw_columns

CAPTIONS = ("Townsfolk", "", "Schuldscheine", "what they are good for")
ROWS = (
    ("3 Schuldeneintreiber", "7", "3 Silber oder Schuldschein", "Inquisition (ohne Verdacht): 1 Einfluss"),
    ("", "10", "", "Donaudampfschifffahrtsgesellschaftskapitän"),
    ("1 –", "123456", "−1 Schuldschein", ""),
)


@pytest.mark.parametrize("width", [*range(20, 100, 3), 300])
def test_no_character_is_lost_at_any_width(width: int) -> None:
    drawn = text(draw_columns(CAPTIONS, ROWS), width)
    assert max(map(len, drawn.splitlines())) <= width
    expected = Counter("".join((*CAPTIONS, *(cell for row in ROWS for cell in row))))
    expected.pop(" ")
    found = Counter(drawn)
    for blank in " \n":
        found.pop(blank, None)
    assert found == expected


@pytest.mark.parametrize("width", [110, 140])
def test_no_word_is_broken_on_a_wide_terminal(width: int) -> None:
    drawn = text(draw_columns(CAPTIONS, ROWS), width).split()
    assert set(drawn) == {
        word for cell in (*CAPTIONS, *(cell for row in ROWS for cell in row)) for word in cell.split()
    }


def test_a_table_without_captions_has_no_head() -> None:
    assert text(draw_columns(("", ""), [("a", "b")])).split() == ["a", "b"]
    assert len(text(draw_columns(("", ""), [("a", "b")])).splitlines()) == 1


def test_captioned_lines_are_aligned() -> None:
    drawn = text(draw_captioned([("Bag", "2 Monks"), ("Unplaced technology", Text("1"))]), 60).splitlines()
    assert [line.rstrip() for line in drawn] == ["Bag                  2 Monks", "Unplaced technology  1"]
