"""A policy that makes progress in Orléans Stories: that of the family, with additions for this title.

A seat stays in the first era until it has a Castle and some other places, then advances without delay. It
fights, so that games contain conquests and peace.
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
"""Commands that an eager seat rarely gives."""

SILENT_SHARE = 0.998
"""The probability that an eager seat stays silent although its nation has not fulfilled its mission."""

WISHED = ("sacristy", "garrison", "laboratory", "shipyard")
"""Place cards with unique actions that other policies rarely take and fill."""

URGENT = (c.Conquer, c.Build)
"""Commands that an eager seat gives in most cases if they are legal."""


def eager(random: Random, play: StoriesPlay, number: int, legal: Sequence[Struct]) -> Struct:
    """Choose a command. The Town Hall is rare, because followers sent to deeds are lost.

    A wrong declaration of a mission is very rare, because it ends the game. A player cannot know whether a
    declaration is right; this policy reads all cards.
    """
    seat = play.t.seats[number - 1]
    if c.KeepSilent() in legal:
        is_right = teams.is_fulfilled(play.t, teams.nation_of(seat))
        return c.DeclareMission() if is_right or random.random() >= SILENT_SHARE else c.KeepSilent()
    if random.random() < 0.8:
        legal = _sensible(seat, legal) or [it for it in legal if not isinstance(it, RELUCTANT)] or legal
    return choose(random, play.t, number, legal, seldom=("town_hall",))


def _sensible(seat: Seat, legal: Sequence[Struct]) -> list[Struct]:
    """Return the best commands; empty if none of these kinds is legal."""
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
