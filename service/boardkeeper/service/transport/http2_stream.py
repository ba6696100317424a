"""One request over HTTP/2 and its answer, for the ASGI application."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import zttp

from boardkeeper.service.transport.asgi import Scope
from boardkeeper.service.transport.connections import log
from boardkeeper.service.transport.framing import MAX_REQUEST_BYTES

if TYPE_CHECKING:
    from boardkeeper.service.transport.http2 import Http2Protocol

_LINGER_SECONDS = 1.0
"""The time for which a client can send the rest of a request whose answer is complete."""

_WINDOW = 65_535
_CREDIT = 32_767
"""The parser grants this many bytes at once."""

_PIECE = 65_536
"""Bytes that a stream sends at once, before other streams get a turn."""

_COUNTED_FROM = 16_384
"""The limit of all streams counts the bytes of a stream from this size."""


class Stream:
    """One request and its answer. The application calls :meth:`receive` and :meth:`send`."""

    __slots__ = (
        "_chunks", "_credit", "_has_begun", "_has_trailers", "_head", "_is_complete", "_is_gone", "_protocol",
        "_reader", "_received", "_stream", "_unsent", "id", "is_counted", "more_body", "scope", "task", "unread",
        "withheld",
    )  # fmt: skip

    def __init__(self, protocol: Http2Protocol, stream: zttp.Stream, scope: Scope) -> None:
        self.scope = scope
        self.id = stream.stream_id
        self.task: asyncio.Task[None] | None = None
        self.more_body = True
        self.unread = 0
        """Bytes of the body that the application has not read."""
        self.withheld = 0
        """Bytes that the client may send after the application has read."""
        self._protocol = protocol
        self._stream = stream
        self._chunks: list[bytes] = []
        self._reader: asyncio.Future[None] | None = None
        self._credit: asyncio.Future[None] | None = None
        self._head: Any = None
        self._has_trailers = False
        self._has_begun = False
        self._received = 0
        self._unsent = 0
        self.is_counted = False
        """Whether the limit of all streams counts its bytes."""
        self._is_complete = False
        self._is_gone = False

    def count_memory(self) -> None:
        """Count the bytes in memory that wait for the client: of an incomplete message, and of an unread answer."""
        size = 0
        if not self._is_gone:
            size = min(self._received, MAX_REQUEST_BYTES) + self._unsent
        if size >= _COUNTED_FROM or self.is_counted:
            self.is_counted = size >= _COUNTED_FROM
            self._protocol.set_memory(self, size if self.is_counted else 0)

    async def run(self, app: Any) -> None:
        """Run the application."""
        self._has_begun = True
        try:
            await app(self.scope, self.receive, self.send)
        except asyncio.CancelledError:
            pass  # the client has disconnected, or the server shuts down
        except Exception:  # noqa: BLE001  # no exception may end the connection
            log.exception("unexpected error", path=self.scope["path"])
        finally:
            if not (self._is_complete or self._is_gone):
                self.task = None
                self.reset(zttp.H2ErrorCode.INTERNAL_ERROR)
            self._end()

    def _end(self) -> None:
        self._received = self._unsent = 0
        self.count_memory()
        self._protocol.forget(self)

    # --- for the connection ---------------------------------------------------------------------------------

    def feed(self, data: bytes) -> bool:
        """Add a part of the body; return whether the client respected its window."""
        if self._is_complete or self._is_gone:
            return True
        self._chunks.append(data)
        self.unread += len(data)
        self._received += len(data)
        if self._received >= _COUNTED_FROM:
            self.count_memory()
        self._wake_reader()
        return self.unread <= _WINDOW + _CREDIT

    def feed_end(self) -> None:
        """Mark the body as complete."""
        self.more_body = False
        self._wake_reader()

    def cancel(self) -> None:
        """Cancel the application: the client has reset the stream, or the connection is lost."""
        if self._is_gone:
            return
        self._is_gone = True
        if self.task is not None and not self._is_complete:
            self.task.cancel()
            if not self._has_begun:  # run() will not be called
                self._end()
        self._wake_reader()
        self.wake()

    def forget_in_parser(self) -> None:
        """Let the parser forget a stream that the client has reset."""
        if not self._is_gone:
            self._stream.reset(zttp.H2ErrorCode.CANCEL)

    def stop(self) -> None:
        """Cancel the application, which then ends the answer: the server shuts down."""
        if self.task is not None:
            self.task.cancel()

    def reset(self, code: int) -> None:
        """Reset the stream, and cancel the application."""
        if not self._is_gone and not self._protocol.transport.is_closing():
            self._stream.reset(code)
            self._protocol.flush_soon()
        self.cancel()

    def wake(self) -> None:
        """Continue to write: the client's flow control permits it."""
        if self._credit is not None and not self._credit.done():
            self._credit.set_result(None)

    def _wake_reader(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    # --- ASGI -----------------------------------------------------------------------------------------------

    async def receive(self) -> dict[str, Any]:
        """Wait for the next part of the body."""
        while not self._chunks and self.more_body and not self._is_gone:
            self._reader = self._protocol.loop.create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        if self._is_gone:
            return {"type": "http.disconnect"}
        chunks = self._chunks
        body = chunks[0] if len(chunks) == 1 else b"".join(chunks)
        chunks.clear()
        self.unread = 0
        if self.withheld and self.more_body:
            self._protocol.grant(self)
        return {"type": "http.request", "body": body, "more_body": self.more_body}

    async def send(self, message: Any) -> None:
        """Send a part of the answer; wait while the client does not read."""
        if self._is_gone or self._is_complete:
            return
        kind = message["type"]
        if kind == "http.response.start":
            self._head = message
            self._has_trailers = message.get("trailers", False)
            return
        stream, protocol = self._stream, self._protocol
        protocol.reset_flood_counters()
        if self._received:
            self._received = 0
            if self.is_counted:
                self.count_memory()
        if kind == "http.response.body":
            body = b"" if self.scope["method"] == "HEAD" else message.get("body", b"")
            if message.get("more_body", False) or self._has_trailers:
                if body or message.get("more_body", False):
                    self._send_head()
                if body:
                    await self._send_data(body)
            else:
                self._send_head(is_end=not body)
                if body:
                    await self._send_data(body)
                    stream.end_message()
                await self._complete()
        elif kind == "http.response.trailers":
            if self._head is not None:
                self._send_head(message["headers"], is_end=True)
            else:
                stream.end_message(message["headers"])
            await self._complete()
        protocol.flush_soon()
        while protocol.flow.write_paused and not self._is_gone:
            await protocol.flow.drain()

    def _send_head(self, more: Any = (), *, is_end: bool = False) -> None:
        head, self._head = self._head, None
        if head is not None:
            self._stream.send_response(head["status"], [*head["headers"], *more], is_end)

    async def _send_data(self, body: bytes) -> None:
        protocol, stream = self._protocol, self._stream
        size = len(body)
        if (
            size <= _PIECE
            and size <= min(stream.send_window or 0, protocol.send_queue.room(self))
            and not protocol.flow.write_paused
        ):
            stream.send_data(body)
        else:
            await self._send_pieces(memoryview(body))
        if self.is_counted:
            self.count_memory()

    async def _send_pieces(self, body: memoryview) -> None:
        """Send as much as the client permits, in pieces, so that streams take turns.

        The parser would buffer the rest, and send it in an order that can starve some streams.
        """
        protocol = self._protocol
        self._unsent = len(body)  # all of it is in memory until the last piece is sent
        try:
            while self._unsent:
                room = min(await self._wait_for_room(), _PIECE)
                if self._is_gone:
                    return
                at = len(body) - self._unsent
                self._stream.send_data(body[at : at + room])
                self._unsent = max(self._unsent - room, 0)
                protocol.send_queue.leave(self)
                protocol.flush()
        finally:
            protocol.send_queue.leave(self)

    async def _wait_for_room(self) -> int:
        """Wait until the stream can send; return how many bytes."""
        protocol = self._protocol
        while not self._is_gone:
            if protocol.flow.write_paused:
                self.count_memory()
                await protocol.flow.drain()
                continue
            own, room = self._stream.send_window or 0, protocol.send_queue.room(self)
            if own > 0 and room > 0:
                return min(own, room)
            if own > 0:
                protocol.send_queue.enter(self)
            else:
                protocol.send_queue.leave(self)
            await self._wait_for_credit(of_stream=own <= 0)
        return 0

    async def _complete(self) -> None:
        """Mark the answer as complete, and end the request."""
        self._is_complete = True
        if self.more_body and not self._is_gone:
            # Drop the rest of the request. Some clients (curl 7) lose the answer if the server resets the stream at
            # once. For gRPC clients the call ends with the trailers.
            if self._has_trailers:
                self._end_request()
            else:
                self._protocol.loop.call_later(_LINGER_SECONDS, self._end_request)

    def _end_request(self) -> None:
        """Reset the stream of a client that still sends a request whose answer is complete."""
        if not (self._is_gone or self._protocol.transport.is_closing()) and self._stream.pending_bytes is not None:
            self._stream.reset(zttp.H2ErrorCode.NO_ERROR)
            self._protocol.flush_soon()

    async def _wait_for_credit(self, *, of_stream: bool) -> None:
        """Wait until the client's flow control permits more."""
        protocol = self._protocol
        protocol.flush_soon()
        self.count_memory()
        self._credit = protocol.loop.create_future()
        protocol.send_queue.set_blocked(self, is_blocked=of_stream)
        timer = protocol.loop.call_later(protocol.all_connections.stall_timeout, protocol.reset_stalled, self)
        try:
            await self._credit
        finally:
            timer.cancel()
            self._credit = None
            protocol.send_queue.set_blocked(self, is_blocked=False)
