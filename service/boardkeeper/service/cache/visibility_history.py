"""The visibilities of a game's zones and markers at each version.

The effects that a viewer may know of an event depend on the visibilities at the time of the event, not on later
reveals.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec.structs import replace

from boardkeeper.game.events import GameCreated, GameEvent, Undone
from boardkeeper.game.undo_effects import shorten_undos, visibility_covers
from boardkeeper.table.effects import Reveal
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table

MAX_EFFECTS = 2_000
"""An undo with more effects is published in short form."""

VisibilitySnapshot = Table
"""A table of which only the visibilities are used. It is immutable, and games with the same layout share it."""

_Visibilities = tuple[tuple[str, str], ...]
"""Ids of zones or markers, each with its visibility."""


class VisibilityHistory:
    """The visibility snapshots of one game."""

    __slots__ = ("_head", "_initial", "_present", "_revealed", "_short", "_undone", "_versions")

    def __init__(self, events: Iterable[GameEvent]) -> None:
        """``events`` are all events of the game so far. Raises ``ValueError`` if the first is not ``GameCreated``."""
        events = list(events)
        self._short = shorten_undos(events, MAX_EFFECTS)
        stored = iter(events)
        created = next(stored).detail
        if not isinstance(created, GameCreated):
            raise ValueError("a game begins with GameCreated")
        self._initial = _initial_visibility(
            tuple((zone.id, zone.visibility) for zone in created.layout.zones),
            tuple((marker.id, marker.visibility) for marker in created.layout.markers),
        )
        self._versions: list[int] = []
        self._revealed: list[tuple[str, str]] = []
        self._present: dict[str, str] = {}
        self._undone: dict[int, dict[str, str]] = {}
        self._head: VisibilitySnapshot | None = None
        for event in stored:
            self.add(event)

    @property
    def head(self) -> VisibilitySnapshot:
        """The snapshot for the latest event."""
        if self._head is None:
            self._head = self._initial.with_changes(self._present)
        return self._head

    def add(self, event: GameEvent) -> None:
        """Add the next event."""
        for effect in event.effects:
            if type(effect) is Reveal:  # for a struct several times as fast as isinstance
                self._versions.append(event.originator_version)
                self._revealed.append((effect.subject, effect.after))
                self._present[effect.subject] = effect.after
                self._head = None
        if type(event.detail) is Undone and (covered := visibility_covers(event.effects)):
            self._undone[event.originator_version] = covered

    def shorten(self, event: GameEvent) -> GameEvent:
        """Return the event as it is published: an undo with too many effects gets their short form."""
        short = self._short.get(event.originator_version)
        return event if short is None else replace(event, effects=short)

    def snapshots(self, events: Sequence[GameEvent]) -> list[VisibilitySnapshot]:
        """Return the snapshot for each of these events, which must be consecutive and already added."""
        if not events:
            return []
        if not self._undone and (not self._versions or self._versions[-1] < events[0].originator_version):
            return [self.head] * len(events)
        at = bisect_right(self._versions, events[0].originator_version)
        then = dict(self._revealed[:at])
        visibility = self._initial.with_changes(then)
        snapshots: list[VisibilitySnapshot] = []
        for event in events:
            if at < len(self._versions) and self._versions[at] <= event.originator_version:
                upto = bisect_right(self._versions, event.originator_version, lo=at)
                then.update(self._revealed[at:upto])
                at = upto
                visibility = self._initial.with_changes(then)
            covered = self._undone.get(event.originator_version)
            snapshots.append(visibility if covered is None else self._initial.with_changes(then | covered))
        return snapshots


class _InitialVisibility:
    """The visibilities of a layout, and a cache of the snapshots that differ from it."""

    def __init__(self, zones: _Visibilities, markers: _Visibilities) -> None:
        self._zones = zones
        self._markers = markers
        self._initial = dict((*zones, *markers))
        self._cached = lru_cache(maxsize=512)(self._make)

    def with_changes(self, visibilities: dict[str, str]) -> VisibilitySnapshot:
        """Return the snapshot with these visibilities instead of the layout's."""
        initial = self._initial
        return self._cached(frozenset(item for item in visibilities.items() if initial[item[0]] != item[1]))

    def _make(self, changed: frozenset[tuple[str, str]]) -> VisibilitySnapshot:
        now = self._initial | dict(changed)
        return Table(
            TableLayout(
                0,
                tuple(ZoneSpec(id, now[id]) for id, _ in self._zones),
                tuple(MarkerSpec(id, 0, now[id]) for id, _ in self._markers),
            )
        )


@lru_cache(maxsize=256)
def _initial_visibility(zones: _Visibilities, markers: _Visibilities) -> _InitialVisibility:
    return _InitialVisibility(zones, markers)
