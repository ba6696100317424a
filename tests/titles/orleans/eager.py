"""A policy that makes progress: the family's."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct
from tests.families.followers.eager import choose

from boardkeeper.titles.orleans.play import OrleansPlay


def eager(random: Random, play: OrleansPlay, number: int, legal: Sequence[Struct]) -> Struct:
    """Choose a command; rarely fill the Town Hall, because followers on deeds are lost."""
    return choose(random, play.t, number, legal, seldom=("town_hall",))
