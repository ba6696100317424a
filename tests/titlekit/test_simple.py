"""Titles in one module: what :mod:`boardkeeper.titlekit.simple` derives, with the example as the title."""

from __future__ import annotations

import pytest
from liars_cards import TITLE, Bid, Doubt, LiarsCards
from msgspec import Struct

from boardkeeper.table.forking import layout_of
from boardkeeper.table.layout import MarkerSpec
from boardkeeper.table.positions import problems
from boardkeeper.table.scores import score_sheet
from boardkeeper.table.title import Setup
from boardkeeper.testkit import toy
from boardkeeper.titlekit.simple import Move, SimpleTitle

SETUP = Setup("standard", 3)


class Fold(Struct, frozen=True):
    pass


class Raised(Struct, frozen=True):
    """{seat} raises."""


def carry_out(t: object, seat: object, command: object) -> None:
    """Do nothing."""


def test_the_catalogue_entry_has_names_in_both_languages() -> None:
    meta = TITLE.meta
    assert (meta.text, meta.editions[0].players) == ({"en": "Liar's Cards", "de": "Lügenkarten"}, (2, 5))
    assert [bot.id for bot in meta.bots] == ["sensible", "random"]
    assert {it.id: it.in_box for it in TITLE.components(SETUP)} == {f"card_{value}": 6 for value in range(1, 7)}


def test_zones_and_markers_belong_to_seats_and_have_names() -> None:
    drawing = TITLE.drawing(SETUP)
    zones = {it.id: (it.text["de"], it.seat) for it in drawing.zones}
    assert zones["seat.2.hand"] == ("Hand", 2)
    assert zones["deck"] == ("Stapel", 0)
    assert [it.id for it in drawing.decisions] == ["turn"]


def test_layouts_are_for_the_players_of_the_title() -> None:
    assert TITLE.layout(SETUP).seats == 3
    for setup in (Setup("standard", 6), Setup("other", 3)):
        with pytest.raises(ValueError, match="for 2 to 5 players"):
            TITLE.layout(setup)


def test_rejections_name_the_rule_that_forbids_the_command() -> None:
    game = toy.ToyGame(TITLE, players=3)
    game.do(1, Bid(1, 5))
    game.reject(2, Bid(1, 1), "liars_cards.bid.is_higher", "NOT_ALLOWED")
    game.reject(2, Bid(1, 7), "liars_cards.bid.bids", "NOT_ALLOWED")
    game.reject(1, Doubt(), "table.not_deciding", "NOT_DECIDING")
    rejection = game.reject(2, Bid(1, 1), "liars_cards.bid.is_higher")
    rule = "A bid must be higher than the last one: more cards, or as many of a higher value."
    assert TITLE.explain("en", (), rejection) == rule
    assert TITLE.explain("de", (), rejection).startswith("Ein Gebot muss höher sein")


def test_numbers_outside_of_their_range_make_a_table_unsound() -> None:
    game = toy.ToyGame(TITLE, players=3).at(0, bidder=9)
    found = problems(TITLE, SETUP, layout_of(game.table))
    assert ["bidder" in problem.field or "bidder" in problem.message for problem in found] == [True]
    assert MarkerSpec("bidder", 9) in layout_of(game.table).markers


def test_what_an_author_forgets_is_said() -> None:
    with pytest.raises(ValueError, match="needs `options`"):
        Move(Bid, carry_out)
    with pytest.raises(ValueError, match="Fold needs a docstring"):
        SimpleTitle("fold", LiarsCards, en="Fold", players=(2, 2), moves=(Move(Fold, carry_out),), events=(Raised,))

    class Misspelt(Struct, frozen=True):
        """{seat} bids {amount}."""

    with pytest.raises(ValueError, match=r"the sentence of Misspelt has \{amount\}: use one of seat"):
        SimpleTitle("fold", LiarsCards, en="Fold", players=(2, 2), moves=(), events=(Misspelt,))

    def unexplained(t: object, seat: object, command: object) -> bool:
        return True

    moves = (Move(Doubt, carry_out, rules=[unexplained]),)
    with pytest.raises(ValueError, match=r"unexplained needs a docstring: the rule fold\.doubt\.unexplained"):
        SimpleTitle("fold", LiarsCards, en="Fold", players=(2, 2), moves=moves, events=(Raised,))


def test_a_fork_deals_the_hidden_zones_again() -> None:
    game = toy.ToyGame(TITLE, players=3)
    assert TITLE.unknown(game.table, 1) == [["seat.2.hand", "seat.3.hand", "deck"]]
    assert TITLE.unknown(game.table, -1) == []


def test_a_public_score_is_shown_during_the_game() -> None:
    game = toy.ToyGame(TITLE, players=2).at(1, cards=3)
    sheet = score_sheet(TITLE, Setup("standard", 2), game.table, 0)
    assert sheet is not None
    assert (sheet.totals, sheet.running) == ((3, 4), True)


def test_other_scores_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiarsCards, "score_is_public", False)
    assert score_sheet(TITLE, Setup("standard", 2), toy.ToyGame(TITLE, players=2).table, 0) is None
