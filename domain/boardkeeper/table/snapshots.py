"""Snapshots: what changes of a table, in a few bytes, to step on from without folding everything before it.

A snapshot belongs to a layout, which has the ids; it holds values only, in the layout's order. It is typed, so what
comes back is what went in: counts stay integers, words stay words.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from boardkeeper.table.effects import Scalar
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Stack


class ZoneState(Struct, frozen=True, array_like=True, gc=False):
    """Who sees into a zone, how often chance has picked from it, and a pile's counts or a stack's order."""

    visibility: str
    counter: int
    contents: dict[str, int] | tuple[str, ...]


class MarkerState(Struct, frozen=True, array_like=True, gc=False):
    """A marker's value and who sees it."""

    value: Scalar
    visibility: str


class Snapshot(Struct, frozen=True, array_like=True):
    """A whole table but for its ids."""

    zones: tuple[ZoneState, ...]
    markers: tuple[MarkerState, ...]
    decisions: tuple[str, ...]


_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(Snapshot)


def take(table: Table) -> bytes:
    """A snapshot of a table, encoded."""
    return _encode(
        Snapshot(
            tuple(
                ZoneState(zone.visibility, zone.counter, tuple(zone.order) if isinstance(zone, Stack) else zone.items)
                for zone in table.zones.values()
            ),
            tuple(MarkerState(marker.value, marker.visibility) for marker in table.markers.values()),
            tuple(table.decisions),
        )
    )


def fits(snapshot: bytes, layout: TableLayout) -> bool:
    """Whether it is a snapshot of a table with that layout."""
    try:
        state = _decoder.decode(snapshot)
    except msgspec.DecodeError:
        return False
    return (
        [isinstance(zone.contents, tuple) for zone in state.zones] == [zone.stack for zone in layout.zones]
        and [type(marker.value) for marker in state.markers] == [type(marker.value) for marker in layout.markers]
        and len(state.decisions) == layout.seats + 1
    )


def restore(snapshot: bytes, layout: TableLayout) -> Table:
    """Return the table of a snapshot. Raises ``ValueError`` if the snapshot has another layout."""
    state = _decoder.decode(snapshot)
    table = Table(layout)
    for zone, of_zone in zip(table.zones.values(), state.zones, strict=True):
        zone.visibility = of_zone.visibility
        zone.counter = of_zone.counter
        if isinstance(zone, Stack):
            zone.order = list(of_zone.contents)
        elif isinstance(of_zone.contents, dict):
            zone.hold(of_zone.contents)
    for marker, of_marker in zip(table.markers.values(), state.markers, strict=True):
        marker.value = of_marker.value
        marker.visibility = of_marker.visibility
    table.decisions = list(state.decisions)
    return table
