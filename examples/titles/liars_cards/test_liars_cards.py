"""The tests of Liar's Cards: those of every title, and the rules."""

from __future__ import annotations

import pytest
from liars_cards import TITLE, Bid, Doubt

from boardkeeper.testkit import toy


class TestLiarsCards(toy.TitleTests):
    """Random games, undo, records, hidden information and sentences."""

    title = TITLE


def test_a_bid_must_be_higher() -> None:
    game = toy.ToyGame(TITLE, players=3)
    game.do(1, Bid(count=1, value=5))
    game.reject(2, Bid(count=1, value=5), "liars_cards.bid.is_higher")
    game.reject(2, Bid(count=3, value=1), "liars_cards.bid.bids")
    game.do(2, Bid(count=2, value=1))


def test_only_a_bid_can_be_doubted() -> None:
    toy.ToyGame(TITLE, players=2).reject(1, Doubt(), "liars_cards.doubt.follows_a_bid")


@pytest.mark.parametrize(("value", "loser"), [(6, 2), (1, 1)])
def test_a_false_bid_costs_the_bidder_a_card_and_a_true_one_the_doubter(value: int, loser: int) -> None:
    game = toy.ToyGame(TITLE, players=2)
    for seat in game.t.seats:
        game.exactly(seat.hand, card_6=2, card_5=2)
    game.do(1, Bid(count=1, value=value))
    game.do(2, Doubt())
    assert [seat.cards.value for seat in game.t.seats] == [3 if number == loser else 4 for number in (1, 2)]
    assert game.deciding() == [loser]


def test_the_first_player_without_cards_ends_the_game() -> None:
    game = toy.ToyGame(TITLE, players=2).at(1, cards=1)
    game.exactly(game.t.seats[1].hand, card_6=4).exactly(game.t.seats[0].hand, card_6=1)
    game.do(1, Bid(count=1, value=1))
    game.do(2, Doubt())
    assert [(it.seat, it.points, it.rank) for it in game.play.standings()] == [(2, 4, 1), (1, 0, 2)]
