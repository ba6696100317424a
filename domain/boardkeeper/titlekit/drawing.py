"""What zones, markers and decisions are to people: what a client needs to draw a title whose rules it does not know.

Most titles declare it with their zones and markers (:mod:`boardkeeper.titlekit.material`). For other titles the entries
are made from the ids alone.
"""

from __future__ import annotations

import re
from typing import Protocol, runtime_checkable

from msgspec import Struct

from boardkeeper.table.layout import TableLayout
from boardkeeper.titlekit.rules_catalogue import LANGUAGES
from boardkeeper.titlekit.title import Setup, Text, Title


class ZoneEntry(Struct, frozen=True):
    """One zone: see the message of the same name. ``seat`` and ``position`` are 0 where there is none."""

    id: str
    text: Text
    seat: int = 0
    kind: str = ""
    component: str = ""
    position: int = 0
    symbol: str = ""
    stack: bool = False


class WordEntry(Struct, frozen=True):
    """One value of a marker, and what it means."""

    id: str
    text: Text


class MarkerEntry(Struct, frozen=True):
    """One marker: ``words`` are all the values that it can have but the empty one, where that is a closed list."""

    id: str
    text: Text
    seat: int = 0
    kind: str = ""
    component: str = ""
    words: tuple[WordEntry, ...] = ()
    chart: bool = False
    zone: str = ""


class DecisionEntry(Struct, frozen=True):
    """One decision, and what is to be decided."""

    id: str
    text: Text


class MapTown(Struct, frozen=True):
    """A town or area: its middle as fractions from top left, and the width of a hexagon."""

    component: str
    text: Text
    x: float
    y: float
    kind: str
    size: float = 0.0


class MapWay(Struct, frozen=True):
    """A way between two towns."""

    component: str
    text: Text
    kind: str
    towns: tuple[str, ...]


class TitleMap(Struct, frozen=True):
    """Where towns and ways lie; ``aspect`` is width by height."""

    aspect: float
    towns: tuple[MapTown, ...]
    ways: tuple[MapWay, ...]
    provenance: str


class Drawing(Struct, frozen=True):
    """Everything on a table of one setup, in the order of its layout."""

    zones: tuple[ZoneEntry, ...]
    markers: tuple[MarkerEntry, ...]
    decisions: tuple[DecisionEntry, ...] = ()
    map: TitleMap | None = None


@runtime_checkable
class DrawnTitle(Protocol):
    """A title that tells what lies where on its table, as no title has to."""

    def drawing(self, setup: Setup) -> Drawing:
        """What the zones, markers and decisions of a table are to people; raises ``ValueError`` as the layout does."""


def drawing_of(title: Title, setup: Setup) -> Drawing:
    """What a title tells of its table, or what can be told without it; raises ``ValueError`` as its layout does."""
    return title.drawing(setup) if isinstance(title, DrawnTitle) else plain(title.layout(setup))


_OF_SEAT = re.compile(r"seat\.([1-9][0-9]?)\.")


def plain(layout: TableLayout) -> Drawing:
    """Entries from ids alone: ``seat.2.wood_shed`` is "Wood shed", of seat 2."""
    return Drawing(
        tuple(ZoneEntry(zone.id, *plainly(zone.id), stack=zone.stack) for zone in layout.zones),
        tuple(MarkerEntry(marker.id, *plainly(marker.id)) for marker in layout.markers),
    )


def plainly(id: str) -> tuple[Text, int]:
    """An id as something that can be read, and the seat in it."""
    found = _OF_SEAT.match(id)
    words = re.sub(r"[._]+", " ", id[found.end() :] if found else id).strip() or id
    return dict.fromkeys(LANGUAGES, words[0].upper() + words[1:]), int(found[1]) if found else 0
