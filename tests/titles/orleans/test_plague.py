"""Plague: each bag loses a follower."""

from __future__ import annotations

from tests.titles.orleans.kit import OrleansGame, details

from boardkeeper.titles.orleans import events as e

SEEDS = [f"seed {number}" for number in range(24)]


def test_orleans_plague_lost() -> None:
    """Page 7: each bag loses one neutral follower, which returns to the supply."""
    game = OrleansGame(3)
    game.bag(1, scholar=3).bag(2, knight=1).bag(3, monk=2)
    supply = game.t.supply.counts()

    events = game.strike("plague", "C")

    assert game.seat(1).bag.counts() == {"scholar": 2}
    assert game.seat(2).bag.counts() == {}
    assert game.seat(3).bag.counts() == {"monk": 1}
    lost = {"scholar": 1, "knight": 1, "monk": 1}
    assert game.t.supply.counts() == {kind: count + lost.get(kind, 0) for kind, count in supply.items()}
    assert game.t.removed.counts() == {}
    assert details(events, e.PlagueStruck) == {
        seat: e.PlagueStruck(follower, lost=True) for seat, follower in ((1, "scholar"), (2, "knight"), (3, "monk"))
    }


def test_orleans_plague_lost__at_random() -> None:
    """Page 7: the draw is blind, so the bag may lose any of its followers."""
    lost = set()
    for seed in SEEDS:
        game = OrleansGame(2, seed=seed).bag(1, farmer=1, monk=1, knight=1)
        lost.add(details(game.strike("plague"), e.PlagueStruck)[1].follower)
    assert lost == {"farmer", "monk", "knight"}


def test_orleans_plague_lost__only_from_the_bag() -> None:
    """Page 7: followers on the market and on action spaces are not lost."""
    game = OrleansGame(2).bag(1).market(1, scholar=2).fill(1, "ship")
    game.strike("plague")
    assert game.seat(1).market.counts() == {"scholar": 2}
    assert [space.occupant() for space in game.seat(1).estate().places["ship"].spaces] == [
        "farmer",
        "boatman",
        "knight",
    ]


def test_orleans_plague_track_stays() -> None:
    """Page 7: the marker on the track of the lost follower stays."""
    game = OrleansGame(2).bag(1, knight=1).at(1, knights=1).bag(2, scholar=1).at(2, scholars=3, development=9)
    game.strike("plague")
    assert game.seat(1).bag.counts() == game.seat(2).bag.counts() == {}
    assert game.seat(1).track["knights"].value == 1
    assert game.seat(2).track["scholars"].value == 3
    assert game.seat(2).development.value == 9


def test_orleans_plague_own_followers_spared() -> None:
    """Page 7: an own follower that is drawn returns to the bag, and no other is drawn instead."""
    spared = 0
    for seed in SEEDS:
        game = OrleansGame(2, seed=seed).bag(1, own_farmer=1, own_trader=1, scholar=2)
        struck = details(game.strike("plague"), e.PlagueStruck)[1]
        assert struck.lost == (struck.follower == "scholar")
        assert game.seat(1).bag.total() == (3 if struck.lost else 4)
        assert game.seat(1).bag.items["own_farmer"] == game.seat(1).bag.items["own_trader"] == 1
        spared += not struck.lost
    assert 0 < spared < len(SEEDS)


def test_orleans_plague_empty_bag() -> None:
    """Our ruling: an empty bag loses nothing, and the event continues with the next seat."""
    game = OrleansGame(2).bag(1).bag(2, monk=1)
    events = game.strike("plague")
    assert details(events, e.PlagueStruck) == {1: e.PlagueStruck("", lost=False), 2: e.PlagueStruck("monk", lost=True)}
    assert game.seat(1).debt.value == 0
