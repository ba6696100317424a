"""A table with the catalogue entries of its zones and markers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from boardkeeper.terminal.drawing.viewpoint import Viewpoint
from boardkeeper.v1 import catalog_pb2, effect_pb2, table_pb2

SPACE = "space"
PILES = frozenset({"deck", "discard", "supply", "box", "removed"})
HIDDEN_MARKERS = frozenset({"internal", "screen"})


@dataclass(frozen=True)
class PlacedZone:
    """A zone with its entry in the catalogue."""

    entry: catalog_pb2.ZoneEntry
    zone: table_pb2.Zone

    @cached_property
    def counts(self) -> Counter[str]:
        """The visible components with their numbers."""
        counts = Counter(self.zone.order)
        for held in self.zone.contents:
            counts[held.component] += held.count
        return counts

    @property
    def count(self) -> str:
        """The number of components; "?" if it is hidden from the viewer."""
        return str(self.zone.count) if self.zone.HasField("count") else "?"

    @property
    def is_empty(self) -> bool:
        """Return whether the viewer knows that the zone is empty."""
        return self.zone.HasField("count") and self.zone.count == 0


@dataclass(frozen=True)
class PlacedMarker:
    """A marker with its entry in the catalogue, and its value (empty: hidden from the viewer)."""

    entry: catalog_pb2.MarkerEntry
    value: str

    @property
    def is_set(self) -> bool:
        """Return whether the value is not 0 and not empty."""
        return self.value not in ("", "0")


class Board:
    """The table that a viewer sees."""

    def __init__(self, table: table_pb2.Table, viewpoint: Viewpoint) -> None:
        self.viewpoint = viewpoint
        self.table = table
        self.all_zones = [PlacedZone(_entry(zone.id, viewpoint), zone) for zone in table.zones]
        self.by_id = {it.entry.id: it for it in self.all_zones}
        self._markers = [
            PlacedMarker(viewpoint.markers[it.id], scalar_text(it.value))
            for it in table.markers
            if it.id in viewpoint.markers
        ]

    @property
    def seats(self) -> Sequence[int]:
        """The seats, the viewer's first."""
        numbers = range(1, len(self.table.decisions) + 1)
        return sorted(numbers, key=lambda seat: (seat != self.viewpoint.viewer, seat))

    def markers(self, seat: int, *kinds: str) -> Iterator[PlacedMarker]:
        """Yield the markers of a seat (0: of the table) of these kinds, or of all kinds that are drawn."""
        for marker in self._markers:
            if marker.entry.seat == seat and (
                marker.entry.kind in kinds if kinds else marker.entry.kind not in HIDDEN_MARKERS
            ):
                yield marker

    def zones(self, seat: int) -> Iterator[PlacedZone]:
        """Yield the zones of a seat (0: of the table), except the spaces of its places."""
        return (it for it in self.all_zones if it.entry.seat == seat and it.entry.kind != SPACE)

    def places(self, seat: int) -> dict[str, list[PlacedZone]]:
        """Return the spaces of a seat by place, including places that the seat has as tiles or cards.

        Places without spaces are omitted.
        """
        held = {id for it in self.zones(seat) for id in it.counts}
        spaces: dict[str, list[PlacedZone]] = {}
        for it in self.all_zones:
            if it.entry.kind == SPACE and (it.entry.seat == seat or (not it.entry.seat and it.entry.component in held)):
                spaces.setdefault(it.entry.component or it.entry.id, []).append(it)
        return spaces

    def is_deciding(self, seat: int) -> bool:
        """Return whether a seat has to decide."""
        return bool(self.table.decisions[seat - 1])


def scalar_text(value: effect_pb2.Scalar) -> str:
    """Return a marker's value as text; empty for no value."""
    match value.WhichOneof("value"):
        case "word":
            return value.word
        case "number":
            return str(value.number)
    return ""


def _entry(id: str, viewpoint: Viewpoint) -> catalog_pb2.ZoneEntry:
    return viewpoint.zones.get(id) or catalog_pb2.ZoneEntry(id=id, text=viewpoint.name(id))
