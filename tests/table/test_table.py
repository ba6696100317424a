"""The contents of a table as plain values: the base of digests, forks and comparisons."""

from __future__ import annotations

import gc
import hashlib

import msgspec
import pytest
from tests.table.tables import LAYOUT

from boardkeeper.table import interning
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table

CONTENTS = {
    "zones": {
        "bag.1": ["seat.1", 0, []],
        "bag.2": ["seat.2", 0, [("red", 2)]],
        "box": ["public", 0, [("blue", 3), ("green", 1), ("red", 5)]],
        "deck": ["count", 0, []],
        "discard": ["public", 0, []],
    },
    "markers": {"coins": ["public", 0], "phase": ["public", ""], "plan": ["seat.1", 0]},
    "decisions": ["", "", ""],
}


def test_the_contents_of_a_table_are_its_zones_markers_and_decisions() -> None:
    assert Table(LAYOUT).contents() == CONTENTS


def test_the_digest_of_a_table_is_the_hash_of_its_contents_as_json() -> None:
    assert Table(LAYOUT).digest() == hashlib.sha256(msgspec.json.encode(CONTENTS)).hexdigest()


def test_a_table_begins_as_its_layout_says() -> None:
    """A position has draw counters, open decisions and ordered stacks."""
    layout = TableLayout(
        seats=2,
        zones=(
            ZoneSpec("bag", "seat.1", {"red": 2}, counter=7),
            ZoneSpec("deck", "count", stack=True, order=("blue", "red", "blue"), counter=3),
        ),
        markers=(MarkerSpec("coins", 5), MarkerSpec("phase", "day", "seat.2")),
        decisions=("plan", ""),
    )
    table = Table(layout)
    assert table.contents() == {
        "zones": {"bag": ["seat.1", 7, [("red", 2)]], "deck": ["count", 3, ["blue", "red", "blue"]]},
        "markers": {"coins": ["public", 5], "phase": ["seat.2", "day"]},
        "decisions": ["", "plan", ""],
    }
    assert table.deciding() == [1]
    assert table.components() == {"red": 3, "blue": 2}
    ids = {id: item.id for items in (table.zones, table.markers) for id, item in items.items()}
    assert ids == {id: id for id in ("bag", "deck", "coins", "phase")}


def test_a_stack_with_a_hidden_order_has_its_count_of_components() -> None:
    table = Table(TableLayout(1, (ZoneSpec("deck", "count", {"hidden": 2}, stack=True),), ()))
    assert table.stack("deck").order == ["hidden", "hidden"]


def test_the_subject_of_a_reveal_is_a_zone_or_a_marker() -> None:
    table = Table(LAYOUT)
    assert table.subject("deck") is table.zones["deck"]
    assert table.subject("plan") is table.markers["plan"]


def test_tables_of_one_layout_share_one_index_of_names() -> None:
    one, other = Table(LAYOUT), Table(LAYOUT)
    copy = one.copy()
    assert one.zones.index is other.zones.index is copy.zones.index
    assert one.markers.index is other.markers.index is copy.markers.index
    assert one.zones.get("box") is one.pile("box") is one.zones["box"]
    assert one.zones.get("nowhere") is None
    assert "box" in one.zones
    assert "nowhere" not in one.zones
    assert list(one.zones) == [zone.id for zone in one.zones.values()] == [zone.id for zone in LAYOUT.zones]
    assert len(one.zones) == len(LAYOUT.zones)
    with pytest.raises(KeyError, match="nowhere"):
        one.zones["nowhere"]


def test_the_last_of_two_specs_with_the_same_name_counts() -> None:
    """No title has such a layout, but an imported record may."""
    table = Table(
        TableLayout(
            1,
            (ZoneSpec("bag", "public", {"red": 2}), ZoneSpec("box"), ZoneSpec("bag", "seat.1")),
            (MarkerSpec("coins", 1), MarkerSpec("coins", 2)),
        )
    )
    assert table.contents() == {
        "zones": {"bag": ["seat.1", 0, []], "box": ["public", 0, []]},
        "markers": {"coins": ["public", 2]},
        "decisions": ["", ""],
    }
    assert [id for id, _ in table.zones.items()] == ["bag", "box"]


def test_the_index_of_a_layout_is_freed_with_its_last_table() -> None:
    """Otherwise a client could fill the memory by sending records with ever new layouts."""
    before = len(interning._indexes)
    tables = [Table(TableLayout(1, (ZoneSpec(f"odd.{number}"),), ())) for number in range(50)]
    assert len(interning._indexes) >= before + 50
    del tables
    gc.collect()
    assert len(interning._indexes) <= before + 1, "the index without markers may be new"
