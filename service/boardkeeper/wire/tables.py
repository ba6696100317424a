"""The title-neutral table of a viewer on its way to clients."""

from __future__ import annotations

from boardkeeper.game.record import viewer_word
from boardkeeper.table.effects import Scalar
from boardkeeper.table.seen import SeenMarker, SeenTable, SeenZone
from boardkeeper.v1 import effect_pb2, table_pb2


def table_to_message(table: SeenTable) -> table_pb2.Table:
    """A table as a viewer sees it, as a message."""
    return table_pb2.Table(
        zones=map(_zone, table.zones),
        markers=map(_marker, table.markers),
        decisions=table.decisions,
        viewer=viewer_word(table.viewer),
    )


def _zone(zone: SeenZone) -> table_pb2.Zone:
    return table_pb2.Zone(
        id=zone.id,
        visibility=zone.visibility,
        stack=zone.is_stack,
        seen=zone.is_seen,
        count=zone.count,
        contents=[table_pb2.Held(component=component, count=count) for component, count in zone.contents.items()],
        order=zone.order,
    )


def _marker(marker: SeenMarker) -> table_pb2.Marker:
    return table_pb2.Marker(id=marker.id, visibility=marker.visibility, value=_scalar(marker.value))


def _scalar(value: Scalar | None) -> effect_pb2.Scalar | None:
    if value is None:
        return None
    return effect_pb2.Scalar(number=value) if isinstance(value, int) else effect_pb2.Scalar(word=value)
