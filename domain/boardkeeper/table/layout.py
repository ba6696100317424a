"""The layout of a table: its seats, zones and markers before the first effect.

The first event of a game contains the layout, so that its history can be replayed without the rules of the title.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.table.effects import Scalar

MAX_SEATS = 16
MAX_COMPONENTS = 100_000
"""The maximum number of components of one kind in a zone."""
MAX_NUMBER = 999_999_999
"""The maximum absolute value of a marker, and the maximum draw counter. The sum of two fits into 32 bits."""


class ZoneSpec(Struct, frozen=True, array_like=True):
    """A zone before the first effect.

    ``visibility`` is one of the values in :mod:`boardkeeper.table.visibility`. ``contents`` has the components of a
    pile with their counts, ``order`` those of a stack, bottom first. ``counter`` is the number of random picks so far.
    """

    id: str
    visibility: str = "public"
    contents: dict[str, int] = {}
    stack: bool = False
    counter: int = 0
    order: tuple[str, ...] = ()


class MarkerSpec(Struct, frozen=True, array_like=True):
    """A marker before the first effect."""

    id: str
    value: Scalar = 0
    visibility: str = "public"


class TableLayout(Struct, frozen=True):
    """All zones and markers of a table, and its number of seats. Seats are numbered from 1.

    ``decisions`` are the open decisions of all seats if the table is a position of a running game; empty otherwise.
    """

    seats: int
    zones: tuple[ZoneSpec, ...]
    markers: tuple[MarkerSpec, ...]
    decisions: tuple[str, ...] = ()
