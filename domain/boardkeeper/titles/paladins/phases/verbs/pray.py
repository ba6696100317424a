"""Pray: clear an action area, to use it again in the same round. Source: paladins.pray.*."""

from __future__ import annotations

from collections.abc import Iterator

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.commands import ClearArea
from boardkeeper.titles.paladins.events import AreaCleared, Prayed
from boardkeeper.titles.paladins.material import Area, Paladins, Seat
from boardkeeper.titles.paladins.phases.verbs.verb import finish, short_of_silver


def find_rejection(t: Paladins, seat: Seat, workers: int) -> Rejection | None:
    """Return a rejection if silver is missing. Source: paladins.pray.cost."""
    needs = _cost(seat)
    return short_of_silver(seat.silver.value, needs, "paladins.pray.cost") if seat.silver.value < needs else None


def _cost(seat: Seat) -> int:
    return seat.active_paladin().silver["pray"][0]


def carry_out(t: Paladins, seat: Seat) -> None:
    """Pay and add the pending reward of clearing an area. Source: paladins.pray.clears_one_area."""
    silver = _cost(seat)
    t.pay(seat, silver)
    seat.due.owe("pray_action")
    t.emit(seat, Prayed(silver))


def clearable_areas(t: Paladins, seat: Seat, kind: str) -> Iterator[Area]:
    """Return the areas with workers that a reward ``kind`` (``pray`` or ``pray_action``) can clear.

    If the reading ``pray_action_target`` is ``not_pray_area``, the action Pray cannot clear its own area.
    """
    not_its_own = kind == "pray_action" and t.data.readings.pray_action_target == "not_pray_area"
    return (area for area in seat.areas.values() if not (area.is_open() or (not_its_own and area.id == "pray")))


def clear(t: Paladins, seat: Seat, command: ClearArea) -> Rejection | None:
    """Clear an area as a pending reward. Source: paladins.pray.clears_one_area."""
    values = {"action": command.action}
    kinds = [kind for kind in ("pray", "pray_action") if seat.due[kind]]
    if not kinds:
        return Rejection("NOT_DUE", "paladins.rewards.any_order", {"reward": "pray"})
    for kind in kinds:
        for area in clearable_areas(t, seat, kind):
            if area.id == command.action:
                seat.due.settle(kind)
                clear_area(t, seat, area)
                finish(t, seat)
                return None
    if command.action == "pray" and not seat.areas["pray"].is_open():
        return Rejection("NOT_THE_PRAY_AREA", "paladins.pray.not_its_own_area", values)
    return Rejection("NOTHING_TO_CLEAR", "paladins.pray.clears_one_area", values)


def clear_area(t: Paladins, seat: Seat, area: Area) -> None:
    """Return all workers of an area to the supply; workshops stay."""
    workers = area.workers()
    for space, worker in workers:
        t.move(worker, space, t.supply)
    t.emit(seat, AreaCleared(area.id, tuple(worker for _, worker in workers)))
