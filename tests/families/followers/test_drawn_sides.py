"""A seat's own side: what it has at hand, its places with what lies on their spaces, and what they give."""

from __future__ import annotations

import pytest
from tests.client.test_drawing import text
from tests.families.followers.village import OWN, PlaceView, SeatView, SpaceView, look

from boardkeeper.client.drawing.families.followers.gives import gives, say, spaces_of
from boardkeeper.client.drawing.families.followers.places import (
    at_hand,
    draw_places,
    draw_side,
    draw_spaces,
    set_aside,
)

MILL = PlaceView(
    "mill",
    (
        SpaceView("farmer", "farmer", f"{OWN}farmer"),
        SpaceView("farmer_2", "farmer", "monk"),
        SpaceView("knight", "knight", "technology"),
        SpaceView("any", "any"),
    ),
)


def no_words(place: str) -> str:
    return ""


# --- places -------------------------------------------------------------------------------------------------------


def test_a_space_shows_who_lies_there_and_what_it_asks_for_where_that_is_another() -> None:
    assert draw_spaces(MILL, look()).plain == "■ Farmer*  ■ Monk (Farmer)  ⚙ Knight  □ Any"
    assert draw_spaces(MILL, look("de")).plain.endswith("□ Beliebig")


def test_a_title_may_have_no_marked_followers() -> None:
    plain = PlaceView("mill", (SpaceView("farmer", "farmer", "farmer"), SpaceView("knight", "knight", "farmer")))
    assert draw_spaces(plain, look(own="")).plain == "■ Farmer  ■ Farmer (Knight)"


@pytest.mark.parametrize(
    ("language", "ready", "always"), [("en", "ready", "permanent effect"), ("de", "bereit", "gilt immer")]
)
def test_a_place_is_ready_or_always_in_force(language: str, ready: str, always: str) -> None:
    idle, active = PlaceView("well", (SpaceView("farmer", "farmer"),)), PlaceView("well", MILL.spaces, active=True)
    states = {}
    for name, place in {"idle": idle, "active": active, "bare": PlaceView("well")}.items():
        drawn = text(draw_places(SeatView(1, places=(place,)), no_words, look(language)))
        states[name] = (ready in drawn, always in drawn)
    assert states == {"idle": (False, False), "active": (True, False), "bare": (False, True)}


@pytest.mark.parametrize("width", [70, 80, 130])
def test_what_places_give_is_said_however_little_room_there_is(width: int) -> None:
    drawn = text(draw_places(SeatView(1, places=(MILL,)), lambda place: f"gives of {place}", look()), width)
    assert "gives of mill" in " ".join(drawn.split())
    assert "Gives" in drawn


# --- the whole side -----------------------------------------------------------------------------------------------


def test_a_side_has_the_lines_it_is_given_in_their_order() -> None:
    seat = SeatView(
        2, goods={"grain": 1, "wood": 2}, market={"farmer": 2}, bag={"monk": 2}, bag_count=2, places=(MILL,)
    )
    lines = [*at_hand(seat, look()), ("Fame", "7"), *set_aside(seat, look())]
    drawn = [line.split() for line in text(draw_side(seat, lines, no_words, look())).splitlines()]
    assert drawn[0] == ["Bruno"]
    assert drawn[1:5] == [
        ["Market", "2", "Farmers"],
        ["Bag", "2", "Monks", "(2)"],
        ["Goods", "1", "Grain,", "2", "Wood"],
        ["Fame", "7"],
    ]
    assert drawn[5] == []
    assert drawn[7][:3] == ["Mill", "■", "Farmer*"]


def test_of_a_bag_that_is_not_seen_there_is_the_number() -> None:
    assert at_hand(SeatView(1, bag_count=4), look())[1] == ("Bag", "4")
    assert at_hand(SeatView(1), look())[0] == ("Market", "–")


def test_what_waits_for_a_decision_is_only_said_if_something_does() -> None:
    assert set_aside(SeatView(1), look()) == []
    assert set_aside(SeatView(1, drawn={"monk": 1}, technology=2), look()) == [
        ("Drawn", "1 Monk"),
        ("Unplaced technology", "2"),
    ]


# --- what places give ---------------------------------------------------------------------------------------------


def test_what_a_place_gives_is_said_in_the_titles_order_and_words() -> None:
    view = look(words={"gives.fame": "{} fame"})
    assert gives("mill", ("recruit", "good", "coins"), view) == "recruit: Monk: Farmer, Knight, 1 Grain, 2 coins"
    assert gives("well", ("fame", "coins"), view) == "3 fame, 1 coin"
    assert gives("well", ("good",), view) == gives("nowhere", ("coins",), view) == ""


def test_one_of_a_thing_has_words_of_its_own_if_there_are_any() -> None:
    assert (say("coins", "1", look()), say("coins", "3", look())) == ("1 coin", "3 coins")
    assert say("coins", "1", look("de")) == "1 Münze"
    assert say("send_to_deeds", "1", look()) == "send 1 follower to a deed"


def test_the_followers_that_a_place_asks_for() -> None:
    assert spaces_of("mill", look()) == "Farmer, Knight, Any"
    assert spaces_of("nowhere", look()) == ""
