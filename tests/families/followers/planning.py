"""Planning of bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from boardkeeper.families.followers.commands import FinishPlanning, PlaceFollower, PlaceTechnology
from boardkeeper.testkit.bot_games import play_bot_game
from boardkeeper.titlekit.title import Title


def most_planned(title: Title, players: int) -> int:
    """Play a game and return the most commands with which a seat planned a round; check that no seat takes back one."""
    placed: dict[tuple[int, int], int] = {}

    def watch(play: Any, seat: int, legal: Sequence[Struct]) -> None:
        if play.table.decisions[seat] == "plan":
            command = title.choose("sensible", play, seat, legal, 0.0)
            assert isinstance(command, PlaceFollower | PlaceTechnology | FinishPlanning)
            placed[seat, play.t.round.value] = placed.get((seat, play.t.round.value), 0) + 1

    play_bot_game(title, ("sensible",) * players, "planning", watch)
    return max(placed.values())
