"""A title's structs and their messages, loaded when the title is first used."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from msgspec import Struct, defstruct

from boardkeeper.titles import registry
from boardkeeper.v1 import board_pb2, command_pb2, event_pb2
from boardkeeper.wire.comments import add_source_info, read_comments
from boardkeeper.wire.plans import descriptor_of
from boardkeeper.wire.schema import BOARD, COMMAND, EVENT_DETAIL, fixed_schema, messages_of, package_of, schema_of

ENVELOPES = {COMMAND: command_pb2.Command, EVENT_DETAIL: event_pb2.EventDetail, BOARD: board_pb2.Board}
"""The envelopes by name. The messages in their fields have the same name."""


@dataclass(frozen=True, slots=True)
class TitleWire:
    """A title's structs and their messages."""

    commands: tuple[type[Struct], ...]
    command_message: type[Message]
    events: tuple[type[Struct], ...]
    event_message: type[Message]
    board: type[Struct]
    board_message: type[Message]


EmptyBoard = defstruct("Board", (), frozen=True)
"""The board of a title without a typed board."""


def load_title_wire(id: str) -> TitleWire:
    """Return the structs and messages of a title; raises ``KeyError`` if it is not installed.

    For a built-in title, the messages are those of the fields in the envelopes that have the title's id as their name.
    For other titles they are made at run time, in the default descriptor pool.
    """
    title = registry.load_title(id)
    messages = _envelope_messages(id) or messages_of(schema_of(title, fixed_numbers(id)))
    return TitleWire(
        commands=tuple(title.commands.values()),
        command_message=messages[COMMAND],
        events=tuple(title.events.values()),
        event_message=messages[EVENT_DETAIL],
        board=title.board_type or EmptyBoard,
        board_message=messages[BOARD],
    )


def load_schema(id: str) -> FileDescriptorSet:
    """Return the proto files of a title with their comments; raises ``KeyError`` if it is not installed."""
    title = registry.load_title(id)
    schema = schema_of(title, fixed_numbers(id))
    add_source_info(schema, read_comments(title))
    return schema


def fixed_numbers(id: str) -> FileDescriptorSet | None:
    """Return the schema that fixes a title's field numbers: our published protos, or ``wire.binpb`` of its package."""
    published = FileDescriptorSet()
    for message in _envelope_messages(id).values():
        descriptor_of(message).file.CopyToProto(published.file.add())
    return published if published.file else fixed_schema(registry.load_title(id))


def _envelope_messages(id: str) -> dict[str, type[Message]]:
    """Return the messages of the envelopes' fields that have the id as name; empty if a field is missing."""
    found = {}
    for name, envelope in ENVELOPES.items():
        field = descriptor_of(envelope).fields_by_name.get(id)
        if field is None or field.message_type is None or field.message_type.full_name != f"{package_of(id)}.{name}":
            return {}
        found[name] = GetMessageClass(field.message_type)
    return found
