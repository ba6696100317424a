"""The resource marker of the opponent and the stack of its attributes."""

from __future__ import annotations

from tests.oracle.paladins import facts
from tests.oracle.paladins.sheet import Opponent, Sheet, Side


def mine(sheet: Sheet) -> Opponent:
    """What only the opponent has."""
    assert sheet.opponent
    return sheet.opponent


def move_marker(sheet: Sheet, side: Side, steps: int) -> None:
    """The resource marker goes on; past the end of its track the lowest attribute rises."""
    for _ in range(steps):
        mine(sheet).marker = mine(sheet).marker % 5 + 1
        if mine(sheet).marker == 1:
            raise_attribute(sheet, side, lowest(sheet, side))


def lowest(sheet: Sheet, side: Side) -> str:
    """The attribute with the lowest level; of several the topmost marker."""
    least = min(side.attributes[name] for name in facts.ATTRIBUTES)
    return [name for name in mine(sheet).stack if side.attributes[name] == least][-1]


def raise_attribute(sheet: Sheet, side: Side, attribute: str) -> None:
    """A marker goes up by one, onto whatever lies there."""
    if side.attributes[attribute] < 12:
        side.attributes[attribute] += 1
        mine(sheet).stack.remove(attribute)
        mine(sheet).stack.append(attribute)
