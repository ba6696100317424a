"""Microseconds to convert structs to messages and back, with the structs of one random game.

Board and table are those of a finished game with the most players, as seat 1 sees them. Events are all events of that
game with their effects; commands are a sample of those that were legal in it. "cached" is the service's cache for
answers with repeated parts, and "json_format" is protobuf's own module for JSON.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import TypeVar
from uuid import UUID

from google.protobuf.json_format import MessageToJson, Parse
from google.protobuf.message import Message
from msgspec import Struct

from boardkeeper.game.creation import create_game
from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import ENDED, Game
from boardkeeper.game.seats import PERSON
from boardkeeper.game.sentences import sentence
from boardkeeper.service.api.legal_commands import encode_legal_commands
from boardkeeper.service.api.table_messages import encode_table
from boardkeeper.service.transport.json_parser import read_message
from boardkeeper.table.rejections import Rejection
from boardkeeper.table.visible_table import visible_table
from boardkeeper.titlekit.title import Setup, Title
from boardkeeper.titles.registry import TITLES, load_title
from boardkeeper.v1 import command_pb2, games_pb2, history_pb2
from boardkeeper.wire.convert import serialize
from boardkeeper.wire.messages import (
    board_from_message,
    board_to_message,
    command_from_message,
    command_to_message,
    event_from_message,
    event_to_message,
)
from boardkeeper.wire.proto_json import encode_json
from boardkeeper.wire.tables import table_to_message

ROUNDS = 5
COMMANDS = 5000
BOARDS = 200

Item = TypeVar("Item")


def play(title: Title) -> tuple[Game, list[GameEvent], list[Struct]]:
    """Play a random game with the most players; return it, its events, and the commands that were legal in it."""
    seats = title.meta.edition(title.meta.default_edition).players[1]
    game, events = create_game(UUID(int=1), title, Setup("", seats), [PERSON] * seats, bytes(32), "", "0", 0)
    game.commit(events)
    joined = game.join(range(1, seats + 1), b"", "1", 0)
    game.commit(joined)
    events += joined
    possible: list[Struct] = []
    chance = random.Random(1)
    while game.status != ENDED:
        seat = game.table.deciding()[0]
        legal = game.legal(seat)
        possible += legal
        decided = game.decide(seat, [chance.choice(legal)], f"c{game.version}", 0)
        if isinstance(decided, Rejection):
            raise AssertionError(f"a listed command was rejected: {decided}")
        game.commit(decided)
        events += decided
    return game, events, possible


def measure(name: str, convert: Callable[[Item], object], items: Sequence[Item]) -> None:
    """Print the median time of one conversion."""
    times = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for item in items:
            convert(item)
        times.append((time.perf_counter() - begun) / len(items))
    print(f"{name:24} {statistics.median(times) * 1e6:8.2f} µs")


def encode_legal_command(title: Title, names: Sequence[str], command: Struct) -> bytes:
    """Encode a legal command with its sentence, without a cache."""
    message = command_to_message(title.meta.id, command)
    return serialize(command_pb2.LegalCommand(command=message, sentence=sentence("en", title, names, 0, command)))


def main() -> None:
    """Measure each title."""
    for id in TITLES:
        print(id)
        measure_title(id)


def measure_title(id: str) -> None:
    """Play a game of a title, then measure its conversions."""
    title = load_title(id)
    game, events, possible = play(title)
    if game.play is None:
        raise AssertionError("the game has not started")
    boards = [game.play.board(1)] * BOARDS
    commands = random.Random(2).choices(possible, k=COMMANDS)
    messages = [event_to_message(event, "A sentence.") for event in events]
    measure("command to message", lambda command: command_to_message(id, command), commands)
    measure("command from message", command_from_message, [command_to_message(id, each) for each in commands])
    measure("event to message", lambda event: event_to_message(event, "A sentence."), events)
    measure("event from message", event_from_message, messages)
    measure("board to message", lambda board: board_to_message(id, board), boards)
    measure("board from message", board_from_message, [board_to_message(id, board) for board in boards])
    measure("board to bytes", serialize, [board_to_message(id, boards[0])] * BOARDS)
    table = visible_table(game.table, 1)
    measure("table redacted", lambda viewer: visible_table(game.table, viewer), [1] * BOARDS)
    measure("table to bytes", lambda table: serialize(table_to_message(table)), [table] * BOARDS)
    measure("table to bytes, cached", encode_table, [table] * BOARDS)
    names = [str(seat) for seat in range(len(game.created.seats))]
    measure("legal command", lambda it: encode_legal_command(title, names, it), commands)
    measure("legal command, cached", lambda it: encode_legal_commands("en", title, names, [it], [it]), commands)
    answers: dict[str, Message] = {
        "table": table_to_message(table),
        "board": board_to_message(id, boards[0]),
        "events": history_pb2.ListEventsResponse(events=messages[:50]),
    }
    for name, answer in answers.items():
        measure(f"{name} to JSON", encode_json, [answer] * BOARDS)
        measure(f"{name}, json_format", lambda it: MessageToJson(it, indent=None), [answer] * BOARDS)
    submit = games_pb2.SubmitCommandsRequest(
        game_id=str(game.id), seat=1, commands=[command_to_message(id, commands[0])]
    )
    kind, text = games_pb2.SubmitCommandsRequest, MessageToJson(submit)
    measure("command from JSON", lambda text: read_message(kind, json.loads(text)), [text] * COMMANDS)
    measure("command, json_format", lambda text: Parse(text, kind()), [text] * COMMANDS)
    sizes = [message.ByteSize() for message in messages]
    print(f"{len(events)} events of {statistics.mean(sizes):.0f} bytes on average, the largest {max(sizes)}")


if __name__ == "__main__":
    main()
