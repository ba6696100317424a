"""Receiving and paying coins. Coins that a seat cannot pay become a debt, which leads to torture."""

from __future__ import annotations

from tests.oracle.orleans.sheet import Side


def receive(side: Side, coins: int) -> None:
    """Receive coins from the supply. Pay old debts first."""
    owed = min(side.arrears, coins)
    side.arrears -= owed
    side.coins += coins - owed


def pay(side: Side, coins: int) -> None:
    """Pay coins to the supply. Missing coins become a debt."""
    paid = min(side.coins, coins)
    side.coins -= paid
    side.debt += coins - paid
