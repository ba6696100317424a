"""Absolve: put a jar on a jar space. Source: paladins.absolve.*."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.commands import PlaceJar
from boardkeeper.titles.paladins.data import JAR
from boardkeeper.titles.paladins.events import Absolved
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import gains
from boardkeeper.titles.paladins.phases.verbs.verb import finish, short_of_silver, too_low


def find_rejection(t: Paladins, seat: Seat, workers: int) -> Rejection | None:
    """Return a rejection if jars, silver or influence are missing. Source: paladins.absolve.cost, .influence."""
    if not seat.jars.items:
        return Rejection("NO_PIECE_LEFT", "paladins.absolve.seven_times")
    done = seat.times("absolve")
    needs = seat.active_paladin().silver["absolve"][done]
    if seat.silver.value < needs:
        return short_of_silver(seat.silver.value, needs, "paladins.absolve.cost")
    level, number = seat.level("influence"), t.data.jar_numbers[done]
    return too_low("influence", level, number, "paladins.absolve.influence") if level < number else None


def legal(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return a command for each reward with a free jar space."""
    return [PlaceJar(kind.id) for kind in t.data.jar_kinds.values() if seat.jar_spaces[kind.id].total() < kind.spaces]


def place(t: Paladins, seat: Seat, command: PlaceJar) -> Rejection | None:
    """Pay, put the leftmost jar on a space and grant the rewards. Source: paladins.absolve.space, .gain."""
    kind = t.data.jar_kinds.get(command.space)
    if kind is None or seat.jar_spaces[kind.id].total() == kind.spaces:
        return Rejection("SPACE_TAKEN", "paladins.absolve.space", {"space": command.space})
    done = seat.times("absolve")
    silver = seat.active_paladin().silver["absolve"][done]
    t.pay(seat, silver)
    t.move(JAR, seat.jars, seat.jar_spaces[kind.id])
    t.emit(seat, Absolved(kind.id, done + 1, silver))
    gains.grant(t, seat, t.data.action_gains["absolve"], "absolve")
    gains.grant(t, seat, kind.gain, f"jar_{kind.id}")
    finish(t, seat, "absolve")
    return None
