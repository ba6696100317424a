"""What a later version of the service may add to messages: fields of numbers that this one does not have."""

from __future__ import annotations

from typing import Any, cast

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.unknown_fields import UnknownFieldSet

NUMBER = 90_001
"""No message of ours has a field of that number, or ever gets one."""

_LEN, _VARINT = 2, 0


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def field_of_later(data: bytes = b"of a later version", number: int = NUMBER) -> bytes:
    """A field with bytes, serialized."""
    return _varint(number << 3 | _LEN) + _varint(len(data)) + data


EXTRA = field_of_later() + _varint((NUMBER + 1) << 3 | _VARINT) + _varint(7)
"""A field with bytes and one with a number."""


def add_to_all(message: Message, extra: bytes = EXTRA) -> None:
    """Give a message, and all messages within it, fields that nobody knows; but for those that are not ours."""
    if not message.DESCRIPTOR.full_name.startswith("boardkeeper."):
        return
    for field, value in message.ListFields():
        if field.type != FieldDescriptor.TYPE_MESSAGE or cast(Any, field.message_type).GetOptions().map_entry:
            continue
        for each in cast(Any, value) if _is_repeated(field) else (value,):
            add_to_all(each, extra)
    message.MergeFromString(extra)


def kept(message: Message, number: int = NUMBER) -> bytes | None:
    """What a message still has in the field with bytes that it was given, or ``None``."""
    for field in cast(Any, UnknownFieldSet(message)):
        if field.field_number == number and isinstance(field.data, bytes):
            return field.data
    return None


def _is_repeated(field: Any) -> bool:
    return bool(field.is_repeated)
