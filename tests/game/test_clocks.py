"""Clocks run while a seat has a decision or a vote, and can be computed from the events."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from tests.game.games import rejection_code
from tests.game.records import check
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


class TimedGame:
    """A game with clocks, at a time that the test sets."""

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
            self.commit(self.game.join([seat], b"", "", self.now))

    def commit(self, decided: list[GameEvent] | Rejection) -> list[GameEvent]:
        assert not isinstance(decided, Rejection), decided
        self.game.commit(decided)
        self.events += decided
        if len(self.events) < 50 or not len(self.events) % 20:  # the check is slow
            self.check()
        return decided

    def check(self) -> None:
        """Check that all events applied to new clocks give the same clocks."""
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
        """Submit a command of a seat, by default a legal one."""
        command = command or self.game.legal(seat)[0]
        return self.commit(self.game.decide(seat, [command], f"{seat}:{self.game.version}", self.now))

    def undo(self, seat: int) -> list[GameEvent]:
        first = self.game.first_undo_version(seat)
        assert isinstance(first, int), first
        return self.commit(self.game.request_undo(seat, self.events[first - 1 :], f"{seat}:undo", self.now))

    def answer(self, seat: int, *, consent: bool) -> list[GameEvent]:
        vote = self.game.undo.vote
        assert vote is not None
        past = self.events[vote.first_version - 1 :]
        return self.commit(self.game.answer_undo(seat, vote.version, consent, past, f"{seat}:vote", self.now))

    def time_left(self, seat: int) -> float:
        """Return the seconds that a seat has left now."""
        left, since = self.clocks.reading(seat)
        return (left - (self.now - since if since is not None else 0)) / SECOND

    def running(self) -> list[int]:
        """Return the seats whose clocks run."""
        return [
            seat for seat in range(1, len(self.game.seats.kinds) + 1) if self.clocks.reading(seat).since is not None
        ]


def test_a_game_without_a_time_control_has_no_clocks_and_no_stored_field() -> None:
    game, events = create_game(ID, TINY, Setup("", 2), ["person"] * 2, SECRET, "test", "", 1)
    assert game.clocks is None
    assert b"time_control" not in msgspec.json.encode(events[0].detail)


def test_time_per_move_is_reset_for_each_decision() -> None:
    table = TimedGame(MOVE)
    assert (table.running(), table.time_left(1), table.time_left(2)) == ([1], 60, 60)
    table.wait(50)
    assert table.time_left(1) == 10
    table.give(1, PassCoin(2))
    assert (table.running(), table.time_left(2)) == ([2], 60)
    table.wait(20)
    table.give(2, PassCoin(1))
    assert (table.running(), table.time_left(1), table.time_left(2)) == ([1], 60, 40)
    assert table.clocks.next_expiry() == table.now + 60 * SECOND


def test_time_per_game_is_used_up_and_each_turn_adds_the_increment() -> None:
    table = TimedGame(FISCHER)
    table.wait(100)
    table.give(1, PassCoin(2))
    assert (table.time_left(1), table.time_left(2)) == (510, 600)
    table.wait(30)
    assert (table.time_left(1), table.time_left(2)) == (510, 570)
    table.give(2, PassCoin(1))
    assert (table.time_left(1), table.time_left(2)) == (510, 580)


def test_no_clock_runs_before_the_game_or_after_it() -> None:
    game, _ = create_game(ID, TINY, Setup("", 2), ["person"] * 2, SECRET, "test", "", BEGIN, time_control=MOVE)
    assert game.clocks is not None
    assert game.clocks.next_expiry() is None
    table = TimedGame(MOVE)
    while table.game.status == RUNNING:
        table.give(table.game.table.deciding()[0])
    assert table.running() == []
    assert table.clocks.next_expiry() is None


def test_time_per_move_is_reset_in_solo_games() -> None:
    table = TimedGame(MOVE, 1, RIVAL_TITLE, Setup("", 1, {"rival": "keen"}))
    table.wait(50)
    table.give(1)
    assert table.time_left(1) == 60


# --- expiry ----------------------------------------------------------------------------------------------------


def test_only_a_running_clock_without_time_expires() -> None:
    table = TimedGame(MOVE)
    table.wait(59.999)
    assert rejection_code(table.game.expire(1, "random", "x", table.now)) == "NOT_EXPIRED"
    table.wait(0.001)
    assert table.clocks.expired(table.now) == [1]
    assert rejection_code(table.game.expire(2, "random", "x", table.now)) == "NOT_EXPIRED"


def test_after_expiry_a_bot_plays_and_a_returning_player_has_a_tenth_of_the_time() -> None:
    table = TimedGame(TimeControl("game", 600, 10, "bot"))
    table.wait(700)
    (expired,) = table.commit(table.game.expire(1, "random", "x", table.now))
    assert expired.detail == TimeExpired(False, "random")
    assert (table.game.seats.bot(1), table.running()) == ("random", [])
    table.wait(1000)
    (back,) = table.commit(table.game.take_seat_back(1, "back", table.now))
    assert back.detail == SeatTakenBack()
    assert (table.time_left(1), table.running()) == (60, [1])
    assert not table.clocks.expired(table.now)


def test_a_seat_taken_back_before_expiry_has_the_time_that_was_left() -> None:
    for control in (MOVE, TimeControl("game", 60, 0, "bot")):
        table = TimedGame(control)
        table.wait(55)
        table.commit(table.game.hand_to_bot(1, "random", "hand", table.now))
        assert table.running() == []
        table.wait(500)
        table.commit(table.game.take_seat_back(1, "back", table.now))
        assert (table.time_left(1), table.running()) == (5, [1])


def test_turns_of_a_bot_do_not_add_the_increment() -> None:
    table = TimedGame(FISCHER)
    table.commit(table.game.hand_to_bot(1, "random", "hand", table.now))
    table.give(1, PassCoin(2))
    table.commit(table.game.take_seat_back(1, "back", table.now))
    assert table.time_left(1) == 600


def test_an_expired_seat_resigns_if_the_time_control_says_so() -> None:
    table = TimedGame(FISCHER)
    table.wait(600)
    assert [event.detail for event in table.commit(table.game.expire(1, "random", "x", table.now))] == [
        TimeExpired(True, ""),
        GameEnded(SECRET.hex(), (2, 1)),
    ]
    assert table.game.status == ENDED
    assert check(record(table.events)).holds

    three = TimedGame(FISCHER, 3)
    three.wait(601)
    assert [it.detail for it in three.commit(three.game.expire(1, "random", "x", three.now))] == [
        TimeExpired(True, "random")
    ]
    assert rejection_code(three.game.take_seat_back(1, "back", three.now)) == "SEAT_RESIGNED"


def test_a_record_with_an_early_expiry_fails() -> None:
    table = TimedGame(FISCHER)
    table.wait(600)
    table.commit(table.game.expire(1, "random", "x", table.now))

    def set_earlier_time(line: Any) -> None:
        line["time"] -= 1

    lines = rewrite_event(record(table.events), table.game.version - 1, set_earlier_time)
    report = check(lines)
    assert report.fails
    assert any("NOT_EXPIRED" in problem.message for problem in report.problems)


def test_the_time_of_a_late_decision_is_zero_and_not_negative() -> None:
    table = TimedGame(FISCHER)
    table.wait(700)
    table.give(1, PassCoin(2))  # accepted because no expiry was recorded
    assert table.time_left(1) == 10


# --- undo ------------------------------------------------------------------------------------------------------


def test_a_free_undo_restores_the_time_and_removes_the_increment() -> None:
    move = TimedGame(MOVE)
    move.wait(50)
    move.give(1, PassCoin(2))
    move.wait(5)
    assert isinstance(move.undo(1)[-1].detail, Undone)
    assert (move.running(), move.time_left(1)) == ([1], 10)

    fischer = TimedGame(FISCHER)
    fischer.wait(100)
    fischer.give(1, PassCoin(2))
    fischer.wait(5)
    fischer.undo(1)
    assert (fischer.time_left(1), fischer.time_left(2)) == (500, 595)


def test_during_a_vote_only_the_clocks_of_seats_that_must_answer_run() -> None:
    table = TimedGame(MOVE, 3)
    table.wait(30)
    table.give(1, DrawPearl())
    table.wait(10)
    assert table.running() == [2]
    table.undo(1)
    assert table.running() == [2, 3]
    assert (table.time_left(2), table.time_left(3)) == (50, 60)
    table.wait(20)
    table.answer(2, consent=True)
    assert (table.running(), table.time_left(2), table.time_left(3)) == ([3], 30, 40)
    table.wait(20)
    assert table.time_left(2) == 30
    table.answer(3, consent=True)
    assert (table.running(), table.time_left(1)) == ([1], 60), "an undo after a vote resets the time"


def test_clocks_continue_after_a_declined_vote() -> None:
    table = TimedGame(FISCHER)
    table.give(1, DrawPearl())
    table.wait(10)
    table.undo(1)
    table.wait(15)
    table.answer(2, consent=False)
    assert (table.running(), table.time_left(2)) == ([2], 575)


def test_clocks_continue_after_a_command_closes_a_vote() -> None:
    table = TimedGame(MOVE, 3)
    table.give(1, DrawPearl())
    table.undo(1)
    assert table.running() == [2, 3]
    table.give(2, PassCoin(1))
    assert table.running() == [3]
    assert table.game.undo.vote is None


def test_a_seat_has_the_full_time_for_its_answer() -> None:
    table = TimedGame(MOVE, 3)
    table.wait(50)
    table.give(1, PassCoin(2))
    table.give(2, DrawPearl())
    table.undo(2)
    assert (table.running(), table.time_left(1), table.time_left(3)) == ([1, 3], 60, 60)


def test_clocks_run_during_a_vote_that_waits_for_an_absent_person() -> None:
    table = TimedGame(MOVE, 3)
    table.give(1, DrawPearl())
    table.commit(table.game.hand_to_bot(3, "random", "hand", table.now))
    assert table.running() == [2]
    table.wait(10)
    table.undo(1)
    assert (table.running(), table.time_left(2)) == ([2], 50), "seat 2 must answer"
    table.wait(10)
    table.answer(2, consent=True)
    assert (table.running(), table.time_left(2)) == ([2], 40), "seat 2 has a decision during the vote"
    table.wait(10)
    assert table.time_left(2) == 30
    table.commit(table.game.take_seat_back(3, "back", table.now))
    assert (table.running(), table.time_left(2), table.time_left(3)) == ([3], 30, 60), "an answer has its full time"
    table.wait(20)
    table.answer(3, consent=True)
    assert (table.running(), table.time_left(1)) == ([1], 60)


@pytest.mark.parametrize("control", [MOVE, TimeControl("game", 60, 0, "bot")], ids=["move", "game"])
def test_a_bot_that_plays_for_an_expired_seat_does_not_consent(control: TimeControl) -> None:
    table = TimedGame(control)
    table.give(1, DrawPearl())
    table.wait(60)
    table.commit(table.game.expire(2, "random", "x", table.now))
    asked = table.undo(1)
    assert [type(event.detail) for event in asked] == [UndoRequested]
    vote = table.game.undo.vote
    assert vote is not None
    assert (vote.waiting, table.running()) == ((2,), [])
    past = table.events[vote.first_version - 1 :]
    assert rejection_code(table.game.answer_undo(2, vote.version, True, past, "x", table.now)) == "SEAT_PLAYED_BY_BOT"
    table.commit(table.game.take_seat_back(2, "back", table.now))
    assert table.running() == [2]
    table.answer(2, consent=True)
    assert table.running() == [1]


def test_copies_of_clocks_are_independent() -> None:
    table = TimedGame(TimeControl("game", 60, 5, "bot"))
    later = TimedGame(TimeControl("game", 60, 5, "bot"))
    for seat in (1, 2):
        later.wait(10)
        later.give(seat)
    later.wait(100)
    later.commit(later.game.expire(1, "random", "x", later.now))
    before = [getattr(table.clocks, name) for name in Clocks.__slots__]
    text = repr(before)
    copy = table.clocks.copy()
    for event in later.events[len(table.events) :]:
        copy.apply_event(event)
    assert copy.reading(1) == later.clocks.reading(1)
    assert repr([getattr(table.clocks, name) for name in Clocks.__slots__]) == text


def test_an_expiry_closes_the_vote() -> None:
    table = TimedGame(MOVE, 3)
    table.give(1, DrawPearl())
    table.undo(1)
    table.wait(60)
    assert table.clocks.expired(table.now) == [2, 3]
    table.commit(table.game.expire(3, "random", "x", table.now))
    assert table.game.undo.vote is None
    assert table.running() == [2]
    assert table.clocks.expired(table.now) == [2], "the vote used the time of seat 2"


# --- titles ----------------------------------------------------------------------------------------------------


GAMES = [
    (title, players, seed) for title in TITLES for players in player_counts(load_title(title).meta) for seed in (1, 2)
]


@pytest.mark.parametrize(("title", "players", "seed"), GAMES)
def test_clocks_of_every_title_run_for_seats_with_decisions(title: str, players: int, seed: int) -> None:
    loaded, random = load_title(title), Random(f"clocks {title} {players} {seed}")
    setup = mixed_setup(loaded, seed, players)
    people = setup.players - len(loaded.automata(setup))
    control = random.choice([MOVE, TimeControl("game", 900, 20, "bot"), FISCHER])
    table = TimedGame(control, people, loaded, setup)
    while table.game.status == RUNNING:
        table.wait(random.expovariate(0.2))
        for seat in table.clocks.expired(table.now)[:1]:
            table.commit(table.game.expire(seat, loaded.meta.bots[0].id, "x", table.now))
        if table.game.status != RUNNING:
            break
        seat = random.choice(table.game.table.deciding())
        table.give(seat, random.choice(table.game.legal(seat)))
        if table.game.status == RUNNING:
            deciding = [it for it in table.game.table.deciding() if not table.game.seats.bot(it)]
            assert table.running() == deciding
        if table.game.seats.is_handed_over(1) and 1 not in table.game.seats.resigned and table.game.status == RUNNING:
            table.commit(table.game.take_seat_back(1, "back", table.now))
    table.check()
    assert table.clocks.copy().reading(1) == table.clocks.reading(1)
    assert isinstance(table.clocks.reading(1), Reading)
    report = check(record(table.events))
    assert report.holds, report.problems
