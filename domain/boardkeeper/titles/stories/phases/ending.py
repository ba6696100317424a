"""The end of a round, and of the game."""

from __future__ import annotations

from boardkeeper.titlekit.turn_flow import OVER
from boardkeeper.titles.stories.material import Stories
from boardkeeper.titles.stories.phases import declaring
from boardkeeper.titles.stories.scoring import score


def end_round(t: Stories) -> None:
    """After the last round all is counted; where no number of rounds ends the game, something else may."""
    if t.data.nations:
        _end_round_of_nations(t)
    elif t.round.value == t.data.rounds:
        score(t)
        t.set(t.phase, OVER)
    else:
        change_start_player(t)


def _end_round_of_nations(t: Stories) -> None:
    """Who has been asked before the round bonus is not asked again, but fame that it brought counts in this round."""
    if not declaring.comes_before_bonus(t):
        t.enter("declaring")
    elif declaring.fame_is_reached(t):
        declaring.finish(t)
    else:
        t.enter("shift")


def change_start_player(t: Stories) -> None:
    """The start player token goes on (stories.round.start_player)."""
    t.pass_start_player()
    t.enter("dawn")
