"""The evaluation of a running game: the expected final points of each seat."""

from __future__ import annotations

from functools import lru_cache

from boardkeeper.titles.paladins import scoring
from boardkeeper.titles.paladins.bots.valuation import FILE, ROUNDS, shrunk
from boardkeeper.titles.paladins.data import ATTRIBUTES, MAX_KEPT_WORKERS, RIGHT
from boardkeeper.titles.paladins.material import Paladins, Seat, Side
from boardkeeper.titles.paladins.play import PaladinsPlay

_PHASES = ("paladins", "tavern", "actions")


@lru_cache(maxsize=ROUNDS + 1)
def _weights(left: int) -> tuple[float, ...]:
    return tuple(shrunk(FILE["evaluation"], left).values())


def evaluate(play: PaladinsPlay) -> list[float]:
    """Return the expected final points of each seat, by a linear function whose weights depend on the round."""
    t = play.t
    return [_evaluate(t, side) for side in t.seats]


def _evaluate(t: Paladins, side: Side) -> float:
    """Return the sum of the weighted facts of a seat, in the order of ``worth.toml``."""
    points, left, phase = scoring.sheet(t, side).total, min(ROUNDS - t.round.value, ROUNDS - 1), t.phase.value
    if t.is_over():
        return float(points)
    if not isinstance(side, Seat):
        return points + float(FILE["opponent"][left])
    workers = side.workers.total()
    levels = [side.attributes[it].value for it in ATTRIBUTES]
    facts = (
        points, *levels, *(level * level for level in levels), side.silver.value, side.provisions.value,
        min(workers, MAX_KEPT_WORKERS) if side.passed.value else workers,
        scoring.count_placed_workshops(t, side), side.townsfolk.total(), side.unpaid.total(), _orders(t, side),
        sum(map(side.times, RIGHT)), side.passed.value,
    )  # fmt: skip
    constant: float = FILE["phases"][left][_PHASES.index(phase) if phase in _PHASES else 0]
    return constant + sum(map(float.__mul__, _weights(left), map(float, facts)))


def _orders(t: Paladins, side: Side) -> float:
    """Return the points of unfulfilled orders, by the share that the seat has carried out."""
    orders = zip(t.orders, t.data.order_points, strict=True)
    done = [(points, side.times(id.removeprefix("order_"))) for place, points in orders for id in place.items]
    return sum(points * times for points, times in done if times < t.data.order_needs) / t.data.order_needs
