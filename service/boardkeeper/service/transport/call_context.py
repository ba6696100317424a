"""One call over HTTP, with the methods of ``grpc.aio.ServicerContext`` that the guard and the servicers use."""

from __future__ import annotations

import asyncio
import base64
import binascii
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from typing import Any, ClassVar, NoReturn

import grpc
from grpc import StatusCode

from boardkeeper.service.observability.counters import CallCounters
from boardkeeper.service.requests.errors import ApiError, InvalidRequestError
from boardkeeper.service.requests.texts import preferred_language
from boardkeeper.service.transport.asgi import certificate_names, grpc_timeout, peer_of
from boardkeeper.service.transport.exchange import Exchange
from boardkeeper.service.transport.framing import ENCODINGS, MessageReader, check_encoding, frame
from boardkeeper.service.transport.guard import Answer, Rpc
from boardkeeper.service.transport.statuses import percent_encode, status_of, trailing_metadata

_NOT_METADATA = frozenset(
    b"accept accept-encoding connection content-encoding content-length content-type cookie expect grpc-accept-encoding"
    b" grpc-encoding host keep-alive te trailer transfer-encoding upgrade".split()
)
_GRPC_HEAD = [(b"content-type", b"application/grpc"), (b"grpc-accept-encoding", ",".join(ENCODINGS).encode())]
_GRPC_OK = (b"grpc-status", b"0")

Metadata = Iterable[tuple[str, str | bytes]]


class CallContext(ABC):
    """The context of one call. ``is_web``: the call uses Connect or gRPC-Web."""

    __slots__ = ("_code", "_details", "_exchange", "_reader", "_rpc", "_trailers")

    is_web: ClassVar[bool]

    def __init__(self, exchange: Exchange, rpc: Rpc | None) -> None:
        """``rpc`` is ``None`` for a request that is not a valid call: see :func:`reject`."""
        self._exchange = exchange
        self._rpc: Any = rpc
        self._reader: MessageReader | None = None
        self._trailers: Metadata = ()
        self._code = StatusCode.OK
        self._details = ""

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
        """Return the time limit of the call in seconds, or ``None``. Raises ``InvalidRequestError``."""
        text = self._exchange.raw_header(b"grpc-timeout")
        return grpc_timeout(text.decode("latin-1")) if text else None

    def deadline(self) -> float | None:
        """Return the time of the event loop at which the call must end, or ``None``."""
        try:
            seconds = self.seconds()
        except InvalidRequestError:  # reading the message raises this error again
            return None
        return None if seconds is None else asyncio.get_running_loop().time() + seconds

    @abstractmethod
    async def read(self) -> Any:
        """Return the next message, or ``grpc.aio.EOF``."""

    async def messages(self) -> AsyncIterator[bytes]:
        """Yield the messages of a client that streams."""
        while (message := await self.read()) is not grpc.aio.EOF:
            yield message

    # --- the answer -----------------------------------------------------------------------------------------

    def set_trailing_metadata(self, trailing_metadata: Metadata) -> None:
        """Set the trailers of the answer."""
        self._trailers = trailing_metadata

    @abstractmethod
    async def write(self, message: Any) -> None:
        """Send a message of a stream; wait while the client does not read."""

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

    @abstractmethod
    async def finish(self, answer: Answer | None) -> None:
        """Send the answer, if any, and the status."""

    @abstractmethod
    def count(self, counters: CallCounters) -> None:
        """Count the end of the call."""


class GrpcContext(CallContext):
    """The context of a call with native gRPC."""

    __slots__ = ()

    is_web = False

    async def read(self) -> Any:
        """Return the next message, or ``grpc.aio.EOF``."""
        reader = self._reader
        if reader is None:
            self.seconds()  # raises an error if it is invalid
            encoding = self._exchange.header("grpc-encoding").lower()
            check_encoding(encoding)
            reader = self._reader = MessageReader(self._exchange.chunk, encoding)
        message = await reader.read()
        if message is None:
            return grpc.aio.EOF
        if self._rpc.method.server_streaming and not self._exchange.is_begun:
            await self._begin()  # shows the client that the server has accepted the call
        return message

    async def send_initial_metadata(self, initial_metadata: Metadata) -> None:
        """Send the headers of the answer."""
        await self._begin(_encode_metadata(initial_metadata))

    async def write(self, message: Any) -> None:
        """Send a message of a stream; wait while the client does not read."""
        if not self._exchange.is_begun:
            await self._begin()
        await self._exchange.write(frame(self._rpc.serialize(message)))

    async def _begin(self, metadata: Iterable[tuple[bytes, bytes]] = ()) -> None:
        """Send the head of the answer at once."""
        await self._exchange.begin_with_trailers([*_GRPC_HEAD, *metadata])
        await self._exchange.write(b"")

    async def finish(self, answer: Answer | None) -> None:
        """Send the answer, if any, and the status."""
        exchange = self._exchange
        body = b"" if answer is None or self._code is not StatusCode.OK else frame(self._rpc.serialize(answer))
        del answer  # free the memory while a slow client reads
        if not exchange.is_begun:
            await exchange.begin_with_trailers(_GRPC_HEAD)
        await exchange.end_with_trailers(body, self._status_trailers())

    def _status_trailers(self) -> list[tuple[bytes, bytes]]:
        if self._code is StatusCode.OK:
            return [_GRPC_OK, *_encode_metadata(self._trailers)]
        status = [(b"grpc-status", b"%d" % self._code.value[0])]
        if self._details:
            status.append((b"grpc-message", percent_encode(self._details).encode()))
        return status + _encode_metadata(self._trailers)

    def count(self, counters: CallCounters) -> None:
        """Count nothing: the guard counts all calls."""


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
    context.count(counters)
    finishing = context.finish(answer)
    del answer  # free the memory while a slow client reads
    await finishing


async def reject(
    context: CallContext, exchange: Exchange, error: ApiError, call_id: str, counters: CallCounters
) -> None:
    """Answer a request that is not a valid call with an error."""
    counters.count_error(error.reason)
    status = status_of(error, preferred_language(exchange.header("accept-language")), call_id)
    context.fail(error.code, status.message, trailing_metadata(status, call_id))
    await context.finish(None)


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
