"""A small table and random changes of it, for tests of the kernel."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from msgspec import Struct

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Effect, Event
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.recorder import Recorder
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Stack

LAYOUT = TableLayout(
    2,
    (
        ZoneSpec("box", "public", {"red": 5, "blue": 3, "green": 1}),
        ZoneSpec("bag.1", "seat.1"),
        ZoneSpec("bag.2", "seat.2", {"red": 2}),
        ZoneSpec("deck", "count", stack=True),
        ZoneSpec("discard", "public", stack=True),
    ),
    (MarkerSpec("coins"), MarkerSpec("phase", ""), MarkerSpec("plan", 0, "seat.1")),
)


class Happened(Struct, frozen=True):
    """An event detail without content."""

    step: int = 0


def create_recorder(key: bytes = b"key") -> Recorder:
    """Return a recorder of a new table of :data:`LAYOUT`."""
    return Recorder(Table(LAYOUT), Dice(key))


def changes(size: int = 30) -> st.SearchStrategy[list[tuple[Any, ...]]]:
    """Return a strategy of lists of changes for :func:`perform`."""
    zone = st.sampled_from([zone.id for zone in LAYOUT.zones])
    pile = st.sampled_from([zone.id for zone in LAYOUT.zones if not zone.stack])
    stack = st.sampled_from([zone.id for zone in LAYOUT.zones if zone.stack])
    subject = zone | st.sampled_from([marker.id for marker in LAYOUT.markers])
    component = st.sampled_from(["red", "blue", "green"])
    number = st.integers(1, 4)
    return st.lists(
        st.one_of(
            st.tuples(st.just("move"), component, zone, zone, number),
            st.tuples(st.just("set"), st.sampled_from(["coins", "plan"]), st.integers(-3, 3)),
            st.tuples(st.just("set"), st.just("phase"), st.sampled_from(["", "day", "night"])),
            st.tuples(st.just("ask"), st.integers(1, 2), st.sampled_from(["", "plan", "act"])),
            st.tuples(st.just("pick"), pile, number),
            st.tuples(st.just("draw"), pile, zone, number),
            st.tuples(st.just("shuffle"), stack),
            st.tuples(st.just("reveal"), subject, st.sampled_from(["public", "seat.1", "count", "nobody"])),
            st.tuples(st.just("emit"), st.integers(0, 2)),
        ),
        max_size=size,
    )


def perform(r: Recorder, change: tuple[Any, ...]) -> None:
    """Make a change, as far as the table allows it."""
    table = r.table
    match change:
        case ("move", component, source, target, count):
            zone = table.zones[source]
            if isinstance(zone, Stack):
                if zone.order:
                    r.move(zone.order[-1], zone, table.zones[target])
            elif component in zone.items:
                r.move(component, zone, table.zones[target], min(count, zone.items[component]))
        case ("set", marker, value):
            r.set(table.markers[marker], value)
        case ("ask", seat, decision):
            r.ask(seat, decision)
        case ("pick", id, count):
            r.pick(table.pile(id), min(count, table.zones[id].total()))
        case ("draw", id, target, count):
            r.draw(table.pile(id), table.zones[target], min(count, table.zones[id].total()))
        case ("shuffle", id):
            r.shuffle(table.stack(id))
        case ("reveal", id, visibility):
            r.reveal(table.zones[id] if id in table.zones else table.markers[id], visibility)
        case ("emit", seat):
            r.emit(seat, Happened())


def record(r: Recorder, changes: list[tuple[Any, ...]]) -> list[Event]:
    """Make changes and return their events; a last event ends them."""
    for change in changes:
        perform(r, change)
    r.emit(0, Happened())
    return r.take()


def all_effects(events: list[Event]) -> list[Effect]:
    """Return all effects of events, in order."""
    return [effect for event in events for effect in event.effects]
