"""Tests of single rules: arrange a position of a title, give a command, and check its events.

Arranging a position only moves components between zones, so their numbers stay correct. Seats are numbered from 1; seat
1 starts. Derive a class with short names for the zones and markers of a title. For small titles there is
:class:`boardkeeper.testkit.toy.ToyGame`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic, Protocol, Self, TypeVar, cast

from msgspec import Struct

from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.effects import Event
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.zones import Number, Pile, Stack, Zone
from boardkeeper.testkit.adapters import Adapter
from boardkeeper.testkit.checks import check_events, check_rejection
from boardkeeper.titlekit.title import Play, Setup
from boardkeeper.titlekit.turn_flow import OVER


class BoundTable(Protocol):
    """The interface of bound tables (see :class:`boardkeeper.titlekit.turn_flow.TurnFlow`)."""

    start: Number

    def enter(self, phase: str) -> None:
        """Begin the phase with this name."""

    def advance(self) -> None:
        """Continue until a decision is open or the game is over."""


class BoundPlay(Play, Protocol):
    """A play with a bound table."""

    @property
    def t(self) -> Any:
        """The bound table."""


P = TypeVar("P", bound=BoundPlay)
T = TypeVar("T", bound=Struct)


class ScenarioGame(Generic[P]):
    """A game of a title in a position that a test arranges.

    Methods that arrange a position return the game, so that they can be chained.
    """

    adapter: Adapter
    stores: tuple[str, ...] = ()
    """Ids of zones to take components from; if these have too few, other zones are used."""
    away: str
    """The id of the zone for components that a position does not need."""

    def __init__(self, players: int, edition: str = "", seed: str = "seed", **choices: str) -> None:
        """Set up a game; ``choices`` are options and readings by id."""
        title = self.adapter.title
        known = {option.id for option in title.meta.options}
        options = {name: choice for name, choice in choices.items() if name in known}
        readings = {name: choice for name, choice in choices.items() if name not in options}
        self.setup = complete(title.meta, Setup(edition, players, options, readings))
        self.table = Table(title.layout(self.setup))
        self.play = cast(P, title.play(self.table, Dice(seed.encode()), self.setup))
        self.components = self.table.components()
        self.play.set_up()
        self.laid: list[Event] = self._take_events()

    def _take_events(self) -> list[Event]:
        events = self.play.recorder.take()
        self.check_events(events)
        return events

    def check_events(self, events: list[Event]) -> None:
        """Check events; a subclass for a title without words can check less."""
        check_events(self.adapter, self.table, events)

    def check_rejection(self, command: Struct, rejection: Rejection) -> None:
        """Check a rejection; a subclass for a title that publishes none can check less."""
        check_rejection(self.adapter, command, rejection)

    # --- arrange -------------------------------------------------------------------------------------------

    def bring(self, component: str, target: Zone, count: int = 1) -> Self:
        """Move components into a zone (on top of a stack), from the stores if possible, else from other zones."""
        zones = [self.table.zones[id] for id in self.stores] + list(self.table.zones.values())
        for zone in zones:
            if zone is target or not count:
                continue
            found = min(count, zone.counts().get(component, 0))
            if found:
                self._move(component, zone, target, found)
                count -= found
        assert not count, f"{count} more {component} are needed"
        return self._clear_recorder()

    def _move(self, component: str, source: Zone, target: Zone, count: int) -> None:
        """Move components. In a stack, they need not be on top."""
        if isinstance(source, Stack):
            for _ in range(count):
                at = source.order.index(component)
                source.order.append(source.order.pop(at))
                self.play.recorder.move(component, source, target)
        else:
            self.play.recorder.move(component, source, target, count)

    def _clear_recorder(self) -> Self:
        """Drop the recorded effects: a position has no history."""
        self.play.recorder.clear()
        return self

    def empty(self, zone: Zone, into: str = "") -> Self:
        """Move all components of a zone into another one, by default ``away``."""
        for component, count in zone.counts().items():
            self._move(component, zone, self.table.zones[into or self.away], count)
        return self._clear_recorder()

    def run_out(self, component: str, zone: Zone) -> Self:
        """Move all components of one kind from a zone to the zone ``away``."""
        left = zone.counts().get(component, 0)
        if left:
            self._move(component, zone, self.table.zones[self.away], left)
        return self._clear_recorder()

    def exactly(self, pile: Pile, /, **contents: int) -> Self:
        """Make a pile contain exactly these components."""
        self.empty(pile)
        for component, count in contents.items():
            self.bring(component, pile, count)
        return self

    def stacked(self, stack: Stack, *top: str) -> Self:
        """Put these components on top of a stack, the first one uppermost."""
        for placed, component in enumerate(reversed(top)):
            below = stack.order[: len(stack.order) - placed]
            if component in below:
                stack.order.append(stack.order.pop(below.index(component)))
            else:
                self.bring(component, stack)
        return self

    def at(self, seat: int, **markers: int | str) -> Self:
        """Set markers of a seat (0: of the table) by the last parts of their ids: ``coins`` for ``seat.1.coins``."""
        for name, value in markers.items():
            marker = self.table.markers[f"seat.{seat}.{name}" if seat else name]
            assert type(marker.value) is type(value), f"{marker.id} is {marker.value!r}"
            marker.value = value
        return self

    def enter(self, phase: str, start: int = 1) -> list[Event]:
        """Close all decisions, begin a phase, and continue to the first decision; return the events."""
        self._clear_recorder()
        self.table.decisions[:] = [""] * len(self.table.decisions)
        bound: BoundTable = self.play.t
        bound.start.value = start
        bound.enter(phase)
        bound.advance()
        return self._take_events()

    # --- act --------------------------------------------------------------------------------------------

    def do(self, seat: int, *commands: Struct) -> list[Event]:
        """Give commands, which must be accepted, and return the events of the last one.

        Each must be listed as legal, and reverting its effects must restore the table.
        """
        events: list[Event] = []
        for command in commands:
            assert command in self.legal(seat), f"{command} is not listed in {self.legal(seat)}"
            before = self.table.contents()
            rejection = self.play.decide(seat, command)
            assert rejection is None, rejection
            events = self._take_events()
            assert events, f"{command} had no event"
            for event in reversed(events):
                self.table.revert_all(event.effects)
            assert self.table.contents() == before
            for event in events:
                self.table.apply_all(event.effects)
            assert self.table.components() == self.components
        return events

    def idle(self, *seats: int) -> list[Event]:
        """Give an idle command (``Adapter.idle``, else the first legal one) for each seat, and return all events."""
        events: list[Event] = []
        for seat in seats:
            legal = self.legal(seat)
            events += self.do(seat, next((command for command in self.adapter.idle if command in legal), legal[0]))
        return events

    def idle_until(self, phase: str) -> list[Event]:
        """Let all seats idle until a phase, or the end of the game, and return all events."""
        return self._idle_while("phase", lambda now: now != phase)

    def idle_round(self) -> list[Event]:
        """Let all seats idle until the next round, or the end of the game, and return all events."""
        round = self.table.markers["round"].value
        return self._idle_while("round", lambda now: now == round)

    def _idle_while(self, marker: str, is_wanted: Callable[[object], bool]) -> list[Event]:
        events: list[Event] = []
        markers = self.table.markers
        while is_wanted(markers[marker].value) and markers["phase"].value != OVER:
            events += self.idle(self.deciding()[0])
        return events

    def reject(self, seat: int, command: Struct, rule: str, code: str | None = None) -> Rejection:
        """Give an unlisted command, which must be rejected for this rule and leave the table unchanged."""
        assert command not in self.legal(seat)
        before = self.table.contents()
        rejection = self.play.decide(seat, command)
        assert rejection is not None, f"{command} was accepted"
        self.play.recorder.rollback()
        assert self.table.contents() == before
        assert rejection.rule == rule, rejection
        assert code is None or rejection.code == code, rejection
        self.check_rejection(command, rejection)
        return rejection

    # --- assert --------------------------------------------------------------------------------------------

    def legal(self, seat: int) -> list[Struct]:
        """Return the legal commands of a seat, and check that they differ."""
        commands = list(self.play.legal(seat))
        assert len(set(commands)) == len(commands), commands
        return commands

    def decision(self, seat: int) -> str:
        """Return the open decision of a seat; empty if it has none."""
        return self.table.decisions[seat]

    def deciding(self) -> list[int]:
        return self.table.deciding()

    def counts(self, zone: str) -> dict[str, int]:
        """Return the components in a zone with their numbers, by the zone's id."""
        return self.table.zones[zone].counts()


def named(events: Iterable[Event], name: str) -> list[Event]:
    """Return the events with this name."""
    return [event for event in events if event.name == name]


def detail(events: Iterable[Event], kind: type[T]) -> T:
    """Return the detail of the only event of this type."""
    (found,) = [event.detail for event in events if isinstance(event.detail, kind)]
    return found


def details(events: Iterable[Event], kind: type[T]) -> dict[int, T]:
    """Return the details of the events of this type by seat, in order."""
    return {event.seat: event.detail for event in events if isinstance(event.detail, kind)}
