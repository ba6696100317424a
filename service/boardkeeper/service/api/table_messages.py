"""Tables as messages, with caches of encoded zones and markers, because most of them repeat."""

from __future__ import annotations

from functools import lru_cache

from boardkeeper.service.api.embedded_messages import EmbeddedField
from boardkeeper.table.visible_table import VisibleMarker, VisibleTable, VisibleZone
from boardkeeper.v1 import table_pb2
from boardkeeper.wire.convert import serialize
from boardkeeper.wire.tables import marker_to_message, table_to_message, zone_to_message

_MAX_CACHED = 8192
_MAX_CACHED_ENTRIES = 16
"""The maximum number of entries of a cached zone. Larger zones, such as bags, rarely repeat."""

_zone_field = EmbeddedField(table_pb2.Table, "zones")
_marker_field = EmbeddedField(table_pb2.Table, "markers")


def encode_table(table: VisibleTable) -> bytes:
    """Return a serialized ``boardkeeper.v1.Table``."""
    rest = table_to_message(VisibleTable(table.viewer, (), (), table.decisions))
    return b"".join((*map(_encode_zone, table.zones), *map(_encode_marker, table.markers), serialize(rest)))


def _encode_zone(zone: VisibleZone) -> bytes:
    if len(zone.contents) + len(zone.order) > _MAX_CACHED_ENTRIES:
        return _zone_field(serialize(zone_to_message(zone)))
    contents = tuple(zone.contents.items()) if zone.contents else ()
    return _encode_small_zone(
        zone.id, zone.visibility, zone.is_stack, zone.is_seen, zone.count, contents, zone.order, zone.draws
    )


@lru_cache(maxsize=_MAX_CACHED)
def _encode_small_zone(
    id: str,
    visibility: str,
    is_stack: bool,
    is_seen: bool,
    count: int | None,
    contents: tuple[tuple[str, int], ...],
    order: tuple[str, ...],
    draws: int,
) -> bytes:
    """Encode a zone from its fields, because a zone has a mapping and cannot be a key of the cache."""
    zone = VisibleZone(id, visibility, is_stack, is_seen, count, dict(contents), order, draws)
    return _zone_field(serialize(zone_to_message(zone)))


@lru_cache(maxsize=_MAX_CACHED)
def _encode_marker(marker: VisibleMarker) -> bytes:
    return _marker_field(serialize(marker_to_message(marker)))
