"""The table of a client that knows no rules: it applies the redacted effects that its viewer receives.

It implements docs/record.md, 2.3, and is the model for clients in other languages. It starts with the table as the
viewer sees it at some version. For a hidden zone it stores the number of components, if the viewer may count them. When
a zone becomes visible, moves from the zone to itself disclose its contents. If they do not, the zone is
:meth:`~ClientTable.missing`, and the client has to read the table again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from boardkeeper.game.events import GameCreated, GameEvent
from boardkeeper.game.record import event_forms, form_index
from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.layout import MarkerSpec, TableLayout, ZoneSpec
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import HIDDEN, can_count, sees
from boardkeeper.table.visible_table import VisibleTable, VisibleZone, visible_table
from boardkeeper.table.zones import Stack, Zone


class ClientTable:
    """A table as a client of one viewer knows it."""

    def __init__(self, seen: VisibleTable) -> None:
        self.viewer = seen.viewer
        self.table = Table(
            TableLayout(
                len(seen.decisions),
                tuple(map(_spec, seen.zones)),
                tuple(
                    MarkerSpec(it.id, HIDDEN if it.value is None else it.value, it.visibility) for it in seen.markers
                ),
                seen.decisions,
            )
        )
        self._unseen = {it.id for it in seen.markers if it.value is None}
        self._uncounted: set[str] = set()
        """Zones that became countable, but whose number of components was not disclosed."""

    def apply_effects(self, effects: Iterable[Effect]) -> None:
        """Apply the redacted effects of one event. Its reveals come first: effects are redacted by the later table."""
        effects = list(effects)
        reveals = [effect for effect in effects if isinstance(effect, Reveal)]
        if reveals:
            self._reveal(reveals)
        disclosed = ""
        for effect in effects:
            previous = disclosed
            disclosed = effect.source if isinstance(effect, Move) and effect.source == effect.target else ""
            match effect:
                case Move() if disclosed:
                    zone = self.table.zones[disclosed]
                    if previous != disclosed:
                        _hide(zone, count=0)
                        self._uncounted.discard(disclosed)
                    self._put(zone, effect.component, effect.count)
                case Move():
                    self._take(self.table.zones[effect.source], effect.component, effect.count)
                    self._put(self.table.zones[effect.target], effect.component, effect.count)
                case Set():
                    self.table.markers[effect.marker].value = effect.after
                    self._unseen.discard(effect.marker)
                case Shuffle():
                    stack = self.table.stack(effect.zone)
                    stack.order, stack.counter = list(effect.after), effect.counter + max(len(effect.after) - 1, 0)
                    self._uncounted.discard(effect.zone)
                case Ask() | Draw():
                    self.table.apply(effect)
                case Reveal():
                    pass

    def missing(self) -> set[str]:
        """Return the zones and markers that the viewer may see or count, but whose contents were not disclosed."""
        zones = self.table.zones.values()
        unknown = {it.id for it in zones if HIDDEN in it.counts() and sees(self.table, it, self.viewer)}
        unseen = {id for id in self._unseen if sees(self.table, self.table.markers[id], self.viewer)}
        return unknown | unseen | self._uncounted

    def seen(self) -> VisibleTable:
        """Return the table as the client knows it. Its :meth:`missing` zones and markers may be wrong."""
        seen = visible_table(self.table, self.viewer)
        return replace(seen, zones=tuple(self._hidden(zone) for zone in seen.zones))

    def differences(self, table: Table, *, totals: bool = True) -> Iterator[str]:
        """Yield differences from the true table as the viewer sees it, except in :meth:`missing` zones and markers.

        With ``totals`` the numbers of components in hidden zones are compared too.
        """
        true, own, missing = visible_table(table, self.viewer), self.seen(), self.missing()
        for zone, known_zone in zip(true.zones, own.zones, strict=True):
            if not totals and not zone.is_seen:
                zone, known_zone = replace(zone, count=None), replace(known_zone, count=None)
            if zone != known_zone and zone.id not in missing:
                yield f"it is {zone}, not {known_zone}"
        for marker, known in zip(true.markers, own.markers, strict=True):
            if marker != known and marker.id not in missing:
                yield f"it is {marker}, not {known}"
        if true.decisions != own.decisions:
            yield f"{true.decisions} are open, not {own.decisions}"

    def _hidden(self, zone: VisibleZone) -> VisibleZone:
        return replace(zone, count=None) if zone.id in self._uncounted else zone

    def _take(self, zone: Zone, component: str, count: int) -> None:
        """Remove components; unknown ones are among the hidden components, or were not counted."""
        if isinstance(zone, Stack):
            del zone.order[max(0, len(zone.order) - count) :]
            return
        for known in (component, HIDDEN):
            present = min(count, zone.items.get(known, 0))
            if present:
                zone.take(known, present)
            count -= present

    def _put(self, zone: Zone, component: str, count: int) -> None:
        if can_count(self.table, zone, self.viewer):
            zone.put(component if sees(self.table, zone, self.viewer) else HIDDEN, count)

    def _reveal(self, reveals: Iterable[Reveal]) -> None:
        zones = self.table.zones.values()
        before = [(self._sees(zone), can_count(self.table, zone, self.viewer)) for zone in zones]
        saw = {id for id, marker in self.table.markers.items() if sees(self.table, marker, self.viewer)}
        self.table.apply_all(reveals)
        for zone, (seen, counted) in zip(zones, before, strict=True):
            if not can_count(self.table, zone, self.viewer):
                _hide(zone, count=0)
                self._uncounted.discard(zone.id)
            elif not counted:
                self._uncounted.add(zone.id)
            elif seen and not self._sees(zone):
                _hide(zone, count=zone.total())
        for id, marker in self.table.markers.items():
            if id not in saw or not sees(self.table, marker, self.viewer):
                self._unseen.add(id)

    def _sees(self, zone: Zone) -> bool:
        return sees(self.table, zone, self.viewer)


def _spec(zone: VisibleZone) -> ZoneSpec:
    if zone.is_seen:
        return ZoneSpec(zone.id, zone.visibility, zone.contents, zone.is_stack, zone.draws, zone.order)
    return ZoneSpec(zone.id, zone.visibility, {HIDDEN: zone.count} if zone.count else {}, zone.is_stack)


def _hide(zone: Zone, count: int) -> None:
    if isinstance(zone, Stack):
        zone.order = [HIDDEN] * count
    else:
        zone.set_contents({HIDDEN: count} if count else {})


def follow(events: Iterable[GameEvent], viewers: Iterable[int]) -> Iterator[tuple[Table, dict[int, ClientTable]]]:
    """Yield the true table and the tables of the viewers' clients after each event of a game.

    The caller may replace the table of a client before the next event.
    """
    stored = iter(events)
    first = next(stored)
    assert isinstance(first.detail, GameCreated)
    table = Table(first.detail.layout)
    known = {viewer: ClientTable(visible_table(table, viewer)) for viewer in viewers}
    yield table, known
    for event in stored:
        table.apply_all(event.effects)
        every = event_forms(table, event)
        for viewer, client in known.items():
            client.apply_effects(every[form_index(viewer)].effects)
        yield table, known
