"""Forks: the layout of a running game's table, with hidden components dealt again if a viewer may not see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from boardkeeper.table.dice import Dice
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import sees
from boardkeeper.table.zones import Stack


def layout_of(table: Table) -> TableLayout:
    """Return the layout of a new table that equals this one: contents, counters, markers, decisions, visibilities."""
    return TableLayout(
        seats=len(table.decisions) - 1,
        zones=tuple(
            ZoneSpec(
                zone.id,
                zone.visibility,
                {} if isinstance(zone, Stack) else dict(sorted(zone.items.items())),
                isinstance(zone, Stack),
                zone.counter,
                tuple(zone.order) if isinstance(zone, Stack) else (),
            )
            for zone in table.zones.values()
        ),
        markers=tuple(MarkerSpec(marker.id, marker.value, marker.visibility) for marker in table.markers.values()),
        decisions=tuple(table.decisions[1:]),
    )


def differing_layout(table: Table, layout: TableLayout) -> TableLayout | None:
    """Return the layout of a table, or ``None`` if its zones and markers are those of ``layout`` in the same order.

    Values of a table stand for its zones in their order. The layouts of old games can differ from those of new ones.
    """
    zones, markers = [zone.id for zone in layout.zones], [marker.id for marker in layout.markers]
    is_same = zones == list(table.zones) and markers == list(table.markers)
    return None if is_same else layout_of(table)


class HiddenMarkersError(ValueError):
    """A table cannot be dealt again for a viewer who does not see these ``markers`` (ids)."""

    def __init__(self, markers: Sequence[str]) -> None:
        super().__init__(f"hidden markers cannot be dealt again: {', '.join(markers)}")
        self.markers = tuple(markers)


def hidden_markers(table: Table, viewer: int) -> list[str]:
    """Return the ids of the markers that a viewer does not see. If there are any, the viewer cannot fork the table.

    Hidden components can be dealt again, but only the rules know which values a hidden marker could have. Its true
    value would stay in the fork, whose creator gets the tokens of all seats. So titles keep secrets in zones.
    """
    return [marker.id for marker in table.markers.values() if not sees(table, marker, viewer)]


def redeal_hidden(table: Table, viewer: int, groups: Iterable[Sequence[str]], dice: Dice) -> None:
    """Shuffle the components that a viewer does not see within each group of zones.

    ``groups`` are ids of zones that exchange components. Zones that the viewer sees do not change, and the other zones
    keep their number of components. ``dice`` must not be the game's own dice.
    Raises :class:`HiddenMarkersError` and changes nothing if there are :func:`hidden_markers`.
    """
    markers = hidden_markers(table, viewer)
    if markers:
        raise HiddenMarkersError(markers)
    redeal(table, viewer, groups, dice)


def redeal(table: Table, viewer: int, groups: Iterable[Sequence[str]], dice: Dice) -> None:
    """Do the same as :func:`redeal_hidden`, but leave it to the caller to adapt hidden markers to the new deal."""
    for group in groups:
        hidden = [zone for zone in map(table.zones.__getitem__, group) if not sees(table, zone, viewer)]
        pool: list[str] = []
        for zone in hidden:
            if isinstance(zone, Stack):
                pool += zone.order
            else:
                for component, count in zone.items.items():
                    pool += [component] * count
        pool.sort()
        dealt = dice.shuffled(f"fork:{group[0]}", 0, pool)
        begin = 0
        for zone in hidden:
            end = begin + zone.total()
            if isinstance(zone, Stack):
                zone.order = dealt[begin:end]
            elif begin < end:
                zone.set_contents(Counter(dealt[begin:end]) if end - begin > 1 else {dealt[begin]: 1})
            begin = end
