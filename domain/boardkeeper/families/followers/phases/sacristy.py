"""The Sacristy: a monk goes back to the bag instead of an event striking its owner."""

from __future__ import annotations

from boardkeeper.families.followers.commands import Command, SufferEvent, UseSacristy
from boardkeeper.families.followers.events import EventSuffered, SacristyUsed
from boardkeeper.families.followers.table import AnySeat, AnyTable
from boardkeeper.table.rejections import Rejection


def strike(t: AnyTable, seat: AnySeat) -> None:
    """Something unpleasant strikes the seat, unless its Sacristy shields it (sacristy.shields)."""
    if not seat.shields():
        _suffer(t, seat)
    elif t.data.readings.sacristy_use == "automatic":
        _shield(t, seat)
    else:
        t.ask(seat, "sacristy")


def _suffer(t: AnyTable, seat: AnySeat) -> None:
    suffer = t.phases[t.phase.value].suffer
    if suffer is None:
        raise RuntimeError(f"nothing strikes in phase {t.phase.value}")
    suffer(t, seat)


def _shield(t: AnyTable, seat: AnySeat) -> None:
    for space in seat.shields()[0].spaces:
        t.move(space.occupant(), space.pile, seat.bag)
    t.ask(seat, "")
    t.emit(seat, SacristyUsed(_what_strikes(t)))


def _what_strikes(t: AnyTable) -> str:
    return t.phases[t.phase.value].strikes or t.event.value


def use_sacristy(t: AnyTable, seat: AnySeat, command: UseSacristy) -> Rejection | None:
    """Return the monk instead of suffering the event (sacristy.shields)."""
    _shield(t, seat)
    t.advance()
    return None


def suffer_event(t: AnyTable, seat: AnySeat, command: SufferEvent) -> Rejection | None:
    """Keep the Sacristy and suffer the event (sacristy.choice)."""
    t.ask(seat, "")
    t.emit(seat, EventSuffered(_what_strikes(t)))
    _suffer(t, seat)
    t.advance()
    return None


def legal_sacristy(t: AnyTable, seat: AnySeat) -> list[Command]:
    """The choice of a seat whose Sacristy is activated."""
    return [UseSacristy(), SufferEvent()]
