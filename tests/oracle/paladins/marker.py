"""The resource marker of the opponent and the stack of its attribute markers."""

from __future__ import annotations

from tests.oracle.paladins import facts
from tests.oracle.paladins.sheet import Opponent, Sheet, Side


def mine(sheet: Sheet) -> Opponent:
    """Return the components that only the opponent has."""
    assert sheet.opponent
    return sheet.opponent


def move_marker(sheet: Sheet, side: Side, steps: int) -> None:
    """Move the resource marker. At the end of its track, raise the lowest attribute."""
    for _ in range(steps):
        mine(sheet).marker = mine(sheet).marker % 5 + 1
        if mine(sheet).marker == 1:
            raise_attribute(sheet, side, lowest(sheet, side))


def lowest(sheet: Sheet, side: Side) -> str:
    """Return the attribute with the lowest level. The topmost marker breaks ties."""
    least = min(side.attributes[name] for name in facts.ATTRIBUTES)
    return [name for name in mine(sheet).stack if side.attributes[name] == least][-1]


def raise_attribute(sheet: Sheet, side: Side, attribute: str) -> None:
    """Raise an attribute by one. Its marker becomes the topmost one."""
    if side.attributes[attribute] < 12:
        side.attributes[attribute] += 1
        mine(sheet).stack.remove(attribute)
        mine(sheet).stack.append(attribute)
