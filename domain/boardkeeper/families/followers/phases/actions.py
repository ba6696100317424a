"""Phase 5: the seats take turns to use their places until all have passed. The actions of places are in ``verbs``."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.families.followers.commands import Pass
from boardkeeper.families.followers.events import Passed, PhaseBegun
from boardkeeper.families.followers.phases import technology
from boardkeeper.families.followers.phases.verbs import deeds
from boardkeeper.families.followers.table import AnySeat, AnyTable
from boardkeeper.table.rejections import Rejection

PASS = Pass()


def begin(t: AnyTable) -> None:
    """Let the start player act first. Source: actions.in_turn."""
    t.set(t.phase, "actions")
    _let_act(t, t.clockwise()[0])
    t.emit(None, PhaseBegun("actions"))


def proceed(t: AnyTable) -> None:
    """Continue an interrupted action, or ask the next seat that has not passed. If all have, begin the event phase."""
    if t.action_place.value:
        deeds.resume(t, t.seats[t.acting.value - 1])
        return
    for seat in t.after(t.acting.value):
        if not seat.passed.value:
            _let_act(t, seat)
            return
    t.set(t.acting, 0)
    t.enter("event")


def _let_act(t: AnyTable, seat: AnySeat) -> None:
    t.set(t.acting, seat.number)
    t.ask(seat, "act")


def pass_turn(t: AnyTable, seat: AnySeat, command: Pass) -> Rejection | None:
    """Pass for the rest of the round; the seat may now place technology. Source: actions.pass_is_final."""
    t.set(seat.passed, 1)
    t.ask(seat, "technology" if technology.placements(t, seat) else "")
    t.emit(seat, Passed())
    t.advance()
    return None


def legal_act(t: AnyTable, seat: AnySeat) -> list[Struct]:
    """Return the commands of all activated places, and passing."""
    verbs = t.hooks.verbs
    estate = seat.estate()
    free = estate.free()
    commands: list[Struct] = []
    for place in estate.actions:
        if place.mask & ~free and place.is_active(free):  # most places have no follower
            commands += verbs[place.verb](t, seat, place)
    commands.append(PASS)
    return commands
