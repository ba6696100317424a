"""Debts: taken, paid and destroyed. Source: paladins.debts.*."""

from __future__ import annotations

from boardkeeper.titles.paladins.data import DEBT
from boardkeeper.titles.paladins.events import DebtDestroyed, DebtPaid, DebtTaken
from boardkeeper.titles.paladins.material import Paladins, Side


def take(t: Paladins, side: Side) -> bool:
    """Take an unpaid debt, if one is left. Source: paladins.debts.taken_unpaid."""
    if not t.debts.items:
        return False
    t.move(DEBT, t.debts, side.unpaid)
    t.emit(side, DebtTaken())
    return True


def pay(t: Paladins, side: Side) -> bool:
    """Turn an unpaid debt to its paid side, if there is one. Source: paladins.debts.pay."""
    if not side.unpaid.items:
        return False
    t.move(DEBT, side.unpaid, side.paid)
    t.emit(side, DebtPaid())
    return True


def destroy(t: Paladins, side: Side) -> bool:
    """Put an unpaid debt back on the pile, if there is one. Source: paladins.debts.destroy."""
    if not side.unpaid.items:
        return False
    t.move(DEBT, side.unpaid, t.debts)
    t.emit(side, DebtDestroyed())
    return True
