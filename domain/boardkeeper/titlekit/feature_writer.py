"""Write the features of a table into a buffer, and keep them up to date from effects.

:mod:`boardkeeper.titlekit.features` makes the plans.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, cast

from boardkeeper.table.effects import Ask, Move, Reveal, Set
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import PUBLIC, can_count, same_as, sees
from boardkeeper.table.zones import AnyMarker, Pile, Zone

ANY = "*"
"""Stands for every decision of a title without a list of decisions."""


Slot = tuple[int, float]
"""The position of a feature, and the factor from a count or number to its value."""


class ZonePlan(NamedTuple):
    """The features of a zone: a slot for each component, and for their number if any viewer may see only that."""

    counts: dict[str, Slot]
    total: Slot | None


class NumberPlan(NamedTuple):
    """The feature of a number, and its smallest value: 0 or -1."""

    slot: Slot
    low: float


class Plan(NamedTuple):
    """The features of one viewer by ids of zones and markers. ``decisions`` are by seat; 0 has none."""

    zones: Mapping[str, ZonePlan]
    numbers: Mapping[str, NumberPlan]
    words: Mapping[str, Mapping[str | int, int]]
    screens: Mapping[str, int]
    decisions: tuple[Mapping[str, int], ...]


class _OneHot:
    """The features of a word or seat number. ``hot`` is the position that is 1; -1: none."""

    __slots__ = ("hot", "marker", "slots")

    def __init__(self, marker: AnyMarker, slots: Mapping[str | int, int]) -> None:
        self.marker = marker
        self.slots = slots
        self.hot = -1


class _Decisions(dict[str, int]):
    """The feature of every decision of a seat."""

    def get(self, decision: str, default: Any = None) -> Any:
        return self[ANY] if decision else default


class FeatureWriter:
    """Writes the features of one table for one viewer into a buffer, and keeps them up to date."""

    __slots__ = (
        "_can_count", "_decisions", "_hot_decisions", "_numbers", "_out", "_plain_numbers", "_plain_piles", "_screens",
        "_sees", "_table", "_viewer", "_words", "_zeros", "_zones",
    )  # fmt: skip

    def __init__(self, plan: Plan, table: Table, viewer: int, out: memoryview[float]) -> None:
        """``out`` has room for all features. Raises ``KeyError`` if the table lacks an id of the plan."""
        self._table = table
        self._viewer = viewer
        self._out = out
        self._zeros = memoryview(bytes(out.nbytes)).cast(out.format)  # type: ignore[call-overload]  # "f" or "d"
        # What the viewer sees and can count, by visibility. Visibilities that follow a marker are not in it.
        self._sees = {PUBLIC: True}
        self._can_count = {PUBLIC: True}
        zones, markers = table.zones, table.markers
        self._zones = {id: (zones[id], *facts) for id, facts in plan.zones.items()}
        self._numbers = {id: (markers[id], *facts.slot, facts.low) for id, facts in plan.numbers.items()}
        self._words = {id: _OneHot(markers[id], slots) for id, slots in plan.words.items()}
        self._screens = {id: (markers[id], slot) for id, slot in plan.screens.items()}
        self._decisions = [_Decisions(slots) if ANY in slots else slots for slots in plan.decisions]
        self._hot_decisions = [-1] * len(plan.decisions)
        # Piles and numbers that the viewer sees now, except piles with a total: these are fast to update.
        self._plain_piles: dict[str, tuple[Any, dict[str, Slot], None]] = {}
        self._plain_numbers: dict[str, tuple[AnyMarker, int, float, float]] = {}

    def write(self) -> None:
        """Write all features."""
        out = self._out
        out[:] = self._zeros
        self._plain_piles.clear()
        self._plain_numbers.clear()
        plain: dict[str, Any] = self._plain_piles
        for id, planned in self._zones.items():
            zone, counts, total = planned
            if zone.visibility == PUBLIC and total is None and isinstance(zone, Pile):
                plain[id] = planned
                for component, count in zone.items.items():
                    slot = counts.get(component)
                    if slot is not None:
                        at, factor = slot
                        value = count * factor
                        out[at] = value if value < 1.0 else 1.0  # noqa: FURB136  # hot path
            else:
                self._write_contents(id)
        for id, number in self._numbers.items():
            marker, at, factor, low = number
            if marker.visibility == PUBLIC:
                self._plain_numbers[id] = number
                value = marker.value * factor
                if value:
                    out[at] = value if low <= value <= 1.0 else 1.0 if value > 1.0 else low
            else:
                self._write_number(id)
        for word in self._words.values():
            word.hot = -1
            self._write_word(word)
        for marker, at in self._screens.values():
            out[at] = 0.0 if self._can_see(marker) else 1.0
        for seat, slots in enumerate(self._decisions):
            self._hot_decisions[seat] = at = slots.get(self._table.decisions[seat], -1)
            if at >= 0:
                out[at] = 1.0

    def update(self, effects: Iterable[Any]) -> None:
        """Write the current features of everything that these effects change.

        The effects can be in any order; the table has the state after them, or before them if they were reverted.
        """
        out, piles, hot_decisions = self._out, self._plain_piles, self._hot_decisions
        for effect in effects:
            kind = type(effect)  # `isinstance` is slow for the metaclass of structs
            if kind is Move:
                component, id = effect.component, effect.source
                pile = piles.get(id)
                if pile is None:
                    self._write_moved(id, component)
                else:
                    zone, counts, _ = pile
                    slot = counts.get(component)
                    if slot is not None:
                        at, factor = slot
                        value = zone.items.get(component, 0) * factor
                        out[at] = value if value < 1.0 else 1.0  # noqa: FURB136  # hot path
                id = effect.target
                pile = piles.get(id)
                if pile is None:
                    self._write_moved(id, component)
                else:
                    zone, counts, _ = pile
                    slot = counts.get(component)
                    if slot is not None:
                        at, factor = slot
                        value = zone.items.get(component, 0) * factor
                        out[at] = value if value < 1.0 else 1.0  # noqa: FURB136  # hot path
            elif kind is Set:
                id = effect.marker
                number = self._plain_numbers.get(id)
                if number is not None:
                    marker, at, factor, low = number
                    value = marker.value * factor
                    out[at] = value if low <= value <= 1.0 else 1.0 if value > 1.0 else low
                else:
                    word = self._words.get(id)
                    if word is not None:
                        marker = word.marker
                        if marker.visibility == PUBLIC:
                            if word.hot >= 0:
                                out[word.hot] = 0.0
                            word.hot = at = word.slots.get(marker.value, -1)
                            if at >= 0:
                                out[at] = 1.0
                        else:
                            self._write_word(word)
                    elif id in self._numbers:
                        self._write_number(id)
            elif kind is Ask:
                seat = effect.seat
                at = hot_decisions[seat]
                if at >= 0:
                    out[at] = 0.0
                hot_decisions[seat] = at = self._decisions[seat].get(self._table.decisions[seat], -1)
                if at >= 0:
                    out[at] = 1.0
            elif kind is Reveal:
                self._write_subject(effect.subject)

    def _write_moved(self, id: str, component: str) -> None:
        """Write the features of one component in a zone."""
        if id not in self._zones:
            return
        zone, counts, total = self._zones[id]
        is_seen = self._sees.get(zone.visibility)
        if is_seen is None or not isinstance(zone, Pile):
            self._write_zone(id)
            return
        if is_seen:
            slot = counts.get(component)
            if slot is not None:
                at, factor = slot
                self._out[at] = min(zone.items.get(component, 0) * factor, 1.0)
        if total is not None:
            self._write_total(zone, total)

    def _write_subject(self, id: str) -> None:
        """Write the features of a zone or marker, and of those whose visibility follows it."""
        if id in self._zones:
            self._write_zone(id)
        elif id in self._numbers:
            self._write_number(id)
        elif id in self._words:
            self._write_word(self._words[id])
        if id in self._screens:
            marker, at = self._screens[id]
            self._out[at] = 0.0 if self._can_see(marker) else 1.0
        table, word = self._table, same_as(id)
        if id in table.markers:
            for subjects in (table.zones.entries, table.markers.entries):
                for subject in cast(list[Zone | AnyMarker], subjects):
                    if subject.visibility == word:
                        self._write_subject(subject.id)

    def _write_zone(self, id: str) -> None:
        out = self._out
        for at, _ in self._zones[id][1].values():
            out[at] = 0.0
        self._write_contents(id)

    def _write_contents(self, id: str) -> None:
        """Write the features of a zone; those of its components are 0."""
        zone, counts, total = self._zones[id]
        if self._can_see(zone):
            out = self._out
            for component, count in (zone.items if isinstance(zone, Pile) else zone.counts()).items():
                slot = counts.get(component)
                if slot is not None:
                    at, factor = slot
                    out[at] = min(count * factor, 1.0)
            if total is None and isinstance(zone, Pile):
                self._plain_piles[id] = zone, counts, None
        else:
            self._plain_piles.pop(id, None)
        if total is not None:
            self._write_total(zone, total)

    def _write_total(self, zone: Zone, total: Slot) -> None:
        visibility = zone.visibility
        can_be_counted = self._can_count.get(visibility)
        if can_be_counted is None:
            can_be_counted = can_count(self._table, zone, self._viewer)
            if not visibility.startswith("as:"):
                self._can_count[visibility] = can_be_counted
        at, factor = total
        self._out[at] = min(zone.total() * factor, 1.0) if can_be_counted else 0.0

    def _write_number(self, id: str) -> None:
        number = self._numbers[id]
        marker, at, factor, low = number
        if self._can_see(marker):
            self._out[at] = max(low, min(marker.value * factor, 1.0))
            self._plain_numbers[id] = number
        else:
            self._out[at] = 0.0
            self._plain_numbers.pop(id, None)

    def _write_word(self, word: _OneHot) -> None:
        marker, hot = word.marker, word.hot
        if hot >= 0:
            self._out[hot] = 0.0
        word.hot = hot = word.slots.get(marker.value, -1) if self._can_see(marker) else -1
        if hot >= 0:
            self._out[hot] = 1.0

    def _can_see(self, subject: Zone | AnyMarker) -> bool:
        visibility = subject.visibility
        seen = self._sees.get(visibility)
        if seen is None:
            seen = sees(self._table, subject, self._viewer)
            if not visibility.startswith("as:"):
                self._sees[visibility] = seen
        return seen
