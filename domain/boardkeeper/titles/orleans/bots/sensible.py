"""The sensible bot: it chooses the command with the highest estimated value."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from boardkeeper.titles.orleans.bots import policy
from boardkeeper.titles.orleans.play import OrleansPlay


def choose(play: OrleansPlay, seat: int, commands: Sequence[Struct]) -> Struct:
    """Return the command with the highest value; if several have it, the first."""
    values = policy.scores(play, seat, commands)
    return commands[values.index(max(values))]
