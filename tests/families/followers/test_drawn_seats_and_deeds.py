"""All seats in a table with the title's own columns, the beneficial deeds, and the captions of both."""

from __future__ import annotations

import pytest
from tests.client.test_drawing import row_of, text
from tests.families.followers.village import Board, DeedView, SeatView, look

from boardkeeper.client.drawing.families.followers.deeds import WIDE, draw_deeds
from boardkeeper.client.drawing.families.followers.seats import Column, family_columns, remarks, table_of
from boardkeeper.client.drawing.families.followers.words import CAPTIONS, NAMES
from boardkeeper.client.drawing.words import LANGUAGES

SEATS = (
    SeatView(1, coins=5, fame=2, goods={"grain": 2, "wood": 1}, bag_count=3),
    SeatView(2, coins=12, fame=9, passed=True, planning_finished=True),
)


# --- seats --------------------------------------------------------------------------------------------------------


def test_seats_have_the_familys_columns_and_the_titles_between_them() -> None:
    board, view = Board(SEATS, deciding=(2,)), look()
    columns: dict[str, Column[SeatView]] = {
        **family_columns(board, view),
        "fame": Column("Fame", lambda seat: str(seat.fame), number=True),
    }
    keys = ("turn", "seat", "coins", "fame", "goods", "bag")
    drawn = text(table_of(board.seats, [columns[key] for key in keys])).splitlines()
    assert [line.split() for line in drawn] == [
        ["Seat", "Coins", "Fame", "Goods", "Bag"],
        ["•", "Anna", "5", "2", "2", "Gr", "1", "Wo", "3"],
        ["►", "Bruno", "12", "9", "–", "0"],
    ]
    ends = [line.index(number) + len(number) for line, number in zip(drawn, ("Fame", " 2 ", " 9 "), strict=True)]
    assert ends[1] == ends[2] == ends[0] + 1  # a number is flush right, below its caption


def test_who_has_to_decide_is_marked_before_the_start_player() -> None:
    for board, mark in ((Board(SEATS), "•"), (Board(SEATS, deciding=(1, 2)), "►"), (Board(SEATS, start_seat=2), " ")):
        assert family_columns(board, look())["turn"].cell(SEATS[0]) == mark


def test_that_planning_is_finished_is_said_while_others_plan() -> None:
    planning, acting = Board(SEATS), Board(SEATS, phase="actions")
    assert remarks(planning, SEATS[1], look()) == ["passed", "planning finished"]
    assert remarks(acting, SEATS[1], look("de")) == ["gepasst"]
    assert remarks(planning, SEATS[0], look()) == []


# --- deeds --------------------------------------------------------------------------------------------------------

DEEDS = (
    DeedView("canal_works", followers={"farmer": 1}, free={"farmer": 2, "monk": 0}, citizen=True),
    DeedView("peace_treaty", followers={"knight": 1}, free={"knight": 0}),
)


@pytest.mark.parametrize("width", [60, WIDE - 1, WIDE])
def test_a_deed_has_who_is_wanted_who_is_there_and_its_citizen(width: int) -> None:
    drawn = text(draw_deeds(DEEDS, lambda deed: f"{len(deed)} coins", look()), width)
    wanted, there = ("2 Farmers", "1 Farmer") if width >= WIDE else ("2 Fa", "1 Fa")
    assert " ".join(row_of(drawn, "Canal works").split()) == f"Canal works {wanted} {there} 1 11 coins"
    assert row_of(drawn, "Peace treaty").split()[2] == "–"  # nobody any more
    assert row_of(drawn, "Peace treaty").split()[5] == "–"  # nor a citizen
    assert drawn.split()[:5] == ["Deed", "Needed", "Present", "Citizen", "Gives"]


def test_a_table_without_deeds_has_its_captions() -> None:
    assert text(draw_deeds((), lambda deed: deed, look("de")), 80).split()[-1] == "Gibt"


# --- captions -----------------------------------------------------------------------------------------------------


def test_the_familys_captions_are_in_every_language() -> None:
    assert set(CAPTIONS) == set(NAMES) == set(LANGUAGES)
    assert CAPTIONS["en"].keys() == CAPTIONS["de"].keys()
    for language in LANGUAGES:
        assert all(CAPTIONS[language].values())
        assert all(NAMES[language].values())
