"""What somebody knows of a table who has nothing but the events that he was told: a client that knows no rules.

It is the way of docs/record.md, 2.3, and what clients in other languages are written after. It begins with a table as
the viewer sees it at any version. Of a zone that he does not see he keeps how many components lie there, if he may
count them. Of what he comes to see, a run of moves from the zone to itself says what lies there. What nobody has told
him he :meth:`~ClientTable.lacks`, and knows that he does.
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
    """A table as one viewer knows it, from one that he was shown."""

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
        """Zones that could be counted, had somebody told what lay there when that began."""

    def fold(self, effects: Iterable[Effect]) -> None:
        """Take in the effects of one event as they were told: by who sees what once it has happened."""
        effects = list(effects)
        reveals = [effect for effect in effects if isinstance(effect, Reveal)]
        if reveals:
            self._reveal(reveals)
        told = ""
        for effect in effects:
            about, told = told, effect.source if isinstance(effect, Move) and effect.source == effect.target else ""
            match effect:
                case Move() if told:
                    zone = self.table.zones[told]
                    if about != told:
                        _forget(zone, keeps=0)
                        self._uncounted.discard(told)
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

    def lacks(self) -> set[str]:
        """The zones and markers of which he may know more than he was told: he has to ask for the table."""
        zones = self.table.zones.values()
        unknown = {it.id for it in zones if HIDDEN in it.counts() and sees(self.table, it, self.viewer)}
        unseen = {id for id in self._unseen if sees(self.table, self.table.markers[id], self.viewer)}
        return unknown | unseen | self._uncounted

    def seen(self) -> VisibleTable:
        """The table as he knows it; what he :meth:`lacks` may be wrong in it."""
        seen = visible_table(self.table, self.viewer)
        return replace(seen, zones=tuple(self._hidden(zone) for zone in seen.zones))

    def differences(self, table: Table, *, totals: bool = True) -> Iterator[str]:
        """What the viewer sees of the true table that he takes for something else, besides what he lacks.

        How much lies where he only counts is compared for ``totals``: of what goes to where he cannot even count,
        nobody tells him.
        """
        true, own, lacks = visible_table(table, self.viewer), self.seen(), self.lacks()
        for zone, taken in zip(true.zones, own.zones, strict=True):
            if not totals and not zone.is_seen:
                zone, taken = replace(zone, count=None), replace(taken, count=None)
            if zone != taken and zone.id not in lacks:
                yield f"it is {zone}, not {taken}"
        for marker, known in zip(true.markers, own.markers, strict=True):
            if marker != known and marker.id not in lacks:
                yield f"it is {marker}, not {known}"
        if true.decisions != own.decisions:
            yield f"{true.decisions} are open, not {own.decisions}"

    def _hidden(self, zone: VisibleZone) -> VisibleZone:
        return replace(zone, count=None) if zone.id in self._uncounted else zone

    def _take(self, zone: Zone, component: str, count: int) -> None:
        """What is not known to be there is among what is not known, or the viewer did not know that it was there."""
        if isinstance(zone, Stack):
            del zone.order[max(0, len(zone.order) - count) :]
            return
        for known in (component, HIDDEN):
            there = min(count, zone.items.get(known, 0))
            if there:
                zone.take(known, there)
            count -= there

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
                _forget(zone, keeps=0)
                self._uncounted.discard(zone.id)
            elif not counted:
                self._uncounted.add(zone.id)
            elif seen and not self._sees(zone):
                _forget(zone, keeps=zone.total())
        for id, marker in self.table.markers.items():
            if id not in saw or not sees(self.table, marker, self.viewer):
                self._unseen.add(id)

    def _sees(self, zone: Zone) -> bool:
        return sees(self.table, zone, self.viewer)


def _spec(zone: VisibleZone) -> ZoneSpec:
    if zone.is_seen:
        return ZoneSpec(zone.id, zone.visibility, zone.contents, zone.is_stack, zone.draws, zone.order)
    return ZoneSpec(zone.id, zone.visibility, {HIDDEN: zone.count} if zone.count else {}, zone.is_stack)


def _forget(zone: Zone, keeps: int) -> None:
    if isinstance(zone, Stack):
        zone.order = [HIDDEN] * keeps
    else:
        zone.set_contents({HIDDEN: keeps} if keeps else {})


def follow(events: Iterable[GameEvent], viewers: Iterable[int]) -> Iterator[tuple[Table, dict[int, ClientTable]]]:
    """Yield the true table, and what each viewer knows of it, after each event of a game.

    The caller may replace the knowledge of a viewer, by one from the table as it sees it, before the next event.
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
        for viewer, knowledge in known.items():
            knowledge.fold(every[form_index(viewer)].effects)
        yield table, known
