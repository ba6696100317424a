"""Taking, paying and destroying debts. Each function returns whether a debt was available. Source: paladins.debts.*."""

from __future__ import annotations

from msgspec import Struct

from boardkeeper.table.zones import Pile
from boardkeeper.titles.paladins.data import DEBT
from boardkeeper.titles.paladins.events import DebtDestroyed, DebtPaid, DebtTaken
from boardkeeper.titles.paladins.material import Paladins, Side


def take(t: Paladins, side: Side) -> bool:
    """Take an unpaid debt. Source: paladins.debts.taken_unpaid."""
    return _move(t, side, t.debts, side.unpaid, DebtTaken())


def pay(t: Paladins, side: Side) -> bool:
    """Turn an unpaid debt to its paid side. Source: paladins.debts.pay."""
    return _move(t, side, side.unpaid, side.paid, DebtPaid())


def destroy(t: Paladins, side: Side) -> bool:
    """Return an unpaid debt to the pile. Source: paladins.debts.destroy."""
    return _move(t, side, side.unpaid, t.debts, DebtDestroyed())


def _move(t: Paladins, side: Side, source: Pile, target: Pile, event: Struct) -> bool:
    if not source.items:
        return False
    t.move(DEBT, source, target)
    t.emit(side, event)
    return True
