"""A table as one viewer may see it, in the words of the kernel: what he can begin to fold effects from.

It tells what :mod:`boardkeeper.table.visibility` lets him know, and in an order that follows from that alone: not from
the way that hidden components have taken.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.table.effects import Scalar
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import OPERATOR, PUBLIC, counts, sees
from boardkeeper.table.zones import AnyMarker, Stack, Zone


class SeenZone(Struct, frozen=True):
    """A zone: ``count`` is ``None`` where the viewer may not even count what lies there.

    If ``is_seen``, ``contents`` is component → count of a pile, by the ids of the components, or ``order`` what lies in
    a stack, bottom first; else both are empty. ``draws`` is the draw counter, in the view of the operator only: with it
    a table is a whole position.
    """

    id: str
    visibility: str
    is_stack: bool
    is_seen: bool
    count: int | None
    contents: dict[str, int] = {}
    order: tuple[str, ...] = ()
    draws: int = 0


class SeenMarker(Struct, frozen=True):
    """A marker: ``value`` is ``None`` where the viewer does not see it."""

    id: str
    visibility: str
    value: Scalar | None


class SeenTable(Struct, frozen=True):
    """Zones and markers in the order of the layout, and the open decisions of seats 1, 2, … (empty: none)."""

    viewer: int
    zones: tuple[SeenZone, ...]
    markers: tuple[SeenMarker, ...]
    decisions: tuple[str, ...]


def seen_table(table: Table, viewer: int) -> SeenTable:
    """What a viewer, as visibility counts them, may see of a table."""
    return SeenTable(
        viewer,
        tuple([_zone(table, zone, viewer) for zone in table.zones.values()]),
        tuple([_marker(table, marker, viewer) for marker in table.markers.values()]),
        tuple(table.decisions[1:]),
    )


def _zone(table: Table, zone: Zone, viewer: int) -> SeenZone:
    visibility = zone.visibility
    # Checked here as well, because most of several hundred zones and markers are public.
    if visibility != PUBLIC and not sees(table, zone, viewer):
        count = zone.total() if counts(table, zone, viewer) else None
        return SeenZone(zone.id, visibility, isinstance(zone, Stack), False, count)
    draws = zone.counter if viewer == OPERATOR else 0
    if isinstance(zone, Stack):
        return SeenZone(zone.id, visibility, True, True, len(zone.order), order=tuple(zone.order), draws=draws)
    items = zone.items
    if not items:
        return SeenZone(zone.id, visibility, False, True, 0, draws=draws)
    return SeenZone(zone.id, visibility, False, True, sum(items.values()), dict(sorted(items.items())), draws=draws)


def _marker(table: Table, marker: AnyMarker, viewer: int) -> SeenMarker:
    visibility = marker.visibility
    is_seen = visibility == PUBLIC or sees(table, marker, viewer)
    return SeenMarker(marker.id, visibility, marker.value if is_seen else None)
