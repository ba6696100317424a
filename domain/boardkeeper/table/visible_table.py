"""A table as a viewer may see it. The viewer can apply redacted effects to it.

The order of zones, markers and components does not depend on hidden information.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.table.effects import Scalar
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, PUBLIC, can_count, sees
from boardkeeper.table.zones import AnyMarker, Stack, Zone


class VisibleZone(Struct, frozen=True):
    """A zone as a viewer may see it.

    ``count`` is its number of components, ``None`` if the viewer may not know it. If ``is_seen``, ``contents`` has the
    components of a pile with their counts, sorted by id, and ``order`` those of a stack, bottom first; otherwise both
    are empty. ``draws`` is the draw counter, 0 for viewers other than the operator.
    """

    id: str
    visibility: str
    is_stack: bool
    is_seen: bool
    count: int | None
    contents: dict[str, int] = {}
    order: tuple[str, ...] = ()
    draws: int = 0


class VisibleMarker(Struct, frozen=True):
    """A marker as a viewer may see it; ``value`` is ``None`` if it is hidden from the viewer."""

    id: str
    visibility: str
    value: Scalar | None


class VisibleTable(Struct, frozen=True):
    """Zones and markers in the order of the layout, and the open decisions of seats 1, 2, … (empty: none).

    ``viewer`` is a seat, ``SPECTATOR`` or ``OPERATOR``.
    """

    viewer: int
    zones: tuple[VisibleZone, ...]
    markers: tuple[VisibleMarker, ...]
    decisions: tuple[str, ...]


def visible_table(table: Table, viewer: int) -> VisibleTable:
    """Return the table as a viewer may see it."""
    return VisibleTable(
        viewer,
        tuple([_zone(table, zone, viewer) for zone in table.zones.values()]),
        tuple([_marker(table, marker, viewer) for marker in table.markers.values()]),
        tuple(table.decisions[1:]),
    )


def _zone(table: Table, zone: Zone, viewer: int) -> VisibleZone:
    visibility = zone.visibility
    # Check for public zones first: most of several hundred are.
    if visibility != PUBLIC and not sees(table, zone, viewer):
        count = zone.total() if can_count(table, zone, viewer) else None
        return VisibleZone(zone.id, visibility, isinstance(zone, Stack), False, count)
    draws = zone.counter if viewer == OPERATOR else 0
    if isinstance(zone, Stack):
        return VisibleZone(zone.id, visibility, True, True, len(zone.order), order=tuple(zone.order), draws=draws)
    items = zone.items
    if not items:
        return VisibleZone(zone.id, visibility, False, True, 0, draws=draws)
    return VisibleZone(zone.id, visibility, False, True, sum(items.values()), dict(sorted(items.items())), draws=draws)


def _marker(table: Table, marker: AnyMarker, viewer: int) -> VisibleMarker:
    visibility = marker.visibility
    is_seen = visibility == PUBLIC or sees(table, marker, viewer)
    return VisibleMarker(marker.id, visibility, marker.value if is_seen else None)
