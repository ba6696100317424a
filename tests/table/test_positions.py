"""The checks of each title on a layout from outside, before a game begins with it."""

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
    """Return a table of the test title after two pearls were drawn; seat 1 has the next turn."""
    play = TINY.play(Table(TINY.layout(SETUP)), Dice(b"key"), SETUP)
    play.set_up()
    for seat in (1, 2):
        assert play.decide(seat, DrawPearl()) is None
    return layout_of(play.table)


def find_problems(layout: TableLayout, title: TinyTitle = TINY) -> dict[str, str]:
    return {problem.field: problem.message for problem in problems(title, SETUP, layout)}


def with_zone(id: str, **fields: Any) -> TableLayout:
    layout = position()
    return replace(layout, zones=tuple(replace(it, **fields) if it.id == id else it for it in layout.zones))


def with_marker(id: str, **fields: Any) -> TableLayout:
    layout = position()
    return replace(layout, markers=tuple(replace(it, **fields) if it.id == id else it for it in layout.markers))


def test_the_layout_of_a_running_game_is_a_position() -> None:
    assert not find_problems(position())


def test_zones_can_be_in_any_order() -> None:
    layout = position()
    assert not find_problems(replace(layout, zones=layout.zones[::-1]))


def test_a_starting_layout_without_decisions_is_no_position() -> None:
    assert find_problems(TINY.layout(SETUP)) == {"decisions": "must have 2 entries, not 0"}


BAD_VISIBILITY = "cannot have the visibility "
NO_COMMAND = ": the seat has no legal command for it"


@pytest.mark.parametrize(
    ("layout", "problems_found"),
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
            with_zone("purse.1", contents={"coin": -3}),  # hides the problem of the total
            {"zones[purse.1]": "must have counts of 1 or more"},
        ),
        (
            with_zone("purse.1", contents={}, order=("coin", "coin")),
            {"zones[purse.1]": "is a pile: give counts, not an order"},
        ),
        (with_zone("purse.1", contents={}, order=("coin", "coin"), stack=True), {"zones[purse.1]": "must be a pile"}),
        (with_zone("pile", counter=-1), {"zones[pile]": "must have a draw counter of 0 to 999999999, not -1"}),
        (with_zone("pile", visibility="seat.3"), {"zones[pile]": BAD_VISIBILITY + "'seat.3'"}),
        (with_zone("pile", visibility="as:nothing"), {"zones[pile]": BAD_VISIBILITY + "'as:nothing'"}),
        (with_marker("turn", visibility="owner"), {"markers[turn]": BAD_VISIBILITY + "'owner'"}),
        (with_marker("turn", value="one"), {"markers[turn]": "must be a number, not 'one'"}),
        (
            with_marker("turn", value=12),
            {"": "must not be that of a finished game", "decisions[1]": "cannot be 'turn'" + NO_COMMAND},
        ),
    ],
)
def test_each_problem_is_reported(layout: TableLayout, problems_found: dict[str, str]) -> None:
    assert find_problems(layout) == problems_found


class _TitleWithDeck(TinyTitle):
    """The test title with a deck of cards and a marker with a word."""

    def layout(self, setup: Setup) -> TableLayout:
        layout = super().layout(setup)
        deck = ZoneSpec("deck", order=("ace", "king", "ace"), stack=True)
        return replace(layout, zones=(*layout.zones, deck), markers=(*layout.markers, MarkerSpec("phase", "day")))


@pytest.mark.parametrize(
    ("deck", "phase", "problems_found"),
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
def test_stacks_need_an_order_and_words_are_not_numbers(
    deck: ZoneSpec, phase: str | int, problems_found: dict[str, str]
) -> None:
    base = position()
    layout = replace(base, zones=(*base.zones, deck), markers=(*base.markers, MarkerSpec("phase", phase)))
    assert find_problems(layout, _TitleWithDeck()) == problems_found


def test_a_negative_count_does_not_balance_a_total() -> None:
    zones = {"purse.1": {"coin": 5}, "purse.2": {"coin": -1}}
    layout = position()
    forged = replace(layout, zones=tuple(replace(it, contents=zones.get(it.id, it.contents)) for it in layout.zones))
    assert Table(forged).components() == Table(layout).components()
    assert find_problems(forged) == {"zones[purse.2]": "must have counts of 1 or more"}


class _OtherPlay(TinyPlay):
    """The rules of the test title with other legal commands."""

    legal_commands: Callable[[TinyPlay], Sequence[Struct]]

    def legal(self, seat: int) -> Sequence[Struct]:  # noqa: ARG002
        return self.legal_commands(self)


class _TitleWithRules(TinyTitle):
    """The test title with other rules."""

    def __init__(
        self, legal_commands: Callable[[TinyPlay], Sequence[Struct]], problems: Sequence[PositionProblem] = ()
    ) -> None:
        self._legal_commands = legal_commands
        self._problems = problems

    def play(self, table: Table, dice: Dice, setup: Setup) -> TinyPlay:
        play = _OtherPlay(table, dice, setup)
        play.legal_commands = self._legal_commands
        return play

    def check_position(self, table: Table, setup: Setup) -> Sequence[PositionProblem]:  # noqa: ARG002
        return self._problems


def test_problems_of_the_title_are_reported_beside_the_others() -> None:
    wrong = PositionProblem("markers[turn]", "is none")
    assert find_problems(position(), _TitleWithRules(lambda _: [DrawPearl()], [wrong])) == {"markers[turn]": "is none"}
    assert {"markers[turn]", "decisions[1]"} == set(find_problems(position(), _TitleWithRules(lambda _: [], [wrong])))
    forged = replace(position(), markers=())
    assert {"markers[turn]", "decisions[1]"} == set(find_problems(forged, _TitleWithRules(lambda _: [], [wrong])))


def test_a_decision_with_a_problem_of_the_title_is_reported_once() -> None:
    wrong = PositionProblem("decisions[1]", "is none")
    assert find_problems(position(), _TitleWithRules(lambda _: [], [wrong])) == {"decisions[1]": "is none"}
    wrong = PositionProblem("markers[phase]", "is none")
    assert find_problems(position(), _TitleWithRules(lambda _: [], [wrong])) == {"markers[phase]": "is none"}


def test_rules_that_fail_because_of_another_problem_are_not_reported() -> None:
    def fail(_: TinyPlay) -> Sequence[Struct]:
        raise KeyError("turn")

    forged = replace(position(), zones=position().zones[:-1])
    assert "" not in find_problems(forged, _TitleWithRules(fail))


def test_a_title_checks_the_table_and_the_setup() -> None:
    class TitleWithCheck(_TitleWithRules):
        def check_position(self, table: Table, setup: Setup) -> Sequence[PositionProblem]:
            return [PositionProblem("markers[turn]", f"is {table.markers['turn'].value} of {setup.players}")]

    assert find_problems(with_marker("turn", value=1), TitleWithCheck(lambda _: [DrawPearl()])) == {
        "markers[turn]": "is 1 of 2"
    }


def test_rules_that_fail_on_a_table_are_a_problem_of_it() -> None:
    def fail(play: TinyPlay) -> Sequence[Struct]:
        return [{"turn": DrawPearl()}[play.table.decisions[2]]]

    assert find_problems(position(), _TitleWithRules(fail)) == {"": "cannot be played on by the rules (KeyError(''))"}


def test_rules_get_dice_to_list_legal_commands() -> None:
    dice_used: list[Dice] = []

    class TitleThatRecordsDice(_TitleWithRules):
        def play(self, table: Table, dice: Dice, setup: Setup) -> TinyPlay:
            dice_used.append(dice)
            return super().play(table, dice, setup)

    assert not find_problems(position(), TitleThatRecordsDice(lambda _: [DrawPearl()]))
    assert [type(dice) for dice in dice_used] == [Dice]


def test_an_automaton_cannot_have_a_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TinyTitle, "automata", lambda *_: (1,))
    assert find_problems(position()) == {"decisions[1]": "must be empty: the rules play this seat"}


def test_a_position_survives_encoding() -> None:
    decoded = msgspec.json.decode(msgspec.json.encode(position()), type=TableLayout)
    assert decoded == position()
    assert not find_problems(decoded)


@pytest.mark.parametrize(
    "word",
    ["public", "count", "nobody", "seat.1", "seat.2", "secret.2", "as:screen", "secret.16", "seat.10", "seats.9.16"],
)
def test_words_that_are_a_visibility(word: str) -> None:
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
def test_words_that_are_no_visibility(word: str) -> None:
    assert not is_visibility(word, ("screen",), 16)


def test_the_value_of_a_marker_is_limited_to_nine_digits() -> None:
    title = _TitleWithRules(lambda _: [DrawPearl()])
    assert find_problems(with_marker("turn", value=-(10**9)), title) == {
        "markers[turn]": "must be -999999999 to 999999999, not -1000000000"
    }
    assert "markers[turn]" not in find_problems(with_marker("turn", value=1 - 10**9), title)
