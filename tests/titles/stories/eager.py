"""What brings a seat of Orléans Stories on: what brings on seats of all titles of its family, and every bonus."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct
from tests.families.followers.eager import choose

from boardkeeper.titles.stories import commands as c
from boardkeeper.titles.stories.play import StoriesPlay

RELUCTANT = (c.FinishTrading, c.DeclineBonus, c.KeepTechnology)
"""What an eager seat hardly ever does."""


def eager(random: Random, play: StoriesPlay, number: int, legal: Sequence[Struct]) -> Struct:
    """Seldom the Town Hall: what goes to the deeds is missing afterwards."""
    if random.random() < 0.9:
        legal = [command for command in legal if not isinstance(command, RELUCTANT)] or legal
    return choose(random, play.t, number, legal, seldom=("town_hall",))
