"""Redacted tables contain only what the viewer may see."""

from __future__ import annotations

from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import HIDDEN, OPERATOR, SPECTATOR
from boardkeeper.table.visible_table import visible_table
from boardkeeper.titlekit.redaction import redact_into, redact_table, table_from_visible

LAYOUT = TableLayout(
    2,
    (
        ZoneSpec("open", contents={"b": 2, "a": 1}, counter=3),
        ZoneSpec("mine", "seat.1", {"a": 2, "c": 1}),
        ZoneSpec("secret", "secret.1", {"a": 1}),
        ZoneSpec("deck", "count", stack=True, order=("a", "b")),
        ZoneSpec("row", stack=True, order=("c", "a")),
        ZoneSpec("behind", "as:screen", {"c": 1}),
        ZoneSpec("empty", "nobody"),
    ),
    (
        MarkerSpec("round", 4),
        MarkerSpec("plan", "north", "seat.2"),
        MarkerSpec("bid", 9, "nobody"),
        MarkerSpec("screen", "up", "seat.2"),
    ),
    ("act", ""),
)


def test_a_seat_sees_its_own_zones_and_the_counts_of_others() -> None:
    redacted = redact_table(Table(LAYOUT), 1)
    zones = {id: zone.counts() for id, zone in redacted.zones.items()}
    assert zones == {
        "open": {"b": 2, "a": 1},
        "mine": {"a": 2, "c": 1},
        "secret": {"a": 1},
        "deck": {HIDDEN: 2},
        "row": {"c": 1, "a": 1},
        "behind": {HIDDEN: 1},
        "empty": {},
    }
    assert redacted.stack("row").order == ["c", "a"]
    assert {id: marker.value for id, marker in redacted.markers.items()} == {
        "round": 4, "plan": "", "bid": 0, "screen": "",
    }  # fmt: skip
    assert redacted.decisions == ["", "act", ""]
    assert not any(zone.counter for zone in redacted.zones.values())


def test_a_secret_zone_shows_other_viewers_no_count() -> None:
    redacted = redact_table(Table(LAYOUT), 2)
    assert redacted.zones["secret"].counts() == {}
    assert redacted.zones["mine"].counts() == {HIDDEN: 3}
    assert redacted.zones["behind"].counts() == {"c": 1}
    assert redacted.word("plan").value == "north"


def test_a_redacted_table_shares_nothing_with_its_source() -> None:
    table = Table(LAYOUT)
    before = table.contents()
    for viewer in (OPERATOR, SPECTATOR, 1, 2):
        redacted = redact_table(table, viewer)
        for zone in redacted.zones.values():
            zone.put("x", 1)
        redacted.pile("open").take("b", 2)
        redacted.number("round").value = 5
        redacted.decisions[1] = ""
    assert table.contents() == before


def test_redacting_into_a_table_replaces_all_its_contents() -> None:
    table, target = Table(LAYOUT), Table(LAYOUT)
    pile = target.pile("open")
    for viewer in (1, 2, SPECTATOR, OPERATOR, 1):
        redact_into(table, viewer, target)
        assert target.contents() == redact_table(table, viewer).contents()
        assert target.pile("open") is pile, "existing zone objects are reused"
        pile.set_contents({"z": 9})


def test_a_visible_table_gives_the_same_redacted_table() -> None:
    table = Table(LAYOUT)
    for viewer in (1, 2, SPECTATOR, OPERATOR):
        assert (
            table_from_visible(LAYOUT, visible_table(table, viewer)).contents()
            == redact_table(table, viewer).contents()
        )
