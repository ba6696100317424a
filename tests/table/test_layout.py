"""Tables are created from layouts."""

from __future__ import annotations

import msgspec
import pytest
from tests.table.tables import LAYOUT

from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table


def test_a_table_begins_as_its_layout_says() -> None:
    table = Table(LAYOUT)
    assert table.pile("box").counts() == {"red": 5, "blue": 3, "green": 1}
    assert table.stack("deck").order == []
    assert table.number("coins").value == 0
    assert table.word("phase").value == ""
    assert table.zones["bag.1"].visibility == "seat.1"
    assert table.markers["plan"].visibility == "seat.1"
    assert [zone.counter for zone in table.zones.values()] == [0] * 5
    assert table.deciding() == []
    assert table.decisions == ["", "", ""]


def test_tables_of_one_layout_share_nothing() -> None:
    one, other = Table(LAYOUT), Table(LAYOUT)
    one.pile("box").put("red", 1)
    assert other.pile("box").items["red"] == 5
    assert LAYOUT.zones[0].contents["red"] == 5


def test_a_name_is_bound_only_as_its_kind() -> None:
    table = Table(LAYOUT)
    with pytest.raises(TypeError, match="deck is no pile"):
        table.pile("deck")
    with pytest.raises(TypeError, match="box is no stack"):
        table.stack("box")
    with pytest.raises(TypeError, match="phase is no number"):
        table.number("phase")
    with pytest.raises(TypeError, match="coins is no word"):
        table.word("coins")
    for bind in (table.pile, table.stack, table.number, table.word):
        with pytest.raises(KeyError):
            bind("nothing")


def test_a_layout_survives_encoding() -> None:
    """``GameCreated`` stores the layout, so a history can be replayed without the title's rules."""
    assert msgspec.json.decode(msgspec.json.encode(LAYOUT), type=TableLayout) == LAYOUT
    assert Table(msgspec.json.decode(msgspec.json.encode(LAYOUT), type=TableLayout)).digest() == Table(LAYOUT).digest()


def test_missing_fields_of_a_layout_have_defaults() -> None:
    """Stored layouts stay readable when a spec gets a new last field."""
    data = b'{"seats":1,"zones":[["box"]],"markers":[["coins"]]}'
    assert msgspec.json.decode(data, type=TableLayout) == TableLayout(1, (ZoneSpec("box"),), (MarkerSpec("coins"),))


def test_deciding_lists_the_seats_with_an_open_decision() -> None:
    table = Table(TableLayout(3, (), ()))
    table.decisions[3] = table.decisions[1] = "act"
    assert table.deciding() == [1, 3]


def test_components_are_counted_in_every_zone() -> None:
    table = Table(LAYOUT)
    table.stack("deck").put("red", 2)
    assert table.components() == {"red": 9, "blue": 3, "green": 1}
