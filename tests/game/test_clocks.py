"""Clocks: they run while a seat owes something, and whoever folds the events reads the same."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from tests.game.records import check
from tests.game.test_handing_over import code
from tests.service.rival_title import RIVAL_TITLE
from tests.service.tiny_title import TINY, DrawPearl, PassCoin

from boardkeeper.game.clocks import Clocks, Reading
from boardkeeper.game.creation import create_game
from boardkeeper.game.events import (
    GameCreated,
    GameEnded,
    GameEvent,
    SeatTakenBack,
    TimeExpired,
    Undone,
    UndoRequested,
)
from boardkeeper.game.game import ENDED, RUNNING
from boardkeeper.game.seats import person_seats
from boardkeeper.game.time_control import TimeControl
from boardkeeper.table.rejections import Rejection
from boardkeeper.testkit.games import ID, SECRET, record, rewrite_event
from boardkeeper.testkit.setups import mixed_setup, player_counts
from boardkeeper.titlekit.title import Setup, Title
from boardkeeper.titles.registry import TITLES, load_title

MOVE = TimeControl("move", 60, 0, "bot")
FISCHER = TimeControl("game", 600, 10, "resign")
BEGIN = 1_000_000
SECOND = 1_000


class Table:
    """A game with clocks, at a time that only the test moves."""

    def __init__(
        self, control: TimeControl, seats: int = 2, title: Title = TINY, setup: Setup | None = None, bots: int = 0
    ) -> None:
        self.now = BEGIN
        setup = setup or Setup("", seats)
        kinds = ["person"] * (seats - bots) + ["bot.random"] * bots
        self.game, self.events = create_game(
            ID, title, setup, kinds, SECRET, "test", "", self.now, time_control=control
        )
        self.game.commit(self.events)
        for seat in self.game.seats.free():
            self.keep(self.game.join([seat], b"", "", self.now))

    def keep(self, decided: list[GameEvent] | Rejection) -> list[GameEvent]:
        assert not isinstance(decided, Rejection), decided
        self.game.commit(decided)
        self.events += decided
        if len(self.events) < 50 or not len(self.events) % 20:  # that all are folded each time takes long
            self.check()
        return decided

    def check(self) -> None:
        """Whoever folds all events from the first one has the same clocks."""
        created = self.events[0].detail
        assert isinstance(created, GameCreated)
        assert isinstance(created.time_control, TimeControl)
        fold = Clocks(created.time_control, created.seats, created.layout.decisions, person_seats(created))
        for event in self.events:
            fold.apply_event(event)
        for seat in range(1, len(created.seats) + 1):
            assert fold.reading(seat) == self.clocks.reading(seat)
        assert fold.next_expiry() == self.clocks.next_expiry()

    @property
    def clocks(self) -> Clocks:
        assert self.game.clocks is not None
        return self.game.clocks

    def wait(self, seconds: float) -> None:
        self.now += int(seconds * SECOND)

    def give(self, seat: int, command: Any = None) -> list[GameEvent]:
        """A command of a seat, some legal one."""
        wanted = command or self.game.legal(seat)[0]
        return self.keep(self.game.decide(seat, [wanted], f"{seat}:{self.game.version}", self.now))

    def undo(self, seat: int) -> list[GameEvent]:
        first = self.game.first_undo_version(seat)
        assert isinstance(first, int), first
        return self.keep(self.game.request_undo(seat, self.events[first - 1 :], f"{seat}:undo", self.now))

    def answer(self, seat: int, *, consent: bool) -> list[GameEvent]:
        vote = self.game.undo.vote
        assert vote is not None
        past = self.events[vote.first_version - 1 :]
        return self.keep(self.game.answer_undo(seat, vote.version, consent, past, f"{seat}:vote", self.now))

    def left(self, seat: int) -> float:
        """Seconds that a seat has left now."""
        left, since = self.clocks.reading(seat)
        return (left - (self.now - since if since is not None else 0)) / SECOND

    def running(self) -> list[int]:
        return [
            seat for seat in range(1, len(self.game.seats.kinds) + 1) if self.clocks.reading(seat).since is not None
        ]


def test_a_game_without_a_time_control_has_no_clocks_and_says_nothing_of_it() -> None:
    game, events = create_game(ID, TINY, Setup("", 2), ["person"] * 2, SECRET, "test", "", 1)
    assert game.clocks is None
    assert b"time_control" not in msgspec.json.encode(events[0].detail)


def test_per_move_the_time_is_new_with_each_decision() -> None:
    table = Table(MOVE)
    assert (table.running(), table.left(1), table.left(2)) == ([1], 60, 60)
    table.wait(50)
    assert table.left(1) == 10
    table.give(1, PassCoin(2))
    assert (table.running(), table.left(2)) == ([2], 60)
    table.wait(20)
    table.give(2, PassCoin(1))
    assert (table.running(), table.left(1), table.left(2)) == ([1], 60, 40)
    assert table.clocks.next_expiry() == table.now + 60 * SECOND


def test_per_game_what_was_used_is_gone_and_each_turn_adds_something() -> None:
    table = Table(FISCHER)
    table.wait(100)
    table.give(1, PassCoin(2))
    assert (table.left(1), table.left(2)) == (510, 600)
    table.wait(30)
    assert (table.left(1), table.left(2)) == (510, 570)
    table.give(2, PassCoin(1))
    assert (table.left(1), table.left(2)) == (510, 580)


def test_no_clock_runs_before_the_game_or_after_it() -> None:
    game, _ = create_game(ID, TINY, Setup("", 2), ["person"] * 2, SECRET, "test", "", BEGIN, time_control=MOVE)
    assert game.clocks is not None
    assert game.clocks.next_expiry() is None
    table = Table(MOVE)
    while table.game.status == RUNNING:
        table.give(table.game.table.deciding()[0])
    assert table.running() == []
    assert table.clocks.next_expiry() is None


def test_who_plays_alone_against_the_rules_has_new_time_each_turn() -> None:
    table = Table(MOVE, 1, RIVAL_TITLE, Setup("", 1, {"rival": "keen"}))
    table.wait(50)
    table.give(1)
    assert table.left(1) == 60


# --- running out -----------------------------------------------------------------------------------------------


def test_time_that_is_left_does_not_expire_and_not_that_of_who_owes_nothing() -> None:
    table = Table(MOVE)
    table.wait(59.999)
    assert code(table.game.expire(1, "random", "x", table.now)) == "NOT_EXPIRED"
    table.wait(0.001)
    assert table.clocks.expired(table.now) == [1]
    assert code(table.game.expire(2, "random", "x", table.now)) == "NOT_EXPIRED"


def test_when_time_has_run_out_a_bot_plays_on_and_who_comes_back_has_a_tenth() -> None:
    table = Table(TimeControl("game", 600, 10, "bot"))
    table.wait(700)
    (expired,) = table.keep(table.game.expire(1, "random", "x", table.now))
    assert expired.detail == TimeExpired(False, "random")
    assert (table.game.seats.bot(1), table.running()) == ("random", [])
    table.wait(1000)
    (back,) = table.keep(table.game.take_seat_back(1, "back", table.now))
    assert back.detail == SeatTakenBack()
    assert (table.left(1), table.running()) == (60, [1])
    assert not table.clocks.expired(table.now)


def test_who_hands_a_seat_over_before_the_end_of_its_time_gets_that_back_and_no_more() -> None:
    for control in (MOVE, TimeControl("game", 60, 0, "bot")):
        table = Table(control)
        table.wait(55)
        table.keep(table.game.hand_to_bot(1, "random", "hand", table.now))
        assert table.running() == []
        table.wait(500)
        table.keep(table.game.take_seat_back(1, "back", table.now))
        assert (table.left(1), table.running()) == (5, [1])


def test_turns_that_a_bot_took_add_nothing() -> None:
    table = Table(FISCHER)
    table.keep(table.game.hand_to_bot(1, "random", "hand", table.now))
    table.give(1, PassCoin(2))
    table.keep(table.game.take_seat_back(1, "back", table.now))
    assert table.left(1) == 600


def test_where_that_was_chosen_who_runs_out_of_time_resigns() -> None:
    table = Table(FISCHER)
    table.wait(600)
    assert [event.detail for event in table.keep(table.game.expire(1, "random", "x", table.now))] == [
        TimeExpired(True, ""),
        GameEnded(SECRET.hex(), (2, 1)),
    ]
    assert table.game.status == ENDED
    assert check(record(table.events)).holds

    three = Table(FISCHER, 3)
    three.wait(601)
    assert [it.detail for it in three.keep(three.game.expire(1, "random", "x", three.now))] == [
        TimeExpired(True, "random")
    ]
    assert code(three.game.take_seat_back(1, "back", three.now)) == "SEAT_RESIGNED"


def test_a_record_that_lets_time_expire_too_soon_fails() -> None:
    table = Table(FISCHER)
    table.wait(600)
    table.keep(table.game.expire(1, "random", "x", table.now))

    def sooner(line: Any) -> None:
        line["time"] -= 1

    lines = rewrite_event(record(table.events), table.game.version - 1, sooner)
    report = check(lines)
    assert report.fails
    assert any("NOT_EXPIRED" in problem.message for problem in report.problems)


def test_who_decides_late_because_nobody_said_so_in_time_has_nothing_left_and_not_less() -> None:
    table = Table(FISCHER)
    table.wait(700)
    table.give(1, PassCoin(2))  # within the grace of a service
    assert table.left(1) == 10


# --- undo ------------------------------------------------------------------------------------------------------


def test_who_freely_takes_back_has_the_time_of_before_and_what_was_added_goes() -> None:
    move = Table(MOVE)
    move.wait(50)
    move.give(1, PassCoin(2))
    move.wait(5)
    assert isinstance(move.undo(1)[-1].detail, Undone)
    assert (move.running(), move.left(1)) == ([1], 10)

    fischer = Table(FISCHER)
    fischer.wait(100)
    fischer.give(1, PassCoin(2))
    fischer.wait(5)
    fischer.undo(1)
    assert (fischer.left(1), fischer.left(2)) == (500, 595)


def test_while_people_vote_only_the_clocks_of_those_run_who_owe_an_answer() -> None:
    table = Table(MOVE, 3)
    table.wait(30)
    table.give(1, DrawPearl())
    table.wait(10)
    assert table.running() == [2]
    table.undo(1)
    assert table.running() == [2, 3]
    assert (table.left(2), table.left(3)) == (50, 60)
    table.wait(20)
    table.answer(2, consent=True)
    assert (table.running(), table.left(2), table.left(3)) == ([3], 30, 40)
    table.wait(20)
    assert table.left(2) == 30
    table.answer(3, consent=True)
    assert (table.running(), table.left(1)) == ([1], 60), "the others gave the time for it"


def test_a_vote_that_is_declined_lets_the_clocks_go_on_as_they_were() -> None:
    table = Table(FISCHER)
    table.give(1, DrawPearl())
    table.wait(10)
    table.undo(1)
    table.wait(15)
    table.answer(2, consent=False)
    assert (table.running(), table.left(2)) == ([2], 575)


def test_a_vote_that_a_command_closes_lets_the_others_clocks_go_on() -> None:
    table = Table(MOVE, 3)
    table.give(1, DrawPearl())
    table.undo(1)
    assert table.running() == [2, 3]
    table.give(2, PassCoin(1))
    assert table.running() == [3]
    assert table.game.undo.vote is None


def test_an_answer_has_its_full_time_whatever_the_seat_had_left_when_it_decided_last() -> None:
    table = Table(MOVE, 3)
    table.wait(50)
    table.give(1, PassCoin(2))
    table.give(2, DrawPearl())
    table.undo(2)
    assert (table.running(), table.left(1), table.left(3)) == ([1, 3], 60, 60)


def test_a_vote_that_waits_for_absent_people_stops_no_clock() -> None:
    table = Table(MOVE, 3)
    table.give(1, DrawPearl())
    table.keep(table.game.hand_to_bot(3, "random", "hand", table.now))
    assert table.running() == [2]
    table.wait(10)
    table.undo(1)
    assert (table.running(), table.left(2)) == ([2], 50), "who is asked owes an answer"
    table.wait(10)
    table.answer(2, consent=True)
    assert (table.running(), table.left(2)) == ([2], 40), "and has to decide while the vote is open"
    table.wait(10)
    assert table.left(2) == 30
    table.keep(table.game.take_seat_back(3, "back", table.now))
    assert (table.running(), table.left(2), table.left(3)) == ([3], 30, 60), "an answer has its full time"
    table.wait(20)
    table.answer(3, consent=True)
    assert (table.running(), table.left(1)) == ([1], 60)


@pytest.mark.parametrize("control", [MOVE, TimeControl("game", 60, 0, "bot")], ids=["move", "game"])
def test_a_bot_that_plays_since_time_has_run_out_does_not_consent(control: TimeControl) -> None:
    table = Table(control)
    table.give(1, DrawPearl())
    table.wait(60)
    table.keep(table.game.expire(2, "random", "x", table.now))
    asked = table.undo(1)
    assert [type(event.detail) for event in asked] == [UndoRequested]
    vote = table.game.undo.vote
    assert vote is not None
    assert (vote.waiting, table.running()) == ((2,), [])
    past = table.events[vote.first_version - 1 :]
    assert code(table.game.answer_undo(2, vote.version, True, past, "x", table.now)) == "SEAT_PLAYED_BY_BOT"
    table.keep(table.game.take_seat_back(2, "back", table.now))
    assert table.running() == [2]
    table.answer(2, consent=True)
    assert table.running() == [1]


def test_trying_what_comes_does_not_touch_the_clocks() -> None:
    table = Table(TimeControl("game", 60, 5, "bot"))
    later = Table(TimeControl("game", 60, 5, "bot"))
    for seat in (1, 2):
        later.wait(10)
        later.give(seat)
    later.wait(100)
    later.keep(later.game.expire(1, "random", "x", later.now))
    before = [getattr(table.clocks, name) for name in Clocks.__slots__]
    told = repr(before)
    tried = table.clocks.copy()
    for event in later.events[len(table.events) :]:
        tried.apply_event(event)
    assert tried.reading(1) == later.clocks.reading(1)
    assert repr([getattr(table.clocks, name) for name in Clocks.__slots__]) == told


def test_who_owes_an_answer_for_too_long_is_out_and_the_vote_is_over() -> None:
    table = Table(MOVE, 3)
    table.give(1, DrawPearl())
    table.undo(1)
    table.wait(60)
    assert table.clocks.expired(table.now) == [2, 3]
    table.keep(table.game.expire(3, "random", "x", table.now))
    assert table.game.undo.vote is None
    assert table.running() == [2]
    assert table.clocks.expired(table.now) == [2], "that it had to answer as well took its time"


# --- titles ----------------------------------------------------------------------------------------------------


GAMES = [
    (title, players, seed) for title in TITLES for players in player_counts(load_title(title).meta) for seed in (1, 2)
]


@pytest.mark.parametrize(("title", "players", "seed"), GAMES)
def test_clocks_of_every_title_are_the_fold_of_its_events_and_run_for_whom_the_game_waits(
    title: str, players: int, seed: int
) -> None:
    loaded, random = load_title(title), Random(f"clocks {title} {players} {seed}")
    setup = mixed_setup(loaded, seed, players)
    people = setup.players - len(loaded.automata(setup))
    control = random.choice([MOVE, TimeControl("game", 900, 20, "bot"), FISCHER])
    table = Table(control, people, loaded, setup)
    while table.game.status == RUNNING:
        table.wait(random.expovariate(0.2))
        for seat in table.clocks.expired(table.now)[:1]:
            table.keep(table.game.expire(seat, loaded.meta.bots[0].id, "x", table.now))
        if table.game.status != RUNNING:
            break
        seat = random.choice(table.game.table.deciding())
        table.give(seat, random.choice(table.game.legal(seat)))
        if table.game.status == RUNNING:
            owing = [it for it in table.game.table.deciding() if not table.game.seats.bot(it)]
            assert table.running() == owing
        if table.game.seats.is_handed_over(1) and 1 not in table.game.seats.resigned and table.game.status == RUNNING:
            table.keep(table.game.take_seat_back(1, "back", table.now))
    table.check()
    assert table.clocks.copy().reading(1) == table.clocks.reading(1)
    assert isinstance(table.clocks.reading(1), Reading)
    report = check(record(table.events))
    assert report.holds, report.problems
