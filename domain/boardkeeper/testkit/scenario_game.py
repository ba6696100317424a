"""Given, when, then: put a table of a title into a position, give a command, and check what it did.

A position never makes components: it takes them from the stores or from other zones, so conservation holds in every
test. Seats are numbered from 1; seat 1 starts. Derive a class for a title that has short names for its zones and
markers. :class:`boardkeeper.testkit.toy.ToyGame` is ready to use for small titles.
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
    """A bound table: what every title's has (see :class:`boardkeeper.titlekit.turn_flow.TurnFlow`)."""

    start: Number

    def enter(self, phase: str) -> None:
        """Begin a phase."""

    def advance(self) -> None:
        """Go on until a decision is open or the game is over."""


class BoundPlay(Play, Protocol):
    """A play that shows its bound table."""

    @property
    def t(self) -> Any:
        """The bound table."""


P = TypeVar("P", bound=BoundPlay)
T = TypeVar("T", bound=Struct)


class ScenarioGame(Generic[P]):
    """A game of a title in a position of the test's making."""

    adapter: Adapter
    stores: tuple[str, ...] = ()
    """Zones from which a position takes its components first; what is missing there comes from any other zone."""
    away: str
    """The zone for components that a position does not need."""

    def __init__(self, players: int, edition: str = "", seed: str = "seed", **choices: str) -> None:
        """Lay a table; ``choices`` are options and readings by their names."""
        title = self.adapter.title
        known = {option.id for option in title.meta.options}
        options = {name: choice for name, choice in choices.items() if name in known}
        readings = {name: choice for name, choice in choices.items() if name not in options}
        self.setup = complete(title.meta, Setup(edition, players, options, readings))
        self.table = Table(title.layout(self.setup))
        self.play = cast(P, title.play(self.table, Dice(seed.encode()), self.setup))
        self.components = self.table.components()
        self.play.set_up()
        self.laid: list[Event] = self._taken()

    def _taken(self) -> list[Event]:
        events = self.play.recorder.take()
        self.check_events(events)
        return events

    def check_events(self, events: list[Event]) -> None:
        """What holds for all events; a made-up title without words looks at less."""
        check_events(self.adapter, self.table, events)

    def check_rejection(self, command: Struct, rejection: Rejection) -> None:
        """What holds for all refusals; a made-up title publishes none."""
        check_rejection(self.adapter, command, rejection)

    # --- given -------------------------------------------------------------------------------------------

    def bring(self, component: str, target: Zone, count: int = 1) -> Self:
        """Put components into a zone (on top of a stack), taking them from stores first and from others if need be."""
        zones = [self.table.zones[id] for id in self.stores] + list(self.table.zones.values())
        for zone in zones:
            if zone is target or not count:
                continue
            here = min(count, zone.counts().get(component, 0))
            if here:
                self._move(component, zone, target, here)
                count -= here
        assert not count, f"{count} more {component} are needed"
        return self._forget()

    def _move(self, component: str, source: Zone, target: Zone, count: int) -> None:
        """Move components. In a stack, the component does not have to be on top."""
        if isinstance(source, Stack):
            for _ in range(count):
                at = source.order.index(component)
                source.order.append(source.order.pop(at))
                self.play.recorder.move(component, source, target)
        else:
            self.play.recorder.move(component, source, target, count)

    def _forget(self) -> Self:
        """A position is not part of a history."""
        self.play.recorder.clear()
        return self

    def empty(self, zone: Zone, into: str = "") -> Self:
        """Clear a zone into another one."""
        for component, count in zone.counts().items():
            self._move(component, zone, self.table.zones[into or self.away], count)
        return self._forget()

    def run_out(self, component: str, zone: Zone) -> Self:
        """Let no such component be left in a store."""
        left = zone.counts().get(component, 0)
        if left:
            self._move(component, zone, self.table.zones[self.away], left)
        return self._forget()

    def exactly(self, pile: Pile, /, **contents: int) -> Self:
        """Let exactly these components lie in a pile."""
        self.empty(pile)
        for component, count in contents.items():
            self.bring(component, pile, count)
        return self

    def stacked(self, stack: Stack, *top: str) -> Self:
        """Let these components lie on a stack, the first one on top; what lay there stays below them."""
        for placed, component in enumerate(reversed(top)):
            below = stack.order[: len(stack.order) - placed]
            if component in below:
                stack.order.append(stack.order.pop(below.index(component)))
            else:
                self.bring(component, stack)
        return self

    def at(self, seat: int, **markers: int | str) -> Self:
        """Set markers of a seat (0: of the table) by their names, such as ``coins`` for ``seat.1.coins``."""
        for name, value in markers.items():
            marker = self.table.markers[f"seat.{seat}.{name}" if seat else name]
            assert type(marker.value) is type(value), f"{marker.id} is {marker.value!r}"
            marker.value = value
        return self

    def enter(self, phase: str, start: int = 1) -> list[Event]:
        """Begin a phase and go on to a decision; nobody decides anything before."""
        self._forget()
        self.table.decisions[:] = [""] * len(self.table.decisions)
        bound: BoundTable = self.play.t
        bound.start.value = start
        bound.enter(phase)
        bound.advance()
        return self._taken()

    # --- when --------------------------------------------------------------------------------------------

    def do(self, seat: int, *commands: Struct) -> list[Event]:
        """Give commands that have to be accepted; the events of the last one.

        Each must have been listed as legal, and each must be undone exactly by the inverses of its effects.
        """
        events: list[Event] = []
        for command in commands:
            assert command in self.legal(seat), f"{command} is not listed in {self.legal(seat)}"
            before = self.table.contents()
            rejection = self.play.decide(seat, command)
            assert rejection is None, rejection
            events = self._taken()
            assert events, f"{command} had no event"
            for event in reversed(events):
                self.table.revert_all(event.effects)
            assert self.table.contents() == before
            for event in events:
                self.table.apply_all(event.effects)
            assert self.table.components() == self.components
        return events

    def idle(self, *seats: int) -> list[Event]:
        """Let seats, one after the other, do as little as their open decision allows; all events."""
        events: list[Event] = []
        for seat in seats:
            legal = self.legal(seat)
            events += self.do(seat, next((command for command in self.adapter.idle if command in legal), legal[0]))
        return events

    def idle_until(self, phase: str) -> list[Event]:
        """Let all seats idle until a phase asks somebody, or until the game is over; all events."""
        return self._idle_while("phase", lambda now: now != phase)

    def idle_round(self) -> list[Event]:
        """Let all seats idle until the next round asks somebody, or until the game is over; all events."""
        round = self.table.markers["round"].value
        return self._idle_while("round", lambda now: now == round)

    def _idle_while(self, marker: str, goes_on: Callable[[object], bool]) -> list[Event]:
        events: list[Event] = []
        markers = self.table.markers
        while goes_on(markers[marker].value) and markers["phase"].value != OVER:
            events += self.idle(self.deciding()[0])
        return events

    def reject(self, seat: int, command: Struct, rule: str, code: str | None = None) -> Rejection:
        """Give a command that must be refused for that rule, unlisted and without a trace."""
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

    # --- then --------------------------------------------------------------------------------------------

    def legal(self, seat: int) -> list[Struct]:
        """What the seat may do now; nothing is listed twice."""
        commands = list(self.play.legal(seat))
        assert len(set(commands)) == len(commands), commands
        return commands

    def decision(self, seat: int) -> str:
        """The open decision of a seat."""
        return self.table.decisions[seat]

    def deciding(self) -> list[int]:
        """The seats with an open decision."""
        return self.table.deciding()

    def counts(self, zone: str) -> dict[str, int]:
        """What lies in a zone, by the zone's id."""
        return self.table.zones[zone].counts()


def named(events: Iterable[Event], name: str) -> list[Event]:
    """The events of that name."""
    return [event for event in events if event.name == name]


def detail(events: Iterable[Event], kind: type[T]) -> T:
    """The detail of the only event of that kind."""
    (found,) = [event.detail for event in events if isinstance(event.detail, kind)]
    return found


def details(events: Iterable[Event], kind: type[T]) -> dict[int, T]:
    """The details of the events of that kind, by seat, in the order in which they happened."""
    return {event.seat: event.detail for event in events if isinstance(event.detail, kind)}
