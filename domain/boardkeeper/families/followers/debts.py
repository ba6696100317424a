"""The frame of torture: paying, and going on until what replaces missing coins is given.

What a seat can give, and how, is a title's own.
"""

from __future__ import annotations

from boardkeeper.families.followers.events import DebtCarried, DebtLapsed
from boardkeeper.families.followers.table import AnySeat, AnyTable


def pay(t: AnyTable, seat: AnySeat, coins: int) -> tuple[int, int]:
    """Pay as far as the coins go; returns what was paid and what is missing (torture.coins_first)."""
    paid = min(seat.coins.value, coins)
    t.set(seat.coins, seat.coins.value - paid)
    return paid, coins - paid


def begin(t: AnyTable, seat: AnySeat, missing: int) -> None:
    """Torture a seat for what it lacks, if there is anything. Source: torture.*."""
    if missing:
        t.set(seat.debt, missing)
        _continue(t, seat)


def _continue(t: AnyTable, seat: AnySeat) -> None:
    debt = seat.debt.value
    if debt and t.hooks.can_surrender(t, seat):
        t.ask(seat, "torture")
        return
    t.ask(seat, "")
    if debt:
        _let_go(t, seat, debt)


def _let_go(t: AnyTable, seat: AnySeat, debt: int) -> None:
    """Nothing is left to give: the debt lapses, or is carried (reading ``torture_nothing_left``)."""
    t.set(seat.debt, 0)
    if t.data.readings.torture_nothing_left == "carried":
        t.set(seat.arrears, seat.arrears.value + debt)
        t.emit(seat, DebtCarried(debt))
    else:
        t.emit(seat, DebtLapsed(debt))


def replaced_one(t: AnyTable, seat: AnySeat) -> int:
    """Take one off the debt; returns what is still missing."""
    t.set(seat.debt, seat.debt.value - 1)
    return seat.debt.value


def go_on(t: AnyTable, seat: AnySeat) -> None:
    """Ask for the next thing; once nothing is owed, resume what the seat was doing."""
    _continue(t, seat)
    resume = t.phases[t.phase.value].resume
    if resume and not t.decides(seat):
        resume(t, seat)
    t.advance()
