"""What every title asks of a layout that somebody else wrote, before a game begins with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from msgspec import Struct
from msgspec.structs import replace
from tests.service.tiny_title import TINY, DrawPearl, TinyPlay, TinyTitle

from boardkeeper.table.dice import Dice
from boardkeeper.table.forking import layout_of
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import is_visibility
from boardkeeper.titlekit.positions import problems
from boardkeeper.titlekit.title import PositionProblem, Setup

SETUP = Setup("first", 2, {"pearls": "many"})


def position() -> TableLayout:
    """A table of the test title after two pearls were drawn, seat 1 having the next turn."""
    play = TINY.play(Table(TINY.layout(SETUP)), Dice(b"key"), SETUP)
    play.set_up()
    for seat in (1, 2):
        assert play.decide(seat, DrawPearl()) is None
    return layout_of(play.table)


def found(layout: TableLayout, title: TinyTitle = TINY) -> dict[str, str]:
    return {problem.field: problem.message for problem in problems(title, SETUP, layout)}


def with_zone(id: str, **fields: Any) -> TableLayout:
    layout = position()
    return replace(layout, zones=tuple(replace(it, **fields) if it.id == id else it for it in layout.zones))


def with_marker(id: str, **fields: Any) -> TableLayout:
    layout = position()
    return replace(layout, markers=tuple(replace(it, **fields) if it.id == id else it for it in layout.markers))


def test_the_layout_of_a_table_in_play_is_a_position() -> None:
    assert not found(position())


def test_the_order_of_zones_says_nothing() -> None:
    layout = position()
    assert not found(replace(layout, zones=layout.zones[::-1]))


def test_a_table_that_is_only_laid_waits_for_nobody() -> None:
    assert found(TINY.layout(SETUP)) == {"decisions": "must have 2 entries, not 0"}


UNSEEN = "cannot have the visibility "
NO_COMMAND = ": the seat has no legal command for it"


@pytest.mark.parametrize(
    ("layout", "said"),
    [
        (replace(position(), seats=3, decisions=("turn", "", "")), {"seats": "must be 2, not 3"}),
        (replace(position(), decisions=("turn",)), {"decisions": "must have 2 entries, not 1"}),
        (replace(position(), decisions=("turn", "", "")), {"decisions": "must have 2 entries, not 3"}),
        (replace(position(), decisions=("", "")), {"decisions": "must have a decision of at least one seat"}),
        (replace(position(), decisions=("turn", "nonsense")), {"decisions[2]": "cannot be 'nonsense'" + NO_COMMAND}),
        (
            replace(position(), zones=position().zones[:-1]),
            {"zones[hand.2]": "is missing", "components[white]": "must be 3 in total, not 2"},
        ),
        (
            replace(position(), zones=(*position().zones, ZoneSpec("more"))),
            {"zones[more]": "does not exist in this game"},
        ),
        (
            replace(position(), zones=(*position().zones, ZoneSpec("pile", "count", {"black": 3, "white": 1}))),
            {"zones[pile]": "occurs twice"},
        ),
        (replace(position(), markers=()), {"markers[turn]": "is missing"}),
        (
            replace(position(), markers=(MarkerSpec("turn"), MarkerSpec("round", "first"))),
            {"markers[round]": "does not exist in this game"},
        ),
        (with_zone("purse.1", contents={"coin": 3}), {"components[coin]": "must be 4 in total, not 5"}),
        (
            with_zone("purse.1", contents={"coin": 2, "crown": 1}),
            {"components[crown]": "must be 0 in total, not 1"},
        ),
        (
            with_zone("purse.1", contents={"coin": 2, "crown": 0}),
            {"zones[purse.1]": "must have counts of 1 or more"},
        ),
        (
            with_zone("purse.1", contents={"coin": -3}),  # so nothing is said of how many coins there are in all
            {"zones[purse.1]": "must have counts of 1 or more"},
        ),
        (
            with_zone("purse.1", contents={}, order=("coin", "coin")),
            {"zones[purse.1]": "is a pile: give counts, not an order"},
        ),
        (with_zone("purse.1", contents={}, order=("coin", "coin"), stack=True), {"zones[purse.1]": "must be a pile"}),
        (with_zone("pile", counter=-1), {"zones[pile]": "must have a draw counter of 0 to 999999999, not -1"}),
        (with_zone("pile", visibility="seat.3"), {"zones[pile]": UNSEEN + "'seat.3'"}),
        (with_zone("pile", visibility="as:nothing"), {"zones[pile]": UNSEEN + "'as:nothing'"}),
        (with_marker("turn", visibility="owner"), {"markers[turn]": UNSEEN + "'owner'"}),
        (with_marker("turn", value="one"), {"markers[turn]": "must be a number, not 'one'"}),
        (
            with_marker("turn", value=12),
            {"": "must not be that of a finished game", "decisions[1]": "cannot be 'turn'" + NO_COMMAND},
        ),
    ],
)
def test_whatever_is_wrong_is_named(layout: TableLayout, said: dict[str, str]) -> None:
    assert found(layout) == said


class _Carded(TinyTitle):
    """The test title with a deck of cards and a marker with a word."""

    def layout(self, setup: Setup) -> TableLayout:
        laid = super().layout(setup)
        deck = ZoneSpec("deck", order=("ace", "king", "ace"), stack=True)
        return replace(laid, zones=(*laid.zones, deck), markers=(*laid.markers, MarkerSpec("phase", "day")))


@pytest.mark.parametrize(
    ("deck", "phase", "said"),
    [
        (ZoneSpec("deck", order=("king", "ace", "ace"), stack=True), "night", {}),
        (ZoneSpec("deck", contents={"ace": 2, "king": 1}), "day", {"zones[deck]": "must be a stack"}),
        (
            ZoneSpec("deck", order=("ace",), contents={"ace": 1, "king": 1}, stack=True),
            "day",
            {"zones[deck]": "is a stack: give its components in order"},
        ),
        (
            ZoneSpec("deck", order=("ace", "ace"), stack=True),
            "day",
            {"components[king]": "must be 1 in total, not 0"},
        ),
        (
            ZoneSpec("deck", order=("ace", "king", "ace"), stack=True),
            3,
            {"markers[phase]": "must be a word, not 3"},
        ),
    ],
)
def test_stacks_have_an_order_and_words_are_no_numbers(deck: ZoneSpec, phase: str | int, said: dict[str, str]) -> None:
    here = position()
    layout = replace(here, zones=(*here.zones, deck), markers=(*here.markers, MarkerSpec("phase", phase)))
    assert found(layout, _Carded()) == said


def test_a_pile_of_less_than_nothing_makes_up_for_nothing() -> None:
    zones = {"purse.1": {"coin": 5}, "purse.2": {"coin": -1}}
    layout = position()
    forged = replace(layout, zones=tuple(replace(it, contents=zones.get(it.id, it.contents)) for it in layout.zones))
    assert Table(forged).components() == Table(layout).components()
    assert found(forged) == {"zones[purse.2]": "must have counts of 1 or more"}


class _OtherPlay(TinyPlay):
    """Rules of somebody else's."""

    lists: Callable[[TinyPlay], Sequence[Struct]]

    def legal(self, seat: int) -> Sequence[Struct]:  # noqa: ARG002
        return self.lists(self)


class _Titled(TinyTitle):
    """The test title with other rules."""

    def __init__(self, lists: Callable[[TinyPlay], Sequence[Struct]], unsound: Sequence[PositionProblem] = ()) -> None:
        self._lists = lists
        self._unsound = unsound

    def play(self, table: Table, dice: Dice, setup: Setup) -> TinyPlay:
        play = _OtherPlay(table, dice, setup)
        play.lists = self._lists
        return play

    def check_position(self, table: Table, setup: Setup) -> Sequence[PositionProblem]:  # noqa: ARG002
        return self._unsound


def test_a_title_says_what_its_rules_contradict_and_hides_nothing() -> None:
    wrong = PositionProblem("markers[turn]", "is none")
    assert found(position(), _Titled(lambda _: [DrawPearl()], [wrong])) == {"markers[turn]": "is none"}
    assert {"markers[turn]", "decisions[1]"} == set(found(position(), _Titled(lambda _: [], [wrong])))
    forged = replace(position(), markers=())
    assert {"markers[turn]", "decisions[1]"} == set(found(forged, _Titled(lambda _: [], [wrong])))


def test_a_decision_of_which_the_title_reports_a_problem_is_reported_once() -> None:
    wrong = PositionProblem("decisions[1]", "is none")
    assert found(position(), _Titled(lambda _: [], [wrong])) == {"decisions[1]": "is none"}
    wrong = PositionProblem("markers[phase]", "is none")
    assert found(position(), _Titled(lambda _: [], [wrong])) == {"markers[phase]": "is none"}


def test_rules_that_fail_because_of_another_problem_are_not_reported() -> None:
    def fail(_: TinyPlay) -> Sequence[Struct]:
        raise KeyError("turn")

    forged = replace(position(), zones=position().zones[:-1])
    assert "" not in found(forged, _Titled(fail))


def test_a_title_is_shown_the_table_and_told_what_game_it_is_of() -> None:
    class Looking(_Titled):
        """The test title, looking at what it is given."""

        def check_position(self, table: Table, setup: Setup) -> Sequence[PositionProblem]:
            return [PositionProblem("markers[turn]", f"is {table.markers['turn'].value} of {setup.players}")]

    assert found(with_marker("turn", value=1), Looking(lambda _: [DrawPearl()])) == {"markers[turn]": "is 1 of 2"}


def test_rules_that_fail_over_a_table_know_no_way_on_from_it() -> None:
    def fail(play: TinyPlay) -> Sequence[Struct]:
        return [{"turn": DrawPearl()}[play.table.decisions[2]]]

    assert found(position(), _Titled(fail)) == {"": "cannot be played on by the rules (KeyError(''))"}


def test_rules_are_given_dice_though_they_only_list() -> None:
    given: list[Dice] = []

    class Noted(_Titled):
        """The test title, noting its dice."""

        def play(self, table: Table, dice: Dice, setup: Setup) -> TinyPlay:
            given.append(dice)
            return super().play(table, dice, setup)

    assert not found(position(), Noted(lambda _: [DrawPearl()]))
    assert [type(dice) for dice in given] == [Dice]


def test_a_seat_that_the_rules_play_is_asked_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TinyTitle, "automata", lambda *_: (1,))
    assert found(position()) == {"decisions[1]": "must be empty: the rules play this seat"}


def test_a_position_is_the_same_once_it_was_written_down() -> None:
    again = msgspec.json.decode(msgspec.json.encode(position()), type=TableLayout)
    assert again == position()
    assert not found(again)


@pytest.mark.parametrize(
    "word",
    ["public", "count", "nobody", "seat.1", "seat.2", "secret.2", "as:screen", "secret.16", "seat.10", "seats.9.16"],
)
def test_words_that_say_who_sees_something(word: str) -> None:
    assert is_visibility(word, ("screen",), 16)


@pytest.mark.parametrize(
    "word",
    [
        "",
        "owner",
        "seat.",
        "seat.0",
        "seat.01",
        "seat.17",
        "seat.1.2",
        "secret.-1",
        "as:",
        "as:turn",
        "seat.1\n",
        "seats.9.17",
        "seats.9",
    ],
)
def test_words_that_do_not(word: str) -> None:
    assert not is_visibility(word, ("screen",), 16)


def test_a_marker_holds_what_a_record_can_hold() -> None:
    title = _Titled(lambda _: [DrawPearl()])
    assert found(with_marker("turn", value=-(10**9)), title) == {
        "markers[turn]": "must be -999999999 to 999999999, not -1000000000"
    }
    assert "markers[turn]" not in found(with_marker("turn", value=1 - 10**9), title)
