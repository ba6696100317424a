"""Receiving rewards from the general supply. Source: paladins.rewards.*."""

from __future__ import annotations

from boardkeeper.titles.paladins.data import ATTRIBUTES, LAST_LEVEL, MOST_KEPT_WORKERS, Gain
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
    """Give one reward; return whether it was not lost because a track or the supply is at its end."""
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
    """Give a worker from the supply; return whether one was left and the seat can keep it.

    Readings: ``supply_limits`` and ``workers_gained_after_pass``.
    """
    if worker not in t.supply.items:
        return False
    full = seat.passed.value and seat.workers.total() >= MOST_KEPT_WORKERS
    if full and t.data.readings.workers_gained_after_pass == "cut_to_three":
        return False
    t.move(worker, t.supply, seat.workers)
    return True
