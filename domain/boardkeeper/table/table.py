"""The table: the complete state of a game, changed by effects and by nothing else."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from sys import intern

import msgspec

from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.id_index import id_index
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.slots import Slots
from boardkeeper.table.zones import AnyMarker, Number, Pile, Stack, Word, Zone

_NOTHING = TableLayout(0, (), ())


class Table:
    """Zones, markers and the decisions that are open, by seat.

    ``decisions[seat]`` is the name of the decision that a seat (numbered from 1) must take, or an empty string.
    """

    __slots__ = ("decisions", "markers", "zones")

    def __init__(self, layout: TableLayout) -> None:
        zone_specs = {zone.id: zone for zone in layout.zones}
        marker_specs = {marker.id: marker for marker in layout.markers}
        zones: list[Zone] = []
        markers: list[AnyMarker] = []
        self.zones = Slots(id_index(tuple(zone_specs)), zones)
        self.markers = Slots(id_index(tuple(marker_specs)), markers)
        self.decisions: list[str] = ["", *(layout.decisions or ("",) * layout.seats)]
        for zone in zone_specs.values():
            made: Zone
            if zone.stack:
                made = Stack(zone.id, zone.visibility)
                for component, count in zone.contents.items():  # a stack whose order is hidden
                    made.put(component, count)
                made.order.extend(zone.order)
            else:
                made = Pile(zone.id, zone.visibility)
                if zone.contents:
                    made.hold(zone.contents)
            made.counter = zone.counter
            zones.append(made)
        for marker in marker_specs.values():
            id, value, visibility = marker.id, marker.value, marker.visibility
            markers.append(Number(id, value, visibility) if isinstance(value, int) else Word(id, value, visibility))

    def copy(self) -> Table:
        """The same table once more, whatever becomes of this one."""
        made = Table(_NOTHING)
        zones: list[Zone] = []
        for zone in self.zones.things:
            same: Zone
            if isinstance(zone, Pile):
                same = Pile(zone.id, zone.visibility)
                same.items = zone.items if len(zone.items) < 2 else zone.items.copy()
            else:
                same = Stack(zone.id, zone.visibility)
                same.order = zone.order.copy()
            same.counter = zone.counter
            zones.append(same)
        made.zones = Slots(self.zones.at, zones)
        markers: list[AnyMarker] = []
        for marker in self.markers.things:
            id, value, visibility = marker.id, marker.value, marker.visibility
            markers.append(Number(id, value, visibility) if isinstance(value, int) else Word(id, value, visibility))
        made.markers = Slots(self.markers.at, markers)
        made.decisions = self.decisions.copy()
        return made

    # --- names -------------------------------------------------------------------------------------------

    def pile(self, id: str) -> Pile:
        """The pile of that id; raises ``KeyError`` or ``TypeError`` (titles bind names once, at the start)."""
        zone = self.zones[id]
        if not isinstance(zone, Pile):
            raise TypeError(f"{id} is no pile")
        return zone

    def stack(self, id: str) -> Stack:
        """The stack of that id."""
        zone = self.zones[id]
        if not isinstance(zone, Stack):
            raise TypeError(f"{id} is no stack")
        return zone

    def number(self, id: str) -> Number:
        """The integer marker of that id."""
        marker = self.markers[id]
        if not isinstance(marker, Number):
            raise TypeError(f"{id} is no number")
        return marker

    def word(self, id: str) -> Word:
        """The string marker of that id."""
        marker = self.markers[id]
        if not isinstance(marker, Word):
            raise TypeError(f"{id} is no word")
        return marker

    def deciding(self) -> list[int]:
        """The seats that must take a decision now, in seat order."""
        return [seat for seat, decision in enumerate(self.decisions) if decision]

    # --- change ------------------------------------------------------------------------------------------

    def apply(self, effect: Effect) -> None:
        """Make one change. Raises ``ValueError`` or ``KeyError`` if it does not fit this table."""
        if isinstance(effect, Move):
            zones, at = self.zones.things, self.zones.at
            zones[at[effect.source]].take(effect.component, effect.count)
            zones[at[effect.target]].put(effect.component, effect.count)
        elif isinstance(effect, Set):
            self.markers.things[self.markers.at[effect.marker]].value = effect.after
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
        """Take one change back: the inverse of :meth:`apply`."""
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
        """The zone or marker of that id, whose visibility a ``Reveal`` changes."""
        zone = self.zones.get(id)
        return zone if zone is not None else self.markers[id]

    def apply_all(self, effects: Iterable[Effect]) -> None:
        """Make changes in order."""
        apply = self.apply
        for effect in effects:
            apply(effect)

    # --- whole-table questions ---------------------------------------------------------------------------

    def components(self) -> dict[str, int]:
        """How many components of each kind there are in all zones: equal before and after every event."""
        totals: dict[str, int] = {}
        for zone in self.zones.values():
            for component, count in zone.counts().items():
                totals[component] = totals.get(component, 0) + count
        return totals

    def contents(self) -> dict[str, object]:
        """The whole table as plain values, in a canonical order: equal tables give equal values."""
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
        """SHA-256 of :meth:`contents` as JSON, in hexadecimal."""
        return hashlib.sha256(msgspec.json.encode(self.contents())).hexdigest()
