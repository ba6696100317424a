"""Serialized messages as fields of other messages.

Protobuf encodes a message as the concatenation of its fields. So the server encodes an event once, and copies the bytes
into all answers and streams that contain the event.
"""

from __future__ import annotations

from functools import lru_cache

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_LENGTH_DELIMITED = 2


class EmbeddedField:
    """Encodes a field (single, repeated or in a oneof) from serialized messages, or texts in UTF-8."""

    __slots__ = ("_tag",)

    def __init__(self, message: type[Message], field: str) -> None:
        descriptor = message.DESCRIPTOR.fields_by_name[field]
        if descriptor.type not in (FieldDescriptor.TYPE_MESSAGE, FieldDescriptor.TYPE_STRING):
            raise TypeError(f"{descriptor.full_name} is neither a message nor a string")
        self._tag = _varint(descriptor.number << 3 | _LENGTH_DELIMITED)

    def __call__(self, serialized: bytes) -> bytes:
        """Return the encoded field with a message or text."""
        return self._tag + _varint(len(serialized)) + serialized


@lru_cache(maxsize=2048)  # lengths repeat
def _varint(value: int) -> bytes:
    if value < 0x80:
        return bytes((value,))
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)
