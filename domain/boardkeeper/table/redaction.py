"""Redacted tables: a copy of a table without anything that a viewer may not know.

Rules can be bound to it as to any other table. A hidden pile or stack has as many :data:`HIDDEN` components as the
viewer counts there, and a hidden marker has the zero value of its kind. Nothing says how often chance has picked from a
zone.
"""

from __future__ import annotations

from boardkeeper.table.layout import TableLayout
from boardkeeper.table.seen import SeenTable
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import HIDDEN, PUBLIC, counts, sees
from boardkeeper.table.zones import Number, Pile, Zone


def redact_table(table: Table, viewer: int) -> Table:
    """Return the table as a viewer may see it."""
    redacted = table.copy()
    redact_into(table, viewer, redacted)
    return redacted


def redact_into(table: Table, viewer: int, target: Table) -> None:
    """Make another table with the same ids what :func:`redact_table` returns; rules that are bound to it stay bound."""
    for zone, own in zip(table.zones.things, target.zones.things, strict=True):
        own.visibility = zone.visibility
        own.counter = 0
        if zone.visibility != PUBLIC and not sees(table, zone, viewer):
            _hide(own, zone.total() if counts(table, zone, viewer) else 0)
        elif isinstance(zone, Pile):
            items = zone.items
            own.items = items if len(items) < 2 else items.copy()  # type: ignore[union-attr]
        else:
            own.order = zone.order.copy()  # type: ignore[union-attr]
    for marker, own_marker in zip(table.markers.things, target.markers.things, strict=True):
        own_marker.visibility = marker.visibility
        if marker.visibility == PUBLIC or sees(table, marker, viewer):
            own_marker.value = marker.value
        else:
            own_marker.value = 0 if isinstance(marker, Number) else ""
    target.decisions[:] = table.decisions


def table_of(layout: TableLayout, seen: SeenTable) -> Table:
    """Return the same from what a viewer was shown of a table that was laid like this; raises ``KeyError``."""
    table = Table(layout)
    for zone in seen.zones:
        own = table.zones[zone.id]
        own.visibility = zone.visibility
        own.counter = 0
        if not zone.is_seen:
            _hide(own, zone.count or 0)
        elif isinstance(own, Pile):
            own.hold(zone.contents)
        else:
            own.order = list(zone.order)
    for marker in seen.markers:
        own_marker = table.markers[marker.id]
        own_marker.visibility = marker.visibility
        if marker.value is not None:
            own_marker.value = marker.value
        else:
            own_marker.value = 0 if isinstance(own_marker, Number) else ""
    table.decisions[1:] = seen.decisions
    return table


def _hide(zone: Zone, count: int) -> None:
    if isinstance(zone, Pile):
        zone.hold({HIDDEN: count} if count else {})
    else:
        zone.order = [HIDDEN] * count
