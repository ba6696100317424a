"""Commission and Garrison: a monk or an outpost goes to the main board.

Source: paladins.commission.*, paladins.garrison.*.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.commands import PlaceMonk, PlaceOutpost
from boardkeeper.titles.paladins.events import MonkSent, OutpostBuilt
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import abilities, supply
from boardkeeper.titles.paladins.phases.verbs.verb import finish, short_of_provisions, too_low


def _flags(t: Paladins, action: str) -> tuple[int, ...]:
    return t.data.faith_flags if action == "commission" else t.data.strength_flags


def _why_not(t: Paladins, seat: Seat, id: str) -> Rejection | None:
    done = seat.times(id)
    if done == t.data.pieces:
        return Rejection("NO_PIECE_LEFT", f"paladins.{id}.seven_times")
    needs = seat.card().provisions[id][done]
    if seat.provisions.value < needs:
        return short_of_provisions(seat.provisions.value, needs, f"paladins.{id}.cost")
    free = t.first_free()
    if free is None:
        return Rejection("BOARD_FULL", f"paladins.{id}.free_space")
    attribute = t.data.actions[id].needs
    flag, level = _flags(t, id)[free.region - 1], seat.level(attribute)
    return too_low(attribute, level, flag, f"paladins.{id}.flag") if level < flag else None


def commission_why_not(t: Paladins, seat: Seat, workers: int) -> Rejection | None:
    """It costs provisions and needs a space in a region that the seat's faith reaches."""
    return _why_not(t, seat, "commission")


def garrison_why_not(t: Paladins, seat: Seat, workers: int) -> Rejection | None:
    """It costs provisions and needs a space in a region that the seat's strength reaches."""
    return _why_not(t, seat, "garrison")


def ask_commission(t: Paladins, seat: Seat) -> None:
    """Ask for the space."""
    t.ask(seat, "commission")


def ask_garrison(t: Paladins, seat: Seat) -> None:
    """Ask for the space."""
    t.ask(seat, "garrison")


def legal_commission(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Every space that a monk can go to."""
    return [PlaceMonk(space.id) for space in t.free_spaces(t.data.faith_flags, seat.level("faith"))]


def legal_garrison(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Every space that an outpost can go to."""
    return [PlaceOutpost(space.id) for space in t.free_spaces(t.data.strength_flags, seat.level("strength"))]


def place(t: Paladins, seat: Seat, command: PlaceMonk | PlaceOutpost) -> Rejection | None:
    """Put the piece on a free space and take what it shows.

    Source: paladins.commission.space, paladins.garrison.space.
    """
    monk = isinstance(command, PlaceMonk)
    id = "commission" if monk else "garrison"
    values = {"space": command.space}
    if command.space not in t.space:
        return Rejection("NOT_WITH_SO_MANY_PLAYERS", f"paladins.{id}.players", values)
    space, pile = t.space[command.space]
    action = t.data.actions[id]
    flag, level = _flags(t, id)[space.region - 1], seat.level(action.needs)
    if pile.items:
        return Rejection("SPACE_TAKEN", f"paladins.{id}.free_space", values)
    if flag > level:
        return too_low(action.needs, level, flag, f"paladins.{id}.flag")
    provisions = seat.card().provisions[id][seat.times(id)]
    t.pay(seat, provisions=provisions)
    if monk:
        t.move(seat.monk, seat.monks, pile)
        t.emit(seat, MonkSent(space.id, space.region, provisions))
    else:
        t.move(seat.outpost, seat.outposts, pile)
        t.emit(seat, OutpostBuilt(space.id, space.region, provisions))
    supply.grant(t, seat, t.data.action_gains[id], id)
    supply.grant(t, seat, space.gain, space.id)
    abilities.performed(t, seat, id)
    finish(t, seat)
    return None
