"""The title-neutral table of a viewer as a message."""

from __future__ import annotations

from boardkeeper.game.record import viewer_word
from boardkeeper.table.effects import Scalar
from boardkeeper.table.seen import SeenMarker, SeenTable, SeenZone
from boardkeeper.v1 import effect_pb2, table_pb2


def table_to_message(table: SeenTable) -> table_pb2.Table:
    """Return a table as a viewer sees it."""
    return table_pb2.Table(
        zones=map(zone_to_message, table.zones),
        markers=map(marker_to_message, table.markers),
        decisions=table.decisions,
        viewer=viewer_word(table.viewer),
    )


def zone_to_message(zone: SeenZone) -> table_pb2.Zone:
    """Return a zone as a viewer sees it."""
    return table_pb2.Zone(
        id=zone.id,
        visibility=zone.visibility,
        stack=zone.is_stack,
        seen=zone.is_seen,
        count=zone.count,
        contents=[table_pb2.Held(component=component, count=count) for component, count in zone.contents.items()],
        order=zone.order,
    )


def marker_to_message(marker: SeenMarker) -> table_pb2.Marker:
    """Return a marker as a viewer sees it."""
    return table_pb2.Marker(id=marker.id, visibility=marker.visibility, value=_scalar(marker.value))


def _scalar(value: Scalar | None) -> effect_pb2.Scalar | None:
    if value is None:
        return None
    return effect_pb2.Scalar(number=value) if isinstance(value, int) else effect_pb2.Scalar(word=value)
