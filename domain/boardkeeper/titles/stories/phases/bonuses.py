"""Pending bonuses of the fame track. They are settled before a phase continues."""

from __future__ import annotations

from collections.abc import Callable

from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.phases import declarations, fame, tiles


def settle_bonuses(t: Stories) -> bool:
    """Settle pending bonuses, clockwise from the start player, until a seat has to decide; return whether it does."""
    for seat in t.clockwise():
        while seat.fame_due.value:
            if not t.data.fame_tiles:
                t.ask(seat, fame.BONUS)
                return True
            tiles.carry_out(t, seat)
            if t.decides(seat):
                return True
    return False


def interrupts_action(t: Stories, seat: Seat) -> bool:
    """Return whether the seat settles pending fame tiles before its action continues.

    Only if the reading ``fame_tile_moment`` is ``at_once``. Source: stories.fame_tiles.within_an_action.
    """
    return bool(t.data.fame_tiles and seat.fame_due.value) and t.data.chosen.fame_tile_moment == "at_once"


def proceed_after_bonuses(proceed: Callable[[Stories], None], t: Stories) -> None:
    """Settle pending bonuses, then end the game if a fame tile ends it, or continue the phase with ``proceed``."""
    if settle_bonuses(t):
        return
    if declarations.does_fame_end_game(t):
        declarations.finish(t)
    else:
        proceed(t)
