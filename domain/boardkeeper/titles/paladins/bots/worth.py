"""What things are worth to the sensible bot, in points at the end of the game: rough, and the same for everybody."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from boardkeeper.table.title import Setup
from boardkeeper.titles.paladins.board import AreaView, Board, SeatView
from boardkeeper.titles.paladins.data import ATTRIBUTES, Data, Gain, data_for
from boardkeeper.titles.paladins.meta import META

ROUNDS = 7
_ENOUGH = 5
"""How often an action is done for an order, and for the first points of its table."""

_WORTH = {
    "labourer": 0.7,
    "scout": 0.9,
    "merchant": 0.9,
    "fighter": 0.9,
    "cleric": 1.0,
    "criminal": 0.4,
    "silver": 0.45,
    "provision": 0.45,
    "tax": 0.1,
    "tax_2": 0.2,
    "discard_suspicion": 0.7,
    "destroy_debt": 2.5,
    "pay_debt": 3.5,
    "take_debt": -2.5,
    "pray": 1.4,
    "pray_action": 1.4,
    "free_recruit": 2.2,
    "free_develop": 3.0,
    "suspicion": -0.6,
}
"""What a reward is worth where nothing else is known of the table."""


@lru_cache(maxsize=1)
def facts() -> Data:
    """What boards and cards say, as it usually is: what a game's options change is too little to matter to a bot."""
    return data_for(Setup(META.default_edition, 2))


def left(board: Board) -> float:
    """How much of the game is still to come, from 1 to 0."""
    return (ROUNDS + 1 - board.round) / ROUNDS


def level(me: SeatView, attribute: str) -> int:
    """An attribute on its track."""
    return int(getattr(me, attribute))


def strength_of(me: SeatView, attribute: str) -> int:
    """An attribute with what this round's paladin adds."""
    return level(me, attribute) + me.bonus.get(attribute, 0)


def of_reward(board: Board, me: SeatView, reward: str) -> float:
    """What one thing is worth to a seat now."""
    if reward in ATTRIBUTES:
        return _of_attribute(board, level(me, reward))
    if reward in ("pay_debt", "destroy_debt") and not me.unpaid_debts:
        return 0.0
    if reward == "discard_suspicion" and not me.suspicion:
        return 0.0
    worth = _WORTH.get(reward, 0.0)
    if reward in ("silver", "provision"):
        held = me.silver if reward == "silver" else me.provisions
        return max(0.33, worth * (0.6 + 0.6 * left(board)) * (1.3 if held < 4 else 0.8))
    if reward in ("labourer", "scout", "merchant", "fighter", "cleric", "free_recruit", "free_develop"):
        return worth * (0.3 + left(board))
    return worth


def _of_attribute(board: Board, now: int) -> float:
    """A step on a track: its points at the end, and that higher ones come into reach."""
    points = facts().attribute_points
    if now >= len(points) - 1:
        return 0.0
    far = min(len(points) - 1, now + 1 + round(3 * left(board)))
    return (points[far] - points[now]) / (far - now) + 0.2 * left(board)


def of_all(board: Board, me: SeatView, rewards: Iterable[str]) -> float:
    """What several things are worth together."""
    return sum(of_reward(board, me, reward) for reward in rewards)


def of_gain(board: Board, me: SeatView, gain: Gain) -> float:
    """What a card's reward is worth."""
    return of_all(board, me, gain.plain) + sum(count * of_reward(board, me, kind) for kind, count in gain.dues)


def of_next_time(board: Board, me: SeatView, area: AreaView) -> float:
    """What doing an action of the right side once more is worth for tables and orders, whatever its target."""
    worth = 0.0
    for order in board.orders:
        if order.order == area.action and area.times < _ENOUGH:
            worth += order.points / _ENOUGH * (0.4 + 0.3 * area.times)
    table = facts().points.get(area.action)
    if table and area.times < len(table) - 1:
        ahead = min(len(table) - 1, max(area.times + 1, _ENOUGH))
        worth += (table[ahead] - table[area.times]) / (ahead - area.times)
    return worth
