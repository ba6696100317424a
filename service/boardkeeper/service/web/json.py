"""Messages as JSON: the canonical form that protobuf gives them.

The rest of the service knows them as bytes alone, so here they are turned into those and back. That is slow beside the
binary form; so large ones are turned in a thread, and what many watchers are told is turned once.
"""

from __future__ import annotations

import asyncio
from functools import lru_cache

from google.protobuf import json_format
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from boardkeeper.service.web.json_requests import read_request
from boardkeeper.wire.serialized import serialized

_MUCH = 8 * 1024
_KEPT = 256
"""Messages of streams that are kept as JSON, of each rpc."""


class Json:
    """The messages of one rpc."""

    def __init__(self, method: MethodDescriptor) -> None:
        self._request = GetMessageClass(method.input_type)
        self._answer = GetMessageClass(method.output_type)
        # Others are of one caller each, often with secrets, and would be kept for nobody.
        self._kept = lru_cache(maxsize=_KEPT)(self._said) if method.server_streaming else self._said

    async def request(self, text: bytes) -> bytes:
        """A request, serialized; raises ``InvalidRequestError``, which says where the text is wrong."""
        if len(text) < _MUCH:
            return _request(self._request, text)
        return await asyncio.to_thread(_request, self._request, text)

    async def answer(self, data: bytes) -> bytes:
        """A serialized answer as JSON."""
        if len(data) < _MUCH:
            return self._kept(data)
        return await asyncio.to_thread(self._said, data)

    def _said(self, data: bytes) -> bytes:
        return json_format.MessageToJson(self._answer.FromString(data), indent=None, ensure_ascii=False).encode()


def _request(kind: type[Message], text: bytes) -> bytes:
    return serialized(read_request(kind, text))
