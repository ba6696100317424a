"""Receiving and paying coins. Who cannot pay is in debt, and the torture begins."""

from __future__ import annotations

from tests.oracle.orleans.sheet import Side


def receive(side: Side, coins: int) -> None:
    """Coins from the supply; where debts are carried on, they are paid first."""
    owed = min(side.arrears, coins)
    side.arrears -= owed
    side.coins += coins - owed


def pay(side: Side, coins: int) -> None:
    """Coins to the supply, as far as there are any; the rest becomes a debt."""
    paid = min(side.coins, coins)
    side.coins -= paid
    side.debt += coins - paid
