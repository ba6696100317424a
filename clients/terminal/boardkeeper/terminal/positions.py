"""Position files, which are like FEN in chess.

A position file is a ``CreateGameRequest`` without seats, as JSON: title, edition, options, readings and the whole table
(``docs/position.md``).
"""

from __future__ import annotations

import json
import os

from google.protobuf.json_format import MessageToJson, Parse, ParseError

from boardkeeper.client.client import Client
from boardkeeper.client.errors import PermissionDenied
from boardkeeper.terminal import record_files
from boardkeeper.terminal.environment import OPERATOR_TOKEN
from boardkeeper.terminal.errors import DONE, CommandError
from boardkeeper.terminal.output import Output
from boardkeeper.v1 import game_pb2, games_pb2

MAX_FILE_BYTES = 1 << 20


def show(client: Client, game: game_pb2.Game, version: int | None, output: Output) -> int:
    """Print the position of a game, by default at the newest version. Raises :class:`CommandError` before its start."""
    token = os.environ.get(OPERATOR_TOKEN, "")
    if not token:
        raise CommandError(
            f"a position reveals hidden information and needs the server's operator token: set {OPERATOR_TOKEN}."
        )
    try:
        answer = client.table(game.game_id, version=version, token=token)
    except PermissionDenied as error:
        raise CommandError(f"{OPERATOR_TOKEN} is not the operator token of that server.") from error
    if not any(answer.table.decisions):
        raise CommandError(
            f"game {game.game_id} has no position at version {answer.version}: no seat has to decide there."
        )
    position = games_pb2.CreateGameRequest(
        title=game.title, edition=game.edition, options=game.options, readings=game.readings, position=answer.table
    )
    output.json(MessageToJson(position, preserving_proto_field_name=True, sort_keys=True, ensure_ascii=False))
    return DONE


def seats(position: games_pb2.CreateGameRequest) -> int:
    """Return the number of seats of a position."""
    return len(position.position.decisions)


def read(file: str) -> games_pb2.CreateGameRequest:
    """Read a position from a file. Raises :class:`CommandError`."""
    try:
        text = record_files.read(file, MAX_FILE_BYTES, "position").decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CommandError(f"{file} is not a position: it is not UTF-8 (at byte {error.start}).") from error
    try:
        position = Parse(text, games_pb2.CreateGameRequest(), max_recursion_depth=20)
    except (ParseError, json.JSONDecodeError, RecursionError) as error:
        if 'no field named "orleans"' in str(error):
            raise CommandError(
                f"{file} has the form of version 0.1. Convert it with:"
                f" python -m boardkeeper.terminal.convert_position {file} > new.json"
            ) from error
        raise CommandError(f"{file} is not a position: {error}") from error
    if not position.HasField("position") or position.seats:
        raise CommandError(f"{file} is not a position: it must contain a title and a position, and no seats.")
    return position
