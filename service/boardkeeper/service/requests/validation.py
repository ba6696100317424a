"""Checks at the edge: sizes and ids, before anything else looks at a request."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from uuid import UUID

from google.protobuf.duration_pb2 import Duration
from msgspec import Struct

from boardkeeper.game import time_control as clocks
from boardkeeper.game.record_bounds import MOST_CHOICES
from boardkeeper.game.time_control import TimeControl
from boardkeeper.service.requests import seat_names
from boardkeeper.service.requests.errors import InvalidRequestError, invalid, problem
from boardkeeper.table.visible_table import VisibleTable
from boardkeeper.titlekit.title import PositionError
from boardkeeper.v1.command_pb2 import Command
from boardkeeper.v1.event_pb2 import TimeControl as TimeControlMessage
from boardkeeper.v1.table_pb2 import Table
from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.messages import command_from_message
from boardkeeper.wire.tables import table_from_message

MOST_COMMANDS = 64
MOST_SEATS = 16
MOST_SUBJECTS = 8
LONGEST_ID = 64
LONGEST_ENTROPY = 64
LONGEST_PLAYER_ID = 128
LONGEST_INVITATION = 128
SHORTEST_LIFETIME = 60
LONGEST_LIFETIME = 10 * 366 * 86_400
LONGEST_WAIT = 30.0
"""Seconds that a call waits for news: less than the 60 after which usual proxies give up a silent connection."""
LARGEST_POSITION = 128 * 1024
"""Several times the largest table of our titles; reading a larger one would take too long."""
SHORTEST_ID_PREFIX = 4
SHORTEST_REQUEST_ID = 16
"""A repeated request is answered with the seats' tokens, so its id must be as hard to guess as they are worth."""

_VISIBLE_ASCII = re.compile(r"[!-~]{1,64}")
_PLAYER_ID = re.compile(rf"[!-~]{{1,{LONGEST_PLAYER_ID}}}")
GAME_ID_LENGTH = 36
_ANY_ID = str(UUID(int=0))
_GAME_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def game_id(text: str, field: str = "game_id") -> UUID:
    """The game that a request names."""
    found = _uuid(text) if len(text) == GAME_ID_LENGTH else None
    if found is None:
        raise invalid(field, "game_id")
    return found


def id_prefix(text: str) -> str:
    """How the ids of games begin, or nothing; the digits without the hyphens.

    So many are asked for that few games begin alike, however many there are.
    """
    completed = text + _ANY_ID[len(text) :]
    if text and (len(text) < SHORTEST_ID_PREFIX or _GAME_ID.fullmatch(completed) is None):
        raise invalid("id_prefix", "id_prefix", least=SHORTEST_ID_PREFIX, most=GAME_ID_LENGTH)
    return text.replace("-", "")


@lru_cache(maxsize=8192)
def _uuid(text: str) -> UUID | None:
    return UUID(text) if _GAME_ID.fullmatch(text) else None


def command_id(text: str) -> str:
    """A client's name for a submission."""
    if _VISIBLE_ASCII.fullmatch(text) is None:
        raise invalid("command_id", "visible_ascii", most=LONGEST_ID)
    return text


def player_id(text: str, field: str = "player_id") -> str:
    """A platform's id of a player, or nothing."""
    if text and _PLAYER_ID.fullmatch(text) is None:
        raise invalid(field, "visible_ascii_or_empty", most=LONGEST_PLAYER_ID)
    return text


def invitation(text: str) -> str:
    """The code of an invitation, or nothing."""
    if len(text) > LONGEST_INVITATION:
        raise invalid("invitation", "too_many_characters", most=LONGEST_INVITATION)
    return text


def lifetime(duration: Duration, field: str) -> int:
    """For how many seconds something holds."""
    if not SHORTEST_LIFETIME <= duration.seconds <= LONGEST_LIFETIME or duration.nanos:
        raise invalid(field, "lifetime")
    return int(duration.seconds)


def wait(duration: Duration) -> float:
    """Return for how many seconds a call is to wait, :data:`LONGEST_WAIT` at most."""
    if duration.seconds < 0 or not 0 <= duration.nanos < 1_000_000_000:
        raise invalid("wait", "wait")
    return min(duration.seconds + duration.nanos / 1e9, LONGEST_WAIT)


def request_id(text: str) -> str:
    """A client's name for an idempotent request, or nothing."""
    if text and (len(text) < SHORTEST_REQUEST_ID or _VISIBLE_ASCII.fullmatch(text) is None):
        raise invalid("request_id", "request_id", least=SHORTEST_REQUEST_ID, most=LONGEST_ID)
    return text


def commands(messages: Sequence[Command], title: str) -> list[Struct]:
    """The commands of a request, all of the game's title."""
    if not 1 <= len(messages) <= MOST_COMMANDS:
        raise invalid("commands", "between", least=1, most=MOST_COMMANDS)
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


def position(message: Table) -> VisibleTable:
    """Return the table to begin from."""
    if message.ByteSize() > LARGEST_POSITION:
        raise invalid("position", "too_many_bytes", most=LARGEST_POSITION)
    try:
        return table_from_message(message)
    except PositionError as error:
        raise impossible_position(error) from error


def impossible_position(error: PositionError) -> InvalidRequestError:
    """Return the error for a table that no game can begin from, with every problem."""
    found: dict[str, str] = {}
    for each in error.problems:
        field = f"position.{each.field}".rstrip(".")
        found[field] = f"{found[field]}; {each.message}" if field in found else each.message
    return InvalidRequestError(found)


def seat(number: int, *, lowest: int = 1) -> int:
    """A seat's number; 0 may stand for any."""
    if not lowest <= number <= MOST_SEATS:
        raise invalid("seat", "between", least=lowest, most=MOST_SEATS)
    return number


def version(number: int, field: str) -> int:
    """A version of a game."""
    if number < 0:
        raise invalid(field, "negative")
    return number


def name(text: str, field: str) -> str:
    """A display name, as it is kept."""
    try:
        return seat_names.accepted(text)
    except seat_names.BadNameError as error:
        raise InvalidRequestError({field: error.problem}) from None


def apart(name: str, others: Iterable[str], field: str) -> None:
    """A name must not look like those of the other seats of its game."""
    try:
        seat_names.check_apart(name, others)
    except seat_names.BadNameError as error:
        raise InvalidRequestError({field: error.problem}) from None


def entropy(data: bytes, field: str) -> bytes:
    """What a seat adds to the dice."""
    if len(data) > LONGEST_ENTROPY:
        raise invalid(field, "too_many_bytes", most=LONGEST_ENTROPY)
    return data


def time_control(message: TimeControlMessage) -> TimeControl:
    """What time people are to have."""
    wrong: dict[str, str] = {}
    for field, value, words in (
        ("kind", message.kind, clocks.KINDS),
        ("on_expiry", message.on_expiry, clocks.ON_EXPIRY),
    ):
        if value not in words:
            wrong[f"time_control.{field}"] = problem("one_of", offered=", ".join(words))
    if not 1 <= message.seconds <= clocks.LONGEST:
        wrong["time_control.seconds"] = problem("between", least=1, most=clocks.LONGEST)
    most = clocks.LONGEST if message.kind == clocks.GAME else 0
    if not 0 <= message.increment <= most:
        wrong["time_control.increment"] = problem("between", least=0, most=most)
    if wrong:
        raise InvalidRequestError(wrong)
    return TimeControl(message.kind, message.seconds, message.increment, message.on_expiry)


def id(text: str, field: str) -> str:
    """An id from the catalogue, or nothing."""
    if len(text) > LONGEST_ID:
        raise invalid(field, "too_many_characters", most=LONGEST_ID)
    return text


def subjects(ids: Sequence[str]) -> list[str]:
    """What on a table a question is about; each once."""
    if not 1 <= len(ids) <= MOST_SUBJECTS:
        raise invalid("subjects", "between", least=1, most=MOST_SUBJECTS)
    return list(dict.fromkeys(id(it, f"subjects[{at}]") for at, it in enumerate(ids)))


def choices(chosen: Mapping[str, str], field: str) -> dict[str, str]:
    """Options or readings, by id."""
    if len(chosen) > MOST_CHOICES:
        raise invalid(field, "too_many_entries", most=MOST_CHOICES)
    return {id(key, field): id(value, field) for key, value in chosen.items()}


def page_size(number: int, default: int, most: int) -> int:
    """How many items a page shall have."""
    if number < 0:
        raise invalid("page_size", "negative")
    return min(number or default, most)
