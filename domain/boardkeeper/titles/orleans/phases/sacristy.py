"""The Sacristy: a monk goes back to the bag instead of an event striking its owner."""

from __future__ import annotations

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.orleans.bindings import Orleans, Seat
from boardkeeper.titles.orleans.commands import Command, SufferEvent, UseSacristy
from boardkeeper.titles.orleans.events import EventSuffered, SacristyUsed

CENSUS = "census"


def strike(t: Orleans, seat: Seat) -> None:
    """Something unpleasant strikes the seat, unless its Sacristy shields it (orleans.sacristy.shields)."""
    if not seat.shields():
        _suffer(t, seat)
    elif t.data.readings.sacristy_use == "automatic":
        _shield(t, seat)
    else:
        t.ask(seat, "sacristy")


def _suffer(t: Orleans, seat: Seat) -> None:
    suffer = t.phases[t.phase.value].suffer
    if suffer is None:
        raise RuntimeError(f"nothing strikes in phase {t.phase.value}")
    suffer(t, seat)


def _shield(t: Orleans, seat: Seat) -> None:
    for space in seat.shields()[0].spaces:
        t.move(space.occupant(), space.pile, seat.bag)
    t.ask(seat, "")
    t.emit(seat, SacristyUsed(_what_strikes(t)))


def _what_strikes(t: Orleans) -> str:
    return CENSUS if t.phase.value == CENSUS else t.event.value


def use_sacristy(t: Orleans, seat: Seat, command: UseSacristy) -> Rejection | None:
    """Return the monk instead of suffering the event (orleans.sacristy.shields)."""
    _shield(t, seat)
    t.advance()
    return None


def suffer_event(t: Orleans, seat: Seat, command: SufferEvent) -> Rejection | None:
    """Keep the Sacristy and suffer the event (orleans.sacristy.choice)."""
    t.ask(seat, "")
    t.emit(seat, EventSuffered(_what_strikes(t)))
    _suffer(t, seat)
    t.advance()
    return None


def legal_sacristy(t: Orleans, seat: Seat) -> list[Command]:
    """The choice of a seat whose Sacristy is activated."""
    return [UseSacristy(), SufferEvent()]
