"""Conversion of commands, boards, effects and events to messages and back.

The content of a title goes into an envelope that all titles share (:mod:`boardkeeper.wire.envelopes`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, cast
from uuid import UUID

from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet
from msgspec import UNSET, Struct

from boardkeeper.game.events import GAME_EVENTS, GameCreated, GameEvent
from boardkeeper.game.game import GAME
from boardkeeper.table.effects import Effect
from boardkeeper.table.layout import TableLayout
from boardkeeper.v1 import board_pb2, command_pb2, effect_pb2, event_pb2
from boardkeeper.wire.convert import construct, make_serializer
from boardkeeper.wire.envelopes import Envelope
from boardkeeper.wire.errors import ConversionError
from boardkeeper.wire.plans import Omitted, Plan, descriptor_of, field_name, plan_struct, plan_union
from boardkeeper.wire.title import TitleWire, load_title_wire

GAME_MESSAGES: Mapping[type[Struct], type[Message]] = {
    struct: getattr(event_pb2, struct.__name__) for struct in GAME_EVENTS
}
"""The messages of game events."""

OMITTED: Omitted = {GameCreated: {"layout": TableLayout(0, (), ()), "stand_ins": UNSET}}
"""Fields that clients do not get, with their values after decoding.

Clients get boards instead of the layout. Only the undo rules need ``stand_ins``; clients find the voters in
``Game.undo_vote``.
"""


def prepare(titles: Iterable[str] = ()) -> None:
    """Make all plans for some titles in advance. Raises :class:`ConversionError` for a title that is not installed."""
    _effects()
    for name in _GAME_DETAILS:
        _DETAILS.plan(name)
    for title in titles:
        for envelope in (_COMMANDS, _BOARDS, _DETAILS):
            envelope.plan(title)


def _wire(title: str) -> TitleWire:
    if title in _GAME_DETAILS:
        raise ConversionError(title, "cannot be the id of a title, because every game has an event of this name")
    try:
        return load_title_wire(title)
    except KeyError:
        raise ConversionError(title, "is of a title that is not installed") from None


# --- commands ------------------------------------------------------------------------------------------------


def _plan_commands(title: str) -> Plan:
    wire = _wire(title)
    return plan_union(wire.commands, descriptor_of(wire.command_message))


_COMMANDS = Envelope(command_pb2.Command, _plan_commands)

_serialize_command = make_serializer(command_pb2.Command)

_MAX_CACHED_BYTES = 256
"""Commands of at most this many bytes are cached; nearly all have fewer."""


def command_to_message(title: str, command: Struct) -> command_pb2.Command:
    """Return the envelope of a title's command; raises :class:`ConversionError`."""
    return _COMMANDS.to_message(title, command)


def command_from_message(message: command_pb2.Command) -> tuple[str, Struct]:
    """Return the title's id and the command in an envelope.

    Raises :class:`ConversionError` if it is empty, or if it has unknown fields: a command of a newer client must not be
    executed without a part of it. Players often send equal commands, so commands are cached by their bytes.
    """
    data = _serialize_command(message)
    return _cached_command(data) if len(data) <= _MAX_CACHED_BYTES else _command(message)


@lru_cache(maxsize=8192)
def _cached_command(data: bytes) -> tuple[str, Struct]:
    return _command(command_pb2.Command.FromString(data))


def _command(message: command_pb2.Command) -> tuple[str, Struct]:
    title, field, of_title = _COMMANDS.content(message)
    command = _COMMANDS.decode(title, field, of_title)
    _expect_known_fields(message, "")
    _expect_known_fields(getattr(message, field), field)
    _expect_known_fields(of_title, field)
    name = of_title.WhichOneof("command")
    assert name is not None, "decoding expects a command"
    _expect_known_fields(getattr(of_title, name), f"{field}.{name}")
    return title, command


def _expect_known_fields(message: Message, path: str) -> None:
    unknown = UnknownFieldSet(message)
    if len(unknown):
        raise ConversionError(path, f"has the field number {unknown[0].field_number}, which is unknown")


# --- boards --------------------------------------------------------------------------------------------------


def _plan_board(title: str) -> Plan:
    wire = _wire(title)
    return plan_struct(wire.board, descriptor_of(wire.board_message))


_BOARDS = Envelope(board_pb2.Board, _plan_board)


def board_to_message(title: str, board: Struct) -> board_pb2.Board:
    """Return the envelope of a title's board; raises :class:`ConversionError`."""
    return _BOARDS.to_message(title, board)


def board_from_message(message: board_pb2.Board) -> tuple[str, Struct]:
    """Return the title's id and the board in an envelope; raises :class:`ConversionError` if it is empty."""
    return _BOARDS.from_message(message)


# --- effects -------------------------------------------------------------------------------------------------


@cache
def _effects() -> Plan:
    return plan_union(Effect.__args__, effect_pb2.Effect.DESCRIPTOR)


def effect_to_message(effect: Effect) -> effect_pb2.Effect:
    """Return the message of an effect; raises :class:`ConversionError`."""
    return construct(effect_pb2.Effect, _effects().encode(effect))


def effect_from_message(message: effect_pb2.Effect) -> Effect:
    """Return the effect in a message; raises :class:`ConversionError` if it is empty."""
    return cast(Effect, _effects().decode(message))


# --- events --------------------------------------------------------------------------------------------------


_GAME_DETAILS = {field_name(struct): (struct, message) for struct, message in GAME_MESSAGES.items()}


def _plan_detail(name: str) -> Plan:
    if name in _GAME_DETAILS:
        struct, message = _GAME_DETAILS[name]
        return plan_struct(struct, descriptor_of(message), OMITTED)
    wire = _wire(name)
    return plan_union(wire.events, descriptor_of(wire.event_message))


_DETAILS = Envelope(event_pb2.EventDetail, _plan_detail)


def _detail_fields(owner: str, detail: Struct) -> dict[str, Any]:
    return _DETAILS.fields(field_name(type(detail)) if owner == GAME else owner, detail)


def detail_to_message(owner: str, detail: Struct) -> event_pb2.EventDetail:
    """Return the envelope of an event's detail; ``owner`` is a title's id or ``game``.

    Raises :class:`ConversionError`.
    """
    return construct(event_pb2.EventDetail, _detail_fields(owner, detail))


def detail_from_message(message: event_pb2.EventDetail) -> tuple[str, Struct]:
    """Return the owner and the detail in an envelope; raises :class:`ConversionError` if it is empty."""
    name, detail = _DETAILS.from_message(message)
    return GAME if name in _GAME_DETAILS else name, detail


def event_to_message(
    event: GameEvent, sentence: str = "", *, effects: Iterable[Effect] | None = None, show_detail: bool = True
) -> event_pb2.Event:
    """Return the message of a stored event as a viewer may see it; raises :class:`ConversionError`.

    ``effects`` (``None``: all) and ``show_detail`` are the results of :func:`boardkeeper.game.disclosure.disclose` for
    the viewer.
    """
    owner, _, name = event.topic.partition(".")
    encode = _effects().encode
    values: dict[str, Any] = {
        "game_id": str(event.originator_id),
        "version": event.originator_version,
        "name": name,
        "seat": event.seat,
        "command_id": event.command_id,
        "time": {"seconds": event.time // 1000, "nanos": event.time % 1000 * 1_000_000},
        "effects": [encode(effect) for effect in (event.effects if effects is None else effects)],
        "sentence": sentence,
    }
    if show_detail:
        values["detail"] = _detail_fields(owner, event.detail)
    return construct(event_pb2.Event, values)


def event_from_message(message: event_pb2.Event) -> GameEvent:
    """Return the event in a message; raises :class:`ConversionError` if its detail or another field is missing."""
    if not message.HasField("detail"):
        raise ConversionError("detail", "is not shown to this viewer")
    owner, detail = detail_from_message(message.detail)
    return GameEvent(
        originator_id=_uuid(message.game_id),
        originator_version=message.version,
        topic=f"{owner}.{type(detail).__name__}",
        seat=message.seat,
        command_id=message.command_id,
        time=message.time.seconds * 1000 + message.time.nanos // 1_000_000,
        detail=detail,
        effects=tuple(map(effect_from_message, message.effects)),
    )


def _uuid(game_id: str) -> UUID:
    try:
        return UUID(game_id)
    except ValueError:
        raise ConversionError("game_id", f"must be a UUID, not {game_id!r}") from None
