"""Tiles of the fame track that are due, before anything else goes on."""

from __future__ import annotations

from collections.abc import Callable

from boardkeeper.titles.stories.material import Seat, Stories
from boardkeeper.titles.stories.phases import declaring, fame, tiles


def are_open(t: Stories) -> bool:
    """Settle what is due, clockwise from the start player; whether somebody has to decide about it."""
    for seat in t.clockwise():
        while seat.fame_due.value:
            if not t.data.fame_tiles:
                t.ask(seat, fame.BONUS)
                return True
            tiles.carry_out(t, seat)
            if t.decides(seat):
                return True
    return False


def interrupt(t: Stories, seat: Seat) -> bool:
    """Whether tiles that are due to the seat take effect before its action continues.

    Source: stories.fame_tiles.within_an_action (reading ``fame_tile_moment``).
    """
    return bool(t.data.fame_tiles and seat.fame_due.value) and t.data.chosen.fame_tile_moment == "at_once"


def first(proceed: Callable[[Stories], None], t: Stories) -> None:
    """Go on with a phase once nothing is due; a tile that ends the game ends it then."""
    if are_open(t):
        return
    if declaring.ends_now(t):
        declaring.finish(t)
    else:
        proceed(t)
