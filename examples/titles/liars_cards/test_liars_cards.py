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
    game.reject(2, Bid(count=0, value=6), "liars_cards.bid.bids")
    game.do(2, Bid(count=2, value=1))


def test_only_a_bid_can_be_doubted() -> None:
    toy.ToyGame(TITLE, players=2).reject(1, Doubt(), "liars_cards.doubt.follows_a_bid")


@pytest.mark.parametrize(("value", "cards"), [(6, [3, 4]), (1, [4, 3])])
def test_a_false_bid_costs_the_bidder_a_card_and_a_true_one_the_doubter(value: int, cards: list[int]) -> None:
    game = toy.ToyGame(TITLE, players=2).at(0, count=1, value=value, bidder=2)
    game.exactly(game.t.seats[0].hand, card_6=1, card_5=3).exactly(game.t.seats[1].hand, card_4=4)
    game.do(1, Doubt())
    assert [seat.cards.value for seat in game.t.seats] == cards
    assert [sum(game.counts(it).values()) for it in ("seat.1.hand", "seat.2.hand", "deck")] == [*cards, 29]
    assert game.deciding() == [cards.index(3) + 1]


def test_the_first_player_without_cards_ends_the_game() -> None:
    game = toy.ToyGame(TITLE, players=2).at(2, cards=1).at(0, count=1, value=1, bidder=2)
    game.exactly(game.t.seats[0].hand, card_6=4).exactly(game.t.seats[1].hand, card_6=1)
    game.do(1, Doubt())
    assert game.counts("shown") == {"card_6": 5}
    assert [(it.seat, it.points, it.rank) for it in game.play.standings()] == [(1, 4, 1), (2, 0, 2)]
