"""What could lie behind raised screens as well, for all that somebody knows who does not see behind them.

When the screens go up everybody has seen what each seat has to plan with. What it plans of that nobody can know, so
another plan is drawn: random legal commands, one after the other, until the draw is to finish.
"""

from __future__ import annotations

from boardkeeper.families.followers.commands import FinishPlanning, PlaceFollower
from boardkeeper.families.followers.table import AnySeat, AnyTable
from boardkeeper.table.dice import Dice
from boardkeeper.table.visibility import PUBLIC, sees
from boardkeeper.titlekit.title import Play

_PLAN = "plan"


def sample_plans(t: AnyTable, play: Play, viewer: int, dice: Dice) -> None:
    """Give each seat behind whose screen a viewer does not see another plan; ``t`` is the table of ``play``.

    Nothing is recorded. What comes of it follows from what the viewer sees, and from ``dice``.
    """
    for seat in t.seats:
        if not sees(t.table, seat.screen, viewer):
            _clear(seat)
            _plan(t, play, seat, dice)
    play.recorder.clear()


def _clear(seat: AnySeat) -> None:
    """Put whatever lies behind the screen back to where it was when planning began.

    On which space of a place that extends the market a follower stands makes no difference, and would tell in which
    order they came back: they stand by their ids.
    """
    estate = seat.estate()
    stored: list[str] = []
    for space in estate.spaces.values():
        if space.pile.visibility == PUBLIC:  # taken when planning began, or by technology since
            continue
        follower = space.occupant()
        if follower:
            space.pile.take(follower, 1)
            if space in estate.storage or space.placed.value < 0:
                stored.append(follower)
            else:
                seat.market.put(follower, 1)
        space.placed.value = 0
    free = (space.pile for space in estate.storage if space.pile.visibility != PUBLIC)
    for follower, pile in zip(sorted(stored), free, strict=False):
        pile.put(follower, 1)


def _plan(t: AnyTable, play: Play, seat: AnySeat, dice: Dice) -> None:
    """Place followers as chance has it; a seat that has finished is asked once more for it."""
    decisions, number = t.table.decisions, seat.number
    asked, decisions[number] = decisions[number], _PLAN
    counter = 0
    while True:
        legal = [it for it in play.legal(number) if isinstance(it, PlaceFollower | FinishPlanning)]
        drawn = legal[dice.number(seat.screen.id, counter, len(legal))]
        if isinstance(drawn, FinishPlanning):
            break
        rejection = play.decide(number, drawn)
        if rejection is not None:
            raise RuntimeError(f"{drawn} is listed and rejected: {rejection}")
        counter += 1
    decisions[number] = asked
