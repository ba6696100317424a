"""A bot that plays Paladins to the end quickly: it acts, develops and takes rewards as long as it can."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

from boardkeeper.titles.paladins import commands as c
from boardkeeper.titles.paladins.data import RIGHT
from boardkeeper.titles.paladins.play import PaladinsPlay

RELUCTANT = (c.Pass, c.ForgoReward, c.ReturnWorker)
"""Commands that the bot avoids."""


def eager(random: Random, play: PaladinsPlay, number: int, legal: Sequence[Struct]) -> Struct:
    """Prefer actions of the right side, then any command except passing."""
    if random.random() < 0.9:
        legal = [command for command in legal if type(command) not in RELUCTANT] or legal
    if random.random() < 0.7:
        right = [command for command in legal if isinstance(command, c.BeginAction) and command.action in RIGHT]
        legal = right or legal
    return random.choice(legal)
