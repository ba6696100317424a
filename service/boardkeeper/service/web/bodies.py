"""Reading messages out of requests' bodies, none of them larger than gRPC would take, also before it was compressed."""

from __future__ import annotations

import asyncio
import base64
import binascii
import re
import zlib
from collections.abc import AsyncIterator

from boardkeeper.service.edge.grpc_options import LARGEST_REQUEST
from boardkeeper.service.requests.refusals import (
    InvalidRequestError,
    RequestTooLargeError,
    UnknownCompressionError,
)
from boardkeeper.service.requests.sentences import Sentence
from boardkeeper.service.web.connections import Exchange

_COMPRESSED, _ENDS = 0x01, 0x02 | 0x80
_PREFIX = 5
_AT_ONCE = 32
"""Messages that are read before others have their turn: tens of thousands may have come in one packet."""

_PADDED = re.compile(rb"[^=]+={0,2}")
_GZIP = 16 + zlib.MAX_WBITS


async def whole(exchange: Exchange, encoding: str) -> bytes:
    """The body as one message, which came in that content encoding."""
    _check_encoding(encoding)
    if int(_digits(exchange.header("content-length")) or 0) > LARGEST_REQUEST:
        raise RequestTooLargeError(LARGEST_REQUEST)
    body = bytearray()
    while data := await exchange.chunk():
        body += data
        if len(body) > LARGEST_REQUEST:
            raise RequestTooLargeError(LARGEST_REQUEST)
    return _inflated(bytes(body)) if encoding == "gzip" else bytes(body)


async def enveloped(exchange: Exchange, encoding: str, *, is_text: bool) -> AsyncIterator[bytes]:
    """The messages of a body in envelopes, each as soon as it has come; compressed ones have that encoding."""
    _check_encoding(encoding)
    buffer = bytearray()
    text = b""
    read, is_over = 0, False
    while data := await exchange.chunk():
        if is_text:
            text += data
            data, text = _decoded(text)
        buffer += data
        while len(buffer) >= _PREFIX:
            flags, length = buffer[0], int.from_bytes(buffer[1:_PREFIX])
            if flags & ~(_COMPRESSED | _ENDS):  # before the length: bare JSON would look like a huge message
                raise _without_envelope()
            if length > LARGEST_REQUEST:
                raise RequestTooLargeError(LARGEST_REQUEST)
            if len(buffer) < _PREFIX + length:
                break
            message = bytes(buffer[_PREFIX : _PREFIX + length])
            del buffer[: _PREFIX + length]
            if is_over or (flags & _COMPRESSED and encoding != "gzip"):
                raise _unreadable()
            is_over = bool(flags & _ENDS)  # what clients may tell there means nothing here
            if not is_over:
                yield _inflated(message) if flags & _COMPRESSED else message
            read += 1
            if flags & _COMPRESSED or not read % _AT_ONCE:
                await asyncio.sleep(0)
    if buffer or text:
        raise _unreadable()


def _check_encoding(encoding: str) -> None:
    if encoding not in ("", "identity", "gzip"):
        raise UnknownCompressionError(encoding)


def _inflated(data: bytes) -> bytes:
    """What was compressed, as far as it is not too large: no more of it than that is ever in memory."""
    inflating = zlib.decompressobj(_GZIP)
    try:
        message = inflating.decompress(data, LARGEST_REQUEST + 1)
    except zlib.error:
        raise _unreadable() from None
    if len(message) > LARGEST_REQUEST:
        raise RequestTooLargeError(LARGEST_REQUEST)
    if not inflating.eof or inflating.unused_data:
        raise _unreadable()
    return message


def _decoded(text: bytes) -> tuple[bytes, bytes]:
    """What is decoded of base64, and what is left until more has come; each envelope may be padded by itself."""
    usable = len(text) // 4 * 4
    try:
        parts = [base64.b64decode(part, validate=True) for part in _PADDED.findall(text[:usable])]
    except binascii.Error:
        raise _unreadable() from None
    return b"".join(parts), text[usable:]


def _digits(text: str) -> str:
    return text if text.isascii() and text.isdecimal() and len(text) < 20 else ""


def _without_envelope() -> InvalidRequestError:
    return InvalidRequestError(
        {
            "": Sentence(
                "With this content type, each message needs a prefix of five bytes: flags and length.",
                "Bei diesem Inhaltstyp braucht jede Nachricht fünf Bytes davor: Flags und Länge.",
            )
        }
    )


def _unreadable() -> InvalidRequestError:
    return InvalidRequestError(
        {
            "": Sentence(
                "The body is incomplete, or does not match its content type and compression.",
                "Der Inhalt ist unvollständig oder passt nicht zu seinem Inhaltstyp und seiner Kompression.",
            )
        }
    )
