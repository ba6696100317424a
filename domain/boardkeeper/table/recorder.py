"""The recorder: rules change the table through it, and the events that it records are stored.

Each change is visible at once. If the command is rejected later, the recorder undoes its changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Ask, Draw, Effect, Event, Move, Reveal, Set, Shuffle
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import PUBLIC, SPECTATOR, dependents_of, hides_detail, is_visibility
from boardkeeper.table.zones import AnyMarker, Marker, Pile, Stack, V, Zone

MAX_EVENTS_AT_ONCE = 65_536
"""The maximum number of events between two calls of :meth:`Recorder.take`. It equals that of a game record."""


class RecorderLog(NamedTuple):
    """Everything recorded since :meth:`Recorder.take`, for :meth:`Recorder.exchange_log`."""

    effects: list[Effect]
    emitted: list[tuple[int, Struct, int]]
    pile_orders: list[tuple[int, Pile, tuple[str, ...]]]


class Recorder:
    """Applies effects to a table and collects them, grouped into events, until :meth:`take` or :meth:`rollback`."""

    __slots__ = ("_effects", "_emitted", "_pile_orders", "dice", "table")

    def __init__(self, table: Table, dice: Dice) -> None:
        self.table = table
        self.dice = dice
        self._effects: list[Effect] = []
        self._emitted: list[tuple[int, Struct, int]] = []  # seat, detail, number of effects when it was emitted
        # Number of effects, pile and its components, before a pile lost its last component of a kind. A rollback
        # restores the order of the components, because rules may list them.
        self._pile_orders: list[tuple[int, Pile, tuple[str, ...]]] = []

    # --- changes -----------------------------------------------------------------------------------------

    def move(self, component: str, source: Zone, target: Zone, count: int = 1) -> None:
        """Move ``count`` components of one kind to another zone; raises ``ValueError`` if ``source`` has fewer."""
        source.take(component, count, self)
        target.put(component, count)
        self._effects.append(Move(component, count, source.id, target.id))

    def keep_order(self, pile: Pile) -> None:
        """Store the order of a pile's components for a rollback. A pile calls this before it loses a kind."""
        self._pile_orders.append((len(self._effects), pile, tuple(pile.items)))

    def set(self, marker: Marker[V], value: V) -> None:
        """Set the value of a marker. If the marker has this value already, record nothing."""
        before = marker.value
        if before != value:
            marker.value = value
            self._effects.append(Set(marker.id, before, value))

    def ask(self, seat: int, decision: str) -> None:
        """Open the decision of this name for a seat; an empty name closes the open one."""
        decisions = self.table.decisions
        before = decisions[seat]
        if before != decision:
            decisions[seat] = decision
            self._effects.append(Ask(seat, before, decision))

    def pick(self, pile: Pile, count: int = 1) -> list[str]:
        """Return ``count`` random components of a pile, picked without replacement; they stay in the pile.

        A ``count`` of 0 records nothing. Raises ``ValueError`` if the pile has fewer components.
        """
        if not count:
            return []
        try:
            drawn = self.dice.picks(pile.id, pile.counter, pile.items, count)
        except ZeroDivisionError:
            raise ValueError(f"{pile.id} has {pile.total()} components, so {count} cannot be drawn") from None
        self._effects.append(Draw(pile.id, pile.counter, tuple(drawn)))
        pile.counter += count
        return drawn

    def draw(self, pile: Pile, target: Zone, count: int = 1) -> list[str]:
        """Move ``count`` random components from a pile to another zone, and return them in order."""
        drawn = self.pick(pile, count)
        for component in drawn:
            self.move(component, pile, target)
        return drawn

    def shuffle(self, stack: Stack) -> None:
        """Put a stack into random order."""
        before = tuple(stack.order)
        stack.order = self.dice.shuffled(stack.id, stack.counter, before)
        self._effects.append(Shuffle(stack.id, stack.counter, before, tuple(stack.order)))
        stack.counter += max(len(before) - 1, 0)

    def reveal(self, subject: Zone | AnyMarker, visibility: str) -> None:
        """Change the visibility of a zone or marker; raises ``ValueError`` for an unknown visibility.

        The new viewers do not learn what the zone already contains. Use :meth:`show` for that.
        """
        before = subject.visibility
        if before != visibility:
            if not is_visibility(visibility, self.table.markers, len(self.table.decisions) - 1):
                raise ValueError(f"{visibility!r} is not a visibility")
            subject.visibility = visibility
            self._effects.append(Reveal(subject.id, before, visibility))

    def show(self, subject: Pile | AnyMarker, visibility: str) -> None:
        """Change the visibility of a pile or marker, and disclose its contents or value to the new viewers.

        Clients that apply effects cannot know what a hidden zone contains. So each component of the pile is moved
        from the pile to itself, and a marker is set to its own value. The components move one by one, so that a viewer
        who may only count them does not learn which are equal. Showing a marker also discloses the zones and
        markers whose visibility follows it. Raises ``TypeError`` for a stack, because moves cannot disclose its order.
        """
        if subject.visibility == visibility:
            return
        self.reveal(subject, visibility)
        self._disclose(subject)
        if isinstance(subject, Marker):
            for other in dependents_of(self.table, subject):
                self._disclose(other)

    def _disclose(self, subject: Zone | AnyMarker) -> None:
        if isinstance(subject, Marker):
            self._effects.append(Set(subject.id, subject.value, subject.value))
        elif isinstance(subject, Pile):
            for component, count in sorted(subject.items.items()):
                self._effects += [Move(component, 1, subject.id, subject.id)] * count
        else:
            raise TypeError(f"the order of {subject.id} cannot be shown")

    # --- events ------------------------------------------------------------------------------------------

    def emit(self, seat: int, detail: Struct) -> None:
        """Record an event with all effects since the previous event.

        A viewer who sees all these effects gets the ``detail``. ``seat`` is 0 for an event of the whole table. Raises
        ``RuntimeError`` after :data:`MAX_EVENTS_AT_ONCE` events, to stop rules that loop on an impossible position.
        """
        emitted = self._emitted
        if len(emitted) >= MAX_EVENTS_AT_ONCE:
            raise RuntimeError(f"more than {MAX_EVENTS_AT_ONCE} events at once")
        emitted.append((seat, detail, len(self._effects)))

    def take(self) -> list[Event]:
        """Return the recorded events and clear the recorder.

        Effects after the last event are added to it. Raises ``RuntimeError`` if there are effects but no event, or if
        the added effects hide the event's detail from a viewer who sees it without them: emit a separate event for
        these effects.
        """
        effects, emitted = self._effects, self._emitted
        if not emitted:
            if effects:
                raise RuntimeError(f"effects without an event: {effects}")
            return []
        seat, detail, end = emitted[-1]
        if len(emitted) == 1:  # most commands have one event, which gets all effects
            if end < len(effects):
                self._check_joining(detail, 0, end)
            events = [Event(seat, detail, tuple(effects))]
        else:
            events = self.pending_events()
            if end < len(effects):
                begin = end - len(events[-1].effects)
                self._check_joining(detail, begin, end)
                events[-1] = Event(seat, detail, tuple(effects[begin:]))
        emitted.clear()
        effects.clear()
        if self._pile_orders:
            self._pile_orders.clear()
        return events

    def _check_joining(self, detail: Struct, begin: int, end: int) -> None:
        """Raise ``RuntimeError`` if effects from index ``end`` on hide the last event's detail from a viewer."""
        markers, at = self.table.markers.entries, self.table.markers.index
        hidden: list[Effect] = []
        for effect in self._effects[end:]:  # fast path: most effects open decisions or set public markers
            if type(effect) is Ask or (type(effect) is Set and markers[at[effect.marker]].visibility == PUBLIC):
                continue
            if hides_detail(self.table, effect, SPECTATOR):
                hidden.append(effect)
        if not hidden:
            return
        for viewer in range(len(self.table.decisions)):
            gets_detail = not any(hides_detail(self.table, effect, viewer) for effect in self._effects[begin:end])
            if gets_detail and any(hides_detail(self.table, effect, viewer) for effect in hidden):
                name = type(detail).__name__
                raise RuntimeError(f"viewer {viewer} gets {name}, but not the effects that join it: {hidden}")

    def pending_events(self) -> list[Event]:
        """Return the events since the last :meth:`take`, without the effects after the last event."""
        events: list[Event] = []
        begin = 0
        for seat, detail, until in self._emitted:
            events.append(Event(seat, detail, tuple(self._effects[begin:until])))
            begin = until
        return events

    def savepoint(self) -> tuple[int, int]:
        """Return a savepoint for :meth:`effects_since` and :meth:`rollback_to`, valid until :meth:`take`."""
        return len(self._effects), len(self._emitted)

    def effects_since(self, savepoint: tuple[int, int]) -> Sequence[Effect]:
        """Return the effects recorded since a savepoint."""
        return self._effects[savepoint[0] :]

    def rollback_to(self, savepoint: tuple[int, int]) -> None:
        """Undo the effects and remove the events that were recorded since a savepoint."""
        effects, emitted = savepoint
        self.table.revert_all(self._effects[effects:])
        del self._effects[effects:]
        del self._emitted[emitted:]
        first = len(self._pile_orders)
        while first and self._pile_orders[first - 1][0] >= effects:
            first -= 1
        _restore_orders(self._pile_orders[first:])
        del self._pile_orders[first:]

    def clear(self) -> None:
        """Remove all recorded events and effects without changing the table, for positions that have no history."""
        self._effects.clear()
        self._emitted.clear()
        self._pile_orders.clear()

    def exchange_log(self, log: RecorderLog) -> RecorderLog:
        """Replace the log and return the previous one. The caller sets the values of the table that ``log`` gives."""
        replaced = RecorderLog(self._effects, self._emitted, self._pile_orders)
        self._effects, self._emitted, self._pile_orders = log
        return replaced

    def rollback(self) -> None:
        """Undo all effects and remove all events since the last :meth:`take`."""
        self.rollback_to((0, 0))


def _restore_orders(orders: Sequence[tuple[int, Pile, tuple[str, ...]]]) -> None:
    """Put the components of each pile back into the order of its first entry."""
    oldest: dict[str, tuple[Pile, tuple[str, ...]]] = {}
    for _, pile, order in orders:
        oldest.setdefault(pile.id, (pile, order))
    for pile, order in oldest.values():
        items = pile.items
        pile.set_contents({component: items[component] for component in (*order, *items) if component in items})
