"""Develop: put a workshop on an action of the right side. Source: paladins.develop.*."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.commands import PlaceWorkshop
from boardkeeper.titles.paladins.data import RIGHT, WORKSHOP
from boardkeeper.titles.paladins.events import Developed
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import gains
from boardkeeper.titles.paladins.phases.verbs.verb import finish, short_of_silver

WORKSHOP_SPACES = (1, 2)
"""Spaces of an action that can take a workshop."""


def find_rejection(t: Paladins, seat: Seat, workers: int) -> Rejection | None:
    """Return a rejection if workshops or silver are missing. Source: paladins.develop.cost, .workshops."""
    if not seat.workshops.items:
        return Rejection("NO_WORKSHOP_LEFT", "paladins.develop.workshops")
    needs = cost(seat)
    return short_of_silver(seat.silver.value, needs, "paladins.develop.cost") if seat.silver.value < needs else None


def cost(seat: Seat) -> int:
    """Return the silver that developing costs."""
    return seat.active_paladin().silver["develop"][0]


def legal(t: Paladins, seat: Seat) -> Sequence[Struct]:
    """Return a command for each space that can take a workshop."""
    return [
        PlaceWorkshop(area.id, at)
        for area in seat.right
        for at in WORKSHOP_SPACES
        if WORKSHOP not in area.spaces[at - 1].items
    ]


def place(t: Paladins, seat: Seat, command: PlaceWorkshop) -> Rejection | None:
    """Put the leftmost workshop on a space; a worker there returns to the supply. Source: paladins.develop.space."""
    free = t.table.decisions[seat.number] == "reward"
    if free and not seat.due["free_develop"]:
        return Rejection("NOT_DUE", "paladins.rewards.any_order", {"reward": "free_develop"})
    values = {"action": command.action, "slot": str(command.slot)}
    if command.action not in RIGHT or command.slot not in WORKSHOP_SPACES:
        return Rejection("NO_PLACE_FOR_WORKSHOPS", "paladins.develop.space", values)
    space = seat.areas[command.action].spaces[command.slot - 1]
    if WORKSHOP in space.items:
        return Rejection("SPACE_TAKEN", "paladins.develop.space", values)
    if not seat.workshops.items:
        return Rejection("NO_WORKSHOP_LEFT", "paladins.develop.workshops")
    silver = 0
    if free:
        seat.due.settle("free_develop")
    else:
        silver = cost(seat)
        t.pay(seat, silver)
    sent_back = next(iter(space.items), "")
    if sent_back:
        t.move(sent_back, space, t.supply)
    worker = t.data.workshop_row[len(t.data.workshop_row) - seat.workshops.total()]
    t.move(WORKSHOP, seat.workshops, space)
    t.emit(seat, Developed(command.action, command.slot, silver, worker, sent_back))
    gains.receive(t, seat, (worker,), "develop")
    if not free:
        gains.grant_action_bonuses(t, seat, "develop")
    elif t.data.readings.free_develop_triggers_architect == "yes":
        gains.trigger_townsfolk(t, seat, "develop")
    finish(t, seat)
    return None
