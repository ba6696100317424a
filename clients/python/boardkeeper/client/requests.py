"""Seats, turn timers and commands for requests."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import timedelta
from uuid import uuid4

from google.protobuf.duration_pb2 import Duration
from msgspec import Struct

from boardkeeper.v1 import command_pb2, event_pb2, games_pb2
from boardkeeper.wire.messages import command_to_message

PAGE_SIZE = 200
ENTROPY_BYTES = 32
AUTOMA = "automa"
"""The kind of bot of seats that the rules play."""
random_bytes: Callable[[int], bytes] = os.urandom
"""The source of entropy for seats that are created without entropy."""

Command = command_pb2.Command | command_pb2.LegalCommand | Struct
"""A command to submit: a message, one of the legal commands, or a struct of a title."""


def person(name: str, entropy: bytes | None = None, player_id: str = "") -> games_pb2.SeatRequest:
    """Return a seat that is played through this client. The created game contains its token.

    ``entropy`` is mixed into the dice (``docs/dice.md``): at most 64 bytes, ``b""`` for none; by default random bytes
    from the operating system. ``player_id`` is the platform's id of the player.
    """
    return games_pb2.SeatRequest(name=name, entropy=entropy_or_random(entropy), player_id=player_id)


def bot(kind: str = "sensible", name: str = "") -> games_pb2.SeatRequest:
    """Return a seat that the server plays, with one of the bots of the title (``Title.bots``)."""
    return games_pb2.SeatRequest(name=name, bot=kind)


def automa(name: str = "") -> games_pb2.SeatRequest:
    """Return a seat that the rules play, in titles with such seats. The rules also play omitted last seats."""
    return games_pb2.SeatRequest(name=name, bot=AUTOMA)


def open_seat() -> games_pb2.SeatRequest:
    """Return a seat that a player takes later by joining. The game starts when no seat is open."""
    return games_pb2.SeatRequest(open=True)


def per_move(seconds: int, *, on_expiry: str = "bot") -> event_pb2.TimeControl:
    """Return a turn timer for each decision.

    When the time runs out, a bot takes over the seat (``bot``) or the seat resigns (``resign``).
    """
    return event_pb2.TimeControl(kind="move", seconds=seconds, on_expiry=on_expiry)


def per_game(seconds: int, increment: int = 0, *, on_expiry: str = "bot") -> event_pb2.TimeControl:
    """Return a turn timer for the whole game, with ``increment`` seconds more after each turn; see :func:`per_move`."""
    return event_pb2.TimeControl(kind="game", seconds=seconds, increment=increment, on_expiry=on_expiry)


def entropy_or_random(entropy: bytes | None) -> bytes:
    """Return ``entropy``, or random bytes if it is ``None``."""
    return random_bytes(ENTROPY_BYTES) if entropy is None else entropy


def id_or_new(id: str) -> str:
    """Return the id of a request or command, or a new id if it is empty."""
    return id or str(uuid4())


def to_duration(time: timedelta | None) -> Duration | None:
    """Convert a ``timedelta`` to a protobuf message; ``None`` stays ``None``."""
    if time is None:
        return None
    duration = Duration()
    duration.FromTimedelta(time)
    return duration


def to_messages(commands: Sequence[Command], title: str) -> list[command_pb2.Command]:
    """Convert commands to messages. ``title`` is the game's title; only commands that several titles share need it.

    Raises ``TypeError`` for a struct that is not a command.
    """
    return [_to_message(command, title) for command in commands]


def _to_message(command: Command, title: str) -> command_pb2.Command:
    if isinstance(command, command_pb2.LegalCommand):
        return command.command
    if isinstance(command, command_pb2.Command):
        return command
    return command_to_message(_title_of(command) or title, command)


def _title_of(command: Struct) -> str:
    """Return the title that defines a command; empty if a family of titles defines it."""
    package, *modules = type(command).__module__.split(".")
    if package != "boardkeeper" or len(modules) < 3 or modules[0] not in ("titles", "families"):
        raise TypeError(f"{type(command).__name__} is not a command of a title")
    return modules[1] if modules[0] == "titles" else ""


class KnownTitles:
    """The titles of the games that a client has seen, for commands that several titles share."""

    MAX_GAMES = 1000

    def __init__(self) -> None:
        self._titles: dict[str, str] = {}

    def add(self, game_id: str, title: str) -> None:
        """Store the title of a game."""
        if len(self._titles) >= self.MAX_GAMES:
            self._titles.clear()
        self._titles[game_id] = title

    def get(self, game_id: str, commands: Sequence[Command]) -> str | None:
        """Return the title of a game; ``None`` if it is unknown, empty if converting the commands does not need it."""
        if any(isinstance(command, Struct) and not _title_of(command) for command in commands):
            return self._titles.get(game_id)
        return ""
