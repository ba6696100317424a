"""What a board and an offer tell of prices: what is printed, and what this round's paladin makes of it."""

from __future__ import annotations

import pytest
from tests.titles.paladins.holdings import able
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
"""Silver and provisions that each action costs the first time; recruiting and attacking cost what their place does."""


def prices(game: PaladinsGame) -> dict[str, tuple[int, int]]:
    """What the board tells of the prices of seat 1."""
    return {area.action: (area.silver, area.provisions) for area in game.board(1).seats[0].areas}


def with_paladin(id: str) -> PaladinsGame:
    """A game in which seat 1 can begin everything, with that paladin if it is one."""
    game = able().many_workers()
    return game.paladin(1, id) if id else game


@pytest.mark.parametrize("paladin", ["", "ivon", "samson"])
def test_prices_of_a_board_are_those_that_are_printed(paladin: str) -> None:
    game = with_paladin(paladin)
    assert prices(game) == PRINTED


def test_prices_of_a_board_are_those_of_the_next_time() -> None:
    game = able()
    game.pieces(1, "monk", *list(game.t.space)[:4])
    for _ in range(2):
        game.t.move("jar", game.seat(1).jars, game.seat(1).jar_spaces["pray"])
    assert prices(game) == PRINTED | {"commission": (0, 2), "absolve": (2, 0)}


def test_what_cannot_be_done_again_has_no_price() -> None:
    game = able()
    game.pieces(1, "monk", *list(game.t.space)[:7])
    assert prices(game) == PRINTED | {"commission": (0, 0)}


@pytest.mark.parametrize(
    ("paladin", "cheaper"),
    [("", {}), ("ivon", {"commission": (0, 0)}), ("samson", {"develop": (2, 0)})],
)
def test_prices_of_offers_are_those_with_the_paladin_of_the_round(
    paladin: str, cheaper: dict[str, tuple[int, int]]
) -> None:
    game = with_paladin(paladin)
    offers = [game.play.offer(1, command) for command in game.legal(1) if isinstance(command, c.BeginAction)]
    told = {offer.action: (offer.silver, offer.provisions) for offer in offers if isinstance(offer, ActionOffer)}
    assert told == PRINTED | cheaper


def test_between_two_rounds_nobody_has_a_paladin_that_adds_anything() -> None:
    """Nor one that anything could be told of: it has no id, no workers and no ability."""
    game = PaladinsGame(2)
    assert not game.seat(1).paladin.items
    assert game.board(1).seats[0].bonus == {}
    nobody = game.seat(1).active_paladin()
    assert (nobody.id, nobody.workers, nobody.bonus_action) == ("", (), "")
    assert nobody.bonus == {"faith": 0, "strength": 0, "influence": 0}
    assert nobody.bonus_gain == NOTHING
