"""A table as a layout, and what a viewer cannot know dealt anew."""

from __future__ import annotations

import msgspec
import pytest

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Ask, Draw, Move, Reveal, Set, Shuffle
from boardkeeper.table.forking import deal_anew, layout_of
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees

GROUP = ["pile", "hand.1", "hand.2", "deck"]


def played() -> Table:
    zones = (
        ZoneSpec("pile", "count", {"red": 6, "blue": 6}),
        ZoneSpec("hand.1", "seat.1", {"red": 1, "green": 1}),
        ZoneSpec("hand.2", "seat.2", {"blue": 3}),
        ZoneSpec("deck", "count", stack=True),
        ZoneSpec("elsewhere", "nobody", {"red": 2}),
    )
    table = Table(TableLayout(2, zones, (MarkerSpec("round", 1), MarkerSpec("word", "a", "nobody"))))
    moves = [Move(component, 1, "pile", "deck") for component in ("red", "blue", "red")]
    table.apply_all([Draw("pile", 0, ("red", "blue", "red")), *moves])
    table.apply_all([Shuffle("deck", 0, (), ("blue", "red", "red")), Set("round", 1, 4), Ask(2, "", "turn")])
    table.apply(Reveal("word", "nobody", "seat.2"))
    return table


def test_a_table_goes_through_its_layout_as_it_is() -> None:
    table = played()
    stored = msgspec.json.encode(layout_of(table))
    assert Table(msgspec.json.decode(stored, type=TableLayout)).contents() == table.contents()


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_what_is_dealt_anew_changes_nothing_that_the_viewer_knows(viewer: int) -> None:
    before = played()
    different = set()
    for key in range(20):
        table = played()
        deal_anew(table, viewer, [GROUP], Dice(bytes([key])))
        assert table.components() == before.components()
        for id, zone in table.zones.items():
            assert zone.total() == before.zones[id].total()
            if sees(before, zone, viewer) or id == "elsewhere":
                assert zone.counts() == before.zones[id].counts()
        assert layout_of(table).markers == layout_of(before).markers
        different.add(table.digest())
    assert len(different) > 10


def test_each_hidden_arrangement_is_as_likely_as_its_count() -> None:
    """Seat 1 sees one red of three cards; the hidden two are red or blue, half of the time each in the other hand."""
    layout = TableLayout(
        2,
        (
            ZoneSpec("hand.1", "seat.1", {"red": 1}),
            ZoneSpec("hand.2", "seat.2", {"red": 1}),
            ZoneSpec("box", "nobody", {"blue": 1}),
        ),
        (),
    )
    held = 0
    for key in range(400):
        table = Table(layout)
        deal_anew(table, 1, [["hand.1", "hand.2", "box"]], Dice(key.to_bytes(2, "big")))
        held += table.pile("hand.2").items.get("red", 0)
    assert 150 < held < 250
