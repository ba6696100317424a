"""Conspire: a criminal for any worker. Source: paladins.conspire.*."""

from __future__ import annotations

from boardkeeper.titles.paladins.data import CRIMINAL
from boardkeeper.titles.paladins.events import Conspired
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import abilities


def carry_out(t: Paladins, seat: Seat) -> None:
    """A criminal becomes due. Source: paladins.conspire.criminal."""
    seat.due.owe(CRIMINAL)
    t.emit(seat, Conspired())
    abilities.performed(t, seat, "conspire")
