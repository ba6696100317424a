"""The title-neutral table of a viewer as a message, and back."""

from __future__ import annotations

from boardkeeper.game.record import viewer_word
from boardkeeper.table.effects import Scalar
from boardkeeper.table.seen import SeenMarker, SeenTable, SeenZone
from boardkeeper.table.visibility import OPERATOR, SPECTATOR
from boardkeeper.v1 import effect_pb2, table_pb2

_VIEWERS = {viewer_word(viewer): viewer for viewer in (OPERATOR, SPECTATOR)}


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


def table_from_message(message: table_pb2.Table) -> SeenTable:
    """Return the table that the server sent to a viewer; raises ``ValueError`` for an unknown viewer."""
    word = message.viewer
    return SeenTable(
        _VIEWERS[word] if word in _VIEWERS else int(word.removeprefix("seat.")),
        tuple(map(_zone, message.zones)),
        tuple(map(_marker, message.markers)),
        tuple(message.decisions),
    )


def _zone(zone: table_pb2.Zone) -> SeenZone:
    return SeenZone(
        zone.id,
        zone.visibility,
        zone.stack,
        zone.seen,
        zone.count if zone.HasField("count") else None,
        {held.component: held.count for held in zone.contents},
        tuple(zone.order),
    )


def _marker(marker: table_pb2.Marker) -> SeenMarker:
    kind = marker.value.WhichOneof("value")
    return SeenMarker(marker.id, marker.visibility, getattr(marker.value, kind) if kind else None)
