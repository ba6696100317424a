"""Conversion of the title-neutral table to a message and back."""

from __future__ import annotations

from boardkeeper.table.effects import Scalar
from boardkeeper.table.visibility import parse_viewer, viewer_name
from boardkeeper.table.visible_table import VisibleMarker, VisibleTable, VisibleZone
from boardkeeper.titlekit.table_json import contents_of
from boardkeeper.v1 import effect_pb2, table_pb2


def table_to_message(table: VisibleTable) -> table_pb2.Table:
    """Return the message of a table."""
    return table_pb2.Table(
        zones=map(zone_to_message, table.zones),
        markers=map(marker_to_message, table.markers),
        decisions=table.decisions,
        viewer=viewer_name(table.viewer),
    )


def table_from_message(message: table_pb2.Table) -> VisibleTable:
    """Return the table of a message; raises :class:`boardkeeper.titlekit.title.PositionError` for an ambiguous zone."""
    return VisibleTable(
        parse_viewer(message.viewer),
        tuple(map(_zone, message.zones)),
        tuple(VisibleMarker(it.id, it.visibility, _value(it)) for it in message.markers),
        tuple(message.decisions),
    )


def _zone(zone: table_pb2.Zone) -> VisibleZone:
    return VisibleZone(
        zone.id,
        zone.visibility,
        zone.stack,
        zone.seen,
        zone.count if zone.HasField("count") else None,
        contents_of(zone.id, ((held.component, held.count) for held in zone.contents)),
        tuple(zone.order),
        zone.draws,
    )


def _value(marker: table_pb2.Marker) -> Scalar | None:
    kind = marker.value.WhichOneof("value")
    return None if kind is None else marker.value.number if kind == "number" else marker.value.word


def zone_to_message(zone: VisibleZone) -> table_pb2.Zone:
    """Return the message of a zone."""
    return table_pb2.Zone(
        id=zone.id,
        visibility=zone.visibility,
        stack=zone.is_stack,
        seen=zone.is_seen,
        count=zone.count,
        contents=[table_pb2.Held(component=component, count=count) for component, count in zone.contents.items()],
        order=zone.order,
        draws=zone.draws,
    )


def marker_to_message(marker: VisibleMarker) -> table_pb2.Marker:
    """Return the message of a marker."""
    return table_pb2.Marker(id=marker.id, visibility=marker.visibility, value=_scalar(marker.value))


def _scalar(value: Scalar | None) -> effect_pb2.Scalar | None:
    if value is None:
        return None
    return effect_pb2.Scalar(number=value) if isinstance(value, int) else effect_pb2.Scalar(word=value)
