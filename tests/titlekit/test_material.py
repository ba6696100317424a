"""The constructor of a table declares its material, and binds it."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import only
from boardkeeper.titlekit.binding import Material
from boardkeeper.titlekit.drawing import MarkerEntry, WordEntry, ZoneEntry
from boardkeeper.titlekit.material import Declaration, declare
from boardkeeper.titlekit.title import Component
from boardkeeper.titlekit.turn_flow import TurnFlow

CARD = Component("card", "card", {"en": "Card", "de": "Karte"}, {}, "rulebook")
CROWN = Component("crown", "piece", {"en": "Crown", "de": "Krone"}, {}, "rulebook")


class Seat(NamedTuple):
    number: int


class Row(TurnFlow[Seat]):
    """A deck, a row of cards, and a hand and points for each seat."""

    def __init__(self, m: Material, players: int) -> None:
        super().__init__(m, {}, "play", 1, marker="crown")
        self.deck = m.pile("deck", "deck", "Deck", "Stapel", component="card", count=7)
        self.row = [m.pile(f"row.{at}", "row", "Card {position}", "Karte {position}") for at in (1, 2)]
        self.hands = [
            m.seat(number).pile("hand", "hand", component="card", visibility=only(number))
            for number in range(1, players + 1)
        ]
        self.points = [m.seat(number).number("points", "track", "Points") for number in range(1, players + 1)]


def test_the_layout_is_in_the_order_of_the_declarations() -> None:
    assert declare("", lambda m: Row(m, 2)).layout == TableLayout(
        2,
        (
            *(ZoneSpec("deck", contents={"card": 7}), ZoneSpec("row.1"), ZoneSpec("row.2")),
            *(ZoneSpec("seat.1.hand", "seat.1"), ZoneSpec("seat.2.hand", "seat.2")),
        ),
        (
            *(MarkerSpec("phase", "play"), MarkerSpec("start_seat", 1)),
            *(MarkerSpec("seat.1.points"), MarkerSpec("seat.2.points")),
        ),
    )


def test_the_same_constructor_binds_a_table() -> None:
    table = Table(declare("", lambda m: Row(m, 2)).layout)
    row = Row(Material(table, Dice(b"key")), 2)
    assert row.hands[1] is table.zones["seat.2.hand"]
    assert row.points[0] is table.markers["seat.1.points"]
    assert row.phase.value == "play"
    assert row.deck.items == {"card": 7}


def test_entries_have_names_seats_and_places() -> None:
    drawing = declare("", lambda m: Row(m, 1)).drawing([CARD, CROWN])
    assert drawing.zones == (
        ZoneEntry("deck", {"en": "Deck", "de": "Stapel"}, 0, "deck", "card"),
        ZoneEntry("row.1", {"en": "Card 1", "de": "Karte 1"}, 0, "row", position=1),
        ZoneEntry("row.2", {"en": "Card 2", "de": "Karte 2"}, 0, "row", position=2),
        ZoneEntry("seat.1.hand", CARD.text, 1, "hand", "card"),
    )
    assert drawing.markers[1:] == (
        MarkerEntry("start_seat", {"en": "Start player", "de": "Startspieler"}, 0, "seat", "crown"),
        MarkerEntry("seat.1.points", {"en": "Points", "de": "Points"}, 1, "track"),
    )
    assert drawing.decisions == ()
    assert drawing.map is None


def test_an_entry_leaves_out_a_component_that_the_title_lacks() -> None:
    drawing = declare("", lambda m: Row(m, 1)).drawing([])
    assert {it.component for it in (*drawing.zones,)} | {it.component for it in drawing.markers} == {""}
    assert drawing.zones[3].text["en"] == "Hand"


def test_zones_with_a_symbol_or_an_order_have_positions_in_their_group() -> None:
    m = Declaration()
    for seat in (1, 2):
        for symbol in ("card", "crown"):
            m.seat(seat).pile(f"space.{symbol}", "space", "On: {symbol}", "Auf: {symbol}", symbol=symbol)
    for colour in ("red", "blue"):
        m.pile(colour, "row", ordered=True)
    zones = m.drawing([CARD, CROWN]).zones
    assert [zone.position for zone in zones] == [1, 2, 1, 2, 1, 2]
    assert zones[1].text == {"en": "On: Crown", "de": "Auf: Krone"}


def test_a_marker_can_have_the_components_of_some_kinds_as_words() -> None:
    m = Declaration()
    m.part("place.").word("now", "place", words_of=("card",))
    m.part("place.").number("used", "flag", zone="now")
    now, used = m.drawing([CARD, CROWN]).markers
    assert now.words == (WordEntry("card", CARD.text),)
    assert (used.id, used.zone) == ("place.used", "place.now")


def test_contents_can_be_counts_or_one_of_each() -> None:
    m = Declaration()
    m.pile("box", contents={"coin": 3}, one_each=("owl", "mole"))
    m.stack("discard", visibility="count")
    assert m.layout.zones == (
        ZoneSpec("box", contents={"coin": 3, "owl": 1, "mole": 1}),
        ZoneSpec("discard", "count", stack=True),
    )


def test_a_frozen_layout_has_its_own_order() -> None:
    m = Declaration("tests.titlekit.ordered")
    for id in ("new", "bag.2", "box", "bag.1"):
        m.pile(id)
    for id in ("hand", "bag", "box"):
        m.seat(1).pile(id)
    m.number("second")
    m.number("first")
    assert [zone.id for zone in m.layout.zones] == [
        *("box", "bag.2", "bag.1", "seat.1.bag", "seat.1.hand", "seat.1.box", "new")
    ]
    assert [marker.id for marker in m.layout.markers] == ["second", "first"], "without a frozen order"


def test_a_name_is_bound_only_as_its_declared_kind() -> None:
    m = Material(
        Table(TableLayout(1, (ZoneSpec("box"), ZoneSpec("deck", stack=True)), (MarkerSpec("round"),))), Dice(b"")
    )
    with pytest.raises(TypeError, match=r"^box is not a stack$"):
        m.stack("box")
    with pytest.raises(TypeError, match=r"^deck is not a pile$"):
        m.pile("deck")
    with pytest.raises(TypeError, match=r"^round is not a word$"):
        m.word("round")
    with pytest.raises(KeyError):
        m.number("rounds")
