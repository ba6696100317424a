"""What it costs to turn structs into messages and back, in microseconds, with the structs of one whole random game.

A board is that of a finished game of five as seat 1 sees it; events are all of that game with their effects.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import TypeVar
from uuid import UUID

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import ENDED, PERSON, Game
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.title import Setup
from boardkeeper.titles.registry import load_title
from boardkeeper.wire.messages import (
    board_from_message,
    board_to_message,
    command_from_message,
    command_to_message,
    event_from_message,
    event_to_message,
)

TITLE = "orleans"
SEATS = 5
ROUNDS = 5

Item = TypeVar("Item")


def play() -> tuple[Game, list[GameEvent]]:
    """A random game of five, to its end, and its events."""
    game, events = Game.create(
        UUID(int=1), load_title(TITLE), Setup("", SEATS), [PERSON] * SEATS, bytes(32), "", "0", 0
    )
    game.commit(events)
    joined = game.join(range(1, SEATS + 1), b"", "1", 0)
    game.commit(joined)
    events += joined
    chance = random.Random(1)
    while game.status != ENDED:
        seat = game.table.deciding()[0]
        decided = game.decide(seat, [chance.choice(game.legal(seat))], f"c{game.version}", 0)
        if isinstance(decided, Rejection):
            raise AssertionError(f"a listed command was refused: {decided}")
        game.commit(decided)
        events += decided
    return game, events


def measure(name: str, convert: Callable[[Item], object], items: Sequence[Item]) -> None:
    """Print the median time of one conversion."""
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for item in items:
            convert(item)
        times.append((time.perf_counter() - begun) / len(items))
    print(f"{name:22} {statistics.median(times) * 1e6:8.2f} µs")


def main() -> None:
    """Play, then measure."""
    game, events = play()
    if game.play is None:
        raise AssertionError("the game has not started")
    boards = [game.play.board(1)] * 200
    commands = [load_title(TITLE).commands["PlaceFollower"]("farmer", "ship", "farmer") for _ in range(5000)]
    messages = [event_to_message(event, "A sentence.") for event in events]
    measure("command to message", lambda command: command_to_message(TITLE, command), commands)
    measure("command from message", command_from_message, [command_to_message(TITLE, each) for each in commands])
    measure("event to message", lambda event: event_to_message(event, "A sentence."), events)
    measure("event from message", event_from_message, messages)
    measure("board to message", lambda board: board_to_message(TITLE, board), boards)
    measure("board from message", board_from_message, [board_to_message(TITLE, board) for board in boards])
    measure("board to bytes", lambda message: message.SerializeToString(), [board_to_message(TITLE, boards[0])] * 200)
    sizes = [message.ByteSize() for message in messages]
    print(f"{len(events)} events of {statistics.mean(sizes):.0f} bytes on average, the largest {max(sizes)}")


if __name__ == "__main__":
    main()
