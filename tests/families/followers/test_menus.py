"""The family's commands as a menu: by place, with what lies there, and what is taken back together."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec import Struct
from tests.families.followers.village import OWN, Board, PlaceView, SeatView, SpaceView, look

from boardkeeper.client.drawing.families.followers.menu import group, withdrawal
from boardkeeper.client.drawing.menu import Section
from boardkeeper.families.followers import commands as c

MILL = PlaceView(
    "mill", (SpaceView("farmer", "farmer", "monk"), SpaceView("knight", "knight"), SpaceView("any", "any"))
)
WELL = PlaceView("well", (SpaceView("farmer", "farmer", f"{OWN}farmer"),))
BOARD = Board((SeatView(1, places=(MILL, WELL)), SeatView(2, places=(PlaceView("barn", WELL.spaces),))))


class BuildBarn(Struct, frozen=True):
    """A command of which only the title knows."""

    wood: int


def menu(*commands: Struct, viewer: int = 1) -> Sequence[tuple[str, list[tuple[int, str, bool]]]]:
    """The headings of a menu, and of each entry where its command stood, its label, and whether it is compact."""
    sentences = [f"{type(command).__name__}." for command in commands]
    return shown(group(commands, sentences, BOARD, look(viewer=viewer)))


def shown(sections: Sequence[Section]) -> list[tuple[str, list[tuple[int, str, bool]]]]:
    return [
        (section.heading.plain, [(entry.index, entry.label, entry.compact) for entry in section.entries])
        for section in sections
    ]


def test_placing_stands_under_its_place_in_the_order_of_the_board() -> None:
    assert menu(
        c.PlaceFollower("knight", "well", "farmer"),
        c.PlaceDrawnFollower("monk", "mill", "any"),
        c.PlaceFollower("knight", "mill", "knight"),
    ) == [
        ("Mill  ■ Monk (Farmer)  □ Knight  □ Any", [(1, "Monk", True), (2, "Knight", True)]),
        ("Well  ■ Farmer*", [(0, "Knight → Farmer", True)]),
    ]


def test_no_command_is_lost_that_fills_a_place_which_is_not_the_seats() -> None:
    assert menu(c.PlaceFollower("knight", "bridge", "knight"), c.PlaceFollower("knight", "mill", "any")) == [
        ("Mill  ■ Monk (Farmer)  □ Knight  □ Any", [(1, "Knight", True)]),
        ("Bridge", [(0, "Knight", True)]),
    ]


@pytest.mark.parametrize(
    ("follower", "space", "label"),
    [
        ("knight", "knight", "Knight"),
        (f"{OWN}knight", "knight", "Knight*"),
        ("monk", "knight", "Monk → Knight"),
        ("monk", "any", "Monk"),
        ("monk", "a space that nobody knows", "Monk"),
    ],
)
def test_where_a_follower_goes_is_said_unless_it_follows_from_what_it_is(follower: str, space: str, label: str) -> None:
    ((_, entries),) = menu(c.PlaceFollower(follower, "mill", space))
    assert entries == [(0, label, True)]


def test_a_follower_from_the_tower_is_marked() -> None:
    ((_, entries),) = menu(c.PlaceFollower("knight", "mill", "knight", from_tower=True))
    assert entries == [(0, "Knight †", True)]


def test_what_can_be_taken_back_stands_together_after_what_can_be_placed() -> None:
    assert menu(
        c.WithdrawFollower("mill", "farmer"),
        c.TakeBackFollower("well", "farmer"),
        c.WithdrawFollower("nowhere", "farmer"),
        c.PlaceFollower("knight", "mill", "knight"),
    )[1:] == [
        ("Back to the market", [(0, "Monk ← Mill", True), (1, "Farmer* ← Well", True), (2, "farmer ← Nowhere", True)])
    ]


def test_drawing_most_comes_first_and_everything_else_after_it() -> None:
    commands = [c.Pass(), c.DrawFollowers(0), c.DrawFollowers(1), BuildBarn(2)]
    sections = group(commands, ["pass", "draw none", "draw one", "build"], BOARD, look(viewer=1))
    assert shown(sections) == [
        ("", [(2, "draw one", False), (1, "draw none", False), (0, "pass", False), (3, "build", False)])
    ]


def test_everything_else_has_a_heading_where_it_comes_after_others() -> None:
    sections = menu(c.PlaceFollower("knight", "mill", "knight"), c.FinishPlanning())
    assert sections[1] == ("Or", [(1, "FinishPlanning.", False)])


def test_a_title_says_more_of_its_own_commands() -> None:
    def label(command: Struct, sentence: str) -> str:
        return f"{sentence} ({command.wood} wood)" if isinstance(command, BuildBarn) else sentence

    sections = group([c.Pass(), BuildBarn(2)], ["Pass.", "Build."], BOARD, look(viewer=1), label)
    assert shown(sections) == [("", [(0, "Pass.", False), (1, "Build. (2 wood)", False)])]


def test_a_menu_shows_the_places_of_the_seat_that_looks() -> None:
    assert menu(c.WithdrawFollower("barn", "farmer"), viewer=2) == [
        ("Back to the market", [(0, "Farmer* ← Barn", True)])
    ]
    assert menu(c.WithdrawFollower("barn", "farmer"), viewer=1) == [
        ("Back to the market", [(0, "farmer ← Barn", True)])
    ]


def test_the_follower_placed_last_is_taken_back_first() -> None:
    commands = [c.Pass(), c.WithdrawFollower("mill", "farmer"), c.WithdrawFollower("well", "farmer")]
    assert withdrawal(commands, [("well", "farmer"), ("mill", "farmer")]) == 1
    assert withdrawal(commands, [("mill", "farmer"), ("well", "farmer"), ("barn", "farmer")]) == 2
    assert withdrawal(commands, []) == 2  # of which nothing is known: any
    assert withdrawal([c.Pass(), c.TakeBackFollower("mill", "farmer")], [("mill", "farmer")]) is None
