"""The Sacristy: its owner can return the monk on it to the bag to avoid an event."""

from __future__ import annotations

from boardkeeper.families.followers.commands import Command, SufferEvent, UseSacristy
from boardkeeper.families.followers.events import EventSuffered, SacristyUsed
from boardkeeper.families.followers.table import AnySeat, AnyTable
from boardkeeper.table.rejections import Rejection


def apply_unless_shielded(t: AnyTable, seat: AnySeat) -> None:
    """Apply the event of the phase to a seat unless its Sacristy protects it. Source: sacristy.shields."""
    if not seat.active_shields():
        _apply_event(t, seat)
    elif t.data.readings.sacristy_use == "automatic":
        _use_shield(t, seat)
    else:
        t.ask(seat, "sacristy")


def _apply_event(t: AnyTable, seat: AnySeat) -> None:
    apply_event = t.phases[t.phase.value].apply_event
    if apply_event is None:
        raise RuntimeError(f"phase {t.phase.value} applies no event")
    apply_event(t, seat)


def _use_shield(t: AnyTable, seat: AnySeat) -> None:
    for space in seat.active_shields()[0].spaces:
        t.move(space.occupant(), space.pile, seat.bag)
    t.ask(seat, "")
    t.emit(seat, SacristyUsed(_event_name(t)))


def _event_name(t: AnyTable) -> str:
    return t.phases[t.phase.value].event_name or t.event.value


def use_sacristy(t: AnyTable, seat: AnySeat, command: UseSacristy) -> Rejection | None:
    """Return the monk to the bag and avoid the event. Source: sacristy.shields."""
    _use_shield(t, seat)
    t.advance()
    return None


def suffer_event(t: AnyTable, seat: AnySeat, command: SufferEvent) -> Rejection | None:
    """Keep the monk and suffer the event. Source: sacristy.choice."""
    t.ask(seat, "")
    t.emit(seat, EventSuffered(_event_name(t)))
    _apply_event(t, seat)
    t.advance()
    return None


def legal_sacristy(t: AnyTable, seat: AnySeat) -> list[Command]:
    """Return the commands of a seat with an activated Sacristy."""
    return [UseSacristy(), SufferEvent()]
