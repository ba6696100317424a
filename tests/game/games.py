"""Games of a small test title: each seat has two coins and some hidden pearls, and a game has twelve turns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tests.service.tiny_title import TINY

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import Game
from boardkeeper.table.rejections import Rejection
from boardkeeper.testkit.games import ID, SECRET
from boardkeeper.titlekit.title import Setup, Title


def create(
    *seats: str, setup: Setup | None = None, secret: bytes = SECRET, title: Title = TINY
) -> tuple[Game, list[GameEvent]]:
    """Create a game and commit its first events. Return the game and the events."""
    seats = seats or ("person", "person")
    game, events = create_game(
        ID, title, setup or Setup("", len(seats)), seats, secret, server_build="test", command_id="create", time=1
    )
    game.commit(events)
    return game, events


def start(*entropies: bytes, secret: bytes = SECRET, title: Title = TINY) -> tuple[Game, list[GameEvent]]:
    """Start a game of persons, one for each entropy. Return the game and its events."""
    entropies = entropies or (b"", b"")
    game, events = create(*["person"] * len(entropies), secret=secret, title=title)
    for seat, entropy in enumerate(entropies, 1):
        joined = game.join([seat], entropy, f"join {seat}", time=2)
        game.commit(joined)
        events += joined
    return game, events


def join_all(game: Game, events: list[GameEvent]) -> None:
    """Let a person join each free seat, one after the other. Commit the events and append them to ``events``."""
    for seat in game.seats.free():
        joined = game.join([seat], b"", "", time=1)
        game.commit(joined)
        events += joined


def rejection_code(outcome: object) -> str:
    """Check that the outcome is a rejection. Return its code."""
    assert isinstance(outcome, Rejection), outcome
    return outcome.code


def names(events: Iterable[GameEvent]) -> Sequence[str]:
    """Return the topics of events."""
    return [event.topic for event in events]
