"""The choice of the first townsfolk before round 1, in reverse turn order. Source: paladins.setup.first_townsfolk."""

from __future__ import annotations

from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import rows


def begin(t: Paladins) -> None:
    """Start this phase."""
    t.set(t.phase, "founding")


def proceed(t: Paladins) -> None:
    """Ask the next player without townsfolk to choose. If all have some, fill the townsfolk row and begin round 1."""
    for seat in reversed(t.clockwise()):
        if isinstance(seat, Seat) and not seat.townsfolk.items:
            t.set(t.acting, seat.number)
            t.ask(seat, "first_townsfolk")
            return
    rows.fill_townsfolk(t)
    t.enter("dawn")
