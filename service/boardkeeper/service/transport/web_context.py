"""Calls of browsers: the context of a call with Connect or gRPC-Web, binary or JSON."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import Sequence
from typing import Any

import grpc
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from boardkeeper.service.observability.counters import WEB_CODECS, WEB_PROTOCOLS, CallCounters
from boardkeeper.service.requests.errors import ApiError, invalid
from boardkeeper.service.transport.asgi import connect_timeout
from boardkeeper.service.transport.call_context import CallContext
from boardkeeper.service.transport.call_ids import HEADER
from boardkeeper.service.transport.exchange import Exchange
from boardkeeper.service.transport.framing import MAX_REQUEST_BYTES, MessageReader, check_encoding, decompress
from boardkeeper.service.transport.guard import Answer, Rpc
from boardkeeper.service.transport.json_codec import JsonCodec
from boardkeeper.service.transport.message_formats import MessageFormat, Protocol, encode_error, http_status
from boardkeeper.service.transport.statuses import DETAILS_KEY

_VERSION = "connect-protocol-version"
_COMPRESSED_FROM = 1_400
"""Bytes from which the server compresses an answer: smaller answers fit into one packet."""
_COMPRESSED_IN_THREAD = 32 * 1024
_GZIP = 16 + zlib.MAX_WBITS


class WebContext(CallContext):
    """The context of a call with Connect or gRPC-Web."""

    __slots__ = ("_codec", "_format", "_headers")

    is_web = True

    def __init__(
        self,
        exchange: Exchange,
        rpc: Rpc | None,
        format: MessageFormat,
        codec: JsonCodec | None = None,
        headers: Sequence[tuple[str, str]] = (),
    ) -> None:
        """``codec`` converts JSON messages. ``headers`` are HTTP headers of the answer."""
        super().__init__(exchange, rpc)
        self._format = format
        self._codec = codec
        self._headers = headers

    # --- the request ----------------------------------------------------------------------------------------

    def seconds(self) -> float | None:
        """Return the time limit of the call in seconds, or ``None``. Raises ``InvalidRequestError``."""
        milliseconds = self._exchange.header("connect-timeout-ms")
        return connect_timeout(milliseconds) if milliseconds else super().seconds()

    async def read(self) -> Any:
        """Return the next message, or ``grpc.aio.EOF``."""
        if self._format.protocol is Protocol.CONNECT:
            self._check_headers()
            message = await self._read_body()
        else:
            reader = self._reader
            if reader is None:
                reader = self._reader = self._open_reader()
            found = await reader.read()
            if found is None:
                return grpc.aio.EOF
            message = found
            if not self._rpc.method.client_streaming and await reader.read() is not None:
                raise invalid("", "several_messages")
        if self._codec is not None:
            message = await self._codec.decode_request(message)
        if self._rpc.method.server_streaming and not self._exchange.is_begun:
            await self._begin()  # shows the client that the server has accepted the call
        return message

    def _open_reader(self) -> MessageReader:
        self._check_headers()
        format, exchange = self._format, self._exchange
        is_connect = format.protocol is Protocol.CONNECT_STREAM
        encoding = exchange.header("connect-content-encoding" if is_connect else "grpc-encoding").lower()
        check_encoding(encoding)
        return MessageReader(exchange.chunk, encoding, end_flags=format.protocol.value or 0, is_text=format.is_text)

    async def _read_body(self) -> bytes:
        """Return the body as one message."""
        encoding = self._exchange.header("content-encoding").lower()
        check_encoding(encoding)
        length = self._exchange.header("content-length")
        if length.isascii() and length.isdecimal() and len(length) < 20 and int(length) > MAX_REQUEST_BYTES:
            raise ApiError("REQUEST_TOO_LARGE", most=MAX_REQUEST_BYTES)
        body = b""
        while data := await self._exchange.chunk():
            body += data
            if len(body) > MAX_REQUEST_BYTES:
                raise ApiError("REQUEST_TOO_LARGE", most=MAX_REQUEST_BYTES)
        return decompress(body, encoding)

    def _check_headers(self) -> None:
        """Raise ``InvalidRequestError`` for an invalid time limit or an unknown version of Connect."""
        self.seconds()
        if self._exchange.header(_VERSION) not in ("", "1"):
            raise invalid(_VERSION, "connect_version")

    # --- the answer -----------------------------------------------------------------------------------------

    async def write(self, message: Any) -> None:
        """Send a message of a stream; wait while the client does not read."""
        data = await self._encode(message)
        if not self._exchange.is_begun:
            await self._begin()
        await self._exchange.write(self._format.encode_message(data))

    async def finish(self, answer: Answer | None) -> None:
        """Send the answer, if any, and the status."""
        data = await self._encode(answer) if answer is not None and self._code is StatusCode.OK else None
        del answer  # free the memory while a slow client reads
        if self._format.protocol is Protocol.CONNECT:
            await self._finish_unary(data)
            return
        body = b"" if data is None else self._format.encode_message(data)
        del data
        if not self._exchange.is_begun:
            await self._begin()
        await self._exchange.end(body + self._format.encode_end(self._status(), self._text_trailers()))

    async def _finish_unary(self, data: bytes | None) -> None:
        """Send a unary answer of Connect: the body is the message, or the error."""
        headers = [
            *self._headers,
            *self._call_id(),
            *((f"trailer-{key}", value) for key, value in self._text_trailers()),
        ]
        if data is None:
            status = self._status()
            body = json.dumps(encode_error(status), ensure_ascii=False).encode()
            headers.append(("content-type", "application/json"))
            await self._exchange.answer(http_status(status), headers, body)
            return
        headers += [("content-type", self._format.content_type), ("vary", "accept-encoding")]
        if len(data) > _COMPRESSED_FROM and accepts_encoding(self._exchange.header("accept-encoding"), "gzip"):
            data = _compress(data) if len(data) < _COMPRESSED_IN_THREAD else await asyncio.to_thread(_compress, data)
            headers.append(("content-encoding", "gzip"))
        await self._exchange.answer(200, headers, data)

    async def _encode(self, message: Any) -> bytes:
        data: bytes = self._rpc.serialize(message)
        return data if self._codec is None else await self._codec.encode_answer(data)

    async def _begin(self) -> None:
        """Send the head of a stream."""
        body_headers = [("content-type", self._format.content_type), ("x-accel-buffering", "no")]
        await self._exchange.begin(200, [*self._headers, *self._call_id(), *body_headers])

    def _call_id(self) -> list[tuple[str, str]]:
        """Return the id of the call as a header. Clients can read it before the end of the answer."""
        return [each for each in self._text_trailers() if each[0] == HEADER]

    def _text_trailers(self) -> list[tuple[str, str]]:
        return [(key, value) for key, value in self._trailers if isinstance(value, str)]

    def _status(self) -> Status:
        details = next((value for key, value in self._trailers if key == DETAILS_KEY), None)
        if isinstance(details, bytes):
            return Status.FromString(details)
        return Status(code=self._code.value[0], message=self._details)

    def count(self, counters: CallCounters) -> None:
        """Count the end of the call by protocol and codec."""
        protocol = WEB_PROTOCOLS[self._format.protocol is Protocol.GRPC_WEB]
        counters.web_calls[protocol, WEB_CODECS[self._format.is_json]] += 1


def accepts_encoding(header: str, encoding: str) -> bool:
    """Return whether an ``accept-encoding`` header accepts an encoding."""
    for part in header.lower().split(","):
        name, _, weight = part.strip().partition(";")
        if name.strip() == encoding:
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _compress(data: bytes) -> bytes:
    compressor = zlib.compressobj(5, wbits=_GZIP)
    return compressor.compress(data) + compressor.flush()
