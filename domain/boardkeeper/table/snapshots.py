"""Snapshots: the state of a table in a few bytes, so that a game can be loaded without replaying its whole history.

A snapshot contains only values, in the order of the layout; the layout has the ids.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from boardkeeper.table.effects import Scalar
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Stack


class ZoneState(Struct, frozen=True, array_like=True, gc=False):
    """A zone's visibility, its number of random picks, and its contents (pile) or order (stack)."""

    visibility: str
    counter: int
    contents: dict[str, int] | tuple[str, ...]


class MarkerState(Struct, frozen=True, array_like=True, gc=False):
    """A marker's value and visibility."""

    value: Scalar
    visibility: str


class Snapshot(Struct, frozen=True, array_like=True):
    """The state of a table without its ids."""

    zones: tuple[ZoneState, ...]
    markers: tuple[MarkerState, ...]
    decisions: tuple[str, ...]


_encode = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(Snapshot)


def encode_snapshot(table: Table) -> bytes:
    """Return the encoded state of a table."""
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


def is_snapshot_of(snapshot: bytes, layout: TableLayout) -> bool:
    """Return whether bytes are a snapshot of a table with this layout."""
    try:
        state = _decoder.decode(snapshot)
    except msgspec.DecodeError:
        return False
    return (
        [isinstance(zone.contents, tuple) for zone in state.zones] == [zone.stack for zone in layout.zones]
        and [type(marker.value) for marker in state.markers] == [type(marker.value) for marker in layout.markers]
        and len(state.decisions) == layout.seats + 1
    )


def decode_snapshot(snapshot: bytes, layout: TableLayout) -> Table:
    """Return the table of a snapshot; raises ``ValueError`` if it has another layout."""
    state = _decoder.decode(snapshot)
    table = Table(layout)
    for zone, zone_state in zip(table.zones.values(), state.zones, strict=True):
        zone.visibility = zone_state.visibility
        zone.counter = zone_state.counter
        if isinstance(zone, Stack):
            zone.order = list(zone_state.contents)
        elif isinstance(zone_state.contents, dict):
            zone.set_contents(zone_state.contents)
    for marker, marker_state in zip(table.markers.values(), state.markers, strict=True):
        marker.value = marker_state.value
        marker.visibility = marker_state.visibility
    table.decisions = list(state.decisions)
    return table
