"""Catalogue entries of zones, markers and decisions: clients draw any title from them without knowing its rules.

Most titles declare them with their zones and markers (:mod:`boardkeeper.titlekit.material`). For other titles the
entries are made from the ids alone.
"""

from __future__ import annotations

import re
from typing import Protocol, runtime_checkable

from msgspec import Struct

from boardkeeper.table.layout import TableLayout
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import Setup, Text, Title


class ZoneEntry(Struct, frozen=True):
    """A zone. The fields are those of ``boardkeeper.v1.ZoneEntry``; ``seat`` and ``position`` are 0 if it has none."""

    id: str
    text: Text
    seat: int = 0
    kind: str = ""
    component: str = ""
    position: int = 0
    symbol: str = ""
    stack: bool = False


class WordEntry(Struct, frozen=True):
    """A possible value of a marker, with its name."""

    id: str
    text: Text


class MarkerEntry(Struct, frozen=True):
    """A marker. ``words`` are its possible values except the empty one; empty if any value is possible."""

    id: str
    text: Text
    seat: int = 0
    kind: str = ""
    component: str = ""
    words: tuple[WordEntry, ...] = ()
    chart: bool = False
    zone: str = ""


class DecisionEntry(Struct, frozen=True):
    """A decision, with a text that says what the seat has to decide."""

    id: str
    text: Text


class MapTown(Struct, frozen=True):
    """A town or area: its centre as fractions of the map from the top left, and the width of its hexagon."""

    component: str
    text: Text
    x: float
    y: float
    kind: str
    size: float = 0.0


class MapWay(Struct, frozen=True):
    """A connection between two towns."""

    component: str
    text: Text
    kind: str
    towns: tuple[str, ...]


class TitleMap(Struct, frozen=True):
    """The map of a title; ``aspect`` is its width divided by its height."""

    aspect: float
    towns: tuple[MapTown, ...]
    ways: tuple[MapWay, ...]
    provenance: str


class Drawing(Struct, frozen=True):
    """All entries of a table for one setup, in the order of its layout."""

    zones: tuple[ZoneEntry, ...]
    markers: tuple[MarkerEntry, ...]
    decisions: tuple[DecisionEntry, ...] = ()
    map: TitleMap | None = None


@runtime_checkable
class DrawnTitle(Protocol):
    """A title that has catalogue entries for its table, which is optional."""

    def drawing(self, setup: Setup) -> Drawing:
        """Return the catalogue entries of a table; raises ``ValueError`` like ``layout``."""


def drawing_of(title: Title, setup: Setup) -> Drawing:
    """Return the drawing of a title, or the default one; raises ``ValueError`` like ``title.layout``."""
    return title.drawing(setup) if isinstance(title, DrawnTitle) else default_drawing(title.layout(setup))


_OF_SEAT = re.compile(r"seat\.([1-9][0-9]?)\.")


def default_drawing(layout: TableLayout) -> Drawing:
    """Return entries from ids alone: ``seat.2.wood_shed`` is "Wood shed" of seat 2."""
    return Drawing(
        tuple(ZoneEntry(zone.id, *readable_id(zone.id), stack=zone.stack) for zone in layout.zones),
        tuple(MarkerEntry(marker.id, *readable_id(marker.id)) for marker in layout.markers),
    )


def readable_id(id: str) -> tuple[Text, int]:
    """Return an id as a readable text, and the seat in it (0: none)."""
    found = _OF_SEAT.match(id)
    words = re.sub(r"[._]+", " ", id[found.end() :] if found else id).strip() or id
    return dict.fromkeys(LANGUAGES, words[0].upper() + words[1:]), int(found[1]) if found else 0
