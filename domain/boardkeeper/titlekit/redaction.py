"""Redacted tables: copies of a table without anything that a viewer may not know.

Rules can be bound to them. A hidden zone contains :data:`HIDDEN` components, as many as the viewer may count. A hidden
marker is 0 or empty. All draw counters are 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import HIDDEN, PUBLIC, can_count, sees
from boardkeeper.table.visible_table import VisibleTable
from boardkeeper.table.zones import Number, Pile, Zone
from boardkeeper.titlekit.title import Play, Setup, Title

_MAX_PLAYS = 16

_plays: dict[tuple[int, bytes], tuple[Title, Play]] = {}
"""Plays that no caller uses, by title and setup. They are reused because binding takes longer than redacting."""


@contextmanager
def redacted_play(title: Title, setup: Setup, table: Table, viewer: int) -> Iterator[Play]:
    """Yield a play on the redacted table, with other dice, valid until the context ends."""
    key = (id(title), msgspec.msgpack.encode(setup))
    _, play = _plays.pop(key, (title, None))
    if (
        play is not None
        and play.table.zones.index is table.zones.index
        and play.table.markers.index is table.markers.index
    ):
        redact_into(table, viewer, play.table)
        play.recorder.clear()
    else:
        play = title.play(redact_table(table, viewer), Dice(b""), setup)
    yield play
    if len(_plays) >= _MAX_PLAYS:
        _plays.clear()
    _plays[key] = title, play


def redact_table(table: Table, viewer: int) -> Table:
    """Return the table as a viewer may see it."""
    redacted = table.copy()
    redact_into(table, viewer, redacted)
    return redacted


def redact_into(table: Table, viewer: int, target: Table) -> None:
    """Overwrite ``target``, which has the same ids, with the redacted table. Rules that are bound to it stay bound."""
    uncounted: dict[str, bool] = {}  # hidden zones by visibility: there are few different ones
    for zone, own in zip(table.zones.entries, target.zones.entries, strict=True):
        visibility = own.visibility = zone.visibility
        own.counter = 0
        if visibility != PUBLIC and (visibility in uncounted or not sees(table, zone, viewer)):
            if visibility not in uncounted:
                uncounted[visibility] = not can_count(table, zone, viewer)
            _hide(own, 0 if uncounted[visibility] else zone.total())
        elif type(own) is Pile:
            items = zone.items  # type: ignore[union-attr]  # both are piles
            if items is not own.items:
                own.replace_items(items if len(items) < 2 else items.copy())  # see `interning`
        else:
            own.order = zone.order.copy()  # type: ignore[union-attr]  # both are stacks
    for marker, shown in zip(table.markers.entries, target.markers.entries, strict=True):
        visibility = shown.visibility = marker.visibility
        if visibility == PUBLIC or sees(table, marker, viewer):
            shown.value = marker.value
        else:
            shown.value = 0 if isinstance(marker, Number) else ""
    target.decisions[:] = table.decisions


def table_from_visible(layout: TableLayout, seen: VisibleTable) -> Table:
    """Return the redacted table that a viewer sees; raises ``KeyError`` for ids that the layout lacks."""
    table = Table(layout)
    for zone in seen.zones:
        own = table.zones[zone.id]
        own.visibility = zone.visibility
        own.counter = 0
        if not zone.is_seen:
            _hide(own, zone.count or 0)
        elif isinstance(own, Pile):
            own.set_contents(zone.contents)
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
        zone.set_contents({HIDDEN: count} if count else {})
    else:
        zone.order = [HIDDEN] * count
