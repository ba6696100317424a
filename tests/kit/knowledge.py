"""What somebody knows of a table who has nothing but the events that he was told: a client that knows no rules.

It is the way of docs/record.md, 2.3: of a zone that he does not see he keeps how many components lie there, if he may
count them. What he comes to see he takes for empty; a run of moves from the zone to itself says what lies there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from boardkeeper.game.events import GameCreated, GameEvent
from boardkeeper.game.record import form_place, forms
from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.layout import TableLayout
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import HIDDEN, counts, sees
from boardkeeper.table.zones import Stack, Zone


class Knowledge:
    """A table as one viewer knows it, from the layout that he was told."""

    def __init__(self, layout: TableLayout, viewer: int) -> None:
        self.table = Table(layout)
        self.viewer = viewer

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
                    self._put(zone, effect.component, effect.count)
                case Move():
                    self._take(self.table.zones[effect.source], effect.component, effect.count)
                    self._put(self.table.zones[effect.target], effect.component, effect.count)
                case Set():
                    self.table.markers[effect.marker].value = effect.after
                case Shuffle():
                    self.table.stack(effect.zone).order = list(effect.after)
                case Ask() | Draw():
                    self.table.apply(effect)
                case Reveal():
                    pass

    def differences(self, table: Table, *, totals: bool = True) -> Iterator[str]:
        """What the viewer sees of the true table, and how much lies where, that he takes for something else."""
        for zone, own in zip(table.zones.values(), self.table.zones.values(), strict=True):
            if zone.visibility != own.visibility:
                yield f"{zone.id} is seen as {zone.visibility}, not {own.visibility}"
            if sees(table, zone, self.viewer):
                if _contents(zone) != _contents(own):
                    yield f"{zone.id} holds {_contents(zone)}, not {_contents(own)}"
            elif totals and counts(table, zone, self.viewer) and zone.total() != own.total():
                yield f"{zone.id} holds {zone.total()}, not {own.total()}"
        for marker in table.markers.values():
            if sees(table, marker, self.viewer) and marker.value != self.table.markers[marker.id].value:
                yield f"{marker.id} is {marker.value}, not {self.table.markers[marker.id].value}"
        if table.decisions != self.table.decisions:
            yield f"{table.decisions} are open, not {self.table.decisions}"

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
        if counts(self.table, zone, self.viewer):
            zone.put(component if sees(self.table, zone, self.viewer) else HIDDEN, count)

    def _reveal(self, reveals: Iterable[Reveal]) -> None:
        zones = self.table.zones.values()
        seen = [sees(self.table, zone, self.viewer) for zone in zones]
        self.table.apply_all(reveals)
        for zone, before in zip(zones, seen, strict=True):
            if sees(self.table, zone, self.viewer) != before:
                _forget(zone, keeps=zone.total() if before and counts(self.table, zone, self.viewer) else 0)


def _forget(zone: Zone, keeps: int) -> None:
    if isinstance(zone, Stack):
        zone.order = [HIDDEN] * keeps
    else:
        zone.items.clear()
        if keeps:
            zone.put(HIDDEN, keeps)


def _contents(zone: Zone) -> object:
    return zone.order if isinstance(zone, Stack) else zone.items


def told(events: Iterable[GameEvent], viewers: Iterable[int]) -> Iterator[tuple[Table, dict[int, Knowledge]]]:
    """The true table, and what each viewer knows of it, after each event of a game."""
    stored = iter(events)
    first = next(stored)
    assert isinstance(first.detail, GameCreated)
    table = Table(first.detail.layout)
    created = forms(table, first)
    known = {viewer: Knowledge(created[form_place(viewer)].detail.layout, viewer) for viewer in viewers}
    yield table, known
    for event in stored:
        table.apply_all(event.effects)
        every = forms(table, event)
        for viewer, knowledge in known.items():
            knowledge.fold(every[form_place(viewer)].effects)
        yield table, known
