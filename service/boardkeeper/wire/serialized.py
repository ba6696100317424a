"""Messages as the bytes that go out."""

from __future__ import annotations

from google.protobuf.message import Message


def serialized(message: Message) -> bytes:
    """The bytes of a message, which follow from what it says and from nothing else.

    Left to itself protobuf writes the entries of a map as they lie in memory, and how they lie there also depends on
    the order in which they were put in: of two boards with the same on them the bytes would differ, and tell a viewer
    which way the components came to where they are. Here the keys are in order.
    """
    return message.SerializeToString(deterministic=True)
