"""HTTP/2: uvicorn's protocol with flow control, cancellation, keepalive, graceful drain and limits.

The parser (zttp) has fixed limits: 128 streams at once, and 4,096 streams and 256 resets in the life of a connection.
Beyond them it closes the connection with all streams. So :class:`Http2Protocol` retires a connection earlier: it sends
GOAWAY, clients open a new connection for their next calls, and open calls end on the old one. It also handles resets by
clients itself, because many of them can arrive before the client knows of the GOAWAY.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import zttp
from uvicorn.protocols.http.zttp_h2_impl import ZttpH2Protocol

from boardkeeper.service.transport.asgi import CERTIFICATE, Scope
from boardkeeper.service.transport.connections import Connection, Connections, Slot, log
from boardkeeper.service.transport.guard import MAX_METADATA_ENTRIES
from boardkeeper.service.transport.http2_flow import LAST_STREAM, ResetFilter, SendQueue, credit_frame, withhold_credit
from boardkeeper.service.transport.http2_stream import Stream

MAX_CALLS = 10_000
"""Calls at the same time over all connections; the server rejects further calls with RESOURCE_EXHAUSTED."""

MAX_OPENED_STREAMS = 3_800
"""Streams after which a connection retires: below the 4,096 of the parser, because more arrive before GOAWAY."""

MAX_RESETS = 96
"""Resets by the client after which a connection retires."""

IDLE_OPENED, IDLE_RESETS = 1_000, 32
"""Streams, or resets, after which a connection retires when it has been idle for :data:`RETIRE_IDLE_SECONDS`.

hyper (tonic) loses its next call if a stream is open when GOAWAY arrives, and Node.js if it sends a call at that
moment. So the server prefers to retire connections while the client is idle.
"""
RETIRE_IDLE_SECONDS = 1.0

MAX_PINGS = 100
"""Pings or settings that a client can send without other frames; after more, the server closes the connection."""

MAX_SMALL_FRAMES = 2_000
"""Frames with credit, with little data or for closed streams that a client can send without other frames."""

IDLE_SECONDS = 120.0
KEEPALIVE_SECONDS = 30.0
KEEPALIVE_TIMEOUT_SECONDS = 10.0

_SMALL = 16
"""Data frames with fewer bytes count as small frames."""

_LARGE_READ = 32_768
"""After a read of this many bytes, other connections get a turn before this one is read again."""

_PING = b"\0\0\x08\x06\0\0\0\0\0"
_ALIVE, _RETIRED = b"is alive", b"retiring"
_TOO_MANY_CALLS = [
    (b"content-type", b"application/grpc"),
    (b"grpc-status", b"8"),
    (b"grpc-message", b"The server has too many calls at the same time."),
]
_SCOPE_ASGI = {"version": "3.0", "spec_version": "2.4"}


class Http2Protocol(Connection, ZttpH2Protocol):
    """One connection with HTTP/2."""

    def __init__(self, connections: Connections, slot: Slot) -> None:
        super().__init__(connections, slot)
        self._streams: dict[int, Stream] = {}
        self.send_queue = SendQueue(self.conn)
        self._reset_filter = ResetFilter()
        self._frames: list[bytes] = []
        self._has_data = False
        self._flush_is_due = False
        self._opened = 0
        self._last_id = 0
        self._resets = 0
        self._control_frames = 0
        self._small_frames = 0
        self._is_retired = False
        self._may_close = False
        self._has_received = False
        self._idle_since = 0.0
        self._retire_at: float | None = None
        self._ping: asyncio.TimerHandle | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._idle_timer: asyncio.TimerHandle | None = None
        self._extensions: dict[str, Any] = {"http.response.trailers": {}}

    # --- the connection -------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        connections = self.all_connections
        connections.configure(transport)
        certificate = connections.certificate(transport)
        if certificate:
            self._extensions[CERTIFICATE] = certificate
        now = self.loop.time()
        self._idle_since = now
        if connections.most_seconds is not None:
            # Spread the connections, so that their clients do not reconnect at the same time.
            self._retire_at = now + connections.most_seconds * random.uniform(0.9, 1.1)
        self._timer = self.loop.call_later(KEEPALIVE_SECONDS, self._check)
        if connections.is_closing:
            self.shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._timer, self._ping, self._idle_timer):
            if timer is not None:
                timer.cancel()
        for stream in list(self._streams.values()):
            stream.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._has_received = True
        try:
            for part, number in self._reset_filter.split(data):
                if part:
                    self.conn.receive_data(part)
                    self.handle_events()
                if number:
                    self._handle_reset(number)
        except zttp.RemoteProtocolError as error:
            log.info("closed an HTTP/2 connection", why=str(error), peer=self.client)
            self.flush()
            self.transport.close()
            return
        self.flush()
        if self.flow.write_paused:  # do not answer pings of a client that reads nothing
            self.flow.pause_reading()
        elif len(data) >= _LARGE_READ and not self.transport.is_closing():
            self.flow.pause_reading()  # otherwise the loop reads 32 times as much before it serves other connections
            self.loop.call_soon(self._continue_reading)

    def _handle_reset(self, number: int) -> None:
        """Cancel a stream that the client has reset."""
        self._resets += 1
        if self._resets == MAX_RESETS:
            self.retire()
        stream = self._streams.get(number)
        if stream is None:
            self._count_small_frame()
        elif not self.transport.is_closing():
            self.flush()
            stream.forget_in_parser()
            self.conn.data_to_send()  # drop the reset that the parser would send
            stream.cancel()

    def _continue_reading(self) -> None:
        if not self.flow.write_paused and not self.transport.is_closing():
            self.flow.resume_reading()

    def handle_events(self) -> None:
        next_event, streams = self.conn.next_event, self._streams
        while (event := next_event()) is not zttp.NEED_DATA:
            kind = type(event)
            if kind is zttp.Request:
                self._control_frames = self._small_frames = 0
                self.handle_request(event)  # type: ignore[arg-type]
            elif kind is zttp.Data:
                self._has_data = True
                if len(event.data) >= _SMALL:  # type: ignore[union-attr]
                    self._control_frames = self._small_frames = 0
                else:
                    self._count_small_frame()
                stream = streams.get(event.stream_id)  # type: ignore[union-attr]
                if stream is not None and not stream.feed(event.data):  # type: ignore[union-attr]
                    stream.reset(zttp.H2ErrorCode.FLOW_CONTROL_ERROR)
            elif kind is zttp.EndOfMessage:
                stream = streams.get(event.stream_id)  # type: ignore[union-attr]
                if stream is not None:
                    stream.feed_end()
            elif kind is zttp.WindowUpdate:
                self._count_small_frame()
                self.send_queue.add_credit(event.stream_id)  # type: ignore[union-attr]
            elif kind is zttp.RstStream:
                self._count_small_frame()  # the parser resets malformed requests and streams that do not exist
                stream = streams.get(event.stream_id)  # type: ignore[union-attr]
                if stream is not None:
                    stream.cancel()
            elif kind is zttp.Settings:
                self.send_queue.add_credit_for_all()
                self._count_control_frame()
            elif kind is zttp.Ping:
                if event.ack and event.data == _RETIRED:  # type: ignore[union-attr]
                    self._may_close = True
                    self._close_if_done()
                elif not event.ack:  # type: ignore[union-attr]
                    self._count_control_frame()
            if self.transport.is_closing():
                return

    def handle_request(self, event: zttp.Request) -> None:
        number = event.stream_id
        self._opened += 1
        self._last_id = max(self._last_id, number)
        if self._opened == MAX_OPENED_STREAMS:
            self.retire()
        stream = self.conn.stream(number)
        try:
            path = event.path.decode("ascii")
        except UnicodeDecodeError:
            stream.reset(zttp.H2ErrorCode.PROTOCOL_ERROR)
            return
        if self.all_connections.calls >= MAX_CALLS:
            self._reject(stream, event)
            return
        scope: Scope = {
            "type": "http",
            "asgi": _SCOPE_ASGI,
            "http_version": "2",
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme,
            "method": event.method.decode("ascii"),
            "root_path": "",
            "path": unquote(path) if "%" in path else path,
            "raw_path": event.path,
            "query_string": event.query,
            "headers": _limit_headers(event.headers),
            "extensions": self._extensions,
        }
        exchange = Stream(self, stream, scope)
        if event.end_stream:
            exchange.more_body = False
        self._streams[number] = exchange
        self.all_connections.calls += 1
        exchange.task = self.loop.create_task(exchange.run(self.all_connections.app))

    def _reject(self, stream: zttp.Stream, event: zttp.Request) -> None:
        """Answer a request beyond :data:`MAX_CALLS` without using memory for it."""
        is_grpc = any(
            name == b"content-type" and value.startswith(b"application/grpc") for name, value in event.headers
        )
        if is_grpc:
            stream.send_response(200, _TOO_MANY_CALLS, True)
        else:
            stream.send_response(503, [(b"content-length", b"0")], True)
        if not event.end_stream:
            stream.reset(zttp.H2ErrorCode.NO_ERROR)

    def set_memory(self, stream: Stream, size: int) -> None:
        """Set how many bytes a stream has in memory."""
        self.all_connections.memory.set_size(self, stream, size)

    def forget(self, stream: Stream) -> None:
        """Remove a stream that has ended."""
        if self._streams.pop(stream.id, None) is None:
            return
        self.all_connections.calls -= 1
        if not self._streams:
            self._idle_since = self.loop.time()
            self._close_if_done()
            if self._idle_timer is None and (self._opened >= IDLE_OPENED or self._resets >= IDLE_RESETS):
                self._idle_timer = self.loop.call_later(RETIRE_IDLE_SECONDS, self._retire_if_idle)

    # --- writing --------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write all waiting frames at once."""
        self._flush_is_due = False
        data = self.conn.data_to_send()
        if self._has_data:
            self._has_data = False
            if data:
                data = b"".join(withhold_credit(data, self._streams))
        if self._frames:
            data += b"".join(self._frames)
            self._frames.clear()
        if data and not self.transport.is_closing():
            self.transport.write(data)

    def flush_soon(self) -> None:
        """Write at the end of this turn of the event loop, so that frames of several streams are one write."""
        if not self._flush_is_due:
            self._flush_is_due = True
            self.loop.call_soon(self._flush_if_due)

    def _flush_if_due(self) -> None:
        if self._flush_is_due:
            self.flush()

    def grant(self, stream: Stream) -> None:
        """Grant the client credit for the bytes that the application has read."""
        self._frames.append(credit_frame(stream.id, stream.withheld))
        stream.withheld = 0
        self.flush_soon()

    # --- the end of a connection ----------------------------------------------------------------------------

    def retire(self) -> None:
        """Accept no new calls: send GOAWAY, and close the connection when its streams have ended."""
        if self._is_retired or self.transport.is_closing():
            return
        self._is_retired = True
        self.conn.close(zttp.H2ErrorCode.NO_ERROR, LAST_STREAM)
        # The client acknowledges the ping after all streams that it opened before it received the GOAWAY.
        self._frames.append(_PING + _RETIRED)
        self._start_ping_timer(self._end_retirement)
        self.flush_soon()

    def _retire_if_idle(self) -> None:
        self._idle_timer = None
        if not self._streams:
            rest = self._idle_since + RETIRE_IDLE_SECONDS - self.loop.time()
            if rest <= 0:
                self.retire()
            else:
                self._idle_timer = self.loop.call_later(rest, self._retire_if_idle)

    def shutdown(self) -> None:
        """Retire the connection (the name is uvicorn's)."""
        self.retire()

    def stop(self) -> None:
        """End the open calls, and close the connection."""
        self._may_close = True
        for stream in list(self._streams.values()):
            stream.stop()
        self._close_if_done()

    def _end_retirement(self) -> None:
        self._ping = None
        self._may_close = True
        self._close_if_done()

    def _close_if_done(self) -> None:
        if self._may_close and not self._streams and not self.transport.is_closing():
            self.conn.close(zttp.H2ErrorCode.NO_ERROR, self._last_id)
            self.flush()
            self.transport.close()

    def _count_control_frame(self) -> None:
        self._control_frames += 1
        if self._control_frames > MAX_PINGS:
            self._close_flood("too many pings")

    def _count_small_frame(self) -> None:
        self._small_frames += 1
        if self._small_frames > MAX_SMALL_FRAMES:
            self._close_flood("too many small frames")

    def reset_flood_counters(self) -> None:
        """Reset the counters of control frames and small frames: a client can send some for each answer."""
        self._control_frames = self._small_frames = 0

    def _close_flood(self, why: str) -> None:
        log.info("closed an HTTP/2 connection", why=why, peer=self.client)
        self.conn.close(zttp.H2ErrorCode.ENHANCE_YOUR_CALM, self._last_id)
        self.flush()
        self.transport.close()

    def _check(self) -> None:
        """Retire the connection if it is old or idle; ping the client if it has sent nothing."""
        now = self.loop.time()
        self._timer = self.loop.call_later(KEEPALIVE_SECONDS, self._check)
        self._control_frames = 0
        if (self._retire_at is not None and now >= self._retire_at) or (
            not self._streams and now - self._idle_since >= IDLE_SECONDS
        ):
            self.retire()
        elif not self._has_received and self._ping is None:
            self._frames.append(_PING + _ALIVE)
            self._start_ping_timer(self._close_if_lost)
            self.flush_soon()
        self._has_received = False

    def _start_ping_timer(self, on_timeout: Callable[[], None]) -> None:
        if self._ping is not None:
            self._ping.cancel()
        self._ping = self.loop.call_later(KEEPALIVE_TIMEOUT_SECONDS, on_timeout)

    def _close_if_lost(self) -> None:
        self._ping = None
        if not self._has_received:
            log.info("closed an HTTP/2 connection", why="the peer does not answer pings", peer=self.client)
            self.transport.abort()

    def reset_stalled(self, stream: Stream) -> None:
        """Reset a stream whose client reads nothing."""
        log.info("reset the stream of a slow reader", peer=self.client, seconds=self.all_connections.stall_timeout)
        stream.reset(zttp.H2ErrorCode.CANCEL)


def _limit_headers(headers: Any) -> Any:
    """Return at most one header more than a call can have, so that the application rejects the call."""
    if len(headers) <= MAX_METADATA_ENTRIES:
        return headers
    content_type = [header for header in headers if header[0] == b"content-type"]  # the application needs it
    return [*content_type[:1], *headers[: MAX_METADATA_ENTRIES + 1]]
