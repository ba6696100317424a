"""Hunt and Trade: one resource for one worker, three for two. Conspire: a criminal for any worker.

Source: paladins.hunt.*, paladins.trade.*, paladins.conspire.*.
"""

from __future__ import annotations

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.data import CRIMINAL
from boardkeeper.titles.paladins.events import Conspired, Hunted, Traded
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import abilities, supply


def why_not(t: Paladins, seat: Seat, workers: int) -> Rejection | None:  # nothing forbids it
    """Nothing but occupied spaces and missing workers forbids it."""
    return None


def hunt(t: Paladins, seat: Seat) -> None:
    """Take provisions. Source: paladins.hunt.one, .two."""
    received = supply.receive_provisions(t, seat, len(t.data.hunt[t.action_workers.value].plain))
    t.emit(seat, Hunted(received))
    abilities.performed(t, seat, "hunt")


def trade(t: Paladins, seat: Seat) -> None:
    """Take silver. Source: paladins.trade.one, .two."""
    received = supply.receive_silver(t, seat, len(t.data.trade[t.action_workers.value].plain))
    t.emit(seat, Traded(received))
    abilities.performed(t, seat, "trade")


def conspire(t: Paladins, seat: Seat) -> None:
    """A criminal becomes due. Source: paladins.conspire.criminal."""
    seat.due.owe(CRIMINAL)
    t.emit(seat, Conspired())
    abilities.performed(t, seat, "conspire")
