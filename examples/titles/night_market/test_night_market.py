"""The tests of Night Market: those of every title, and the rules."""

from __future__ import annotations

from night_market import TITLE, Bid, Take

from boardkeeper.testkit import toy


class TestNightMarket(toy.TitleTests):
    """Random games, undo, records, hidden information and sentences."""

    title = TITLE


def test_the_highest_bid_takes_first_and_of_equal_bids_the_lower_seat() -> None:
    game = toy.ToyGame(TITLE, players=3)
    for seat, coin in enumerate(("coin_2", "coin_5", "coin_2"), 1):
        assert seat in game.deciding()
        game.do(seat, Bid(coin))
    for seat in (2, 1, 3):
        assert game.deciding() == [seat]
        ware = next(iter(game.t.stall.counts()))
        game.do(seat, Take(ware))
    assert game.deciding() == [1, 2, 3]
    game.reject(1, Bid("coin_2"), "night_market.bid.coins")


def test_a_bid_is_hidden_until_all_have_bid() -> None:
    game = toy.ToyGame(TITLE, players=2)
    game.do(1, Bid("coin_3"))
    assert TITLE.exchangeable_zones(game.t.table, 2) is None
    game.do(2, Bid("coin_1"))
    assert TITLE.exchangeable_zones(game.t.table, 2) == [["seat.1.wish", "wishes"]]
    game.reject(1, Take("gold"), "night_market.take.wares")


def test_wares_are_points_and_more_in_fashion_or_wished_for() -> None:
    game = toy.ToyGame(TITLE, players=2)
    seat = game.t.seats[0]
    game.exactly(seat.wares, tea=2, silk=1).exactly(seat.shown_wish, wish_silk=1)
    game.t.fashion.value = "tea"
    assert game.t.points(seat) == (3 + 2 + 2,)
