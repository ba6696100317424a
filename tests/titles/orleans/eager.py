"""What brings a seat of Orléans on: what brings on seats of all titles of its family."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct
from tests.families.followers.eager import choose

from boardkeeper.titles.orleans.play import OrleansPlay


def eager(random: Random, play: OrleansPlay, number: int, legal: Sequence[Struct]) -> Struct:
    """Seldom the Town Hall: what goes to the deeds is missing afterwards."""
    return choose(random, play.t, number, legal, seldom=("town_hall",))
