"""Length-prefixed messages in request bodies: gRPC, gRPC-Web and Connect streams share this framing.

A message is one byte of flags, four bytes of length and the data. No message may be larger than
:data:`MAX_REQUEST_BYTES`, compressed or not.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable

from boardkeeper.service.requests.errors import ApiError, InvalidRequestError, invalid

MAX_REQUEST_BYTES = 256 * 1024
"""The maximum size in bytes of one message from a client."""

COMPRESSED = 0x01
GRPC_WEB_END = 0x80
CONNECT_END = 0x02
ENCODINGS = ("identity", "gzip", "deflate")
"""Compressions that requests may use."""

_KNOWN = frozenset({"", *ENCODINGS})

_PREFIX = 5
_MESSAGES_PER_TURN = 32
"""After this many messages other tasks get a turn: one packet can contain thousands."""

_PADDED = re.compile(rb"[^=]+={0,2}")
_GZIP = 16 + zlib.MAX_WBITS


def frame(message: bytes, flags: int = 0) -> bytes:
    """Return a message with its prefix."""
    return flags.to_bytes() + len(message).to_bytes(4) + message


class MessageReader:
    """Reads the messages of one request body."""

    __slots__ = ("_at_end", "_buffer", "_chunk", "_encoding", "_end_flags", "_is_over", "_is_text", "_read", "_text")

    def __init__(
        self, chunk: Callable[[], Awaitable[bytes]], encoding: str, *, end_flags: int = 0, is_text: bool = False
    ) -> None:
        """``chunk`` returns the next bytes of the body, empty at its end.

        ``encoding`` is the compression of messages with the flag :data:`COMPRESSED`. A message with one of
        ``end_flags`` ends the messages. ``is_text``: the body is base64.
        """
        self._chunk = chunk
        self._encoding = encoding
        self._end_flags = end_flags
        self._is_text = is_text
        self._buffer = b""
        self._text = b""
        self._read = 0
        self._at_end = False
        self._is_over = False

    async def read(self) -> bytes | None:
        """Return the next message, ``None`` at the end.

        Raises ``REQUEST_TOO_LARGE``, ``COMPRESSION_UNKNOWN`` and ``InvalidRequestError``.
        """
        while True:
            buffer = self._buffer
            if len(buffer) >= _PREFIX:
                flags, length = buffer[0], int.from_bytes(buffer[1:_PREFIX])
                if flags & ~(COMPRESSED | self._end_flags):  # before the length: JSON without prefix looks huge
                    raise invalid("", "without_prefix")
                if length > MAX_REQUEST_BYTES:
                    raise ApiError("REQUEST_TOO_LARGE", most=MAX_REQUEST_BYTES)
                end = _PREFIX + length
                if len(buffer) >= end:
                    self._buffer = buffer[end:]
                    message = buffer[_PREFIX:end]
                    if self._is_over:
                        raise unreadable_body()
                    self._read += 1
                    if flags & COMPRESSED or not self._read % _MESSAGES_PER_TURN:
                        await asyncio.sleep(0)
                    if flags & self._end_flags:
                        self._is_over = True
                        continue  # the content of the last frame has no meaning in requests
                    return self._decompress(message) if flags & COMPRESSED else message
            if self._at_end:
                if buffer or self._text:
                    raise unreadable_body()
                return None
            data = await self._chunk()
            if not data:
                self._at_end = True
            elif self._is_text:
                data, self._text = _decode_base64(self._text + data)
                self._buffer = buffer + data
            else:
                self._buffer = buffer + data if buffer else data

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (message := await self.read()) is not None:
            yield message

    def _decompress(self, message: bytes) -> bytes:
        if self._encoding in ("", "identity"):
            raise unreadable_body()
        return decompress(message, self._encoding)


def decompress(data: bytes, encoding: str) -> bytes:
    """Decompress data, without decompressing more than the limit.

    Raises ``REQUEST_TOO_LARGE``, ``COMPRESSION_UNKNOWN`` and ``InvalidRequestError``.
    """
    check_encoding(encoding)
    if encoding in ("", "identity"):
        return data
    inflating = zlib.decompressobj(_GZIP if encoding == "gzip" else zlib.MAX_WBITS)
    try:
        message = inflating.decompress(data, MAX_REQUEST_BYTES + 1)
    except zlib.error:
        raise unreadable_body() from None
    if len(message) > MAX_REQUEST_BYTES:
        raise ApiError("REQUEST_TOO_LARGE", most=MAX_REQUEST_BYTES)
    if not inflating.eof or inflating.unused_data:
        raise unreadable_body()
    return message


def check_encoding(encoding: str) -> None:
    """Raise ``COMPRESSION_UNKNOWN`` unless requests may use this compression."""
    if encoding not in _KNOWN:
        raise ApiError("COMPRESSION_UNKNOWN", encoding=encoding, shown=encoding[:40])


def _decode_base64(text: bytes) -> tuple[bytes, bytes]:
    """Decode base64; also return the rest that needs more input. Each message can have its own padding."""
    usable = len(text) // 4 * 4
    try:
        parts = [base64.b64decode(part, validate=True) for part in _PADDED.findall(text[:usable])]
    except binascii.Error:
        raise unreadable_body() from None
    return b"".join(parts), text[usable:]


def unreadable_body() -> InvalidRequestError:
    """Return the error for a body that is damaged or incomplete."""
    return invalid("", "unreadable_body")
