"""Native gRPC over ASGI: one call as the guard and the servicers see it (a subset of ``grpc.aio.ServicerContext``)."""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any, NoReturn

import grpc
from grpc import StatusCode

from boardkeeper.service.edge.asgi import Receive, Scope, Send, certificate_names, grpc_timeout, peer_of, run_rpc
from boardkeeper.service.edge.framing import ENCODINGS, MessageReader, check_encoding, frame
from boardkeeper.service.edge.guard import Answer, Rpc
from boardkeeper.service.edge.statuses import percent_encoded
from boardkeeper.service.requests.errors import InvalidRequestError

CONTENT_TYPE = b"application/grpc"

_NOT_METADATA = frozenset(
    {b"te", b"content-type", b"content-length", b"grpc-encoding", b"grpc-accept-encoding", b"host"}
)
_HEAD = [
    (b"content-type", CONTENT_TYPE),
    (b"grpc-accept-encoding", ",".join(ENCODINGS).encode()),
]
_OK = [(b"grpc-status", b"0")]

Metadata = Iterable[tuple[str, str | bytes]]


class GrpcContext:
    """The context of one native gRPC call."""

    __slots__ = (
        "_code", "_deadline", "_details", "_headers", "_is_started", "_metadata", "_reader", "_receive", "_rpc",
        "_scope", "_send", "_trailers",
    )  # fmt: skip

    def __init__(self, rpc: Rpc, scope: Scope, headers: Mapping[bytes, bytes], receive: Receive, send: Send) -> None:
        self._rpc = rpc
        self._scope = scope
        self._headers = headers
        self._receive = receive
        self._send = send
        self._code = StatusCode.OK
        self._deadline: float | None = None
        self._details = ""
        self._trailers: Metadata = ()
        self._metadata: tuple[tuple[str, str | bytes], ...] | None = None
        self._is_started = False
        self._reader: MessageReader | None = None

    # --- the request ----------------------------------------------------------------------------------------

    def invocation_metadata(self) -> tuple[tuple[str, str | bytes], ...]:
        """Return the call's metadata; values of keys that end in ``-bin`` are bytes."""
        if self._metadata is None:
            self._metadata = tuple(_metadata(self._scope["headers"]))
        return self._metadata

    def peer(self) -> str:
        """Return the peer in gRPC's notation."""
        return peer_of(self._scope)

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        """Return the names in the client's certificate."""
        return certificate_names(self._scope)

    def seconds(self) -> float | None:
        """Return the time limit of the call, ``None`` without one. Raises ``InvalidRequestError``."""
        text = self._headers.get(b"grpc-timeout")
        return None if text is None else grpc_timeout(text.decode("latin-1"))

    def begin(self) -> float | None:
        """Start the time limit; return the time of the loop at which it ends, ``None`` without one."""
        try:
            seconds = self.seconds()
        except InvalidRequestError:  # the guard reports it when it reads the message
            return None
        if seconds is not None:
            self._deadline = asyncio.get_running_loop().time() + seconds
        return self._deadline

    def time_remaining(self) -> float | None:
        """Return the seconds that are left of the time limit, ``None`` without one."""
        return None if self._deadline is None else max(0.0, self._deadline - asyncio.get_running_loop().time())

    async def read(self) -> Any:
        """Return the next message, or ``grpc.aio.EOF``."""
        reader = self._reader
        if reader is None:
            reader = self._reader = self._open()
        message = await reader.read()
        if message is None:
            return grpc.aio.EOF
        if self._rpc.method.server_streaming and not self._is_started:
            await self._start()  # the client learns that the server listens
        return message

    async def messages(self) -> AsyncIterator[bytes]:
        """Yield the messages of a client that streams."""
        while (message := await self.read()) is not grpc.aio.EOF:
            yield message

    def _open(self) -> MessageReader:
        self.seconds()
        encoding = self._headers.get(b"grpc-encoding", b"").decode("latin-1").lower()
        check_encoding(encoding)
        return MessageReader(self._chunk, encoding)

    async def _chunk(self) -> bytes:
        while True:
            message = await self._receive()
            if message["type"] != "http.request":
                raise asyncio.CancelledError
            if message["body"] or not message["more_body"]:
                return message["body"]  # type: ignore[no-any-return]

    # --- the answer -----------------------------------------------------------------------------------------

    def set_trailing_metadata(self, trailing_metadata: Metadata) -> None:
        """Set the metadata that the trailers have beside the status."""
        self._trailers = trailing_metadata

    async def send_initial_metadata(self, initial_metadata: Metadata) -> None:
        """Send the headers of the answer."""
        await self._start(_encoded(initial_metadata))

    async def write(self, message: Any) -> None:
        """Send a message of a stream; wait while the client does not read."""
        data = self._rpc.serialize(message)
        if not self._is_started:
            await self._start()
        await self._send({"type": "http.response.body", "body": frame(data), "more_body": True})

    async def abort(self, code: StatusCode, details: str = "", trailing_metadata: Metadata = ()) -> NoReturn:
        """End the call with an error; raises ``grpc.aio.AbortError``."""
        self.fail(code, details)
        if trailing_metadata:
            self._trailers = trailing_metadata
        raise grpc.aio.AbortError("the call was rejected")

    def set_code(self, code: StatusCode) -> None:
        """Set the status code of the answer."""
        self._code = code

    def set_details(self, details: str) -> None:
        """Set the message of the status."""
        self._details = details

    def code(self) -> StatusCode:
        """Return the status code as far as it is known."""
        return self._code

    def fail(self, code: StatusCode, details: str) -> None:
        """Set the status of a call that fails."""
        self._code = code
        self._details = details

    async def finish(self, answer: Answer | None) -> None:
        """Send the answer of a call that has one, and the status."""
        self._reader = None  # it refers to this context: nothing is left for the garbage collector
        send = self._send
        is_ok = self._code is StatusCode.OK
        if not self._is_started:
            await self._start(flush=False)
        body = b""
        if answer is not None and is_ok:
            data = self._rpc.serialize(answer)
            body = frame(data)
            del data, answer
        await send({"type": "http.response.body", "body": body, "more_body": False})
        trailers = _OK.copy() if is_ok else self._status()
        trailers += _encoded(self._trailers)
        await send({"type": "http.response.trailers", "headers": trailers, "more_trailers": False})

    async def _start(self, metadata: list[tuple[bytes, bytes]] | None = None, *, flush: bool = True) -> None:
        self._is_started = True
        headers = _HEAD if metadata is None else _HEAD + metadata
        await self._send({"type": "http.response.start", "status": 200, "headers": headers, "trailers": True})
        if flush:
            await self._send({"type": "http.response.body", "body": b"", "more_body": True})

    def _status(self) -> list[tuple[bytes, bytes]]:
        code: Any = self._code
        number = code.value[0] if isinstance(code, StatusCode) else int(code)
        status = [(b"grpc-status", b"%d" % number)]
        if self._details:
            status.append((b"grpc-message", percent_encoded(self._details).encode()))
        return status


async def answer_call(rpc: Rpc, scope: Scope, headers: Mapping[bytes, bytes], receive: Receive, send: Send) -> None:
    """Carry out one call. The server cancels the task when the client has gone."""
    context: Any = GrpcContext(rpc, scope, headers, receive, send)
    answer = await run_rpc(rpc, context, context.begin())
    finishing = context.finish(answer)
    del answer  # it may be large, and the client slow
    await finishing


def _metadata(headers: Iterable[tuple[bytes, bytes]]) -> Iterable[tuple[str, str | bytes]]:
    for name, value in headers:
        if name in _NOT_METADATA:
            continue
        key = name.decode("latin-1")
        if name.endswith(b"-bin"):
            for part in value.split(b","):
                yield key, _binary(part)
        else:
            yield key, value.decode("latin-1")


def _binary(value: bytes) -> bytes:
    """Decode base64 with or without padding; damaged values are empty."""
    text = value.strip().rstrip(b"=")
    try:
        return base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    except binascii.Error:
        return b""


def _encoded(metadata: Metadata) -> list[tuple[bytes, bytes]]:
    return [
        (key.encode(), base64.b64encode(value).rstrip(b"=") if isinstance(value, bytes) else value.encode())
        for key, value in metadata
    ]
