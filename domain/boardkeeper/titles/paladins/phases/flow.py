"""The order of the phases, in one place, and what interrupts them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.opponent import gains
from boardkeeper.titles.paladins.phases import (
    actions,
    dawn,
    dusk,
    founding,
    inquisition,
    paladins,
    rewards,
    tavern,
)


class PaladinsPhase(NamedTuple):
    """A phase: how it begins, and how it goes on once nothing interrupts it any more."""

    begin: Callable[[Paladins], None]
    proceed: Callable[[Paladins], None] | None = None


def _uninterrupted(proceed: Callable[[Paladins], None], t: Paladins) -> None:
    """An inquisition comes before everything, then what is due to the seat in turn, then the opponent's dues."""
    if t.inquisition.value:
        inquisition.proceed(t)
        return
    if t.due and t.acting.value:
        side = t.acting_side()
        if isinstance(side, Seat):
            rewards.settle(t, side)
            return
    if t.opponent and t.opponent.due:
        gains.settle(t, t.opponent)
        return
    proceed(t)


PHASES: dict[str, PaladinsPhase] = {
    "founding": PaladinsPhase(founding.begin, partial(_uninterrupted, founding.proceed)),
    "dawn": PaladinsPhase(dawn.begin),
    "paladins": PaladinsPhase(dawn.begin, paladins.proceed),
    "tavern": PaladinsPhase(tavern.begin, partial(_uninterrupted, tavern.proceed)),
    "actions": PaladinsPhase(actions.begin, partial(_uninterrupted, actions.proceed)),
    "dusk": PaladinsPhase(dusk.begin),
}
"""The phases of a round by what the marker ``phase`` says; dawn and dusk never wait for anybody."""
