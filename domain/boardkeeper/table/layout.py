"""The layout of a table: which zones, markers and seats it has, before the first effect.

A layout stands in a game's first event, so that its history can be folded without the title's rules.
"""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.table.effects import Scalar


class ZoneSpec(Struct, frozen=True, array_like=True):
    """One zone: its id, who sees into it, what lies in it at first, and whether it is a stack.

    ``visibility`` is one of the words of :mod:`boardkeeper.table.visibility`. ``contents`` is component →
    count for a pile, ``order`` what lies in a stack, bottom first. ``counter`` is how often chance has picked from it
    already.
    """

    id: str
    visibility: str = "public"
    contents: dict[str, int] = {}
    stack: bool = False
    counter: int = 0
    order: tuple[str, ...] = ()


class MarkerSpec(Struct, frozen=True, array_like=True):
    """One marker: its id, its first value and who sees it."""

    id: str
    value: Scalar = 0
    visibility: str = "public"


class TableLayout(Struct, frozen=True):
    """All zones and markers of a table and its number of seats (seats are numbered from 1).

    ``decisions`` are those open from the start, by seat, for a table that begins in mid-game; empty for a new one.
    """

    seats: int
    zones: tuple[ZoneSpec, ...]
    markers: tuple[MarkerSpec, ...]
    decisions: tuple[str, ...] = ()
