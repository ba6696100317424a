"""The recorder: rules change the table through it, and what it recorded is what is stored.

Later lines of a rule see what earlier lines did. If the command is refused after all, the inverses are applied.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Ask, Draw, Effect, Move, Reveal, Set, Shuffle
from boardkeeper.table.events import Event, unfold
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import PUBLIC, SPECTATOR, behind_it, hides_detail, is_visibility
from boardkeeper.table.zones import AnyMarker, Marker, Pile, Stack, V, Zone

MOST_AT_ONCE = 65_536
"""How many events can be recorded before they are taken: as many as the record of a whole game may have."""


class Recorder:
    """Applies effects to one table and keeps them, grouped into events, until they are taken or rolled back."""

    __slots__ = ("_effects", "_emitted", "_orders", "dice", "table")

    def __init__(self, table: Table, dice: Dice) -> None:
        self.table = table
        self.dice = dice
        self._effects: list[Effect] = []
        self._emitted: list[tuple[int, Struct, int]] = []  # seat, sentence, and how many effects there were by then
        # Piles that lost their last component of a kind, each with how many effects there were before, and with its
        # kinds in the order in which they came: rules may list a pile, so what is taken back leaves no trace there.
        self._orders: list[tuple[int, Pile, tuple[str, ...]]] = []

    # --- changes -----------------------------------------------------------------------------------------

    def move(self, component: str, source: Zone, target: Zone, count: int = 1) -> None:
        """Move components of one kind between zones; raises ``ValueError`` if they are not there."""
        if isinstance(source, Pile) and len(source.items) > 1 and source.items.get(component) == count:
            self._orders.append((len(self._effects), source, tuple(source.items)))
        source.take(component, count)
        target.put(component, count)
        self._effects.append(Move(component, count, source.id, target.id))

    def set(self, marker: Marker[V], value: V) -> None:
        """Give a marker another value; recording nothing if it has it already."""
        before = marker.value
        if before != value:
            marker.value = value
            self._effects.append(Set(marker.id, before, value))

    def ask(self, seat: int, decision: str) -> None:
        """Open a decision for a seat, or close it with an empty name."""
        decisions = self.table.decisions
        before = decisions[seat]
        if before != decision:
            decisions[seat] = decision
            self._effects.append(Ask(seat, before, decision))

    def pick(self, pile: Pile, count: int = 1) -> list[str]:
        """Let chance pick components from a pile, without replacement; they stay where they are.

        Picking none records nothing. Raises ``ValueError`` if the pile has fewer components than ``count``.
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
        """Let chance move ``count`` components from a pile to another zone; returns them in order."""
        drawn = self.pick(pile, count)
        for component in drawn:
            self.move(component, pile, target)
        return drawn

    def shuffle(self, stack: Stack) -> None:
        """Let chance reorder a stack."""
        before = tuple(stack.order)
        stack.order = self.dice.shuffled(stack.id, stack.counter, before)
        self._effects.append(Shuffle(stack.id, stack.counter, before, tuple(stack.order)))
        stack.counter += max(len(before) - 1, 0)

    def reveal(self, subject: Zone | AnyMarker, visibility: str) -> None:
        """Let another circle of viewers see a zone or a marker; raises ``ValueError`` for a word that is none.

        It does not tell those who see it now what they see: :meth:`show` does.
        """
        before = subject.visibility
        if before != visibility:
            if not is_visibility(visibility, self.table.markers, len(self.table.decisions) - 1):
                raise ValueError(f"{visibility!r} is not a visibility")
            subject.visibility = visibility
            self._effects.append(Reveal(subject.id, before, visibility))

    def show(self, subject: Pile | AnyMarker, visibility: str) -> None:
        """Let others see a pile or a marker, and tell them what they see there, and behind it.

        Who folds effects cannot know what lay where he did not see. So each component of the pile moves from it to
        itself, one by one, as whoever may only count them shall not learn which are alike; and a marker takes the value
        that it has. That changes nothing, and goes to those who see it now. A stack is not shown, as moves do not tell
        its order.
        """
        if subject.visibility == visibility:
            return
        self.reveal(subject, visibility)
        self._tell(subject)
        if isinstance(subject, Marker):
            for other in behind_it(self.table, subject):
                self._tell(other)

    def _tell(self, subject: Zone | AnyMarker) -> None:
        if isinstance(subject, Marker):
            self._effects.append(Set(subject.id, subject.value, subject.value))
        elif isinstance(subject, Pile):
            for component, count in sorted(subject.items.items()):
                self._effects += [Move(component, 1, subject.id, subject.id)] * count
        else:
            raise TypeError(f"the order of {subject.id} cannot be shown")

    # --- events ------------------------------------------------------------------------------------------

    def emit(self, seat: int, detail: Struct) -> None:
        """Close an event: this sentence had all effects recorded since the last one, and is told to who sees them all.

        Raises ``RuntimeError`` where the events never end: rules that somebody else's table sends round and round.
        """
        if len(self._emitted) >= MOST_AT_ONCE:
            raise RuntimeError(f"more than {MOST_AT_ONCE} events at once")
        self._emitted.append((seat, detail, len(self._effects)))

    def take(self) -> list[Event]:
        """Hand over what was recorded.

        Effects after the last event belong to it: whom it left to decide, say. Raises ``RuntimeError`` if there
        are effects but no event, or if they would take the event's detail from somebody who could see it without them:
        what is hidden needs an event of its own.
        """
        effects = self._effects
        if not self._emitted:
            if effects:
                raise RuntimeError(f"effects without an event: {effects}")
            return []
        *others, (last, sentence, end) = self._emitted
        events: list[Event] = []
        begin = 0
        for seat, detail, until in others:
            events.append(Event(seat, detail, tuple(effects[begin:until])))
            begin = until
        if end < len(effects):
            self._check_joining(sentence, begin, end)
        events.append(Event(last, sentence, tuple(effects[begin:])))
        self.forget()
        return events

    def _check_joining(self, detail: Struct, begin: int, end: int) -> None:
        """Whether the effects since an event tell everybody as much as the event does."""
        markers = self.table.markers
        hidden: list[Effect] = []
        for effect in self._effects[end:]:  # nearly always they say who decides, or change what lies open
            if type(effect) is Ask or (type(effect) is Set and markers[effect.marker].visibility == PUBLIC):
                continue
            if hides_detail(self.table, effect, SPECTATOR):
                hidden.append(effect)
        if not hidden:
            return
        for viewer in range(len(self.table.decisions)):
            is_told = not any(hides_detail(self.table, effect, viewer) for effect in self._effects[begin:end])
            if is_told and any(hides_detail(self.table, effect, viewer) for effect in hidden):
                name = type(detail).__name__
                raise RuntimeError(f"viewer {viewer} gets {name}, but not the effects that join it: {hidden}")

    def emitted(self) -> list[Event]:
        """The events so far, without the effects after the last one; they stay to be taken or rolled back."""
        events: list[Event] = []
        begin = 0
        for seat, detail, until in self._emitted:
            events.append(Event(seat, detail, tuple(self._effects[begin:until])))
            begin = until
        return events

    def mark(self) -> int:
        """The present, for :meth:`effects_since`; good until the next :meth:`take` or :meth:`rollback`."""
        return len(self._effects)

    def effects_since(self, mark: int) -> Sequence[Effect]:
        """What was recorded after a mark."""
        return self._effects[mark:]

    def here(self) -> tuple[int, int]:
        """The present, for :meth:`back_to`; good until the next :meth:`take` or :meth:`rollback`."""
        return len(self._effects), len(self._emitted)

    def back_to(self, place: tuple[int, int]) -> None:
        """Undo what was recorded since :meth:`here` was that place; what came before stays."""
        effects, emitted = place
        unfold(self.table, tuple(self._effects[effects:]))
        del self._effects[effects:]
        del self._emitted[emitted:]
        at = len(self._orders)
        while at and self._orders[at - 1][0] >= effects:
            at -= 1
        _restore(self._orders[at:])
        del self._orders[at:]

    def forget(self) -> None:
        """Leave the table as it is and drop what was recorded: for positions, which have no history."""
        self._effects.clear()
        self._emitted.clear()
        self._orders.clear()

    def rollback(self) -> None:
        """Undo everything recorded since the last :meth:`take`."""
        self.back_to((0, 0))


def _restore(orders: Sequence[tuple[int, Pile, tuple[str, ...]]]) -> None:
    """Let the kinds in piles lie again in the order in which they did before the first of these."""
    first: dict[str, tuple[Pile, tuple[str, ...]]] = {}
    for _, pile, order in orders:
        if pile.id not in first:
            first[pile.id] = pile, order
    for pile, order in first.values():
        items = pile.items
        pile.hold({kind: items[kind] for kind in (*order, *items) if kind in items})
