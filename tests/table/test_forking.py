"""Layouts of tables, and dealing hidden components again for a fork."""

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


def create_played_table() -> Table:
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


def test_the_layout_of_a_table_gives_the_same_table() -> None:
    table = create_played_table()
    stored = msgspec.json.encode(layout_of(table))
    assert Table(msgspec.json.decode(stored, type=TableLayout)).contents() == table.contents()


@pytest.mark.parametrize("viewer", [0, 1, 2])
def test_dealing_again_changes_nothing_that_the_viewer_sees(viewer: int) -> None:
    before = create_played_table()
    different = set()
    for key in range(20):
        table = create_played_table()
        redeal_hidden(table, viewer, [GROUP], Dice(bytes([key])))
        assert table.components() == before.components()
        for id, zone in table.zones.items():
            assert zone.total() == before.zones[id].total()
            if sees(before, zone, viewer) or id == "elsewhere":  # this zone is in no group
                assert zone.counts() == before.zones[id].counts()
        assert layout_of(table).markers == layout_of(before).markers
        different.add(table.digest())
    assert len(different) > 10


def test_each_hidden_arrangement_is_as_likely_as_its_count() -> None:
    """Seat 1 sees one red card. One of the two hidden cards is red: half of the time it is in the hand of seat 2."""
    layout = TableLayout(
        2,
        (
            ZoneSpec("hand.1", "seat.1", {"red": 1}),
            ZoneSpec("hand.2", "seat.2", {"red": 1}),
            ZoneSpec("box", "nobody", {"blue": 1}),
        ),
        (),
    )
    in_hand = 0
    for key in range(400):
        table = Table(layout)
        redeal_hidden(table, 1, [["hand.1", "hand.2", "box"]], Dice(key.to_bytes(2, "big")))
        in_hand += table.pile("hand.2").items.get("red", 0)
    assert 150 < in_hand < 250


@pytest.mark.parametrize("word", ["nobody", "count", "seat.2", "secret.2", "seats.2.3", "as:screen"])
def test_hidden_markers_prevent_dealing_for_every_visibility(word: str) -> None:
    """The fork would keep the marker's value from the old game, but after dealing it could be wrong."""
    zones = (ZoneSpec("hand.2", word, {"red": 1}), ZoneSpec("box", "nobody", {"blue": 1}))
    markers = (MarkerSpec("hand.2.since", 3, word), MarkerSpec("round", 1), MarkerSpec("screen", "", "seats.2.3"))
    table = Table(TableLayout(3, zones, markers))
    before = table.contents()
    hidden = ["hand.2.since", "screen"]
    assert hidden_markers(table, 1) == hidden
    with pytest.raises(HiddenMarkersError, match=r"hand\.2\.since, screen") as raised:
        redeal_hidden(table, 1, [["hand.2", "box"]], Dice(b"x"))
    assert raised.value.markers == tuple(hidden)
    assert table.contents() == before
    assert not hidden_markers(table, OPERATOR)
    assert ("hand.2.since" in hidden_markers(table, 2)) == (word in ("nobody", "count"))


def test_dealing_is_possible_for_a_viewer_who_sees_every_marker() -> None:
    zones = (ZoneSpec("hand.2", "seat.2", {"red": 1}), ZoneSpec("box", "nobody", {"blue": 1}))
    table = Table(TableLayout(3, zones, (MarkerSpec("note", 3, "seats.1.2"),)))
    redeal_hidden(table, 1, [["hand.2", "box"]], Dice(b"x"))
    with pytest.raises(HiddenMarkersError):
        redeal_hidden(table, 3, [["hand.2", "box"]], Dice(b"x"))


def test_each_group_has_its_own_dice_stream_and_zones_seen_behind_a_screen_stay() -> None:
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
