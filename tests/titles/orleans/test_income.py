"""Income: coins for the development status."""

from __future__ import annotations

from tests.titles.orleans.kit import OrleansGame, details

from boardkeeper.titles.orleans import events as e

SPACES = {1: 3, 2: 8, 3: 9, 4: 30}
"""Spaces of the development track with status 1, 2, 3 and 6: just before a status space, on one, and the last."""


def receive_income(strength: str) -> dict[int, int]:
    """Return the coins that four seats receive on the table, and check that the events agree."""
    game = OrleansGame(4)
    for seat, space in SPACES.items():
        game.at(seat, coins=10, development=space)
    events = game.strike("income", strength)
    received = {seat: game.seat(seat).coins.value - 10 for seat in SPACES}
    assert {seat: detail.coins for seat, detail in details(events, e.IncomeReceived).items()} == received
    return received


def test_orleans_income_strength_a() -> None:
    """Page 7: three coins per point of status."""
    assert receive_income("A") == {1: 3, 2: 6, 3: 9, 4: 18}


def test_orleans_income_strength_b() -> None:
    """Page 7: two coins per point of status."""
    assert receive_income("B") == {1: 2, 2: 4, 3: 6, 4: 12}


def test_orleans_income_strength_c() -> None:
    """Page 7: one coin per point of status."""
    assert receive_income("C") == {1: 1, 2: 2, 3: 3, 4: 6}
