"""Serialized messages as fields of other messages.

The encoding of a message in protobuf is the concatenation of its fields. So an event that was encoded once for an
audience becomes part of every answer and stream as bytes.
"""

from __future__ import annotations

from functools import lru_cache

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_LENGTH_DELIMITED = 2


class Embedded:
    """A field (single, repeated or in a oneof) that takes serialized messages, or texts in UTF-8."""

    __slots__ = ("_tag",)

    def __init__(self, message: type[Message], field: str) -> None:
        descriptor = message.DESCRIPTOR.fields_by_name[field]
        if descriptor.type not in (FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_STRING):
            raise TypeError(f"{descriptor.full_name} is neither a message nor a string")
        self._tag = _varint(descriptor.number << 3 | _LENGTH_DELIMITED)

    def __call__(self, serialized: bytes) -> bytes:
        """Return the field with that message or text."""
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
