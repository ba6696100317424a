"""Phases, turns, pending rewards and the dispatch of commands."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import pytest
from msgspec import Struct
from tests.table.tables import Happened

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Ask, Event, Move, Set
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.titlekit.binding import Material
from boardkeeper.titlekit.known_ids import KnownIds
from boardkeeper.titlekit.turn_flow import OVER, CommandDispatcher, Decisions, PendingRewards, TurnFlow, TurnFlowPlay

LAYOUT = TableLayout(
    3,
    (
        ZoneSpec("box", contents={"coin": 5}),
        ZoneSpec("seat.1.coins"),
        ZoneSpec("seat.2.coins"),
        ZoneSpec("seat.3.coins"),
    ),
    (
        *(MarkerSpec("phase", ""), MarkerSpec("start_seat", 2)),
        *(MarkerSpec("due.wine"), MarkerSpec("due.bread"), MarkerSpec("days")),
    ),
)


class TakeCoin(Struct, frozen=True):
    """Take coins."""

    count: int


class Sleep(Struct, frozen=True):
    """Do nothing."""


class Call(Struct, frozen=True):
    """Call a name."""

    name: str


class Seat:
    def __init__(self, table: Table, number: int) -> None:
        self.number = number
        self.coins = table.pile(f"seat.{number}.coins")


class Phase(NamedTuple):
    begin: Callable[[Days], None]
    proceed: Callable[[Days], None] | None = None


class Days(TurnFlow[Seat]):
    """Each day every seat in turn may take coins. The game ends after two days."""

    __slots__ = ("box", "days", "dues")

    def __init__(self, phases: dict[str, Phase] | None = None) -> None:
        table = Table(LAYOUT)
        super().__init__(Material(table, Dice(b"key")), PHASES if phases is None else phases)
        self.box = table.pile("box")
        self.days = table.number("days")
        self.dues = PendingRewards(self.recorder, {kind: table.number(f"due.{kind}") for kind in ("wine", "bread")})
        self.seats = tuple(Seat(table, number) for number in (1, 2, 3))


def dawn(t: Days) -> None:
    """Begin a day; the bread that is due counts the seats that still have their turn."""
    t.set(t.phase, "day")
    t.set(t.days, t.days.value + 1)
    t.dues.owe("bread", len(t.seats))
    t.emit(None, Happened(0))


def day(t: Days) -> None:
    """Ask the next seat, or begin the night."""
    if not t.dues:
        t.enter("night")
        return
    turns_taken = len(t.seats) - t.dues["bread"]
    t.dues.settle("bread")
    t.ask(t.clockwise()[turns_taken], "take")


def dusk(t: Days) -> None:
    """Begin the next day, or end the game."""
    if t.days.value == 2:
        t.set(t.phase, OVER)
        t.emit(None, Happened(2))
    else:
        t.enter("day")


PHASES = {"day": Phase(dawn, day), "night": Phase(dusk)}


def take(t: Days, seat: Seat, command: TakeCoin) -> Rejection | None:
    """Take coins from the box."""
    if command.count > t.box.total():
        return Rejection("TOO_MANY", "days.coins", {"count": str(command.count)})
    t.move("coin", t.box, seat.coins, command.count)
    t.ask(seat, "")
    t.emit(seat, Happened(1))
    t.advance()
    return None


def legal_take(t: Days, seat: Seat) -> Sequence[Struct]:
    """Return commands for up to two coins."""
    return [TakeCoin(count) for count in (1, 2) if count <= t.box.total()]


def call(t: Days, seat: Seat, command: Call) -> Rejection:
    """Reject every call."""
    return Rejection("UNHEARD", "days.calls", {})


class DaysPlay(TurnFlowPlay[Days]):
    """The rules of days and nights."""

    __slots__ = ()

    dispatcher = CommandDispatcher({"take": (legal_take, {TakeCoin: take})})


def start() -> DaysPlay:
    play = DaysPlay(Days())
    play.t.enter("day")
    play.t.advance()
    return play


def test_the_game_advances_to_the_next_decision() -> None:
    play = start()
    assert play.table.decisions == ["", "", "take", ""], "seat 2 starts"
    assert play.t.decides(play.t.seats[1])
    assert not play.t.decides(play.t.seats[0])
    assert play.recorder.take() == [
        Event(
            0,
            Happened(0),
            (
                Set("phase", "", "day"),
                Set("days", 0, 1),
                Set("due.bread", 0, 3),
                Set("due.bread", 3, 2),
                Ask(2, "", "take"),
            ),
        )
    ]


def test_seats_take_their_turns_until_the_game_is_over() -> None:
    play = start()
    turns = []
    while not play.is_over():
        (seat,) = play.table.deciding()
        turns.append(seat)
        assert play.decide(seat, TakeCoin(0)) is None
    assert turns == [2, 3, 1, 2, 3, 1]
    assert play.t.phase.value == OVER
    assert play.t.is_over()
    play.t.advance()
    assert play.table.deciding() == []


def test_clockwise_starts_from_the_given_seat() -> None:
    t = Days()
    assert [seat.number for seat in t.clockwise()] == [2, 3, 1]
    assert [seat.number for seat in t.clockwise(3)] == [3, 1, 2]
    assert [seat.number for seat in t.after(3)] == [1, 2, 3]


def test_a_phase_without_a_decision_is_an_error_of_the_rules() -> None:
    t = Days({"day": Phase(dawn)})
    t.enter("day")
    with pytest.raises(RuntimeError, match="day has no open decision and cannot continue"):
        t.advance()


def test_a_command_is_decided_by_the_function_of_its_decision() -> None:
    play = start()
    play.recorder.take()
    assert list(play.legal(2)) == [TakeCoin(1), TakeCoin(2)]
    assert play.decide(2, TakeCoin(6)) == Rejection("TOO_MANY", "days.coins", {"count": "6"})
    assert play.recorder.take() == []
    assert play.decide(2, TakeCoin(2)) is None
    (event,) = play.recorder.take()
    assert event.seat == 2
    assert event.effects[:2] == (Move("coin", 2, "box", "seat.2.coins"), Ask(2, "take", ""))


def test_a_command_without_its_decision_is_rejected() -> None:
    play = start()
    assert play.legal(1) == ()
    values: dict[str, Any] = {"command": "TakeCoin"}
    assert play.decide(1, TakeCoin(1)) == Rejection("NOT_DECIDING", "table.not_deciding", values)
    values = {"command": "Sleep", "decision": "take"}
    assert play.decide(2, Sleep()) == Rejection("WRONG_DECISION", "table.wrong_decision", values)


def test_only_a_seat_with_a_decision_has_legal_commands() -> None:
    dispatcher: CommandDispatcher[Seat] = CommandDispatcher({"take": (legal_take, {})})
    t = start().t
    assert dispatcher.legal(t, 2) == [TakeCoin(1), TakeCoin(2)]
    assert dispatcher.legal(t, 1) == ()


def test_later_decisions_add_to_earlier_ones_and_replace_the_same_keys() -> None:
    first: Decisions = {"take": (legal_take, {TakeCoin: take}), "sleep": (legal_take, {Sleep: take})}
    second: Decisions = {"take": (lambda *_: [Call("day 1")], {Call: call})}
    dispatcher: CommandDispatcher[Seat] = CommandDispatcher(first, second)
    assert dispatcher.decide_functions == {("take", TakeCoin): take, ("sleep", Sleep): take, ("take", Call): call}
    assert dispatcher.legal_functions["sleep"] is legal_take
    assert dispatcher.legal(start().t, 2) == [Call("day 1")]


def test_a_command_with_an_unknown_id_is_rejected_for_that() -> None:
    """Only with an open decision: otherwise the id is not checked."""
    decisions: Decisions = {"take": (legal_take, {Call: call})}
    dispatcher: CommandDispatcher[Seat] = CommandDispatcher(
        decisions, known_ids=lambda t: KnownIds({"name": (f"day {t.days.value}",)})
    )
    t = start().t
    assert dispatcher.decide(t, 2, Call("day 1")) == Rejection("UNHEARD", "days.calls", {})
    values = {"field": "name", "id": "day 2", "known": "day 1"}
    assert dispatcher.decide(t, 2, Call("day 2")) == Rejection("UNKNOWN_ID", "table.known_ids", values)
    assert dispatcher.decide(t, 1, Call("day 2")) == Rejection(
        "NOT_DECIDING", "table.not_deciding", {"command": "Call"}
    )


# --- pending rewards ---------------------------------------------------------------------------------------------


def test_pending_rewards_are_markers_of_the_table() -> None:
    t = Days()
    assert not t.dues
    t.dues.owe("bread", 2)
    t.dues.owe("wine")
    assert t.dues
    assert (t.dues["wine"], t.dues["bread"]) == (1, 2)
    assert t.table.number("due.bread").value == 2
    t.recorder.rollback()
    assert not t.dues


def test_kinds_of_rewards_are_in_the_order_of_the_title() -> None:
    t = Days()
    t.dues.owe("bread")
    assert list(t.dues) == ["bread"]
    t.dues.owe("wine", 2)
    assert list(t.dues) == ["wine", "bread"]
    t.dues.settle("wine", 2)
    t.dues.settle("bread")
    assert list(t.dues) == []


def test_settling_more_than_is_due_is_an_error() -> None:
    t = Days()
    t.dues.owe("wine")
    with pytest.raises(ValueError, match=r"^due\.wine is 1, not 2$"):
        t.dues.settle("wine", 2)
    assert t.dues["wine"] == 1
