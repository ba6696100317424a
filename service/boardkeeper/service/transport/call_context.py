"""One call over HTTP, with the methods of ``grpc.aio.ServicerContext`` that the guard and the servicers use."""

from __future__ import annotations

import asyncio
import base64
import binascii
import json
import zlib
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from typing import Any, NoReturn

import grpc
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from boardkeeper.service.observability.counters import WEB_CODECS, WEB_PROTOCOLS, CallCounters
from boardkeeper.service.requests.errors import ApiError, InvalidRequestError, invalid
from boardkeeper.service.requests.texts import preferred_language
from boardkeeper.service.transport import message_formats
from boardkeeper.service.transport.asgi import certificate_names, connect_timeout, grpc_timeout, peer_of
from boardkeeper.service.transport.call_ids import HEADER, accept_call_id, new_call_id
from boardkeeper.service.transport.exchange import Exchange
from boardkeeper.service.transport.framing import (
    ENCODINGS,
    LARGEST_REQUEST,
    MessageReader,
    check_encoding,
    decompress,
)
from boardkeeper.service.transport.guard import Answer, Rpc
from boardkeeper.service.transport.json_codec import JsonCodec
from boardkeeper.service.transport.message_formats import MessageFormat, Protocol
from boardkeeper.service.transport.statuses import DETAILS_KEY, percent_encoded, status_of, trailing_metadata

_NOT_METADATA = frozenset(
    b"accept accept-encoding connection content-encoding content-length content-type cookie expect grpc-accept-encoding"
    b" grpc-encoding host keep-alive te trailer transfer-encoding upgrade".split()
)
_GRPC_HEAD = [(b"content-type", b"application/grpc"), (b"grpc-accept-encoding", ",".join(ENCODINGS).encode())]
_GRPC_OK = (b"grpc-status", b"0")
_VERSION = "connect-protocol-version"
_COMPRESSED_FROM = 1_400
"""Bytes from which the server compresses an answer: smaller answers fit into one packet."""
_COMPRESSED_IN_THREAD = 32 * 1024
_GZIP = 16 + zlib.MAX_WBITS

Metadata = Iterable[tuple[str, str | bytes]]


class CallContext:
    """The context of one call."""

    __slots__ = (
        "_code",
        "_codec",
        "_details",
        "_exchange",
        "_format",
        "_headers",
        "_reader",
        "_rpc",
        "_trailers",
        "is_web",
    )

    def __init__(
        self,
        exchange: Exchange,
        rpc: Rpc,
        format: MessageFormat,
        codec: JsonCodec | None = None,
        headers: Sequence[tuple[str, str]] = (),
    ) -> None:
        """``codec`` converts JSON messages. ``headers`` are HTTP headers of the answer."""
        self._exchange = exchange
        self._rpc = rpc
        self._format = format
        self.is_web = format is not message_formats.GRPC
        """Whether the call uses Connect or gRPC-Web."""
        self._codec = codec
        self._headers = headers
        self._trailers: Metadata = ()
        self._code = StatusCode.OK
        self._details = ""
        self._reader: MessageReader | None = None

    @property
    def counted_as(self) -> tuple[str, str]:
        """The protocol and the codec of a call by Connect or gRPC-Web, as metrics name them."""
        return WEB_PROTOCOLS[self._format.protocol is Protocol.GRPC_WEB], WEB_CODECS[self._format.is_json]

    # --- the request ----------------------------------------------------------------------------------------

    def invocation_metadata(self) -> tuple[tuple[str, str | bytes], ...]:
        """Return the call's metadata; values of keys that end in ``-bin`` are bytes."""
        return tuple(_decode_metadata(self._exchange.headers))

    def peer(self) -> str:
        """Return the client's address in gRPC's notation."""
        return peer_of(self._exchange.scope)

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        """Return the names in the client's certificate."""
        return certificate_names(self._exchange.scope)

    def seconds(self) -> float | None:
        """Return the time limit of the call, ``None`` without one. Raises ``InvalidRequestError``."""
        if self.is_web and (milliseconds := self._exchange.header("connect-timeout-ms")):
            return connect_timeout(milliseconds)
        text = self._exchange.raw_header(b"grpc-timeout")
        return grpc_timeout(text.decode("latin-1")) if text else None

    def deadline(self) -> float | None:
        """Return the time of the event loop at which the call ends, ``None`` without one."""
        try:
            seconds = self.seconds()
        except InvalidRequestError:  # the guard reports it when it reads the message
            return None
        return None if seconds is None else asyncio.get_running_loop().time() + seconds

    async def read(self) -> Any:
        """Return the next message, or ``grpc.aio.EOF``."""
        if self._format.protocol is Protocol.CONNECT:
            self._check_headers()
            message = await self._body()
        else:
            reader = self._reader
            if reader is None:
                reader = self._reader = self._open()
            found = await reader.read()
            if found is None:
                return grpc.aio.EOF
            message = found
            if self.is_web and not self._rpc.method.client_streaming and await reader.read() is not None:
                raise invalid("", "several_messages")
        if self._codec is not None:
            message = await self._codec.decode_request(message)
        if self._rpc.method.server_streaming and not self._exchange.is_begun:
            await self._begin()  # the client sees that the server has accepted the call
        return message

    async def messages(self) -> AsyncIterator[bytes]:
        """Yield the messages of a client that streams."""
        while (message := await self.read()) is not grpc.aio.EOF:
            yield message

    def _open(self) -> MessageReader:
        self._check_headers()
        format, exchange = self._format, self._exchange
        is_connect = format.protocol is Protocol.CONNECT_STREAM
        encoding = exchange.header("connect-content-encoding" if is_connect else "grpc-encoding").lower()
        check_encoding(encoding)
        if not self.is_web:
            return MessageReader(exchange.chunk, encoding)
        return MessageReader(exchange.chunk, encoding, end_flags=format.protocol.value or 0, is_text=format.is_text)

    async def _body(self) -> bytes:
        """Return the body as one message."""
        encoding = self._exchange.header("content-encoding").lower()
        check_encoding(encoding)
        length = self._exchange.header("content-length")
        if length.isascii() and length.isdecimal() and len(length) < 20 and int(length) > LARGEST_REQUEST:
            raise ApiError("REQUEST_TOO_LARGE", most=LARGEST_REQUEST)
        body = b""
        while data := await self._exchange.chunk():
            body += data
            if len(body) > LARGEST_REQUEST:
                raise ApiError("REQUEST_TOO_LARGE", most=LARGEST_REQUEST)
        return decompress(body, encoding)

    def _check_headers(self) -> None:
        """Raise ``InvalidRequestError`` for a wrong time limit or an unknown version of Connect."""
        self.seconds()
        if self.is_web and self._exchange.header(_VERSION) not in ("", "1"):
            raise invalid(_VERSION, "connect_version")

    # --- the answer -----------------------------------------------------------------------------------------

    def set_trailing_metadata(self, trailing_metadata: Metadata) -> None:
        """Set metadata of the answer, which follow the status."""
        self._trailers = trailing_metadata

    async def send_initial_metadata(self, initial_metadata: Metadata) -> None:
        """Send the headers of an answer of native gRPC."""
        await self._begin(_encode_metadata(initial_metadata))

    async def write(self, message: Any) -> None:
        """Send a message of a stream; wait while the client does not read."""
        data = self._rpc.serialize(message)
        if self._codec is not None:
            data = await self._codec.encode_answer(data)
        if not self._exchange.is_begun:
            await self._begin()
        await self._exchange.write(self._format.encode_message(data))

    async def abort(self, code: StatusCode, details: str = "", trailing_metadata: Metadata = ()) -> NoReturn:
        """End the call with an error; raises ``grpc.aio.AbortError``."""
        self.fail(code, details, trailing_metadata)
        raise grpc.aio.AbortError("the call was rejected")

    def code(self) -> StatusCode:
        """Return the status code; OK until the call has failed."""
        return self._code

    def fail(self, code: StatusCode, details: str, trailing_metadata: Metadata = ()) -> None:
        """Set the status of a call that fails."""
        self._code = code
        self._details = details
        if trailing_metadata:
            self._trailers = trailing_metadata

    async def finish(self, answer: Answer | None) -> None:
        """Send the answer of a call that has one, and the status."""
        exchange, format = self._exchange, self._format
        data = None
        if answer is not None and self._code is StatusCode.OK:
            data = self._rpc.serialize(answer)
            if self._codec is not None:
                data = await self._codec.encode_answer(data)
        if format.protocol is Protocol.CONNECT:
            await self._finish_unary(data)
            return
        body = b"" if data is None else format.encode_message(data)
        del data, answer  # free the memory while a slow client reads
        if not exchange.is_begun:
            await self._begin(is_last=True)
        if self.is_web:
            await exchange.end(body + format.encode_end(self._status(), self._texts()))
        else:
            await exchange.end_with_trailers(body, self._grpc_trailers())

    async def _finish_unary(self, data: bytes | None) -> None:
        """Send a unary answer of Connect: the body is the message, or the error."""
        headers = [*self._headers, *self._call_id(), *((f"trailer-{key}", value) for key, value in self._texts())]
        if data is None:
            status = self._status()
            body = json.dumps(message_formats.encode_error(status), ensure_ascii=False).encode()
            headers.append(("content-type", "application/json"))
            await self._exchange.answer(message_formats.http_status(status), headers, body)
            return
        headers += [("content-type", self._format.content_type), ("vary", "accept-encoding")]
        if len(data) > _COMPRESSED_FROM and accepts_encoding(self._exchange.header("accept-encoding"), "gzip"):
            data = _compress(data) if len(data) < _COMPRESSED_IN_THREAD else await asyncio.to_thread(_compress, data)
            headers.append(("content-encoding", "gzip"))
        await self._exchange.answer(200, headers, data)

    async def _begin(self, metadata: Sequence[tuple[bytes, bytes]] = (), *, is_last: bool = False) -> None:
        """Send the head of the answer, at once unless it ``is_last``."""
        exchange = self._exchange
        if self.is_web:
            of_body = [("content-type", self._format.content_type), ("x-accel-buffering", "no")]
            await exchange.begin(200, [*self._headers, *self._call_id(), *of_body])
            return
        await exchange.begin_with_trailers([*_GRPC_HEAD, *metadata] if metadata else _GRPC_HEAD)
        if not is_last:
            await exchange.write(b"")

    def _call_id(self) -> list[tuple[str, str]]:
        """Return the id of the call as a header, which clients can read before the end of the answer."""
        return [each for each in self._texts() if each[0] == HEADER]

    def _texts(self) -> list[tuple[str, str]]:
        return [(key, value) for key, value in self._trailers if isinstance(value, str)]

    def _status(self) -> Status:
        details = next((value for key, value in self._trailers if key == DETAILS_KEY), None)
        if isinstance(details, bytes):
            return Status.FromString(details)
        return Status(code=self._code.value[0], message=self._details)

    def _grpc_trailers(self) -> list[tuple[bytes, bytes]]:
        if self._code is StatusCode.OK:
            return [_GRPC_OK, *_encode_metadata(self._trailers)]
        status = [(b"grpc-status", b"%d" % self._code.value[0])]
        if self._details:
            status.append((b"grpc-message", percent_encoded(self._details).encode()))
        return status + _encode_metadata(self._trailers)


async def answer_call(context: Any, rpc: Rpc, counters: CallCounters) -> None:
    """Carry out a call and send its answer. The server cancels the task when the client disconnects."""
    answer = None
    deadline = context.deadline()
    try:
        if deadline is None:
            answer = await rpc.handle(context.messages(), context)
        else:
            async with asyncio.timeout_at(deadline):
                answer = await rpc.handle(context.messages(), context)
    except grpc.aio.AbortError:
        pass  # the context has the status
    except TimeoutError:
        context.fail(StatusCode.DEADLINE_EXCEEDED, "The deadline of the call is over.")
    except asyncio.CancelledError:  # the server shuts down, or the client has disconnected
        context.fail(StatusCode.UNAVAILABLE, "The server is shutting down.")
    if context.is_web:
        counters.web_calls[context.counted_as] += 1
    finishing = context.finish(answer)
    del answer  # free the memory while a slow client reads
    await finishing


async def reject(
    exchange: Exchange,
    error: ApiError,
    format: MessageFormat,
    counters: CallCounters,
    headers: Sequence[tuple[str, str]] = (),
) -> None:
    """Answer a request that is not a valid call with an error."""
    counters.count_error(error.reason)
    call_id = new_call_id() if format is message_formats.GRPC else accept_call_id(exchange.header(HEADER))
    status = status_of(error, preferred_language(exchange.header("accept-language")), call_id)
    context = CallContext(exchange, _NO_RPC, format, None, headers)
    context.fail(error.code, status.message, trailing_metadata(status, call_id))
    await context.finish(None)


_NO_RPC: Any = None


def accepts_encoding(header: str, encoding: str) -> bool:
    """Whether an ``accept-encoding`` header accepts an encoding."""
    for part in header.lower().split(","):
        name, _, weight = part.strip().partition(";")
        if name.strip() == encoding:
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _compress(data: bytes) -> bytes:
    compressor = zlib.compressobj(5, wbits=_GZIP)
    return compressor.compress(data) + compressor.flush()


def _decode_metadata(headers: Iterable[tuple[bytes, bytes]]) -> Iterator[tuple[str, str | bytes]]:
    for name, value in headers:
        if name in _NOT_METADATA:
            continue
        key = name.decode("latin-1")
        if name.endswith(b"-bin"):
            for part in value.split(b","):
                yield key, _decode_base64(part)
        else:
            yield key, value.decode("latin-1")


def _decode_base64(value: bytes) -> bytes:
    """Decode base64 with or without padding; invalid values become empty."""
    text = value.strip().rstrip(b"=")
    try:
        return base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        return b""


def _encode_metadata(metadata: Metadata) -> list[tuple[bytes, bytes]]:
    return [
        (key.encode(), base64.b64encode(value).rstrip(b"=") if isinstance(value, bytes) else value.encode())
        for key, value in metadata
    ]
