"""Granting rewards, and the rewards of townsfolk and paladins for actions.

Source: paladins.rewards.*, paladins.townsfolk.*, paladins.paladins.*.
"""

from __future__ import annotations

from boardkeeper.titles.paladins.data import ATTRIBUTES, LAST_LEVEL, MAX_KEPT_WORKERS, Gain
from boardkeeper.titles.paladins.events import Gained
from boardkeeper.titles.paladins.material import Paladins, Seat


def grant(t: Paladins, seat: Seat, gain: Gain, source: str) -> None:
    """Give a seat the immediate rewards of a gain and add the others to its pending rewards."""
    if gain.immediate:
        receive(t, seat, gain.immediate, source)
    for kind, count in gain.pending:
        seat.due.owe(kind, count)


def receive(t: Paladins, seat: Seat, gains: tuple[str, ...], source: str) -> None:
    """Give a seat workers, silver, provisions and attribute points, and emit ``Gained``."""
    lost = tuple(gain for gain in gains if not _receive_one(t, seat, gain))
    t.emit(seat, Gained(gains, source, lost))


def _receive_one(t: Paladins, seat: Seat, gain: str) -> bool:
    """Give one reward; return whether the seat received it. It is lost at the end of a track or of the supply."""
    if gain == "silver":
        return bool(receive_silver(t, seat, 1))
    if gain == "provision":
        return bool(receive_provisions(t, seat, 1))
    if gain in ATTRIBUTES:
        marker = seat.attributes[gain]
        if marker.value == LAST_LEVEL:
            return False
        t.set(marker, marker.value + 1)
        return True
    return receive_worker(t, seat, gain)


def receive_silver(t: Paladins, seat: Seat, silver: int) -> int:
    """Give silver from the general supply; return how much the supply had."""
    silver = t.silver_left(silver)
    t.set(seat.silver, seat.silver.value + silver)
    return silver


def receive_provisions(t: Paladins, seat: Seat, provisions: int) -> int:
    """Give provisions from the general supply; return how many the supply had."""
    provisions = t.provisions_left(provisions)
    t.set(seat.provisions, seat.provisions.value + provisions)
    return provisions


def receive_worker(t: Paladins, seat: Seat, worker: str) -> bool:
    """Give a worker from the supply; return whether the seat received it.

    The supply may have none. A seat that has passed and has three workers receives none if the reading
    ``workers_gained_after_pass`` is ``cut_to_three``.
    """
    if worker not in t.supply.items:
        return False
    full = seat.passed.value and seat.workers.total() >= MAX_KEPT_WORKERS
    if full and t.data.readings.workers_gained_after_pass == "cut_to_three":
        return False
    t.move(worker, t.supply, seat.workers)
    return True


# --- rewards of cards for actions -----------------------------------------------------------------------------------


def trigger_townsfolk(t: Paladins, seat: Seat, action: str) -> None:
    """Grant the rewards of the seat's townsfolk for an action. Source: paladins.townsfolk.permanent."""
    for id in list(seat.townsfolk.items):
        card = t.data.townsfolk[id]
        if card.trigger == action:
            grant(t, seat, card.reward, id)


def grant_action_bonuses(t: Paladins, seat: Seat, action: str) -> None:
    """Grant the rewards of the seat's paladin and townsfolk for an action that it has carried out."""
    paladin = seat.active_paladin()
    if paladin.bonus_action == action:
        grant(t, seat, paladin.bonus_gain, paladin.id)
    trigger_townsfolk(t, seat, action)
