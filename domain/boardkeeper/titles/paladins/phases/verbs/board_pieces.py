"""Commission and Garrison: place a monk or an outpost. Source: paladins.commission.*, paladins.garrison.*."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.commands import PlaceMonk, PlaceOutpost
from boardkeeper.titles.paladins.data import Space
from boardkeeper.titles.paladins.events import MonkSent, OutpostBuilt
from boardkeeper.titles.paladins.material import Paladins, Seat, Side
from boardkeeper.titles.paladins.phases import gains
from boardkeeper.titles.paladins.phases.verbs.verb import finish, short_of_provisions, too_low

COST = {"commission": "paladins.commission.cost", "garrison": "paladins.garrison.cost"}
FLAG = {"commission": "paladins.commission.flag", "garrison": "paladins.garrison.flag"}


def find_rejection(id: str, t: Paladins, seat: Seat, workers: int) -> Rejection | None:
    """Return a rejection if pieces or provisions are missing, or the seat reaches no free space. ``id``: the action.

    Source: paladins.commission.cost, .flag, paladins.garrison.cost, .flag.
    """
    done = seat.times(id)
    if done == t.data.pieces:
        return Rejection("NO_PIECE_LEFT", f"paladins.{id}.seven_times")
    needs = seat.active_paladin().provisions[id][done]
    if seat.provisions.value < needs:
        return short_of_provisions(seat.provisions.value, needs, COST[id])
    free = t.first_free_space()
    if free is None:
        return Rejection("BOARD_FULL", f"paladins.{id}.free_space")
    attribute = t.data.actions[id].needs
    flag, level = t.data.flags[attribute][free.region - 1], seat.level(attribute)
    return too_low(attribute, level, flag, FLAG[id]) if level < flag else None


def legal(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return a command for each free space that the seat reaches."""
    id = t.action.value
    attribute, kind = t.data.actions[id].needs, PlaceMonk if id == "commission" else PlaceOutpost
    return [kind(space.id) for space in t.free_spaces(t.data.flags[attribute], seat.level(attribute))]


def place(t: Paladins, seat: Seat, command: PlaceMonk | PlaceOutpost) -> Rejection | None:
    """Pay, place the piece and grant the rewards. Source: paladins.commission.space, paladins.garrison.space."""
    id = "commission" if isinstance(command, PlaceMonk) else "garrison"
    values = {"space": command.space}
    if command.space not in t.space:
        return Rejection("NOT_WITH_SO_MANY_PLAYERS", f"paladins.{id}.players", values)
    space, pile = t.space[command.space]
    attribute = t.data.actions[id].needs
    flag, level = t.data.flags[attribute][space.region - 1], seat.level(attribute)
    if pile.items:
        return Rejection("SPACE_TAKEN", f"paladins.{id}.free_space", values)
    if flag > level:
        return too_low(attribute, level, flag, f"paladins.{id}.flag")
    provisions = seat.active_paladin().provisions[id][seat.times(id)]
    t.pay(seat, provisions=provisions)
    put(t, seat, id, space, provisions)
    gains.grant(t, seat, t.data.action_gains[id], id)
    gains.grant(t, seat, space.gain, space.id)
    finish(t, seat, id)
    return None


def put(t: Paladins, side: Side, action: str, space: Space, provisions: int) -> None:
    """Move a monk or an outpost to a space and emit the event."""
    _, pile = t.space[space.id]
    if action == "commission":
        t.move(side.monk, side.monks, pile)
        t.emit(side, MonkSent(space.id, space.region, provisions))
    else:
        t.move(side.outpost, side.outposts, pile)
        t.emit(side, OutpostBuilt(space.id, space.region, provisions))
