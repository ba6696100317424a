"""Validation of the fields of requests: sizes, ids and names.

Each ``parse_`` function returns the value of a field, or raises ``InvalidRequestError``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from uuid import UUID

from google.protobuf.duration_pb2 import Duration
from msgspec import Struct

from boardkeeper.game import time_control as clocks
from boardkeeper.game.record_bounds import MAX_CHOICES
from boardkeeper.game.time_control import TimeControl
from boardkeeper.service.requests import seat_names
from boardkeeper.service.requests.errors import InvalidRequestError, invalid, problem
from boardkeeper.table.layout import MAX_SEATS
from boardkeeper.table.visible_table import VisibleTable
from boardkeeper.titlekit.title import PositionError
from boardkeeper.v1.command_pb2 import Command
from boardkeeper.v1.event_pb2 import TimeControl as TimeControlMessage
from boardkeeper.v1.table_pb2 import Table
from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.messages import command_from_message
from boardkeeper.wire.tables import table_from_message

MAX_COMMANDS = 64
MAX_SUBJECTS = 8
MAX_ID_LENGTH = 64
MAX_ENTROPY_BYTES = 64
MAX_PLAYER_ID_LENGTH = 128
MAX_INVITATION_LENGTH = 128
MIN_LIFETIME = 60
MAX_LIFETIME = 10 * 366 * 86_400
"""Seconds, as :data:`MIN_LIFETIME`."""
MAX_WAIT = 30.0
"""Seconds that a call can wait for a version: less than 60, after which most proxies close a silent connection."""
MAX_POSITION_BYTES = 128 * 1024
"""Several times the largest table of our titles; a larger one would take too long to read."""
MIN_ID_PREFIX_LENGTH = 4
MIN_REQUEST_ID_LENGTH = 16
"""A repeated request returns the tokens of the seats, so its id must be hard to guess."""

_VISIBLE_ASCII = re.compile(rf"[!-~]{{1,{MAX_ID_LENGTH}}}")
_PLAYER_ID = re.compile(rf"[!-~]{{1,{MAX_PLAYER_ID_LENGTH}}}")
GAME_ID_LENGTH = 36
_ANY_ID = str(UUID(int=0))
_GAME_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def parse_game_id(text: str, field: str = "game_id") -> UUID:
    """Return the id of a game."""
    found = _uuid(text) if len(text) == GAME_ID_LENGTH else None
    if found is None:
        raise invalid(field, "game_id")
    return found


def parse_id_prefix(text: str) -> str:
    """Return the first digits of games' ids without hyphens, or an empty string.

    The minimum length keeps the number of games with the same prefix small.
    """
    completed = text + _ANY_ID[len(text) :]
    if text and (len(text) < MIN_ID_PREFIX_LENGTH or _GAME_ID.fullmatch(completed) is None):
        raise invalid("id_prefix", "id_prefix", least=MIN_ID_PREFIX_LENGTH, most=GAME_ID_LENGTH)
    return text.replace("-", "")


@lru_cache(maxsize=8192)
def _uuid(text: str) -> UUID | None:
    return UUID(text) if _GAME_ID.fullmatch(text) else None


def parse_command_id(text: str) -> str:
    """Return a client's id of a command."""
    if _VISIBLE_ASCII.fullmatch(text) is None:
        raise invalid("command_id", "visible_ascii", most=MAX_ID_LENGTH)
    return text


def parse_player_id(text: str, field: str = "player_id") -> str:
    """Return a platform's id of a player, or an empty string."""
    if text and _PLAYER_ID.fullmatch(text) is None:
        raise invalid(field, "visible_ascii_or_empty", most=MAX_PLAYER_ID_LENGTH)
    return text


def parse_lifetime(duration: Duration, field: str) -> int:
    """Return a lifetime in seconds."""
    if not MIN_LIFETIME <= duration.seconds <= MAX_LIFETIME or duration.nanos:
        raise invalid(field, "lifetime")
    return int(duration.seconds)


def parse_wait(duration: Duration) -> float:
    """Return how many seconds a call waits, at most :data:`MAX_WAIT`."""
    if duration.seconds < 0 or not 0 <= duration.nanos < 1_000_000_000:
        raise invalid("wait", "wait")
    return min(duration.seconds + duration.nanos / 1e9, MAX_WAIT)


def parse_request_id(text: str) -> str:
    """Return the id of an idempotent request, or an empty string."""
    if text and (len(text) < MIN_REQUEST_ID_LENGTH or _VISIBLE_ASCII.fullmatch(text) is None):
        raise invalid("request_id", "request_id", least=MIN_REQUEST_ID_LENGTH, most=MAX_ID_LENGTH)
    return text


def parse_commands(messages: Sequence[Command], title: str) -> list[Struct]:
    """Return the commands of a request, which must be of the game's title."""
    if not 1 <= len(messages) <= MAX_COMMANDS:
        raise invalid("commands", "between", least=1, most=MAX_COMMANDS)
    found: list[Struct] = []
    try:
        for message in messages:
            owner, command = command_from_message(message)
            if owner != title:
                raise ConversionError("", f"must be a command of {title}, the game's title, not of {owner}")
            found.append(command)
    except ConversionError as error:
        error = error.within(f"commands[{len(found)}]")
        raise InvalidRequestError({error.field: error.reason}) from None
    return found


def parse_position(message: Table) -> VisibleTable:
    """Return the table from which a game begins."""
    if message.ByteSize() > MAX_POSITION_BYTES:
        raise invalid("position", "too_many_bytes", most=MAX_POSITION_BYTES)
    try:
        return table_from_message(message)
    except PositionError as error:
        raise position_error(error) from error


def position_error(error: PositionError) -> InvalidRequestError:
    """Return the error for an impossible position, with all its problems."""
    found: dict[str, str] = {}
    for each in error.problems:
        field = f"position.{each.field}".rstrip(".")
        found[field] = f"{found[field]}; {each.message}" if field in found else each.message
    return InvalidRequestError(found)


def parse_seat(number: int, *, lowest: int = 1) -> int:
    """Return the number of a seat. With ``lowest`` 0 the request can leave the seat open."""
    if not lowest <= number <= MAX_SEATS:
        raise invalid("seat", "between", least=lowest, most=MAX_SEATS)
    return number


def parse_version(number: int, field: str) -> int:
    """Return a version of a game."""
    if number < 0:
        raise invalid(field, "negative")
    return number


def parse_name(text: str, field: str) -> str:
    """Return the display name of a seat as the server stores it."""
    try:
        return seat_names.normalize_name(text)
    except seat_names.BadNameError as error:
        raise InvalidRequestError({field: error.problem}) from None


def check_name_differs(name: str, others: Iterable[str], field: str) -> None:
    """Check that a name does not look like the name of another seat of the game."""
    try:
        seat_names.check_name_differs(name, others)
    except seat_names.BadNameError as error:
        raise InvalidRequestError({field: error.problem}) from None


def parse_entropy(data: bytes, field: str) -> bytes:
    """Return the entropy of a seat."""
    if len(data) > MAX_ENTROPY_BYTES:
        raise invalid(field, "too_many_bytes", most=MAX_ENTROPY_BYTES)
    return data


def parse_time_control(message: TimeControlMessage) -> TimeControl:
    """Return the time limits of a game."""
    problems: dict[str, str] = {}
    for field, value, words in (
        ("kind", message.kind, clocks.KINDS),
        ("on_expiry", message.on_expiry, clocks.ON_EXPIRY),
    ):
        if value not in words:
            problems[f"time_control.{field}"] = problem("one_of", offered=", ".join(words))
    if not 1 <= message.seconds <= clocks.MAX_SECONDS:
        problems["time_control.seconds"] = problem("between", least=1, most=clocks.MAX_SECONDS)
    most = clocks.MAX_SECONDS if message.kind == clocks.GAME else 0
    if not 0 <= message.increment <= most:
        problems["time_control.increment"] = problem("between", least=0, most=most)
    if problems:
        raise InvalidRequestError(problems)
    return TimeControl(message.kind, message.seconds, message.increment, message.on_expiry)


def parse_id(text: str, field: str, longest: int = MAX_ID_LENGTH) -> str:
    """Return an id of the catalogue, or an empty string."""
    if len(text) > longest:
        raise invalid(field, "too_many_characters", most=longest)
    return text


def parse_subjects(ids: Sequence[str]) -> list[str]:
    """Return the subjects of ``ExplainRefusals``, without duplicates."""
    if not 1 <= len(ids) <= MAX_SUBJECTS:
        raise invalid("subjects", "between", least=1, most=MAX_SUBJECTS)
    return list(dict.fromkeys(parse_id(it, f"subjects[{at}]") for at, it in enumerate(ids)))


def parse_choices(chosen: Mapping[str, str], field: str) -> dict[str, str]:
    """Return options or readings by id."""
    if len(chosen) > MAX_CHOICES:
        raise invalid(field, "too_many_entries", most=MAX_CHOICES)
    return {parse_id(key, field): parse_id(value, field) for key, value in chosen.items()}


def parse_page_size(number: int, default: int, most: int) -> int:
    """Return the number of items in a page."""
    if number < 0:
        raise invalid("page_size", "negative")
    return min(number or default, most)
