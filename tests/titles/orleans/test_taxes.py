"""Taxes: coins for goods."""

from __future__ import annotations

import pytest
from tests.titles.orleans.kit import OrleansGame, details

from boardkeeper.titles.orleans import commands as c
from boardkeeper.titles.orleans import events as e


def pay_taxes(strength: str, **goods: int) -> int:
    """Return what a seat with these goods and enough coins pays, and check that a seat without goods pays nothing."""
    game = OrleansGame(2).at(1, coins=20).at(2, coins=20).goods(1, **goods)
    events = game.strike("taxes", strength)
    assert game.seat(2).coins.value == 20
    assert game.seat(1).goods.counts() == goods, "taxes take no goods"
    paid = 20 - game.seat(1).coins.value
    by_seat = details(events, e.TaxesPaid)
    assert by_seat.get(2, e.TaxesPaid(0, 0, 0)) == e.TaxesPaid(0, 0, 0)
    assert by_seat[1] == e.TaxesPaid(sum(goods.values()), paid, 0)
    return paid


def test_orleans_taxes_strength_a() -> None:
    """Page 7: one coin for each good of any kind."""
    assert pay_taxes("A", grain=1) == 1
    assert pay_taxes("A", grain=2, cheese=1, wine=1, wool=1, brocade=1) == 6


def test_orleans_taxes_strength_b() -> None:
    """Page 7: one coin for two goods of any kind."""
    assert pay_taxes("B", grain=1, brocade=1) == 1
    assert pay_taxes("B", grain=5, wool=3) == 4


def test_orleans_taxes_strength_c() -> None:
    """Page 7: one coin for three goods of any kind."""
    assert pay_taxes("C", wine=1, wool=1, brocade=1) == 1
    assert pay_taxes("C", cheese=9) == 3


@pytest.mark.parametrize(("strength", "goods", "coins"), [("B", 1, 0), ("B", 7, 3), ("C", 2, 0), ("C", 8, 2)])
def test_orleans_taxes_full_groups(strength: str, goods: int, coins: int) -> None:
    """Page 7: goods that do not make a full group are free."""
    assert pay_taxes(strength, grain=goods) == coins


def test_orleans_taxes_torture() -> None:
    """Page 7: a seat is tortured for missing coins; surrendered goods do not reduce the tax."""
    game = OrleansGame(2).at(1, coins=3).goods(1, grain=5)

    events = game.strike("taxes", "A")

    assert details(events, e.TaxesPaid)[1] == e.TaxesPaid(goods=5, paid=3, missing=2)
    assert game.deciding() == [1]
    assert game.decision(1) == "torture"
    assert game.seat(1).coins.value == 0
    game.do(1, c.SurrenderGood("grain"))
    assert game.decision(1) == "torture"
    game.do(1, c.SurrenderGood("grain"))
    assert game.decision(1) != "torture"
    assert game.seat(1).goods.counts() == {"grain": 3}


def test_orleans_taxes_torture__not_with_enough_coins() -> None:
    """Page 7: a seat that has the coins must pay them."""
    game = OrleansGame(2).at(1, coins=5).goods(1, grain=5)
    game.strike("taxes", "A")
    assert game.seat(1).coins.value == 0
    assert game.decision(1) != "torture"
    game.reject(1, c.SurrenderGood("grain"), "table.wrong_decision")
