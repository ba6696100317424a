"""Saves: a game as bytes. The first line describes the save, each event has a line, and the last line is a hash.

A save contains the secret of the dice. It is for the program that runs the game; players get records.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

import msgspec
from msgspec import Struct

from boardkeeper.engine.errors import BadSaveError
from boardkeeper.game.events import GAME_DETAILS, GameCreated, GameEvent, Given
from boardkeeper.game.record import Seal
from boardkeeper.table.decoding import decode
from boardkeeper.table.dice import commitment
from boardkeeper.table.effects import Effect

FORMAT = "boardkeeper-save"
VERSION = 1
_encode = msgspec.json.Encoder().encode
_UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError)
"""Errors of the decoder for bytes that are not the expected JSON."""


class Head(Struct, frozen=True):
    """The first line. ``secret`` is in hexadecimal; ``seal`` is that of the record that the game was loaded from."""

    save: str
    format: int
    game: UUID
    secret: str
    names: tuple[str, ...]
    events: int
    seal: Seal | None = None


class SavedEvent(Struct, frozen=True, array_like=True):
    """One event: the fields of :class:`~boardkeeper.game.events.GameEvent` without game and version."""

    topic: str
    seat: int
    command_id: str
    time: int
    detail: msgspec.Raw
    effects: tuple[Effect, ...]
    given: Given | None


def encode_save(history: Sequence[GameEvent], names: tuple[str, ...], secret: bytes, seal: Seal | None) -> bytes:
    """Return the save of a game with these events."""
    head = Head(FORMAT, VERSION, history[0].originator_id, secret.hex(), names, len(history), seal)
    lines = [_encode(head), *map(_encode_event, history)]
    body = b"\n".join(lines) + b"\n"
    return body + hashlib.sha256(body).hexdigest().encode() + b"\n"


def _encode_event(event: GameEvent) -> bytes:
    parts = (event.topic, event.seat, event.command_id, event.time)
    return _encode(SavedEvent(*parts, msgspec.Raw(_encode(event.detail)), event.effects, event.given))


def open_save(data: bytes) -> tuple[Head, list[bytes]]:
    """Check the hash of a save and return its first line and the lines of its events; raises :class:`BadSaveError`."""
    body, _, digest = data[:-1].rpartition(b"\n")
    body += b"\n"
    if data[-1:] != b"\n" or hashlib.sha256(body).hexdigest().encode() != digest:
        raise BadSaveError("the save is incomplete or was changed: its hash does not match")
    first, *lines = body.splitlines()
    try:
        head = decode(first, Head)
    except _UNREADABLE as error:
        raise BadSaveError(f"the save has no valid first line: {error}") from None
    if (head.save, head.format) != (FORMAT, VERSION) or head.events != len(lines):
        raise BadSaveError(f"this version cannot read the save's format: {head.save} {head.format}")
    return head, lines


def decode_created(line: bytes) -> GameCreated:
    """Decode the line of the first event; raises :class:`BadSaveError`."""
    try:
        return decode(decode(line, SavedEvent).detail, GameCreated)
    except _UNREADABLE as error:
        raise BadSaveError(f"the first event of the save is not the creation of a game: {error}") from None


def check_secret(head: Head, history: Sequence[GameEvent]) -> bytes:
    """Return the secret of a save if it matches the game's commitment; raises :class:`BadSaveError`."""
    created = history[0].detail
    if not isinstance(created, GameCreated):
        raise BadSaveError("the first event of the save is not the creation of a game")
    seats = len(created.seats)
    if not seats == created.layout.seats == created.setup.players or len(head.names) > seats:
        raise BadSaveError("the parts of the save disagree about the number of seats")
    try:
        secret = bytes.fromhex(head.secret)
    except ValueError as error:
        raise BadSaveError(f"the secret of the save cannot be read: {error}") from None
    if commitment(secret) != created.commitment:
        raise BadSaveError("the secret of the save does not match the commitment of its game")
    return secret


def decode_events(head: Head, lines: Iterable[bytes], details: Mapping[str, type[Struct]]) -> list[GameEvent]:
    """Decode the events of a save; ``details`` are the title's event structs. Raises :class:`BadSaveError`."""
    kinds: dict[str, type[Struct]] = {**details, **GAME_DETAILS}
    events: list[GameEvent] = []
    try:
        for version, line in enumerate(lines, 1):
            event = decode(line, SavedEvent)
            detail = decode(event.detail, kinds[event.topic.partition(".")[2]])
            parts = (event.topic, event.seat, event.command_id, event.time)
            events.append(GameEvent(head.game, version, *parts, detail, event.effects, event.given))
    except (*_UNREADABLE, KeyError) as error:
        raise BadSaveError(f"event {len(events) + 1} of the save cannot be read: {error}") from None
    return events
