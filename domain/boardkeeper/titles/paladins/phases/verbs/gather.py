"""Hunt, Trade and Conspire: gain provisions, silver or a criminal.

Source: paladins.hunt.*, paladins.trade.*, paladins.conspire.*.
"""

from __future__ import annotations

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.paladins.data import CRIMINAL
from boardkeeper.titles.paladins.events import Conspired, Hunted, Traded
from boardkeeper.titles.paladins.material import Paladins, Seat
from boardkeeper.titles.paladins.phases import gains


def find_rejection(t: Paladins, seat: Seat, workers: int) -> Rejection | None:
    """Return ``None``: these actions need only workers."""
    return None


def hunt(t: Paladins, seat: Seat) -> None:
    """Gain provisions. Source: paladins.hunt.one, .two."""
    received = gains.receive_provisions(t, seat, len(t.data.hunt[t.action_workers.value].immediate))
    t.emit(seat, Hunted(received))
    gains.grant_action_bonuses(t, seat, "hunt")


def trade(t: Paladins, seat: Seat) -> None:
    """Gain silver. Source: paladins.trade.one, .two."""
    received = gains.receive_silver(t, seat, len(t.data.trade[t.action_workers.value].immediate))
    t.emit(seat, Traded(received))
    gains.grant_action_bonuses(t, seat, "trade")


def conspire(t: Paladins, seat: Seat) -> None:
    """Add a pending criminal. Source: paladins.conspire.criminal."""
    seat.due.owe(CRIMINAL)
    t.emit(seat, Conspired())
    gains.grant_action_bonuses(t, seat, "conspire")
