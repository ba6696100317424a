"""Fields that newer servers may add to messages: unknown field numbers."""

from __future__ import annotations

from typing import Any, cast

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

NUMBER = 90_001
"""A field number that no message of the API has or will have."""

_LEN, _VARINT = 2, 0


def _encode_varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def encode_unknown_field(data: bytes = b"of a later version", number: int = NUMBER) -> bytes:
    """Return a serialized unknown field with bytes."""
    return _encode_varint(number << 3 | _LEN) + _encode_varint(len(data)) + data


UNKNOWN_FIELDS = encode_unknown_field() + _encode_varint((NUMBER + 1) << 3 | _VARINT) + _encode_varint(7)
"""A serialized unknown field with bytes, and one with a number."""


def add_unknown_fields(message: Message, fields: bytes = UNKNOWN_FIELDS) -> None:
    """Add unknown fields to a message and to all messages of the API within it."""
    if not message.DESCRIPTOR.full_name.startswith("boardkeeper."):
        return
    for field, value in message.ListFields():
        if field.type != FieldDescriptor.TYPE_MESSAGE or cast(Any, field.message_type).GetOptions().map_entry:
            continue
        for each in cast(Any, value) if bool(cast(Any, field).is_repeated) else (value,):
            add_unknown_fields(each, fields)
    message.MergeFromString(fields)


def read_unknown_field(message: Message, number: int = NUMBER) -> bytes | None:
    """Return the bytes of an unknown field, or ``None`` if the message does not have it."""
    for field in cast(Any, UnknownFieldSet(message)):
        if field.field_number == number and isinstance(field.data, bytes):
            return field.data
    return None
