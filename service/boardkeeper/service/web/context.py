"""One call over HTTP as the guard and the servicers see it: what gRPC's context is for them, and nothing beyond."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from typing import Any, NoReturn

import grpc
from google.rpc.status_pb2 import Status
from grpc import StatusCode

from boardkeeper.service.edge.asgi import certificate_names, connect_timeout, grpc_timeout, peer_of
from boardkeeper.service.edge.call_ids import HEADER
from boardkeeper.service.edge.framing import (
    CONNECT_END,
    GRPC_WEB_END,
    MessageReader,
    check_encoding,
    decompressed,
)
from boardkeeper.service.edge.grpc_options import LARGEST_REQUEST
from boardkeeper.service.edge.guard import Answer, Rpc
from boardkeeper.service.edge.statuses import DETAILS_KEY
from boardkeeper.service.requests.errors import ApiError, invalid
from boardkeeper.service.web import forms
from boardkeeper.service.web.exchange import Exchange
from boardkeeper.service.web.forms import Form, Metadata, Protocol
from boardkeeper.service.web.json import Json

_OF_HTTP = frozenset(
    {
        "accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "cookie",
        "expect", "host", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade",
    }
)  # fmt: skip
"""Headers that say nothing of a call."""

_VERSION = "connect-protocol-version"
_WORTH_PACKING = 1_400
_MUCH = 32 * 1024
_GZIP = 16 + zlib.MAX_WBITS


class WebContext:
    """The context of one call, whose request lies in that form in an exchange; ``headers`` go with its answer."""

    def __init__(
        self, exchange: Exchange, rpc: Rpc, form: Form, codec: Json | None, headers: Sequence[tuple[str, str]]
    ) -> None:
        self._exchange = exchange
        self._rpc = rpc
        self._form = form
        self._codec = codec
        self._headers = headers
        self._trailers: Metadata = ()
        self._code = StatusCode.OK
        self._status = Status()

    # --- what a call brings ---------------------------------------------------------------------------------

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """The headers that are not about HTTP."""
        return tuple(each for each in self._exchange.headers if each[0] not in _OF_HTTP)

    def peer(self) -> str:
        """The peer of the connection, as gRPC would name it."""
        return peer_of(self._exchange.scope)

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        """Whom the client's certificate names, under gRPC's names for that."""
        return certificate_names(self._exchange.scope)

    def seconds(self) -> float | None:
        """How long the client waits for all of the answer; raises ``InvalidRequestError``."""
        milliseconds = self._exchange.header("connect-timeout-ms")
        if milliseconds:
            return connect_timeout(milliseconds)
        text = self._exchange.header("grpc-timeout")
        return grpc_timeout(text) if text else None

    async def read(self) -> Any:
        """The one message, or gRPC's end of messages."""
        self._check_headers()
        if self._form.protocol is Protocol.CONNECT:
            data = await self._whole()
            found = [data if self._codec is None else await self._codec.request(data)]
        else:
            found = []
            async for message in self.messages():
                found.append(message)
                if len(found) > 1:
                    raise invalid("", "several_messages")
        if found and self._rpc.method.server_streaming:
            await self._begin()  # the client learns that the server listens
        return found[0] if found else grpc.aio.EOF

    async def messages(self) -> AsyncIterator[bytes]:
        """All messages of a client that streams."""
        self._check_headers()
        is_web = self._form.protocol is Protocol.GRPC_WEB
        encoding = self._exchange.header("grpc-encoding" if is_web else "connect-content-encoding").lower()
        check_encoding(encoding)
        reader = MessageReader(
            self._exchange.chunk,
            encoding,
            end_flags=GRPC_WEB_END if is_web else CONNECT_END,
            is_text=self._form.is_text,
        )
        async for data in reader:
            yield data if self._codec is None else await self._codec.request(data)

    async def _whole(self) -> bytes:
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
        return decompressed(body, encoding)

    def _check_headers(self) -> None:
        """Raises ``InvalidRequestError`` for a time that is none, and for a version of Connect that there is not."""
        self.seconds()
        if self._exchange.header(_VERSION) not in ("", "1"):
            raise invalid(_VERSION, "connect_version")

    # --- what is answered -----------------------------------------------------------------------------------

    def set_trailing_metadata(self, trailing_metadata: Iterable[tuple[str, str | bytes]]) -> None:
        """What the answer tells beside itself."""
        self._trailers = tuple((key, value) for key, value in trailing_metadata if isinstance(value, str))

    async def write(self, message: Any) -> None:
        """Send a message of a stream, and wait for the reader where he has to read first."""
        data = self._rpc.serialize(message)
        if self._codec is not None:
            data = await self._codec.answer(data)
        exchange = self._exchange
        if not exchange.is_begun:
            await self._begin()
        await exchange.write(self._form.framed(data))

    async def abort(
        self, code: StatusCode, details: str = "", trailing_metadata: Iterable[tuple[str, str | bytes]] = ()
    ) -> NoReturn:
        """End the call with that code; raises what gRPC raises."""
        self.fail(code, details)
        for key, value in trailing_metadata:
            if key == DETAILS_KEY and isinstance(value, bytes):
                self._status = Status.FromString(value)
            elif isinstance(value, str):
                self.set_trailing_metadata(((key, value),))
        raise grpc.aio.AbortError("the call was rejected")

    def code(self) -> StatusCode:
        """The code of the answer as far as it is known."""
        return self._code

    def fail(self, code: StatusCode, details: str) -> None:
        """Set the status of a call that fails."""
        self._code = code
        self._status = Status(code=code.value[0], message=details)

    async def finish(self, answer: Answer | None) -> None:
        """Send the answer of a call that has one, or how the call ended."""
        exchange = self._exchange
        data = None if answer is None or self._status.code else self._rpc.serialize(answer)
        if data is not None and self._codec is not None:
            data = await self._codec.answer(data)
        if self._form.protocol is Protocol.CONNECT:
            await self._finish_alone(data)
            return
        if not exchange.is_begun:
            await self._begin()
        end = self._form.ended(self._status, self._trailers)
        await exchange.end(end if data is None else self._form.framed(data) + end)

    async def _finish_alone(self, data: bytes | None) -> None:
        """The answer of Connect to a call with one message either way."""
        headers = [*self._headers, *self._told(), *((f"trailer-{key}", value) for key, value in self._trailers)]
        if data is None:
            body = json.dumps(forms.error(self._status), ensure_ascii=False).encode()
            headers.append(("content-type", "application/json"))
            await self._exchange.answer(forms.http_status(self._status), headers, body)
            return
        headers.append(("content-type", self._form.content_type))
        headers.append(("vary", "accept-encoding"))
        if len(data) > _WORTH_PACKING and accepts(self._exchange.header("accept-encoding"), "gzip"):
            data = _packed(data) if len(data) < _MUCH else await asyncio.to_thread(_packed, data)
            headers.append(("content-encoding", "gzip"))
        await self._exchange.answer(200, headers, data)

    async def _begin(self) -> None:
        of_body = [("content-type", self._form.content_type), ("x-accel-buffering", "no")]
        await self._exchange.begin(200, [*self._headers, *self._told(), *of_body])

    def _told(self) -> list[tuple[str, str]]:
        """The id of the call, where it can be read before the end."""
        return [each for each in self._trailers if each[0] == HEADER]


def accepts(header: str, encoding: str) -> bool:
    """Whether an ``accept-encoding`` header has that encoding."""
    for part in header.lower().split(","):
        name, _, weight = part.strip().partition(";")
        if name.strip() == encoding:
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _packed(data: bytes) -> bytes:
    packing = zlib.compressobj(5, wbits=_GZIP)
    return packing.compress(data) + packing.flush()
