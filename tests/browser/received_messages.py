"""Decode every message that a page received from the server."""

from __future__ import annotations

import base64
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.message import Message

from boardkeeper.v1 import catalog_pb2, games_pb2, history_pb2
from boardkeeper.v1.event_pb2 import Event

if TYPE_CHECKING:
    from playwright.sync_api import Page

RECORD_ANSWERS = (Path(__file__).parent / "record_answers.js").read_text("utf-8")
"""A script that must run before the page's own scripts."""

_ENVELOPE = struct.Struct(">BI")
_END = 0x02
SERVED = (catalog_pb2, games_pb2, history_pb2)
"""The protos of the services that pages call; importing them registers their messages."""
VERSIONED = (Event, games_pb2.GetTableResponse)
"""Messages that have a version."""


def received_messages(page: Page) -> list[tuple[str, Message]]:
    """Return the rpc and the message of every answer, including streams, in the order of the calls."""
    received: list[tuple[str, Message]] = []
    for url, body in page.evaluate("recordedAnswers()"):
        service, _, method = url.partition("/boardkeeper.v1.")[2].partition("/")
        if not method:
            continue
        rpc = descriptor_pool.Default().FindServiceByName(f"boardkeeper.v1.{service}").methods_by_name[method]
        kind = message_factory.GetMessageClass(rpc.output_type)
        content = base64.b64decode(body)
        parts = list(_split_stream(content)) if rpc.server_streaming else [content]
        received += [(method, kind.FromString(part)) for part in parts if not part.startswith(b"{")]
    return received


def _split_stream(stream: bytes) -> Iterator[bytes]:
    at = 0
    while at + _ENVELOPE.size <= len(stream):
        flags, size = _ENVELOPE.unpack_from(stream, at)
        at += _ENVELOPE.size
        if at + size <= len(stream) and not flags & _END:
            yield stream[at : at + size]
        at += size


def walk_messages(message: Message, since: int = 0) -> Iterator[Message]:
    """Yield a message and all messages inside it, without those of versions before `since`."""
    if isinstance(message, VERSIONED) and message.version < since:
        return
    yield message
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if field.message_type.GetOptions().map_entry:
            each = value.values() if field.message_type.fields_by_name["value"].message_type else []
        else:
            each = value if field.is_repeated else [value]
        for inner in each:
            yield from walk_messages(inner, since)
