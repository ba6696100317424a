"""The examples of the Capstone rulebook."""

from __future__ import annotations

from tests.titles.orleans.kit import OrleansGame, detail, named

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e
from boardkeeper.titles.orleans import scoring


def test_the_census_gives_blue_a_coin_and_takes_one_from_red() -> None:
    """Page 4: the leader on the farmers track gets a coin, the last seat pays one."""
    game = OrleansGame(4)
    for seat, farmers in enumerate((0, 5, 2, 2), 1):
        game.at(seat, farmers=farmers, coins=5)

    events = game.enter("census")

    assert detail(events, e.CensusHeld) == e.CensusHeld(leader=2, last=1)
    assert detail(events, e.CensusPaid) == e.CensusPaid(paid=1, missing=0)
    assert [game.seat(seat).coins.value for seat in (1, 2, 3, 4)] == [4, 6, 5, 5]


def test_knights_allow_four_six_six_and_eight_draws() -> None:
    """Page 4: four markers on the knights track allow 4, 6, 6 and 8 followers."""
    game = OrleansGame(4)
    for seat, knights in enumerate((0, 2, 2, 5), 1):
        game.at(seat, knights=knights).market(seat).bag(seat, farmer=3, boatman=2, monk=3)

    game.enter("followers")

    most = [max(x.count for x in game.legal(seat) if isinstance(x, c.DrawFollowers)) for seat in (1, 2, 3, 4)]
    assert most == [4, 6, 6, 8]


def test_two_of_six_draws_are_given_up_for_followers_on_action_spaces() -> None:
    """Page 8: a seat with six draws makes four and takes two followers back from action spaces."""
    game = OrleansGame(2)
    game.market(1).bag(1, farmer=8).at(1, knights=2).fill(1, "scriptorium", "knight", "scholar")
    game.enter("followers")

    events = game.do(1, c.DrawFollowers(4))
    assert detail(events, e.FollowersDrawn).followers == ("farmer",) * 4
    game.do(1, c.TakeBackFollower("scriptorium", "knight"), c.TakeBackFollower("scriptorium", "scholar"))

    assert game.seat(1).market.counts() == {"knight": 1, "scholar": 1, "farmer": 4}


def test_two_of_six_draws_are_given_up_first() -> None:
    """The example of the German rulebook: the seat takes two followers back and then makes four draws."""
    game = OrleansGame(2, "dlp-2014")
    game.market(1).bag(1, farmer=8).at(1, knights=2).fill(1, "scriptorium", "knight", "scholar")
    game.enter("followers")

    game.do(1, c.TakeBackFollower("scriptorium", "knight"), c.TakeBackFollower("scriptorium", "scholar"))
    assert c.DrawFollowers(5) not in game.legal(1)
    game.do(1, c.DrawFollowers(4))

    assert game.seat(1).market.counts() == {"knight": 1, "scholar": 1, "farmer": 4}


def test_five_stations_and_two_citizens_at_status_four_score_28() -> None:
    """Page 6: (5 + 2) × 4 = 28."""
    game = OrleansGame(3)
    game.stations(1, "orleans", "blois", "tours", "chinon", "nevers").citizens(1, 2)
    game.at(1, development=15, coins=0)

    sheet = scoring.sheet(game.t, game.seat(1))

    assert (sheet.stations, sheet.citizens, sheet.status, sheet.status_points) == (5, 2, 4, 28)
    assert sheet.total == 28


def test_one_follower_two_stations_and_two_development_points_replace_five_coins() -> None:
    """Page 6: five missing coins replaced by 1 follower, 2 trading stations and 2 development points."""
    game = OrleansGame(2)
    game.at(1, coins=0, development=6).goods(1, wool=5).bag(1, scholar=3).stations(1, "blois")
    game.turn(5, "taxes", "A")
    game.enter("event")
    assert game.decision(1) == "torture"

    game.do(1, c.SurrenderFollower(), c.SurrenderTradingStation(), c.SurrenderTradingStation("blois"))
    game.do(1, c.SurrenderDevelopment())
    events = game.do(1, c.SurrenderDevelopment())

    assert named(events, "DevelopmentSurrendered")[0].detail == e.DevelopmentSurrendered(4, 2, missing=0)
    assert game.seat(1).debt.value == 0
    assert game.seat(1).bag.total() == 2
    assert game.seat(1).stations.total() == 8
    assert game.seat(1).goods.counts() == {"wool": 5}
    assert game.t.removed.counts() == {"scholar": 1, "station.1": 2}
    assert game.decision(1) != "torture"
