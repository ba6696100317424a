"""Snapshots of the values of a table, which can be written into another table with the same zones and markers.

Copying values is much faster than copying a table and binding rules to the copy. Draw counters are not part of a
snapshot, so only tables with :class:`boardkeeper.table.search_dice.SearchDice` can use it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from boardkeeper.table.effects import Effect, Move, Reveal, Scalar, Set, Shuffle
from boardkeeper.table.table import Table
from boardkeeper.table.zones import AnyMarker, Pile, Stack

_MAX_EFFECTS = 50
"""Saving the whole table is faster than saving the changes of more effects."""


class TableValues(NamedTuple):
    """The values of a table. They are never changed, so several states can share them."""

    contents: list[dict[str, int]]
    orders: list[list[str]]
    markers: list[Scalar]
    zone_visibilities: list[str]
    marker_visibilities: list[str]
    decisions: list[str]


class ValueStore:
    """Saves and loads the values of one table. Rules that are bound to the table stay bound."""

    __slots__ = ("_decisions", "_marker_at", "_markers", "_pile_at", "_piles", "_stack_at", "_stacks", "_zones")

    def __init__(self, table: Table) -> None:
        zones = table.zones.entries
        self._zones = zones
        self._piles: list[Pile] = [zone for zone in zones if isinstance(zone, Pile)]
        self._stacks: list[Stack] = [zone for zone in zones if isinstance(zone, Stack)]
        self._pile_at = {pile.id: at for at, pile in enumerate(self._piles)}
        self._stack_at = {stack.id: at for at, stack in enumerate(self._stacks)}
        self._markers: list[AnyMarker] = table.markers.entries
        self._marker_at = table.markers.index
        self._decisions = table.decisions

    def save(self) -> TableValues:
        """Return the current values."""
        return TableValues(
            # Piles with at most one kind of component share their contents (see `interning`).
            [items if len(items) < 2 else items.copy() for items in [pile.items for pile in self._piles]],
            [stack.order.copy() for stack in self._stacks],
            [marker.value for marker in self._markers],
            [zone.visibility for zone in self._zones],
            [marker.visibility for marker in self._markers],
            self._decisions.copy(),
        )

    def save_changed(self, values: TableValues, effects: Sequence[Effect]) -> TableValues:
        """Return the current values, which differ from ``values`` only by these effects."""
        if len(effects) > _MAX_EFFECTS:
            return self.save()
        contents, orders, markers, zone_visibilities, marker_visibilities, _ = values
        contents, markers = contents.copy(), markers.copy()
        ids: list[str] = []
        for effect in effects:
            if isinstance(effect, Move):
                ids += (effect.source, effect.target)
            elif isinstance(effect, Set):
                at = self._marker_at[effect.marker]
                markers[at] = self._markers[at].value
            elif isinstance(effect, Shuffle):
                ids.append(effect.zone)
            elif isinstance(effect, Reveal):
                zone_visibilities = [zone.visibility for zone in self._zones]
                marker_visibilities = [marker.visibility for marker in self._markers]
        for id in ids:
            pile = self._pile_at.get(id)
            if pile is not None:
                items = self._piles[pile].items
                contents[pile] = items if len(items) < 2 else items.copy()
            else:
                if orders is values.orders:
                    orders = orders.copy()
                stack = self._stack_at[id]
                orders[stack] = self._stacks[stack].order.copy()
        return TableValues(contents, orders, markers, zone_visibilities, marker_visibilities, self._decisions.copy())

    def load(self, values: TableValues) -> None:
        """Overwrite the table with values that were saved from a table with the same zones and markers."""
        for pile, items in zip(self._piles, values.contents, strict=True):
            if pile.group is not None:
                pile.replace_items(items if len(items) < 2 else items.copy())
            else:
                pile.items = items if len(items) < 2 else items.copy()
        for stack, order in zip(self._stacks, values.orders, strict=True):
            stack.order = order.copy()
        for marker, value in zip(self._markers, values.markers, strict=True):
            marker.value = value
        for zone, visibility in zip(self._zones, values.zone_visibilities, strict=True):
            zone.visibility = visibility
        for marker, visibility in zip(self._markers, values.marker_visibilities, strict=True):
            marker.visibility = visibility
        self._decisions[:] = values.decisions
