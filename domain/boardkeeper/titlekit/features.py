"""Feature vectors: what a viewer sees of a table, as numbers for machine learning.

:class:`Features` gives every feature of a title and setup a fixed position. All values are in [0, 1], those of
numbers that can be negative in [-1, 1]. Larger values are clipped.

* For a zone: the count of each component that it can hold, divided by the largest possible count. A zone with a single
  place therefore has a one-hot vector. Zones that are hidden from some viewers also have their number of components.
* For a number: its value divided by its maximum, or by a typical large value if its range is much larger
  (:class:`boardkeeper.titlekit.soundness.Limits`). For a number of kind ``seat``: a one-hot vector of seats.
* For a word: a one-hot vector of its values. An empty word has only zeros.
* For a marker that hides others: 1 while the viewer does not see it.
* For a seat: a one-hot vector of its open decision.

Seats count from the viewer: ``seat+0`` is the viewer, ``seat+1`` the next one in turn order. Everything that the viewer
does not see is 0. Zones of the kinds ``box`` and ``removed`` have no features, nor have words without a list of values.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Protocol, runtime_checkable

from boardkeeper.table.layout import MAX_NUMBER, MarkerSpec, ZoneSpec
from boardkeeper.table.visibility import PUBLIC, same_as, seats_of
from boardkeeper.titlekit.drawing import MarkerEntry, drawing_of
from boardkeeper.titlekit.feature_writer import ANY, NumberPlan, Plan, Slot, ZonePlan
from boardkeeper.titlekit.soundness import Limits, first_match, matches
from boardkeeper.titlekit.title import Setup, Title

MAX_FEATURES = 100_000
"""The maximum number of features."""

_TYPICAL = 10
"""The value of a number without a useful range that gives the feature 1."""
_LARGE = 999
"""A range up to this number or more is not useful."""
_OUT_OF_PLAY = ("box", "removed")
_SEAT = re.compile(r"seat\.([1-9][0-9]?)\.(.+)")
_PIECE_OF_SEAT = re.compile(r"(.+)\.([1-9][0-9]?)")


@runtime_checkable
class LimitedTitle(Protocol):
    """A title that declares the limits of its markers and zones, which is optional: it makes feature vectors small."""

    def limits(self, setup: Setup) -> Limits:
        """Return what the markers and zones of a table can have."""


class TooManyFeaturesError(ValueError):
    """A title needs more than :data:`MAX_FEATURES` features: it must declare what its zones can hold."""


class Features:
    """The features of a title for one setup. Features of all viewers have the same positions."""

    def __init__(self, title: Title, setup: Setup) -> None:
        """Raises :class:`TooManyFeaturesError`, and ``ValueError`` like ``title.layout``."""
        self._layout = title.layout(setup)
        self._limits = title.limits(setup) if isinstance(title, LimitedTitle) else Limits()
        drawing = drawing_of(title, setup)
        self._zone_kinds = {zone.id: zone.kind for zone in drawing.zones}
        self._marker_entries = {marker.id: marker for marker in drawing.markers}
        self._decisions = tuple(decision.id for decision in drawing.decisions)
        self._totals: dict[str, int] = {}
        for zone in self._layout.zones:
            for component, count in zone.contents.items():
                self._totals[component] = self._totals.get(component, 0) + count
            for component in zone.order:
                self._totals[component] = self._totals.get(component, 0) + 1
        owners = {component.id: component.values.get("seat", 0) for component in title.components(setup)}
        self._pieces = {id: self._piece(id, owners.get(id)) for id in self._totals}
        hidden = {zone.visibility for zone in self._layout.zones} | {it.visibility for it in self._layout.markers}
        self._screens = [marker.id for marker in self._layout.markers if same_as(marker.id) in hidden]
        self._indices: dict[str, int] = {}
        self._tops: list[float] = []
        self._lows: list[float] = []
        automata = title.automata(setup)
        self.viewers = tuple(seat for seat in range(1, setup.players + 1) if seat not in automata)
        """The seats that can have observations."""
        self._zone_facts = {zone.id: self._contents(zone) for zone in self._layout.zones}
        self._number_facts = {it.id: self._range(it) for it in self._layout.markers if isinstance(it.value, int)}
        self._word_facts = {it.id: self._words(it) for it in self._layout.markers if not isinstance(it.value, int)}
        self.plans = {viewer: self._plan(viewer) for viewer in self.viewers}
        plan = self.plans[self.viewers[0]]
        featured = {*plan.zones, *plan.numbers, *(id for id, words in plan.words.items() if words)}
        ids = [it.id for it in self._layout.zones] + [it.id for it in self._layout.markers]
        self.left_out = tuple(id for id in ids if id not in featured)
        """The ids of zones and markers without features."""
        self.names = tuple(self._indices)
        self.size = len(self.names)
        self.low = tuple(self._lows)
        self.high = (1.0,) * self.size
        lines = (f"{name}={low:g}:{top:g}\n" for name, low, top in zip(self.names, self.low, self._tops, strict=True))
        self.version = hashlib.sha256("".join(lines).encode()).hexdigest()[:16]
        """A hash of all names and scales: vectors of equal versions have the same meaning."""

    # --- what the title declares ------------------------------------------------------------------------------

    def _piece(self, id: str, owner: int | None) -> tuple[str, int]:
        """Return a component without its seat, and the seat; 0 if it belongs to no seat."""
        found = _PIECE_OF_SEAT.fullmatch(id)
        if found is None or owner == 0 or not 1 <= int(found[2]) <= self._layout.seats:
            return id, 0
        return found[1], int(found[2])

    def _is_left_out(self, id: str) -> bool:
        return self._zone_kinds.get(id) in _OUT_OF_PLAY or matches(self._limits.left_out, id)

    def _contents(self, zone: ZoneSpec) -> dict[str, int]:
        """Return the largest count of each component that a zone can hold."""
        if self._is_left_out(zone.id):
            return {}
        limits = first_match(self._limits.contents, zone.id)
        if limits is None:
            return dict(self._totals)
        most = min(limits.each, limits.total)
        return {id: min(total, most) for id, total in self._totals.items() if id in limits.components}

    def _range(self, marker: MarkerSpec) -> tuple[float, int]:
        """Return the low value of the feature of a number, and the number that gives 1."""
        low, high = first_match(self._limits.ranges, marker.id) or (0, MAX_NUMBER)
        top = first_match(self._limits.typical, marker.id) or max(high, -low)
        return (-1.0 if low < 0 else 0.0), (top if 0 < top < _LARGE else _TYPICAL)

    def _words(self, marker: MarkerSpec) -> list[str]:
        """Return the values of a word, except the empty one."""
        words = first_match(self._limits.words, marker.id)
        entry = self._marker_entries[marker.id]
        if words is None:
            words = [word.id for word in entry.words]
        return sorted({*words} - {""})

    # --- plans ------------------------------------------------------------------------------------------------

    def _plan(self, viewer: int) -> Plan:
        zones: dict[str, ZonePlan] = {}
        for zone in self._layout.zones:
            planned = self._plan_zone(zone, viewer)
            if planned.counts or planned.total:
                zones[zone.id] = planned
        numbers: dict[str, NumberPlan] = {}
        words: dict[str, Mapping[str | int, int]] = {}
        seats = range(1, self._layout.seats + 1)
        for marker in self._layout.markers:
            name, entry = self._relative(marker.id, viewer), self._marker_entries[marker.id]
            if self._is_left_out(marker.id):
                continue
            if self._is_seat(marker, entry):
                words[marker.id] = {seat: self._slot(f"{name}={self._seat(seat, viewer)}") for seat in seats}
            elif marker.id in self._number_facts:
                low, top = self._number_facts[marker.id]
                numbers[marker.id] = NumberPlan((self._slot(name, top, low), 1 / top), low)
            else:
                words[marker.id] = {word: self._slot(f"{name}={word}") for word in self._word_facts[marker.id]}
        screens = {id: self._slot(f"{self._relative(id, viewer)}.hidden") for id in self._screens}
        decisions: list[Mapping[str, int]] = [{}]
        for seat in seats:
            name = f"{self._seat(seat, viewer)}.decision"
            known = (self._decisions or (ANY,)) if seat in self.viewers else ()
            decisions.append({decision: self._slot(f"{name}={decision}") for decision in known})
        return Plan(zones, numbers, words, screens, tuple(decisions))

    @staticmethod
    def _is_seat(marker: MarkerSpec, entry: MarkerEntry) -> bool:
        return entry.kind == "seat" and isinstance(marker.value, int)

    def _plan_zone(self, zone: ZoneSpec, viewer: int) -> ZonePlan:
        name, contents = self._relative(zone.id, viewer), self._zone_facts[zone.id]
        total: Slot | None = None
        if not contents:
            return ZonePlan({}, None)
        if zone.visibility != PUBLIC and not zone.visibility.startswith("as:"):
            limits = first_match(self._limits.contents, zone.id)
            most = min(limits.total if limits else MAX_NUMBER, sum(contents.values()))
            total = self._slot(f"{name}.count", most), 1 / most
            if viewer not in seats_of(zone.visibility) and not matches(self._limits.revealed, zone.id):
                return ZonePlan({}, total)
        counts: dict[str, Slot] = {}
        for component, most in contents.items():
            piece, owner = self._pieces[component]
            feature = f"{piece}.{self._seat(owner, viewer)}" if owner else piece
            counts[component] = self._slot(f"{name}.{feature}", most), 1 / most
        return ZonePlan(counts, total)

    def _seat(self, seat: int, viewer: int) -> str:
        return f"seat+{(seat - viewer) % self._layout.seats}"

    def _relative(self, id: str, viewer: int) -> str:
        """Return the id of a zone or marker with its seat counted from the viewer."""
        found = _SEAT.fullmatch(id)
        return f"{self._seat(int(found[1]), viewer)}.{found[2]}" if found is not None else id

    def _slot(self, name: str, top: float = 1, low: float = 0.0) -> int:
        index = self._indices.get(name)
        if index is None:
            index = self._indices[name] = len(self._indices)
            self._tops.append(top)
            self._lows.append(low)
            if index >= MAX_FEATURES:
                raise TooManyFeaturesError(
                    f"more than {MAX_FEATURES} features: declare what the zones can hold (`limits` of the title)"
                )
        return index
