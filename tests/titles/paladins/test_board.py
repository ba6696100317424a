"""Prices on boards (as printed) and in offers (with the paladin of the round)."""

from __future__ import annotations

import pytest
from tests.titles.paladins.holdings import create_ready_game
from tests.titles.paladins.kit import PaladinsGame

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.data import NOTHING
from boardkeeper.titles.paladins.offers import ActionOffer

PRINTED = {
    "develop": (4, 0),
    "recruit": (0, 0),
    "hunt": (0, 0),
    "trade": (0, 0),
    "pray": (2, 0),
    "conspire": (0, 0),
    "commission": (0, 1),
    "fortify": (0, 1),
    "garrison": (0, 1),
    "absolve": (1, 0),
    "attack": (0, 0),
    "convert": (0, 0),
}
"""Silver and provisions that each action costs the first time; recruiting and attacking depend on the card's place."""


def prices(game: PaladinsGame) -> dict[str, tuple[int, int]]:
    """Return the prices of seat 1's board."""
    return {area.action: (area.silver, area.provisions) for area in game.board(1).seats[0].areas}


def create_game(id: str) -> PaladinsGame:
    """Create a game in which seat 1 can begin every action, with a paladin if one is named."""
    game = create_ready_game().many_workers()
    return game.paladin(1, id) if id else game


@pytest.mark.parametrize("paladin", ["", "ivon", "samson"])
def test_prices_of_a_board_are_the_printed_ones(paladin: str) -> None:
    game = create_game(paladin)
    assert prices(game) == PRINTED


def test_prices_of_a_board_are_for_the_next_time() -> None:
    game = create_ready_game()
    game.pieces(1, "monk", *list(game.t.space)[:4])
    for _ in range(2):
        game.t.move("jar", game.seat(1).jars, game.seat(1).jar_spaces["pray"])
    assert prices(game) == PRINTED | {"commission": (0, 2), "absolve": (2, 0)}


def test_an_action_without_pieces_left_has_no_price() -> None:
    game = create_ready_game()
    game.pieces(1, "monk", *list(game.t.space)[:7])
    assert prices(game) == PRINTED | {"commission": (0, 0)}


@pytest.mark.parametrize(
    ("paladin", "cheaper"),
    [("", {}), ("ivon", {"commission": (0, 0)}), ("samson", {"develop": (2, 0)})],
)
def test_prices_of_offers_include_the_paladin_of_the_round(paladin: str, cheaper: dict[str, tuple[int, int]]) -> None:
    game = create_game(paladin)
    offers = [game.play.offer(1, command) for command in game.legal(1) if isinstance(command, c.BeginAction)]
    offered = {offer.action: (offer.silver, offer.provisions) for offer in offers if isinstance(offer, ActionOffer)}
    assert offered == PRINTED | cheaper


def test_between_two_rounds_the_active_paladin_is_empty() -> None:
    """It has no id, no workers and no ability."""
    game = PaladinsGame(2)
    assert not game.seat(1).paladin.items
    assert game.board(1).seats[0].bonus == {}
    empty = game.seat(1).active_paladin()
    assert (empty.id, empty.workers, empty.bonus_action) == ("", (), "")
    assert empty.bonus == {"faith": 0, "strength": 0, "influence": 0}
    assert empty.bonus_gain == NOTHING
