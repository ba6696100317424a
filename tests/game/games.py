"""Games of a title small enough to see through (two coins and some hidden pearls a seat; twelve turns)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.service.tiny_title import TINY

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.testkit.games import ID, SECRET
from boardkeeper.titlekit.title import Setup, Title


def create(
    *seats: str, setup: Setup | None = None, secret: bytes = SECRET, title: Title = TINY
) -> tuple[Game, list[GameEvent]]:
    """A game whose first events are committed, and these events."""
    seats = seats or ("person", "person")
    game, events = create_game(
        ID, title, setup or Setup("", len(seats)), seats, secret, server_build="test", command_id="create", time=1
    )
    game.commit(events)
    return game, events


def started(*entropies: bytes, secret: bytes = SECRET, title: Title = TINY) -> tuple[Game, list[GameEvent]]:
    """A running game of persons, one for each entropy, and its events so far."""
    entropies = entropies or (b"", b"")
    game, events = create(*["person"] * len(entropies), secret=secret, title=title)
    for seat, entropy in enumerate(entropies, 1):
        joined = game.join([seat], entropy, f"join {seat}", time=2)
        game.commit(joined)
        events += joined
    return game, events


def names(events: Iterable[GameEvent]) -> Sequence[str]:
    """The topics of events."""
    return [event.topic for event in events]
