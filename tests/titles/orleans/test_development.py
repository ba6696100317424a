"""The development track, and the Scriptorium."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail, named

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans.phases.development import advance_development

STATUS = [1] * 4 + [2] * 5 + [3] * 6 + [4] * 7 + [5] * 8 + [6]
"""The development status on each of the spaces 0 to 30."""
COINS = {7: 3, 12: 4, 25: 5}


def step(game: OrleansGame, seat: int = 1) -> e.DevelopmentAdvanced | None:
    """Let a seat use its Scriptorium, and return the event of its marker."""
    game.fill(seat, "scriptorium")
    game.enter("actions", start=seat)
    events = game.do(seat, c.UsePlace("scriptorium"))
    return detail(events, e.DevelopmentAdvanced) if named(events, "DevelopmentAdvanced") else None


def advance(game: OrleansGame, points: int, seat: int = 1) -> e.DevelopmentAdvanced:
    """Let a seat advance by a number of points at once."""
    advance_development(game.t, game.seat(seat), points)
    return detail(game.play.recorder.take(), e.DevelopmentAdvanced)


def test_orleans_scriptorium_development() -> None:
    """The Scriptorium brings one development point and nothing else (p. 5)."""
    game = OrleansGame(2).bag(1).at(1, coins=0)
    advanced = step(game)

    assert advanced == e.DevelopmentAdvanced(position=1, status=1, coins=0, citizens=0)
    assert game.seat(1).development.value == 1
    assert game.seat(2).development.value == 0
    assert game.seat(1).coins.value == 0
    assert game.seat(1).bag.counts() == {"knight": 1, "scholar": 1}


def test_orleans_development_coins() -> None:
    """Only spaces 7, 12 and 25 bring coins: 3, 4 and 5 (p. 6)."""
    game = OrleansGame(2).at(1, coins=0)
    for position in range(1, 31):
        before = game.seat(1).coins.value
        advanced = advance(game, 1)

        assert advanced.coins == COINS.get(position, 0)
        assert game.seat(1).coins.value - before == COINS.get(position, 0)
    assert game.seat(1).coins.value == 12


@pytest.mark.parametrize(
    ("start", "points", "coins"), [(6, 1, 3), (6, 2, 3), (7, 4, 0), (6, 6, 7), (11, 2, 4), (24, 6, 5), (25, 5, 0)]
)
def test_orleans_development_coins__reached_or_passed(start: int, points: int, coins: int) -> None:
    """Passing pays like reaching, two coin spaces in one step pay both, and leaving one pays nothing (p. 6)."""
    game = OrleansGame(2).at(1, coins=0, development=start)

    assert advance(game, points).coins == coins
    assert game.seat(1).coins.value == coins


def test_orleans_development_coins__for_every_seat() -> None:
    """A coin space pays each seat, not only the first (p. 6)."""
    game = OrleansGame(2).at(1, development=6, coins=0).at(2, development=6, coins=0)
    for seat in (1, 2):
        step(game, seat)

    assert [seat.coins.value for seat in game.t.seats] == [3, 3]


@pytest.mark.parametrize("space", [3, 18, 28])
@pytest.mark.parametrize("beyond", [0, 2])
def test_orleans_development_citizens(space: int, beyond: int) -> None:
    """Only the first seat that reaches or passes the citizen takes it (p. 6)."""
    game = OrleansGame(3)
    for seat in (1, 2, 3):
        game.at(seat, development=space - 2)

    assert advance(game, 1, seat=3).citizens == 0
    assert advance(game, 2 + beyond, seat=2).citizens == 1
    assert advance(game, 2 + beyond, seat=1).citizens == 0

    assert [seat.citizens.total() for seat in game.t.seats] == [0, 1, 0]
    assert not game.t.development_citizens[space].items


def test_orleans_development_citizens__several_at_once() -> None:
    """A seat that passes two citizens in one step takes both (p. 6)."""
    game = OrleansGame(2).at(1, development=17)

    assert advance(game, 11).citizens == 2
    assert game.t.development_citizens[3].items


def test_orleans_development_status() -> None:
    """The status is that of the last status space reached: 4, 9, 15, 22 and 30 raise it (p. 6)."""
    game = OrleansGame(2)
    assert game.seat(1).status() == 1

    reached = [advance(game, 1).status for _ in range(30)]

    assert reached == STATUS[1:]
    assert game.seat(1).status() == 6
    assert game.seat(2).status() == 1


def test_orleans_development_status__passed_in_one_step() -> None:
    """A status space that is passed counts, and of several the highest (p. 6)."""
    game = OrleansGame(2).at(1, development=3)

    assert advance(game, 7).status == 3
    assert game.seat(1).status() == 3


def test_orleans_development_end() -> None:
    """The marker stops at the end: of six points from space 28 two count (our ruling on p. 6)."""
    game = OrleansGame(2).at(1, development=28, scholars=4).fill(1, "university")
    game.enter("actions")

    events = game.do(1, c.RecruitFollower("university", "scholar"))

    assert detail(events, e.DevelopmentAdvanced).position == 30
    assert game.seat(1).development.value == 30
    assert game.seat(1).status() == 6


@pytest.mark.parametrize("place", ["scriptorium", "library", "shipping_line"])
def test_orleans_development_end_closes(place: str) -> None:
    """With this reading, actions that bring only development are closed at the end of the track."""
    game = OrleansGame(2, development_end="closes_actions").own(1, "library", "shipping_line")
    game.at(1, development=30).fill(1, place).enter("actions")
    assert game.legal(1) == [c.Pass()]
    game.reject(1, c.UsePlace(place), "orleans.development.end_closes", "TRACK_END")

    game.at(1, development=29)
    game.do(1, c.UsePlace(place))
    assert game.seat(1).development.value == 30


def test_orleans_development_end_closes__the_pharmacy_too() -> None:
    """At the end the Pharmacy is closed; one space before it, a seat may still pay for two points and loses one."""
    game = OrleansGame(2, development_end="closes_actions").own(1, "pharmacy").fill(1, "pharmacy")
    game.at(1, development=30).enter("actions")
    game.reject(1, c.BuyDevelopment("pharmacy", 1), "orleans.development.end_closes", "TRACK_END")

    game.at(1, development=29)
    game.do(1, c.BuyDevelopment("pharmacy", 2))
    assert (game.seat(1).development.value, game.seat(1).coins.value) == (30, 3)


def test_orleans_development_end_closes__not_actions_with_other_results() -> None:
    """The University moves a scholars marker, the Windmill brings coins, and the Brewery brings no development."""
    game = OrleansGame(2, development_end="closes_actions").own(1, "windmill", "brewery")
    for place in ("windmill", "brewery", "university"):
        game.fill(1, place)
    game.at(1, development=30).enter("actions")

    assert set(game.legal(1)) == {
        c.UsePlace("windmill"),
        c.UsePlace("brewery"),
        c.RecruitFollower("university", "scholar"),
        c.Pass(),
    }


def test_orleans_development_end__actions_remain_open() -> None:
    """At the end a point is lost, but its action stays possible (our ruling on p. 6)."""
    game = OrleansGame(2).bag(1).at(1, development=30, coins=0)

    assert step(game) is None
    assert game.seat(1).development.value == 30
    assert game.seat(1).bag.total() == 2


def test_orleans_development_coins_once() -> None:
    """With this reading a marker cannot step back from a coin space, so it cannot get its coins again (p. 6)."""
    for position in (7, 8, 12, 13, 25, 26):
        game = OrleansGame(2, torture_from_coin_space="closed").at(1, development=position, coins=0).goods(1, wool=3)
        game.strike("taxes", "A")

        assert game.decision(1) == "torture"
        assert c.SurrenderDevelopment() not in game.legal(1)


def test_orleans_development_coins_once__not_after_leaving_the_space() -> None:
    """If a marker may step back from a coin space, it gets no coins when it returns (our ruling on p. 6)."""
    game = OrleansGame(2, torture_from_coin_space="open").at(1, development=6, coins=0)
    assert advance(game, 1).coins == 3
    game.at(1, coins=0).goods(1, wool=2).strike("taxes", "A")
    game.do(1, c.SurrenderDevelopment(), c.SurrenderDevelopment())
    assert game.seat(1).development.value == 5

    assert advance(game, 4).coins == 0
    assert game.seat(1).coins.value == 0
    assert advance(game, 3).coins == 4


@pytest.mark.parametrize(("space", "coins"), COINS.items())
def test_orleans_development_coins_each_time(space: int, coins: int) -> None:
    """With this reading a marker that reaches or passes a coin space again gets its coins again (p. 6)."""
    for points in (2, 3):
        game = OrleansGame(2, coin_space_again="each_time").at(1, development=space - 1, coins=0)
        assert advance(game, 1).coins == coins
        game.at(1, coins=0).goods(1, wool=2).strike("taxes", "A")
        game.do(1, c.SurrenderDevelopment(), c.SurrenderDevelopment())
        assert game.seat(1).development.value == space - 2

        assert advance(game, points).coins == coins
        assert game.seat(1).coins.value == coins


def test_orleans_development_coins_each_time__leaving_pays_nothing() -> None:
    """Only moving forward pays: leaving the space, or stepping back over it, does not (p. 6)."""
    game = OrleansGame(2, coin_space_again="each_time").at(1, development=10, coins=0).goods(1, wool=2).bag(1)
    game.strike("taxes", "A")
    game.do(1, c.SurrenderDevelopment(), c.SurrenderDevelopment())

    assert advance(game, 2).coins == 0
    assert advance(game, 2).coins == 4
    assert advance(game, 2).coins == 0


@pytest.mark.parametrize("reading", ["once", "each_time"])
def test_orleans_development_citizens__not_again_after_steps_back(reading: str) -> None:
    """Stepping back over the space of a citizen and forward again brings no second citizen (p. 6)."""
    game = OrleansGame(2, coin_space_again=reading).at(1, development=2, coins=0).goods(1, wool=3)
    advance(game, 2)
    assert game.seat(1).citizens.total() == 1
    game.strike("taxes", "A")
    game.do(1, c.SurrenderDevelopment(), c.SurrenderDevelopment(), c.SurrenderDevelopment())
    assert game.seat(1).development.value == 1

    assert advance(game, 3).citizens == 0
    assert game.seat(1).citizens.total() == 1
