"""The table: the complete state of a game, which only effects change."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Sequence
from sys import intern

import msgspec

from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.indexed_mapping import IndexedMapping
from boardkeeper.table.interning import id_index
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.zones import AnyMarker, Number, Pile, Stack, Word, Zone

_EMPTY_LAYOUT = TableLayout(0, (), ())


class Table:
    """The zones and markers of a game by id, and its open decisions.

    ``decisions[seat]`` is the name of the decision that a seat (numbered from 1) must make; empty: none.
    """

    __slots__ = ("decisions", "markers", "zones")

    def __init__(self, layout: TableLayout) -> None:
        zone_specs = {zone.id: zone for zone in layout.zones}
        marker_specs = {marker.id: marker for marker in layout.markers}
        zones: list[Zone] = []
        markers: list[AnyMarker] = []
        self.zones = IndexedMapping(id_index(tuple(zone_specs)), zones)
        self.markers = IndexedMapping(id_index(tuple(marker_specs)), markers)
        self.decisions: list[str] = ["", *(layout.decisions or ("",) * layout.seats)]
        for zone in zone_specs.values():
            made: Zone
            if zone.stack:
                made = Stack(zone.id, zone.visibility)
                for component, count in zone.contents.items():  # layouts may count the components of a hidden stack
                    made.put(component, count)
                made.order.extend(zone.order)
            else:
                made = Pile(zone.id, zone.visibility)
                if zone.contents:
                    made.set_contents(zone.contents)
            made.counter = zone.counter
            zones.append(made)
        for marker in marker_specs.values():
            id, value, visibility = marker.id, marker.value, marker.visibility
            markers.append(Number(id, value, visibility) if isinstance(value, int) else Word(id, value, visibility))

    def copy(self) -> Table:
        made = Table(_EMPTY_LAYOUT)
        zones: list[Zone] = []
        for zone in self.zones.entries:
            same: Zone
            if isinstance(zone, Pile):
                same = Pile(zone.id, zone.visibility)
                same.items = zone.items if len(zone.items) < 2 else zone.items.copy()
            else:
                same = Stack(zone.id, zone.visibility)
                same.order = zone.order.copy()
            same.counter = zone.counter
            zones.append(same)
        made.zones = IndexedMapping(self.zones.index, zones)
        markers: list[AnyMarker] = []
        for marker in self.markers.entries:
            id, value, visibility = marker.id, marker.value, marker.visibility
            markers.append(Number(id, value, visibility) if isinstance(value, int) else Word(id, value, visibility))
        made.markers = IndexedMapping(self.markers.index, markers)
        made.decisions = self.decisions.copy()
        return made

    # --- access -------------------------------------------------------------------------------------------

    def pile(self, id: str) -> Pile:
        """Return the pile with this id; raises ``KeyError``, or ``TypeError`` if it is a stack."""
        zone = self.zones[id]
        if not isinstance(zone, Pile):
            raise TypeError(f"{id} is no pile")
        return zone

    def stack(self, id: str) -> Stack:
        """Return the stack with this id; raises ``KeyError``, or ``TypeError`` if it is a pile."""
        zone = self.zones[id]
        if not isinstance(zone, Stack):
            raise TypeError(f"{id} is no stack")
        return zone

    def number(self, id: str) -> Number:
        """Return the integer marker with this id; raises ``KeyError``, or ``TypeError`` if it is a word."""
        marker = self.markers[id]
        if not isinstance(marker, Number):
            raise TypeError(f"{id} is no number")
        return marker

    def word(self, id: str) -> Word:
        """Return the string marker with this id; raises ``KeyError``, or ``TypeError`` if it is a number."""
        marker = self.markers[id]
        if not isinstance(marker, Word):
            raise TypeError(f"{id} is no word")
        return marker

    def deciding(self) -> list[int]:
        """Return the seats that have an open decision, in seat order."""
        return list(itertools.compress(itertools.count(), self.decisions))

    # --- change ------------------------------------------------------------------------------------------

    def apply(self, effect: Effect) -> None:
        """Apply an effect; raises ``ValueError`` or ``KeyError`` if it does not fit this table."""
        if isinstance(effect, Move):
            zones, at = self.zones.entries, self.zones.index
            zones[at[effect.source]].take(effect.component, effect.count)
            zones[at[effect.target]].put(effect.component, effect.count)
        elif isinstance(effect, Set):
            self.markers.entries[self.markers.index[effect.marker]].value = effect.after
        elif isinstance(effect, Ask):
            self.decisions[effect.seat] = effect.after
        elif isinstance(effect, Draw):
            self.zones[effect.zone].counter = effect.counter + len(effect.drawn)
        elif isinstance(effect, Shuffle):
            stack = self.stack(effect.zone)
            stack.order = list(map(intern, effect.after))
            stack.counter = effect.counter + max(len(effect.after) - 1, 0)
        else:
            self.subject(effect.subject).visibility = effect.after

    def revert(self, effect: Effect) -> None:
        """Undo an effect: the inverse of :meth:`apply`."""
        match effect:
            case Move():
                self.zones[effect.target].take(effect.component, effect.count)
                self.zones[effect.source].put(effect.component, effect.count)
            case Set():
                self.markers[effect.marker].value = effect.before
            case Ask():
                self.decisions[effect.seat] = effect.before
            case Draw():
                self.zones[effect.zone].counter = effect.counter
            case Shuffle():
                stack = self.stack(effect.zone)
                stack.order = list(map(intern, effect.before))
                stack.counter = effect.counter
            case Reveal():
                self.subject(effect.subject).visibility = effect.before

    def subject(self, id: str) -> Zone | AnyMarker:
        """Return the zone or marker with this id; raises ``KeyError``."""
        zone = self.zones.get(id)
        return zone if zone is not None else self.markers[id]

    def apply_all(self, effects: Iterable[Effect]) -> None:
        apply = self.apply
        for effect in effects:
            apply(effect)

    def revert_all(self, effects: Sequence[Effect]) -> None:
        """Undo effects, the last one first."""
        for effect in reversed(effects):
            self.revert(effect)

    # --- the whole table ---------------------------------------------------------------------------

    def components(self) -> dict[str, int]:
        """Return the total number of components of each kind in all zones. No event changes these numbers."""
        totals: dict[str, int] = {}
        for zone in self.zones.values():
            for component, count in zone.counts().items():
                totals[component] = totals.get(component, 0) + count
        return totals

    def contents(self) -> dict[str, object]:
        """Return the whole table as plain values in a canonical order: equal tables give equal values."""
        return {
            "zones": {
                id: [
                    zone.visibility,
                    zone.counter,
                    list(zone.order) if isinstance(zone, Stack) else sorted(zone.items.items()),
                ]
                for id, zone in sorted(self.zones.items())
            },
            "markers": {id: [marker.visibility, marker.value] for id, marker in sorted(self.markers.items())},
            "decisions": list(self.decisions),
        }

    def digest(self) -> str:
        """Return the SHA-256 hash of :meth:`contents` as JSON, in hexadecimal."""
        return hashlib.sha256(msgspec.json.encode(self.contents())).hexdigest()
