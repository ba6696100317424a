"""Given / when / then for Orléans: put a table into a position, give a command, look at what it did.

Components are never conjured up: what a position needs is taken from the supply, the box, or wherever else it lies, so
that conservation holds in every test. Seats are numbered from 1; seat 1 starts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from msgspec import Struct
from tests.titles.orleans.checks import check_events, check_refusal

from boardkeeper.game.choices import complete
from boardkeeper.table.dice import Dice
from boardkeeper.table.events import Event, unfold
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.table import Table
from boardkeeper.table.title import Setup
from boardkeeper.table.zones import Pile, Zone
from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans.bindings import Orleans, Seat
from boardkeeper.titles.orleans.board import Board
from boardkeeper.titles.orleans.data import Options
from boardkeeper.titles.orleans.phases import screens
from boardkeeper.titles.orleans.play import OrleansPlay
from boardkeeper.titles.orleans.title import TITLE

T = TypeVar("T", bound=Struct)
EVERYWHERE = ("supply", "box", "technology", "goods_market", "removed")
IDLE: tuple[Struct, ...] = (
    c.DrawFollowers(0),
    c.FinishTakingBack(),
    c.FinishStoring(),
    c.FinishPlanning(),
    c.Pass(),
    c.KeepTechnology(),
    c.SufferEvent(),
    c.PayForFood(),
)
"""What a seat does that wants to do nothing."""


class OrleansGame:
    """A game in a position of the test's making."""

    def __init__(self, players: int = 4, edition: str = "capstone-2021", seed: str = "seed", **choices: str) -> None:
        """Lay a table; ``choices`` are options and readings by their names."""
        options = {name: choice for name, choice in choices.items() if name in Options.__struct_fields__}
        readings = {name: choice for name, choice in choices.items() if name not in options}
        self.setup = complete(TITLE.meta, Setup(edition, players, options, readings))
        self.table = Table(TITLE.layout(self.setup))
        self.play: OrleansPlay = TITLE.play(self.table, Dice(seed.encode()), self.setup)
        self.components = self.table.components()
        self.play.set_up()
        self.laid: list[Event] = self._taken()

    def _taken(self) -> list[Event]:
        events = self.play.recorder.take()
        check_events(self.table, events)
        return events

    @property
    def t(self) -> Orleans:
        """The bound table."""
        return self.play.t

    def seat(self, seat: int) -> Seat:
        """A seat's side of the table."""
        return self.t.seats[seat - 1]

    # --- given -------------------------------------------------------------------------------------------

    def bring(self, component: str, target: Zone, count: int = 1) -> OrleansGame:
        """Put components into a zone, taking them from stores first and from other zones if need be."""
        zones = [self.table.zones[id] for id in EVERYWHERE] + list(self.table.zones.values())
        for zone in zones:
            if zone is target or not count or not isinstance(zone, Pile):
                continue
            here = min(count, zone.items.get(component, 0))
            if here:
                self.t.move(component, zone, target, here)
                count -= here
        assert not count, f"there are not enough {component}"
        self._forget()
        return self

    def _forget(self) -> None:
        """A position is not part of a history."""
        self.play.recorder.forget()

    def empty(self, zone: Pile, into: str = "box") -> OrleansGame:
        """Clear a pile into another zone."""
        for component, count in zone.counts().items():
            self.t.move(component, zone, self.table.zones[into], count)
        self._forget()
        return self

    def run_out(self, component: str, zone: Pile) -> OrleansGame:
        """Let no such component be left in a store."""
        left = zone.items.get(component, 0)
        if left:
            self.t.move(component, zone, self.t.box, left)
        self._forget()
        return self

    def on_way(self, way: str, **goods: int) -> OrleansGame:
        """Let exactly these goods lie on a road or waterway."""
        return self._exactly(self.t.ways[way], goods)

    def market(self, seat: int, **followers: int) -> OrleansGame:
        """Let exactly these followers lie on a seat's market (``own_farmer=1`` for a marked one)."""
        return self._exactly(self.seat(seat).market, followers)

    def bag(self, seat: int, **followers: int) -> OrleansGame:
        """Let exactly these followers be in a seat's bag."""
        return self._exactly(self.seat(seat).bag, followers)

    def goods(self, seat: int, **goods: int) -> OrleansGame:
        """Let a seat own exactly these goods."""
        return self._exactly(self.seat(seat).goods, goods)

    def on_deed(self, deed: str, **followers: int) -> OrleansGame:
        """Add followers to a beneficial deed."""
        for follower, count in followers.items():
            self.bring(follower, self.t.deeds[deed], count)
        return self

    def _exactly(self, pile: Pile, contents: dict[str, int]) -> OrleansGame:
        self.empty(pile)
        for component, count in contents.items():
            self.bring(component, pile, count)
        return self

    def own(self, seat: int, *tiles: str) -> OrleansGame:
        """Let a seat own place tiles."""
        for tile in tiles:
            self.bring(tile, self.seat(seat).place_tiles)
            screens.put_behind(self.t, self.seat(seat), tile)
        self._forget()
        return self

    def fill(self, seat: int, place: str, *occupants: str) -> OrleansGame:
        """Fill the spaces of a place in order; without occupants with what they ask for (any: a farmer)."""
        spaces = self.seat(seat).estate().places[place].spaces
        for space, occupant in zip(spaces, occupants or [_wanted(space.requires) for space in spaces], strict=False):
            if occupant:
                self.bring(occupant, space.pile)
        return self

    def technology(self, seat: int, count: int = 1) -> OrleansGame:
        """Give a seat technology tiles that are not placed yet."""
        return self.bring("technology", self.seat(seat).technology, count)

    def citizens(self, seat: int, count: int) -> OrleansGame:
        """Give a seat the citizens of that many beneficial deeds."""
        homes = [deed for deed in self.t.deeds.values() if "citizen" in deed.items]
        for deed in homes[:count]:
            self.t.move("citizen", deed, self.seat(seat).citizens)
        self._forget()
        return self

    def stations(self, seat: int, *towns: str) -> OrleansGame:
        """Let a seat have built trading stations in these towns."""
        for town in towns:
            self.t.move(self.seat(seat).station, self.seat(seat).stations, self.t.towns[town])
        self._forget()
        return self

    def at(self, seat: int, **markers: int | str) -> OrleansGame:
        """Set markers of a seat: ``coins``, ``development``, ``merchant``, a track such as ``farmers``."""
        for name, value in markers.items():
            self.table.markers[f"seat.{seat}.{name}"].value = value
        return self

    def turn(self, round: int, event: str, strength: str = "A") -> OrleansGame:
        """Let this be the round and the hour glass tile."""
        self.t.round.value = round
        self.t.event.value = event
        self.t.strength.value = strength
        return self

    def next_tile(self, event: str, strength: str) -> OrleansGame:
        """Let only this hour glass tile be left to turn."""
        for pile in self.t.hour_glass.values():
            self.empty(pile)
        return self.bring(f"{event}.{strength}", self.t.hour_glass[strength])

    def enter(self, phase: str, start: int = 1) -> list[Event]:
        """Begin a phase (``census``, ``followers``, ``planning``, ``actions``, ``event``) and go on to a decision."""
        screens.lower_all(self.t)
        self._forget()
        self.table.decisions[:] = [""] * len(self.table.decisions)
        self.t.start.value = start
        for seat in self.t.seats:
            seat.passed.value = 0
        self.t.enter(phase)
        self.t.advance()
        return self._taken()

    def strike(self, event: str, strength: str = "A", start: int = 1) -> list[Event]:
        """Begin the event phase of some round with this hour glass tile."""
        return self.turn(5, event, strength).enter("event", start)

    def end(self) -> list[Event]:
        """Let the last round end with an event that does nothing."""
        return self.turn(18, "pilgrimage", "C").enter("event")

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
                unfold(self.table, event.effects)
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
            events += self.do(seat, next((command for command in IDLE if command in legal), legal[0]))
        return events

    def idle_until(self, phase: str) -> list[Event]:
        """Let all seats idle until a phase asks somebody, or until the game is ``over``; all events."""
        events: list[Event] = []
        while self.t.phase.value not in (phase, "over"):
            events += self.idle(self.deciding()[0])
        return events

    def idle_round(self) -> list[Event]:
        """Let all seats idle until the next round asks somebody, or until the game is over; all events."""
        events: list[Event] = []
        round = self.t.round.value
        while self.t.round.value == round and self.t.phase.value != "over":
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
        check_refusal(command, rejection)
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

    def board(self, viewer: int) -> Board:
        """The board as a seat sees it (0: a spectator)."""
        return self.play.board(viewer)

    def counts(self, zone: str) -> dict[str, int]:
        """What lies in a zone, by the zone's id."""
        return self.table.zones[zone].counts()


def _wanted(requires: str) -> str:
    return "farmer" if requires == "any" else requires


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
