"""Putting messages that are serialized already into others, without parsing them again.

The protobuf encoding of a message is the concatenation of its fields, so an event that was encoded once for
an audience is put into every answer and stream as bytes.
"""

from __future__ import annotations

from functools import lru_cache

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_LENGTH_DELIMITED = 2


class Embedded:
    """A message field (single, repeated or in a oneof) that takes serialized messages."""

    __slots__ = ("_tag",)

    def __init__(self, message: type[Message], field: str) -> None:
        descriptor = message.DESCRIPTOR.fields_by_name[field]
        if descriptor.type != FieldDescriptor.TYPE_MESSAGE:
            raise TypeError(f"{descriptor.full_name} is no message")
        self._tag = _varint(descriptor.number << 3 | _LENGTH_DELIMITED)

    def __call__(self, serialized: bytes) -> bytes:
        """The field with that message in it."""
        return self._tag + _varint(len(serialized)) + serialized


@lru_cache(maxsize=2048)  # lengths come again
def _varint(value: int) -> bytes:
    if value < 0x80:
        return bytes((value,))
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)
