"""Requests and answers as JSON, in the canonical form of protobuf.

The rest of the server has serialized messages, so this module converts between both. It converts large messages in a
thread, and caches messages of streams, because many watchers get the same messages.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from boardkeeper.service.transport.json_parser import read_request
from boardkeeper.wire.convert import serialize
from boardkeeper.wire.proto_json import encode_json

_LARGE_REQUEST = 8 * 1024
"""Bytes of JSON that take about 1 ms to read."""

_LARGE_ANSWER = 32 * 1024
"""Bytes of a serialized message that take about 1 ms to convert."""

_MAX_CACHED = 256
"""Messages of streams whose JSON is cached, for each RPC."""


class JsonCodec:
    """Converts the messages of one RPC."""

    def __init__(self, method: MethodDescriptor) -> None:
        self._request = GetMessageClass(method.input_type)
        self._answer = GetMessageClass(method.output_type)
        # Other answers are for one caller and often contain secrets: do not cache them.
        self._cached = lru_cache(maxsize=_MAX_CACHED)(self._encode) if method.server_streaming else self._encode

    async def decode_request(self, text: bytes) -> bytes:
        """Return a serialized request. Raises ``InvalidRequestError`` with the invalid field."""
        if len(text) < _LARGE_REQUEST:
            return _decode(self._request, text)
        return await asyncio.to_thread(_decode, self._request, text)

    async def encode_answer(self, data: bytes) -> bytes:
        """Return a serialized answer as JSON."""
        if len(data) < _LARGE_ANSWER:
            return self._cached(data)
        return await asyncio.to_thread(self._encode, data)

    def _encode(self, data: bytes) -> bytes:
        return encode_json(self._answer.FromString(data))


def _decode(kind: type[Message], text: bytes) -> bytes:
    return serialize(read_request(kind, text))
