"""The phases and their order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.opponent import gains
from boardkeeper.titles.paladins.phases import actions, dawn, dusk, founding, inquisition, paladins, rewards, tavern


class PaladinsPhase(NamedTuple):
    """A phase: ``begin`` enters it, ``proceed`` continues it when no decision is open."""

    begin: Callable[[Paladins], None]
    proceed: Callable[[Paladins], None] | None = None


def _proceed_after_interruptions(proceed: Callable[[Paladins], None], t: Paladins) -> None:
    """Continue the inquisition or settle a pending reward; if there is neither, continue the phase."""
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
    "founding": PaladinsPhase(founding.begin, partial(_proceed_after_interruptions, founding.proceed)),
    "dawn": PaladinsPhase(dawn.begin),
    "paladins": PaladinsPhase(dawn.begin, paladins.proceed),
    "tavern": PaladinsPhase(tavern.begin, partial(_proceed_after_interruptions, tavern.proceed)),
    "actions": PaladinsPhase(actions.begin, partial(_proceed_after_interruptions, actions.proceed)),
    "dusk": PaladinsPhase(dusk.begin),
}
"""The phases by the value of the marker ``phase``. Dawn and dusk have no decisions."""
