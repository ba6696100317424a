"""A table as a layout, and what a viewer cannot know dealt anew."""

from __future__ import annotations

import msgspec
import pytest

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Ask, Draw, Move, Reveal, Set, Shuffle
from boardkeeper.table.forking import HiddenMarkersError, hidden_markers, layout_of, redeal_hidden
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, sees

GROUP = ["pile", "hand.1", "hand.2", "deck"]


def played() -> Table:
    zones = (
        ZoneSpec("pile", "count", {"red": 6, "blue": 6}),
        ZoneSpec("hand.1", "seat.1", {"red": 1, "green": 1}),
        ZoneSpec("hand.2", "seat.2", {"blue": 3}),
        ZoneSpec("deck", "count", stack=True),
        ZoneSpec("elsewhere", "nobody", {"red": 2}),
    )
    table = Table(TableLayout(2, zones, (MarkerSpec("round", 1), MarkerSpec("word", "a"))))
    moves = [Move(component, 1, "pile", "deck") for component in ("red", "blue", "red")]
    table.apply_all([Draw("pile", 0, ("red", "blue", "red")), *moves])
    table.apply_all([Shuffle("deck", 0, (), ("blue", "red", "red")), Set("round", 1, 4), Ask(2, "", "turn")])
    table.apply(Reveal("elsewhere", "nobody", "seats.1.2"))
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
        redeal_hidden(table, viewer, [GROUP], Dice(bytes([key])))
        assert table.components() == before.components()
        for id, zone in table.zones.items():
            assert zone.total() == before.zones[id].total()
            if sees(before, zone, viewer) or id == "elsewhere":  # that is in no group
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
        redeal_hidden(table, 1, [["hand.1", "hand.2", "box"]], Dice(key.to_bytes(2, "big")))
        held += table.pile("hand.2").items.get("red", 0)
    assert 150 < held < 250


@pytest.mark.parametrize("word", ["nobody", "count", "seat.2", "secret.2", "seats.2.3", "as:screen"])
def test_nothing_is_dealt_where_a_marker_is_hidden_whatever_zone_lies_beside_it(word: str) -> None:
    """Its value would be the old game's: known to whoever forks, and no longer true beside what is dealt anew."""
    zones = (ZoneSpec("hand.2", word, {"red": 1}), ZoneSpec("box", "nobody", {"blue": 1}))
    markers = (MarkerSpec("hand.2.since", 3, word), MarkerSpec("round", 1), MarkerSpec("screen", "", "seats.2.3"))
    table = Table(TableLayout(3, zones, markers))
    before = table.contents()
    hidden = ["hand.2.since", "screen"]
    assert hidden_markers(table, 1) == hidden
    with pytest.raises(HiddenMarkersError, match=r"hand\.2\.since, screen") as refused:
        redeal_hidden(table, 1, [["hand.2", "box"]], Dice(b"x"))
    assert refused.value.markers == tuple(hidden)
    assert table.contents() == before
    assert not hidden_markers(table, OPERATOR)
    assert ("hand.2.since" in hidden_markers(table, 2)) == (word in ("nobody", "count"))


def test_who_sees_every_marker_is_dealt_to() -> None:
    zones = (ZoneSpec("hand.2", "seat.2", {"red": 1}), ZoneSpec("box", "nobody", {"blue": 1}))
    table = Table(TableLayout(3, zones, (MarkerSpec("note", 3, "seats.1.2"),)))
    redeal_hidden(table, 1, [["hand.2", "box"]], Dice(b"x"))
    with pytest.raises(HiddenMarkersError):
        redeal_hidden(table, 3, [["hand.2", "box"]], Dice(b"x"))


def test_each_group_is_dealt_from_a_stream_of_its_own_and_what_is_seen_behind_a_screen_stays() -> None:
    cards = {"blue": 2, "green": 2, "red": 2}
    zones = (
        ZoneSpec("hand.2", "seat.2", cards),
        ZoneSpec("hand.3", "seat.3", cards),
        ZoneSpec("deck.2", "nobody", {}, stack=True, order=("red", "blue", "green")),
        ZoneSpec("deck.3", "nobody", {}, stack=True, order=("red", "blue", "green")),
        ZoneSpec("behind", "as:screen", {"red": 1}),
    )
    table = Table(TableLayout(3, zones, (MarkerSpec("screen", "", "seats.1.2"),)))
    dice = Dice(b"key")
    redeal_hidden(table, 1, [["behind", "deck.2"], ["deck.3"]], dice)
    assert table.zones["behind"].counts() == {"red": 1}
    pool = ["blue", "green", "red"]
    assert table.stack("deck.2").order == dice.shuffled("fork:behind", 0, pool)
    assert table.stack("deck.3").order == dice.shuffled("fork:deck.3", 0, pool)
    assert table.zones["hand.2"].counts() == table.zones["hand.3"].counts() == cards
