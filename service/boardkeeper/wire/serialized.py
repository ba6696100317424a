"""Messages as bytes."""

from __future__ import annotations

from collections.abc import Callable

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message

from boardkeeper.wire.plans import descriptor_of


def serialized(message: Message) -> bytes:
    """Return the bytes of a message, with the entries of maps in the order of their keys.

    By default protobuf writes the entries of a map in the order of its memory, which depends on the order in which they
    were put in. The bytes of two equal boards would differ, and would reveal how the components got there.
    """
    return message.SerializeToString(deterministic=True)


def serializer_of(kind: type[Message]) -> Callable[[Message], bytes]:
    """Return a function like :func:`serialized` for one type, three times as fast if its messages have no maps."""
    return serialized if _has_map(descriptor_of(kind), set()) else kind.SerializeToString


def _has_map(message: Descriptor, checked: set[str]) -> bool:
    if message.full_name in checked:
        return False
    checked.add(message.full_name)
    return message.GetOptions().map_entry or any(
        _has_map(field.message_type, checked) for field in message.fields if field.message_type is not None
    )
