"""The bonus tiles move on one era at the end of a round, and the start player changes."""

from __future__ import annotations

from boardkeeper.titles.stories.events import BonusTilesShifted
from boardkeeper.titles.stories.material import Stories
from boardkeeper.titles.stories.phases.ending import change_start_player


def begin(t: Stories) -> None:
    """Set the first era's tile aside, move the others, turn a new one (stories.bonus_tiles.shift)."""
    piles = list(t.bonus.values())
    before = [t.aside, *piles]
    for at, pile in enumerate(piles):
        for tile in pile.counts():
            t.move(tile, pile, before[at])
    (new,) = t.recorder.draw(t.bonus_stack, piles[-1])
    if not t.bonus_stack.items:
        for tile in t.aside.counts():
            t.move(tile, t.aside, t.bonus_stack)
    t.emit(None, BonusTilesShifted(new))
    change_start_player(t)
