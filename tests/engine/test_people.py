"""Resignation, seats handed over to bots and taken back, and clocks."""

from __future__ import annotations

from random import Random

import pytest
from tests.engine.playing import play

from boardkeeper import engine


class Clock:
    """A clock that tests set."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> int:
        return self.now


def create_timed(clock: Clock, control: engine.TimeControl, players: int = 2) -> engine.Game:
    return engine.create("paladins", players, seed=1, clock=clock, time_control=control)


def test_a_resigned_seat_is_last_and_a_bot_plays_it() -> None:
    game = engine.create("orleans", 3, seed=1)
    assert [event.name for event in game.resign(2)] == ["SeatResigned"]
    assert [seat.played_by for seat in game.seats] == ["person", "bot", "person"]
    with pytest.raises(engine.Rejected, match="SEAT_RESIGNED"):
        game.take_seat_back(2)
    with pytest.raises(engine.Rejected, match="SEAT_RESIGNED"):
        game.resign(2)
    loaded = engine.load(game.save())
    play(loaded, Random(1), 10_000)
    assert loaded.standings[-1].seat == 2
    assert [event.name for event in game.resign(1)] == ["SeatResigned", "GameEnded"]
    assert [standing.seat for standing in game.standings] == [3, 1, 2]
    assert not game.to_move


def test_a_bot_plays_a_handed_over_seat_until_it_is_taken_back() -> None:
    game = engine.create("paladins", 2, seed=1)
    game.hand_over(2, "random")
    assert game.seats[1].bot == "random"
    while not game.is_over and game.version < 120:
        game.play_bots()
        assert 2 not in game.to_move
        game.submit(1, game.suggest(1))
    assert game.clone().seats == game.seats
    game.take_seat_back(2)
    assert game.seats[1].played_by == "person"
    with pytest.raises(engine.Rejected, match="SEAT_NOT_HANDED_OVER"):
        game.take_seat_back(2)


def test_the_clock_of_a_seat_runs_while_it_has_a_decision() -> None:
    clock = Clock()
    game = create_timed(clock, engine.TimeControl("game", 60, 5, "bot"))
    seat = game.to_move[0]
    other = next(it for it in (1, 2) if it not in game.to_move)
    clock.now += 10_000
    assert (game.time_left(seat), game.time_left(other)) == (50_000, 60_000)
    clock.now -= 20_000  # a clock that goes back neither uses nor adds time
    assert game.time_left(seat) == 60_000
    clock.now += 69_999
    with pytest.raises(engine.Rejected, match="NOT_EXPIRED"):
        game.expire(seat)
    assert game.expired() == ()
    clock.now += 1
    assert (game.expired(), game.time_left(seat)) == ((seat,), 0)
    assert [event.name for event in game.expire(seat)] == ["TimeExpired"]
    assert game.seats[seat - 1].played_by == "bot"
    loaded = engine.load(game.save(), clock=clock)
    assert loaded.time_control == game.time_control
    assert [loaded.time_left(it) for it in (1, 2)] == [game.time_left(it) for it in (1, 2)]


def test_an_expired_seat_resigns_if_the_time_control_says_so() -> None:
    clock = Clock()
    game = create_timed(clock, engine.TimeControl("move", 5, 0, "resign"))
    seat = game.to_move[0]
    clock.now += 5_000
    assert [event.name for event in game.expire(seat)] == ["TimeExpired", "GameEnded"]
    assert game.standings[-1].seat == seat


def test_a_game_without_clocks_has_none() -> None:
    game = engine.create("orleans", 2, seed=1)
    assert (game.time_control, game.time_left(1), game.expired()) == (None, None, ())
    with pytest.raises(engine.Rejected, match="NOT_EXPIRED"):
        game.expire(1)


@pytest.mark.parametrize(
    ("control", "message"),
    [
        (engine.TimeControl("turn", 5, 0, "bot"), "unknown time_control.kind 'turn'"),
        (engine.TimeControl("game", 5, 0, "bots"), "did you mean 'bot'"),
        (engine.TimeControl("game", 0, 0, "bot"), "1 to"),
        (engine.TimeControl("game", 5, -1, "bot"), "time_control.increment 0 to"),
        (engine.TimeControl("move", 5, 1, "bot"), "kind is 'game'"),
        (engine.TimeControl("game", 0.5, 0, "bot"), "Expected `int`"),  # type: ignore[arg-type]
        (60, "time_control must be a TimeControl, not 60"),
    ],
)
def test_an_invalid_time_control_is_an_error(control: engine.TimeControl, message: str) -> None:
    with pytest.raises(engine.RulesError, match=message):
        create_timed(Clock(), control)


def test_a_time_control_needs_a_clock() -> None:
    with pytest.raises(engine.MisuseError, match="needs a clock"):
        engine.create("orleans", 2, time_control=engine.TimeControl("game", 60, 0, "bot"))


def test_pushed_games_do_not_allow_changes_of_seats() -> None:
    game = engine.create("orleans", 2, seed=1)
    with game.trying():
        game.push(game.to_move[0], game.legal(game.to_move[0])[0])
        for call in (game.resign, game.hand_over, game.take_seat_back, game.expire):
            with pytest.raises(engine.MisuseError, match="pop"):
                call(1)
