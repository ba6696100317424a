"""A table with the catalogue's entries of its zones and markers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from boardkeeper.terminal.drawing.look import Look
from boardkeeper.v1 import catalog_pb2, effect_pb2, table_pb2

SPACE = "space"
PILES = frozenset({"deck", "discard", "supply", "box", "removed"})
HIDDEN_MARKERS = frozenset({"internal", "screen"})


@dataclass(frozen=True)
class PlacedZone:
    """A zone with its entry."""

    entry: catalog_pb2.ZoneEntry
    zone: table_pb2.Zone

    @cached_property
    def counts(self) -> Counter[str]:
        """The visible components with their numbers."""
        found = Counter(self.zone.order)
        for held in self.zone.contents:
            found[held.component] += held.count
        return found

    @property
    def count(self) -> str:
        """The number of components; "?" if the viewer may not know it."""
        return str(self.zone.count) if self.zone.HasField("count") else "?"

    @property
    def is_empty(self) -> bool:
        """Whether the viewer knows that nothing is in it."""
        return self.zone.HasField("count") and self.zone.count == 0


@dataclass(frozen=True)
class PlacedMarker:
    """A marker with its entry and its value, which is empty if the viewer may not know it."""

    entry: catalog_pb2.MarkerEntry
    value: str

    @property
    def is_set(self) -> bool:
        """Whether it has a value other than none."""
        return self.value not in ("", "0")


class Board:
    """The table that a viewer sees."""

    def __init__(self, table: table_pb2.Table, look: Look) -> None:
        self.look = look
        self.table = table
        self.all_zones = [PlacedZone(_entry(zone.id, look), zone) for zone in table.zones]
        self.by_id = {it.entry.id: it for it in self.all_zones}
        self._markers = [
            PlacedMarker(look.markers[it.id], said(it.value)) for it in table.markers if it.id in look.markers
        ]

    @property
    def seats(self) -> Sequence[int]:
        """The seats, the viewer's first."""
        numbers = range(1, len(self.table.decisions) + 1)
        return sorted(numbers, key=lambda seat: (seat != self.look.viewer, seat))

    def markers(self, seat: int, *kinds: str) -> Iterator[PlacedMarker]:
        """The markers of a seat (0: of the table) of some kinds; without kinds, of all that can be drawn."""
        for marker in self._markers:
            if marker.entry.seat == seat and (
                marker.entry.kind in kinds if kinds else marker.entry.kind not in HIDDEN_MARKERS
            ):
                yield marker

    def zones(self, seat: int) -> Iterator[PlacedZone]:
        """The zones of a seat (0: of the table), but the spaces of its places."""
        return (it for it in self.all_zones if it.entry.seat == seat and it.entry.kind != SPACE)

    def places(self, seat: int) -> dict[str, list[PlacedZone]]:
        """The spaces of a seat by the place on which they are printed, also of places that it holds as tiles or cards.

        A place without spaces that the seat holds is not listed.
        """
        held = {id for it in self.zones(seat) for id in it.counts}
        found: dict[str, list[PlacedZone]] = {}
        for it in self.all_zones:
            if it.entry.kind == SPACE and (it.entry.seat == seat or (not it.entry.seat and it.entry.component in held)):
                found.setdefault(it.entry.component or it.entry.id, []).append(it)
        return found

    def is_deciding(self, seat: int) -> bool:
        """Whether a seat has to decide."""
        return bool(self.table.decisions[seat - 1])


def said(value: effect_pb2.Scalar) -> str:
    """Return a marker's value as text; empty if there is none."""
    match value.WhichOneof("value"):
        case "word":
            return value.word
        case "number":
            return str(value.number)
    return ""


def _entry(id: str, look: Look) -> catalog_pb2.ZoneEntry:
    return look.zones.get(id) or catalog_pb2.ZoneEntry(id=id, text=look.name(id))
