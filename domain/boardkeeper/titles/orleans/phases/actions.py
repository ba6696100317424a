"""Phase 5: actions in turn until every seat has passed.

What the places do lives in ``verbs``, one module a kind of action.
"""

from __future__ import annotations

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.bindings import Orleans, Seat
from boardkeeper.titles.orleans.commands import Command, Pass
from boardkeeper.titles.orleans.events import Passed, PhaseBegun
from boardkeeper.titles.orleans.phases import technology
from boardkeeper.titles.orleans.phases.verbs import LEGAL

PASS = Pass()


def begin(t: Orleans) -> None:
    """Let the start player act first. Source: orleans.actions.in_turn."""
    t.set(t.phase, "actions")
    _let_act(t, t.clockwise()[0])
    t.emit(None, PhaseBegun("actions"))


def proceed(t: Orleans) -> None:
    """Let the next seat that has not passed act; when all have, the event follows."""
    for seat in t.after(t.acting.value):
        if not seat.passed.value:
            _let_act(t, seat)
            return
    t.set(t.acting, 0)
    t.enter("event")


def _let_act(t: Orleans, seat: Seat) -> None:
    t.set(t.acting, seat.number)
    t.ask(seat, "act")


def pass_turn(t: Orleans, seat: Seat, command: Pass) -> Rejection | None:
    """Pass for the rest of the round; technology may be placed now (orleans.actions.pass_is_final)."""
    t.set(seat.passed, 1)
    t.ask(seat, "technology" if technology.placements(t, seat) else "")
    t.emit(seat, Passed())
    t.advance()
    return None


def legal_act(t: Orleans, seat: Seat) -> list[Command]:
    """Every action of an activated place, and passing."""
    estate = seat.estate()
    free = estate.free()
    commands: list[Command] = []
    for place in estate.actions:
        if place.is_active(free):
            commands += LEGAL[place.verb](t, seat, place)
    commands.append(PASS)
    return commands
