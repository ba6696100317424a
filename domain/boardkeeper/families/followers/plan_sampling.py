"""Replace the plans that a viewer cannot see behind screens by random ones, for searches.

When the screens go up, all players know which followers each seat can place, but not where it places them. A random
plan is a sequence of random legal commands that ends with the first ``FinishPlanning``.
"""

from __future__ import annotations

from boardkeeper.families.followers.commands import FinishPlanning, PlaceFollower
from boardkeeper.families.followers.table import AnySeat, AnyTable
from boardkeeper.table.dice import Dice
from boardkeeper.table.table import Table
from boardkeeper.table.visibility import PUBLIC, sees
from boardkeeper.titlekit.title import Play

_PLAN = "plan"


def has_hidden_plans(table: Table, viewer: int) -> bool:
    """Return whether a screen is up that the viewer cannot see behind."""
    screens = (table.markers[f"seat.{seat}.screen"] for seat in range(1, len(table.decisions)))
    return not all(sees(table, screen, viewer) for screen in screens)


def sample_plans(t: AnyTable, play: Play, viewer: int, dice: Dice) -> None:
    """Replace the plans that a viewer cannot see by random ones; ``t`` is the table of ``play``.

    It records no effects and no events. The result depends only on ``dice`` and on the zones that the viewer sees.
    """
    for seat in t.seats:
        if not sees(t.table, seat.screen, viewer):
            _withdraw_all(seat)
            _place_at_random(t, play, seat, dice)
    play.recorder.clear()


def _withdraw_all(seat: AnySeat) -> None:
    """Move all followers behind the screen back to where they were when planning began.

    Followers that return to spaces which extend the market are sorted: their order could reveal the hidden plan.
    """
    estate = seat.estate()
    stored: list[str] = []
    for space in estate.spaces.values():
        if space.pile.visibility == PUBLIC:  # occupied before planning began, or by technology
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


def _place_at_random(t: AnyTable, play: Play, seat: AnySeat, dice: Dice) -> None:
    """Place followers at random until the random command is to finish, also for a seat that has finished planning."""
    decisions, number = t.table.decisions, seat.number
    open_decision, decisions[number] = decisions[number], _PLAN
    counter = 0
    while True:
        legal = [it for it in play.legal(number) if isinstance(it, PlaceFollower | FinishPlanning)]
        choice = legal[dice.number(seat.screen.id, counter, len(legal))]
        if isinstance(choice, FinishPlanning):
            break
        rejection = play.decide(number, choice)
        if rejection is not None:
            raise RuntimeError(f"{choice} is legal but was rejected: {rejection}")
        counter += 1
    decisions[number] = open_decision
