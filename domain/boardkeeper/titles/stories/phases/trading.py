"""Selling goods: what market and fairs have in common."""

from __future__ import annotations

from boardkeeper.table.rejections import Rejection
from boardkeeper.titles.stories.commands import Command, SellGood
from boardkeeper.titles.stories.material import Seat


def sales(seat: Seat) -> list[Command]:
    """Every good that the seat can sell."""
    return [SellGood(good) for good in sorted(seat.goods.items)]


def why_not_sell(seat: Seat, good: str) -> Rejection | None:
    """Whether the seat has such a good."""
    if good not in seat.goods.items:
        return Rejection("NO_SUCH_GOOD", "stories.market.own_goods", {"good": good})
    return None
