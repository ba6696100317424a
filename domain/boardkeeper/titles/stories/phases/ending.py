"""The end of a round, and of the game."""

from __future__ import annotations

from boardkeeper.table.course import OVER
from boardkeeper.titles.stories.bindings import Stories
from boardkeeper.titles.stories.events import StartPlayerChanged
from boardkeeper.titles.stories.scoring import score


def end_round(t: Stories) -> None:
    """After the last round all is counted; where no number of rounds ends the game, something else may."""
    if t.data.nations:
        t.enter("shift" if t.data.chosen.round_end_check == "before_bonus" else "declaring")
    elif t.round.value == t.data.rounds:
        score(t)
        t.set(t.phase, OVER)
    else:
        change_start_player(t)


def change_start_player(t: Stories) -> None:
    """The start player token goes on (stories.round.start_player)."""
    start = t.start.value % len(t.seats) + 1
    t.set(t.start, start)
    t.emit(t.seats[start - 1], StartPlayerChanged())
    t.enter("dawn")
