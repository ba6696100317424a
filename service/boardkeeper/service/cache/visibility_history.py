"""Who saw what when: the visibilities of a game's zones and markers at each of its versions.

What a viewer may know of an event depends on what was visible when it happened, not on what was revealed since. A
veil is a :class:`Table` of which only the visibilities count; nothing is ever moved on it and nobody changes it
once it is made, so games of the same layout share theirs.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec.structs import replace

from boardkeeper.game.events import GameCreated, GameEvent, Undone
from boardkeeper.game.undo import shorten_undos, visibility_covers
from boardkeeper.table.effects import Reveal
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table

MOST_EFFECTS = 2_000
"""An undo with more effects is told in short."""

VisibilitySnapshot = Table

_Visibilities = tuple[tuple[str, str], ...]
"""Ids and who sees them."""


class VisibilityHistory:
    """The veils of one game, which begins with the first of ``events``.

    Raises ``ValueError`` if that is not ``GameCreated``.
    """

    __slots__ = ("_first", "_head", "_present", "_revealed", "_short", "_undone", "_versions")

    def __init__(self, events: Iterable[GameEvent]) -> None:
        events = list(events)
        self._short = shorten_undos(events, MOST_EFFECTS)
        stored = iter(events)
        created = next(stored).detail
        if not isinstance(created, GameCreated):
            raise ValueError("a game begins with GameCreated")
        self._first = _first_veil(
            tuple((zone.id, zone.visibility) for zone in created.layout.zones),
            tuple((marker.id, marker.visibility) for marker in created.layout.markers),
        )
        self._versions: list[int] = []
        self._revealed: list[tuple[str, str]] = []
        self._present: dict[str, str] = {}
        self._undone: dict[int, dict[str, str]] = {}
        self._head: VisibilitySnapshot | None = None
        for event in stored:
            self.note(event)

    @property
    def head(self) -> VisibilitySnapshot:
        """The veil over the latest event."""
        if self._head is None:
            self._head = self._first.changed(self._present)
        return self._head

    def note(self, event: GameEvent) -> None:
        """Go on to the next event."""
        for effect in event.effects:
            if type(effect) is Reveal:  # of a struct this is several times as fast as isinstance
                self._versions.append(event.originator_version)
                self._revealed.append((effect.subject, effect.after))
                self._present[effect.subject] = effect.after
                self._head = None
        if type(event.detail) is Undone and (covered := visibility_covers(event.effects)):
            self._undone[event.originator_version] = covered

    def tellable(self, event: GameEvent) -> GameEvent:
        """An event of the game as it can be told: an undo with more effects than anybody can take in, in short."""
        short = self._short.get(event.originator_version)
        return event if short is None else replace(event, effects=short)

    def over(self, events: Sequence[GameEvent]) -> list[VisibilitySnapshot]:
        """The veil over each of these events, which have been noted and follow each other."""
        if not events:
            return []
        if not self._undone and (not self._versions or self._versions[-1] < events[0].originator_version):
            return [self.head] * len(events)
        at = bisect_right(self._versions, events[0].originator_version)
        then = dict(self._revealed[:at])
        visibility = self._first.changed(then)
        visibility_history: list[VisibilitySnapshot] = []
        for event in events:
            if at < len(self._versions) and self._versions[at] <= event.originator_version:
                upto = bisect_right(self._versions, event.originator_version, lo=at)
                then.update(self._revealed[at:upto])
                at = upto
                visibility = self._first.changed(then)
            covered = self._undone.get(event.originator_version)
            visibility_history.append(visibility if covered is None else self._first.changed(then | covered))
        return visibility_history


class _FirstVeil:
    """The veil of a layout and, as they are needed, those with some of its visibilities changed."""

    def __init__(self, zones: _Visibilities, markers: _Visibilities) -> None:
        self._zones = zones
        self._markers = markers
        self._at_first = dict((*zones, *markers))
        self._made = lru_cache(maxsize=512)(self._make)

    def changed(self, visibilities: dict[str, str]) -> VisibilitySnapshot:
        """The veil where these differ from the layout."""
        at_first = self._at_first
        return self._made(frozenset(item for item in visibilities.items() if at_first[item[0]] != item[1]))

    def _make(self, changed: frozenset[tuple[str, str]]) -> VisibilitySnapshot:
        now = self._at_first | dict(changed)
        return Table(
            TableLayout(
                0,
                tuple(ZoneSpec(id, now[id]) for id, _ in self._zones),
                tuple(MarkerSpec(id, 0, now[id]) for id, _ in self._markers),
            )
        )


@lru_cache(maxsize=256)
def _first_veil(zones: _Visibilities, markers: _Visibilities) -> _FirstVeil:
    return _FirstVeil(zones, markers)
