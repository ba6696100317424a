"""Followers of the own color: a seat never loses them."""

from __future__ import annotations

from tests.titles.orleans.kit import OrleansGame, detail, named

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e

OWN = ("own_farmer", "own_boatman", "own_craftsman", "own_trader")


def test_orleans_marked_followers_stay__deeds() -> None:
    """No own follower goes to a deed, neither from the Town Hall nor from the Gunpowder Tower (p. 5 and 8)."""
    game = OrleansGame(2)
    for follower in OWN:
        command = c.PlaceFollower(follower, "town_hall", "any")
        game.reject(1, command, "orleans.town_hall.no_own_followers")
    game.own(1, "gunpowder_tower").fill(1, "gunpowder_tower", "own_boatman", "own_trader").enter("actions")

    assert game.legal(1) == [c.Pass()]
    for space in ("any", "any_2"):
        sent = c.SendToDeed("gunpowder_tower", space, "canalization")
        game.reject(1, sent, "orleans.deeds.no_own_followers")


def test_orleans_marked_followers_stay__plague() -> None:
    """If the Plague draws an own follower, it returns to the bag and the seat loses no follower (p. 7 and 8)."""
    game = OrleansGame(2)
    game.bag(1, own_farmer=1, own_trader=1).bag(2).turn(5, "plague", "A")

    events = game.enter("event")

    struck = next(event for event in named(events, "PlagueStruck") if event.seat == 1)
    assert isinstance(struck.detail, e.PlagueStruck)
    assert struck.detail.follower in OWN
    assert not struck.detail.lost
    assert game.seat(1).bag.counts() == {"own_farmer": 1, "own_trader": 1}
    assert not any(follower in game.t.supply.items for follower in OWN)


def test_orleans_marked_followers_stay__torture() -> None:
    """Torture takes a neutral follower; own ones that are drawn before it return to the bag (p. 6 and 8)."""
    spared = 0
    for seed in "abcdef":
        game = OrleansGame(2, seed=seed)
        game.goods(1, wool=2).bag(1, own_farmer=1, own_boatman=1, own_trader=1, monk=1).at(1, coins=0)
        game.turn(5, "taxes", "A").enter("event")

        lost = detail(game.do(1, c.SurrenderFollower()), e.FollowerSurrendered)
        spared += lost.spared

        assert lost.follower == "monk"
        assert game.seat(1).bag.counts() == {"own_farmer": 1, "own_boatman": 1, "own_trader": 1}
        game.reject(1, c.SurrenderFollower(), "orleans.torture.neutral_follower_needed")
    assert spared > 0


def test_orleans_marked_followers_stay__lost_place_tile() -> None:
    """An own follower on a place tile that is lost by torture returns to the bag (p. 6 and 8)."""
    game = OrleansGame(2)
    game.own(1, "windmill").fill(1, "windmill", "own_craftsman", "craftsman").goods(1, wool=1).at(1, coins=0)
    game.bag(1).turn(5, "taxes", "A").enter("event")

    game.do(1, c.SurrenderPlaceTile("windmill"))

    assert game.seat(1).bag.counts() == {"own_craftsman": 1, "craftsman": 1}
    assert game.t.removed.counts() == {"windmill": 1}


def test_orleans_marked_followers_stay__used_ones_return() -> None:
    """A used own follower goes to the bag, never to the supply (p. 4 and 8)."""
    game = OrleansGame(2)
    game.fill(1, "castle", "own_farmer", "own_boatman", "own_trader").enter("actions")

    game.do(1, c.RecruitFollower("castle", "knight"))

    assert game.seat(1).bag.counts() == {"own_farmer": 1, "own_boatman": 1, "own_trader": 1, "knight": 1}
