"""Titles in one module: what :mod:`boardkeeper.titlekit.simple` derives, tested with the example title."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from liars_cards import TITLE, Bid, Doubt, LiarsCards
from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.table.forking import layout_of
from boardkeeper.table.layout import MarkerSpec, TableLayout
from boardkeeper.testkit import toy
from boardkeeper.titlekit.positions import problems
from boardkeeper.titlekit.scores import score_sheet
from boardkeeper.titlekit.simple import Material, Move, Seat, SimpleTable, SimpleTitle
from boardkeeper.titlekit.soundness import must
from boardkeeper.titlekit.title import PositionProblem, Setup

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


def test_a_layout_needs_an_edition_and_number_of_players_of_the_title() -> None:
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


def test_a_number_outside_its_range_is_a_problem_of_the_table() -> None:
    game = toy.ToyGame(TITLE, players=3).at(0, bidder=9)
    found = problems(TITLE, SETUP, layout_of(game.table))
    assert ["bidder" in problem.field or "bidder" in problem.message for problem in found] == [True]
    assert MarkerSpec("bidder", 9) in layout_of(game.table).markers


def test_missing_parts_of_a_title_are_reported() -> None:
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
    assert TITLE.exchangeable_zones(game.table, 1) == [["seat.2.hand", "seat.3.hand", "deck"]]
    assert TITLE.exchangeable_zones(game.table, -1) == []


def test_a_public_score_is_shown_during_the_game() -> None:
    game = toy.ToyGame(TITLE, players=2).at(1, cards=3)
    sheet = score_sheet(TITLE, Setup("standard", 2), game.table, 0)
    assert sheet is not None
    assert (sheet.totals, sheet.running) == ((3, 4), True)


def test_other_scores_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LiarsCards, "score_is_public", False)
    assert score_sheet(TITLE, Setup("standard", 2), toy.ToyGame(TITLE, players=2).table, 0) is None


# --- positions from other programs -----------------------------------------------------------------------------------


class Pick(Struct, frozen=True):
    """Take a stone."""


class StoneTaken(Struct, frozen=True):
    """{seat} takes a stone."""


class Collector(Seat):
    """A seat with its own number."""

    def __init__(self, m: Material, number: int) -> None:
        super().__init__(m, number)
        self.fame = m.number("fame")


class Stones(SimpleTable[Collector]):
    """A bag of stones, with a word for its colour."""

    seat_type = Collector

    def __init__(self, m: Material, setup: Setup) -> None:
        super().__init__(m, setup)
        self.bag = m.pile("bag", contents={"stone": 3, "crown": 1})
        self.taken = m.pile("taken")
        self.color = m.word("color", value="red")
        self.level = m.number("level", value=1)

    def set_up(self) -> None:
        """Give the first seat the turn."""
        self.emit(self.seats[0], StoneTaken())
        self.give_turn(self.seats[0])

    def points(self, seat: Collector) -> tuple[int, ...]:
        """Return the fame of a seat."""
        return (seat.fame.value,)


def pick(t: Stones, seat: Collector, command: Pick) -> None:
    """Take a stone."""
    t.move("stone", t.bag, t.taken, 1)
    t.emit(seat, StoneTaken())
    t.give_turn(t.next_seat(seat))


def crown_problems(t: Stones, layout: TableLayout) -> Iterator[PositionProblem]:
    """Yield a problem if the crown is not in the bag."""
    yield from must(t.taken, "not have the crown", is_so="crown" not in t.taken.counts())


STONES = SimpleTitle(
    "stones",
    Stones,
    en="Stones",
    players=(2, 2),
    moves=(Move(Pick, pick),),
    events=(StoneTaken,),
    ranges={"level": (1, 5)},
    words={"color": ("red", "blue")},
    problems=crown_problems,
)
TWO = Setup("standard", 2)


def find_problems(**changes: Any) -> list[tuple[str, str]]:
    """Return the problems of a table of stones with these markers and zones."""
    layout = STONES.layout(TWO)
    zones = tuple(replace(zone, contents=changes.get(zone.id, zone.contents)) for zone in layout.zones)
    markers = tuple(replace(marker, value=changes.get(marker.id, marker.value)) for marker in layout.markers)
    table = replace(layout, zones=zones, markers=markers, decisions=("turn", ""))
    return [(problem.field, problem.message) for problem in problems(STONES, TWO, table)]


def test_all_problems_of_a_table_are_reported_at_once() -> None:
    assert find_problems() == []
    assert find_problems(phase="lunch", color="green", level=9, bag={"stone": 3}, taken={"crown": 1}) == [
        ("markers[phase]", "cannot be 'lunch'"),
        ("markers[color]", "cannot be 'green'"),
        ("markers[level]", "must be 1 to 5, not 9"),
        ("zones[taken]", "must not have the crown"),
    ]
    assert find_problems(bag={"stone": 5, "gold": 1}) == [
        ("components[crown]", "must be 1 in total, not 0"),
        ("components[gold]", "must be 0 in total, not 1"),
        ("components[stone]", "must be 3 in total, not 5"),
    ]


def test_a_legal_command_that_fails_is_a_problem_of_the_table() -> None:
    ((field, message),) = find_problems(bag={"crown": 1}, taken={"stone": 3})
    assert field == ""
    assert message.startswith("makes the rules fail: Pick() of seat 1 raises ")


def test_a_layout_is_created_once() -> None:
    assert STONES.layout(TWO) is STONES.layout(Setup("standard", 2))
