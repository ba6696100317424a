"""Phase 2: the census."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, detail, named

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e


def census(*farmers: int, coins: int = 5) -> tuple[e.CensusHeld, list[int]]:
    """Hold a census with these positions on the farmers track; return its event and the coins of all seats after it."""
    game = OrleansGame(len(farmers))
    for seat, position in enumerate(farmers, 1):
        game.at(seat, farmers=position, coins=coins)
    events = game.enter("census")
    return detail(events, e.CensusHeld), [seat.coins.value for seat in game.t.seats]


def test_orleans_census_leader() -> None:
    """A seat that leads alone gets one coin, by any distance (p. 4)."""
    assert census(1, 8, 1) == (e.CensusHeld(leader=2, last=0), [5, 6, 5])
    assert census(0, 0, 0, 0, 1) == (e.CensusHeld(leader=5, last=0), [5, 5, 5, 5, 6])


def test_orleans_census_leader__the_marker_counts() -> None:
    """The position on the track counts (p. 4), not the number of farmers."""
    game = OrleansGame(3)
    game.at(1, farmers=1).market(2, farmer=5).bag(3, farmer=5)

    assert detail(game.enter("census"), e.CensusHeld) == e.CensusHeld(leader=1, last=0)


def test_orleans_census_tied_leaders() -> None:
    """No seat gets the coin if several lead; the last seat still pays (p. 4)."""
    assert census(4, 4, 2, 1) == (e.CensusHeld(leader=0, last=4), [5, 5, 5, 4])
    assert census(3, 3) == (e.CensusHeld(leader=0, last=0), [5, 5])


def test_orleans_census_last() -> None:
    """A seat that is last alone pays exactly one coin (p. 4)."""
    assert census(2, 2, 0) == (e.CensusHeld(leader=0, last=3), [5, 5, 4])
    assert census(2, 8, 2, 1, 5) == (e.CensusHeld(leader=2, last=4), [5, 6, 5, 4, 5])


def test_orleans_census_tied_last() -> None:
    """No seat pays if several are last; the leader still gets the coin (p. 4)."""
    assert census(1, 3, 1) == (e.CensusHeld(leader=2, last=0), [5, 6, 5])
    assert census(2, 2, 2) == (e.CensusHeld(leader=0, last=0), [5, 5, 5])


@pytest.mark.parametrize("coins", [0, 5])
def test_orleans_census_two_players(coins: int) -> None:
    """With two players the leader gets a coin, but the other one pays nothing, not even by torture (p. 4)."""
    assert census(1, 0, coins=coins) == (e.CensusHeld(leader=1, last=0), [coins + 1, coins])


def test_orleans_census_torture() -> None:
    """A seat that cannot pay the coin is tortured for it before the seats draw (p. 4 and 6)."""
    game = OrleansGame(3)
    game.at(1, farmers=2).at(2, farmers=1).at(3, coins=0).goods(3, wool=2)
    for seat in (1, 2, 3):
        game.market(seat).bag(seat, farmer=4)

    events = game.enter("census")

    assert detail(events, e.CensusPaid) == e.CensusPaid(paid=0, missing=1)
    assert game.seat(1).coins.value == 6
    assert (game.deciding(), game.decision(3)) == ([3], "torture")
    assert not named(events, "PhaseBegun")

    game.do(3, c.SurrenderGood("wool"))

    assert game.seat(3).goods.counts() == {"wool": 1}
    assert [game.decision(seat) for seat in (1, 2, 3)] == ["draw"] * 3


def test_orleans_census_torture__not_with_a_coin() -> None:
    """A seat that has a coin pays it and cannot choose torture (p. 6)."""
    game = OrleansGame(3)
    game.at(1, farmers=1).at(2, farmers=1).at(3, coins=1).goods(3, wool=2)

    assert detail(game.enter("census"), e.CensusPaid) == e.CensusPaid(paid=1, missing=0)
    assert game.seat(3).coins.value == 0
    assert game.decision(3) != "torture"
