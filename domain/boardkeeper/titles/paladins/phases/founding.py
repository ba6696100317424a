"""Before the first round: the first townsfolk, in reverse turn order. Source: paladins.setup.first_townsfolk."""

from __future__ import annotations

from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import rows


def begin(t: Paladins) -> None:
    """Start with the seat to the right of the start player."""
    t.set(t.phase, "founding")


def proceed(t: Paladins) -> None:
    """Ask the next seat that has no townsfolk; when all have, fill the row up and begin the first round."""
    for seat in reversed(t.clockwise()):
        if isinstance(seat, Seat) and not seat.townsfolk.items:
            t.set(t.acting, seat.number)
            t.ask(seat, "first_townsfolk")
            return
    rows.fill_townsfolk(t)
    t.enter("dawn")
