"""What brings a seat of Orléans Stories on: what brings on seats of all titles of its family, and some sense.

It stays among its settlers until it has a Castle and some more places open, goes through the other eras without delay,
and fights: so games come to conquests and to peace.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct
from tests.families.followers.eager import choose

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories import teams
from boardkeeper.titles.stories.material import Seat
from boardkeeper.titles.stories.play import StoriesPlay

RELUCTANT = (c.FinishTrading, c.DeclineBonus, c.KeepTechnology)
"""What an eager seat hardly ever does."""

PATIENCE = 0.998
"""How likely an eager seat is to go on rather than to declare what its nation has not."""

WISHED = ("sacristy", "garrison", "laboratory", "shipyard")
"""Cards that do what no other does, and that hardly anybody comes by and fills."""

URGENT = (c.Conquer, c.Build)
"""What it mostly does if it can."""


def eager(random: Random, play: StoriesPlay, number: int, legal: Sequence[Struct]) -> Struct:
    """Seldom the Town Hall: what goes to the deeds is missing afterwards. Hardly ever a wrong declaration of a mission.

    It would end the game. Whether it is one, a seat cannot know; this one looks at all cards.
    """
    seat = play.t.seats[number - 1]
    if c.KeepSilent() in legal:
        is_right = teams.is_fulfilled(play.t, teams.nation_of(seat))
        return c.DeclareMission() if is_right or random.random() >= PATIENCE else c.KeepSilent()
    if random.random() < 0.8:
        legal = _sensible(seat, legal) or [it for it in legal if not isinstance(it, RELUCTANT)] or legal
    return choose(random, play.t, number, legal, seldom=("town_hall",))


def _sensible(seat: Seat, legal: Sequence[Struct]) -> list[Struct]:
    """What there is hardly anything better than; empty if there is nothing of the kind."""
    castle = c.UnlockPlace("castle")
    if castle in legal:
        return [castle]
    if c.AdvanceEra() in legal and (seat.era_reached.value > 1 or seat.base_places.total() < 4):
        return [c.AdvanceEra()]
    for spared in (c.SurrenderSettler(), c.SurrenderFortress()):
        if spared in legal:
            return [spared]
    wished: list[Struct] = [it for it in legal if isinstance(it, c.TakePlaceCard) and it.card in WISHED]
    wished += [it for it in legal if isinstance(it, c.PlaceFollower) and it.place in WISHED]
    return wished or [command for command in legal if isinstance(command, URGENT)]
