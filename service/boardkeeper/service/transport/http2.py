"""HTTP/2: uvicorn's protocol with flow control, cancellation, keepalive, graceful drain and limits.

The parser (zttp) has fixed limits: 128 streams at once, 4,096 streams and 256 resets in the life of a connection, after
which it closes the connection with all streams. So :class:`Http2Protocol` retires a connection before: it sends GOAWAY,
clients open a new connection for their next calls, and the calls that are open end on the old one. It also handles
resets by clients itself, because many of them may arrive before the client knows of the GOAWAY.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import zttp
from uvicorn.protocols.http.zttp_h2_impl import ZttpH2Protocol

from boardkeeper.service.transport.asgi import CERTIFICATE, Scope
from boardkeeper.service.transport.connections import Connection, Connections, Slot, log
from boardkeeper.service.transport.framing import LARGEST_REQUEST
from boardkeeper.service.transport.guard import MOST_METADATA

MOST_CALLS = 10_000
"""Calls at the same time over all connections; the server rejects further calls with RESOURCE_EXHAUSTED."""

MOST_OPENED = 3_800
"""Streams after which a connection retires: before the parser's 4,096, with room for streams that are under way."""

MOST_RESETS = 96
"""Resets by the client after which a connection retires."""

SOON_OPENED, SOON_RESETS = 1_000, 32
"""Streams, or resets, after which a connection retires once no stream has been open for :data:`SOON_SECONDS`.

hyper, and so tonic, loses its next call if a stream is open when GOAWAY arrives, and Node.js if it sends one at that
moment. So the server prefers moments in which the client is idle.
"""
SOON_SECONDS = 1.0

MOST_PINGS = 100
"""Pings, or settings, that a client may send without anything else before the connection is closed."""

MOST_SMALL_FRAMES = 2_000
"""Frames with credit, with hardly any data or for closed streams that a client may send without anything else."""

LINGER_SECONDS = 1.0
"""How long a client may send the rest of a request whose answer is complete."""

IDLE_SECONDS = 120.0
KEEPALIVE_SECONDS = 30.0
KEEPALIVE_TIMEOUT_SECONDS = 10.0

_LAST_STREAM = 2**31 - 1
_WINDOW = 65_535
_CREDIT = 32_767
"""The parser grants that many bytes at once."""

_PIECE = 65_536
_SMALL = 16
"""Bytes of data from which a frame counts as a part of a message."""

_LARGE_READ = 32_768
"""Bytes read at once from which other connections get a turn before this one is read again."""

_HELD_FROM = 16_384
"""Bytes of one stream from which they count for the limit of all streams."""

_PING = b"\0\0\x08\x06\0\0\0\0\0"
_ALIVE, _RETIRED = b"is alive", b"retiring"
_RST_STREAM, _WINDOW_UPDATE = 3, 8
_HEAD_BYTES, _RST_BYTES = 9, 13
_PREFACE_BYTES = 24
_TOO_MANY_CALLS = [
    (b"content-type", b"application/grpc"),
    (b"grpc-status", b"8"),
    (b"grpc-message", b"The server has too many calls at the same time."),
]
_SCOPE_ASGI = {"version": "3.0", "spec_version": "2.4"}


class Http2Protocol(Connection, ZttpH2Protocol):
    """One connection."""

    def __init__(self, connections: Connections, slot: Slot) -> None:
        super().__init__(connections, slot)
        self._streams: dict[int, Stream] = {}
        self._waiting: dict[int, Stream] = {}
        self._queue: dict[int, Stream] = {}
        self._frames: list[bytes] = []
        self._partial = b""
        self._rest = _PREFACE_BYTES
        """Bytes of the current frame that have not come yet."""
        self._has_data = False
        self._flush_is_due = False
        self._opened = 0
        self._last_id = 0
        self._resets = 0
        self._control_frames = 0
        self._small_frames = 0
        self._is_retired = False
        self._may_close = False
        self._heard = False
        self._idle_since = 0.0
        self._until: float | None = None
        self._ping: asyncio.TimerHandle | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._soon: asyncio.TimerHandle | None = None
        self._extensions: dict[str, Any] = {"http.response.trailers": {}}

    # --- the connection -------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        connections = self._all
        connections.set_up(transport)
        certificate = connections.certificate(transport)
        if certificate:
            self._extensions[CERTIFICATE] = certificate
        now = self.loop.time()
        self._idle_since = now
        if connections.most_seconds is not None:
            self._until = now + connections.most_seconds * random.uniform(0.9, 1.1)  # clients apart
        self._timer = self.loop.call_later(KEEPALIVE_SECONDS, self._check)
        if connections.is_closing:
            self.shutdown()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._timer, self._ping, self._soon):
            if timer is not None:
                timer.cancel()
        for stream in list(self._streams.values()):
            stream.lose()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._heard = True
        try:
            for part, number in self._resets_apart(data):
                if part:
                    self.conn.receive_data(part)
                    self.handle_events()
                if number:
                    self._end_stream(number)
        except zttp.RemoteProtocolError as error:
            log.info("closed an HTTP/2 connection", why=str(error), peer=self.client)
            self.flush()
            self.transport.close()
            return
        self.flush()
        if self.flow.write_paused:  # a peer that reads nothing gets no more answers to its pings
            self.flow.pause_reading()
        elif len(data) >= _LARGE_READ and not self.transport.is_closing():
            self.flow.pause_reading()  # or the loop would read 32 times as much before it serves others
            self.loop.call_soon(self._read_on)

    def _resets_apart(self, data: bytes) -> Iterator[tuple[bytes, int]]:
        """Yield the bytes for the parser, and the number of a stream that the client resets after them, or 0.

        The parser closes a connection after 256 resets. A client that cancels many calls at once sends them before it
        can know that the connection retires, so the parser does not get to see resets.
        """
        if self._partial:
            data, self._partial = self._partial + data, b""
        at, start, size = self._rest, 0, len(data)
        while at + _HEAD_BYTES <= size:
            end = at + _HEAD_BYTES + int.from_bytes(data[at : at + 3])
            if data[at + 3] == _RST_STREAM and end - at == _RST_BYTES:
                if end > size:
                    break
                yield data[start:at], int.from_bytes(data[at + 5 : at + 9]) & _LAST_STREAM
                start = end
            at = end
        if at < size:  # an incomplete head, or an incomplete reset
            self._partial = data[at:]
            self._rest = 0
            yield data[start:at], 0
        else:
            self._rest = at - size
            yield data[start:], 0

    def _end_stream(self, number: int) -> None:
        """The client has reset a stream."""
        self._resets += 1
        if self._resets == MOST_RESETS:
            self.retire()
        stream = self._streams.get(number)
        if stream is None:
            self._count_small_frame()
        elif not self.transport.is_closing():
            self.flush()
            stream.forget_in_parser()
            self.conn.data_to_send()  # the parser's reset, which the client does not expect
            stream.lose()

    def _read_on(self) -> None:
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
                self._give_credit(event.stream_id)  # type: ignore[union-attr]
            elif kind is zttp.RstStream:
                self._count_small_frame()  # the parser resets malformed requests and streams that do not exist
                stream = streams.get(event.stream_id)  # type: ignore[union-attr]
                if stream is not None:
                    stream.lose()
            elif kind is zttp.Settings:
                for waiting in self._waiting.values():  # the windows of all streams may have grown
                    waiting.wake()
                self._give_credit(0)
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
        if self._opened == MOST_OPENED:
            self.retire()
        stream = self.conn.stream(number)
        try:
            path = event.path.decode("ascii")
        except UnicodeDecodeError:
            stream.reset(zttp.H2ErrorCode.PROTOCOL_ERROR)
            return
        if self._all.calls >= MOST_CALLS:
            self._refuse(stream, event)
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
            "headers": _first(event.headers),
            "extensions": self._extensions,
        }
        exchange = Stream(self, stream, scope)
        if event.end_stream:
            exchange.more_body = False
        self._streams[number] = exchange
        self._all.calls += 1
        exchange.task = self.loop.create_task(exchange.run(self._all.app))

    def _refuse(self, stream: zttp.Stream, event: zttp.Request) -> None:
        """Answer a request beyond the limit of all calls, which costs no memory."""
        is_grpc = any(
            name == b"content-type" and value.startswith(b"application/grpc") for name, value in event.headers
        )
        if is_grpc:
            stream.send_response(200, _TOO_MANY_CALLS, True)
        else:
            stream.send_response(503, [(b"content-length", b"0")], True)
        if not event.end_stream:
            stream.reset(zttp.H2ErrorCode.NO_ERROR)

    def hold(self, stream: Stream, size: int) -> None:
        """Count the bytes that a stream keeps in memory."""
        self._all.held.hold(self, stream, size)

    def forget(self, stream: Stream) -> None:
        """A stream has ended."""
        if self._streams.pop(stream.id, None) is None:
            return
        self._all.calls -= 1
        if not self._streams:
            self._idle_since = self.loop.time()
            self._close_if_done()
            if self._soon is None and (self._opened >= SOON_OPENED or self._resets >= SOON_RESETS):
                self._soon = self.loop.call_later(SOON_SECONDS, self._retire_if_idle)

    # --- writing --------------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Write the frames that wait, all of them at once."""
        self._flush_is_due = False
        data = self.conn.data_to_send()
        if self._has_data:
            self._has_data = False
            if data:
                data = b"".join(self._withhold(data))
        if self._frames:
            data += b"".join(self._frames)
            self._frames.clear()
        if data and not self.transport.is_closing():
            self.transport.write(data)

    def flush_soon(self) -> None:
        """Write at the end of this turn of the loop: frames of several streams go out together."""
        if not self._flush_is_due:
            self._flush_is_due = True
            self.loop.call_soon(self._flush_if_due)

    def _flush_if_due(self) -> None:
        if self._flush_is_due:
            self.flush()

    def _withhold(self, data: bytes) -> Iterator[bytes]:
        """Yield frames without the credit for bodies that the application has not read.

        The parser grants credit for what it has parsed. The application grants it when it reads: :meth:`grant`.
        """
        at, start = 0, 0
        while at < len(data):
            end = at + _HEAD_BYTES + int.from_bytes(data[at : at + 3])
            if data[at + 3] == _WINDOW_UPDATE:
                stream = self._streams.get(int.from_bytes(data[at + 5 : at + 9]))
                if stream is not None and stream.unread:
                    yield data[start:at]
                    stream.withheld += int.from_bytes(data[at + 9 : at + 13])
                    start = end
            at = end
        yield data[start:]

    def grant(self, stream: Stream) -> None:
        """Let the client send as much as the application has read."""
        frame = b"\0\0\x04\x08\0" + stream.id.to_bytes(4) + stream.withheld.to_bytes(4)
        stream.withheld = 0
        self._frames.append(frame)
        self.flush_soon()

    def _give_credit(self, number: int) -> None:
        """The client's flow control permits more: for one stream, or for all (0)."""
        if number:
            stream = self._waiting.get(number)
            if stream is not None:
                stream.wake()
        else:
            self._wake_first()

    def wait_for_credit(self, stream: Stream, *, waits: bool) -> None:
        """Note whether a stream waits for the client's flow control."""
        if waits:
            self._waiting[stream.id] = stream
        else:
            self._waiting.pop(stream.id, None)

    def room(self, stream: Stream) -> int:
        """Return how many bytes a stream may send now: nothing while others wait for the connection's window."""
        return self.conn.send_window if self._is_first(stream) else 0

    def enter_queue(self, stream: Stream) -> None:
        """Wait in turn for the window of the connection."""
        self._queue.setdefault(stream.id, stream)

    def leave_queue(self, stream: Stream) -> None:
        """Give the next stream its turn."""
        if self._queue.pop(stream.id, None) is not None:
            self._wake_first()

    def _is_first(self, stream: Stream) -> bool:
        return not self._queue or next(iter(self._queue.values())) is stream

    def _wake_first(self) -> None:
        if self._queue and self.conn.send_window > 0:
            next(iter(self._queue.values())).wake()

    # --- the end of a connection ----------------------------------------------------------------------------

    def retire(self) -> None:
        """Take no new calls: send GOAWAY, and close the connection when its streams have ended."""
        if self._is_retired or self.transport.is_closing():
            return
        self._is_retired = True
        self.conn.close(zttp.H2ErrorCode.NO_ERROR, _LAST_STREAM)
        # The acknowledgement comes after all streams that the client opened before it knew.
        self._frames.append(_PING + _RETIRED)
        self._arm_ping_timer(self._is_overdue)
        self.flush_soon()

    def _retire_if_idle(self) -> None:
        self._soon = None
        if not self._streams:
            rest = self._idle_since + SOON_SECONDS - self.loop.time()
            if rest <= 0:
                self.retire()
            else:
                self._soon = self.loop.call_later(rest, self._retire_if_idle)

    def shutdown(self) -> None:
        """Retire the connection; uvicorn's name for it."""
        self.retire()

    def stop(self) -> None:
        """End the calls that are open, and close the connection."""
        self._may_close = True
        for stream in list(self._streams.values()):
            stream.stop()
        self._close_if_done()

    def _is_overdue(self) -> None:
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
        if self._control_frames > MOST_PINGS:
            self._end_flood("too many pings")

    def _count_small_frame(self) -> None:
        self._small_frames += 1
        if self._small_frames > MOST_SMALL_FRAMES:
            self._end_flood("too many small frames")

    def note_answer(self) -> None:
        """A client may send credit and pings for what it receives."""
        self._control_frames = self._small_frames = 0

    def _end_flood(self, why: str) -> None:
        log.info("closed an HTTP/2 connection", why=why, peer=self.client)
        self.conn.close(zttp.H2ErrorCode.ENHANCE_YOUR_CALM, self._last_id)
        self.flush()
        self.transport.close()

    def _check(self) -> None:
        """Look after the connection: retire it when it is old or idle, and notice when the peer has vanished."""
        now = self.loop.time()
        self._timer = self.loop.call_later(KEEPALIVE_SECONDS, self._check)
        self._control_frames = 0
        if (self._until is not None and now >= self._until) or (
            not self._streams and now - self._idle_since >= IDLE_SECONDS
        ):
            self.retire()
        elif not self._heard and self._ping is None:
            self._frames.append(_PING + _ALIVE)
            self._arm_ping_timer(self._vanished)
            self.flush_soon()
        self._heard = False

    def _arm_ping_timer(self, then: Any) -> None:
        if self._ping is not None:
            self._ping.cancel()
        self._ping = self.loop.call_later(KEEPALIVE_TIMEOUT_SECONDS, then)

    def _vanished(self) -> None:
        self._ping = None
        if not self._heard:
            log.info("closed an HTTP/2 connection", why="the peer does not answer pings", peer=self.client)
            self.transport.abort()

    def end_stalled(self, stream: Stream) -> None:
        """Reset a stream whose client reads nothing."""
        log.info("reset the stream of a slow reader", peer=self.client, seconds=self._all.stalled_seconds)
        stream.reset(zttp.H2ErrorCode.CANCEL)

    @property
    def stalled_seconds(self) -> float:
        """How long a client may read nothing."""
        return self._all.stalled_seconds


def _first(headers: Any) -> Any:
    """Return as many headers as a call may have, and one more, so that the application rejects the call."""
    if len(headers) <= MOST_METADATA:
        return headers
    kind = [header for header in headers if header[0] == b"content-type"]  # which says whether it is a call
    return [*kind[:1], *headers[: MOST_METADATA + 1]]


class Stream:
    """One request and its answer, as ASGI's ``receive`` and ``send``."""

    __slots__ = (
        "_chunks", "_credit", "_has_begun", "_has_trailers", "_head", "_is_complete", "_is_gone", "_protocol",
        "_reader", "_received", "_stream", "_unsent", "id", "is_held", "more_body", "scope", "task", "unread",
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
        """Bytes that the client may send once the application has read."""
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
        self.is_held = False
        """Whether its bytes are counted."""
        self._is_complete = False
        self._is_gone = False

    def weigh(self) -> None:
        """Count the bytes that are in memory until the client continues: of a message, and of an answer."""
        size = 0
        if not self._is_gone:
            size = min(self._received, LARGEST_REQUEST) + self._unsent
        if size >= _HELD_FROM or self.is_held:
            self.is_held = size >= _HELD_FROM
            self._protocol.hold(self, size if self.is_held else 0)

    async def run(self, app: Any) -> None:
        """Let the application answer."""
        self._has_begun = True
        try:
            await app(self.scope, self.receive, self.send)
        except asyncio.CancelledError:
            pass  # the client has gone, or the server stops
        except Exception:  # noqa: BLE001  # the last resort
            log.exception("unexpected error", path=self.scope["path"])
        finally:
            if not (self._is_complete or self._is_gone):
                self.task = None
                self.reset(zttp.H2ErrorCode.INTERNAL_ERROR)
            self._end()

    def _end(self) -> None:
        self._received = self._unsent = 0
        self.weigh()
        self._protocol.forget(self)

    # --- called by the connection ----------------------------------------------------------------------------

    def feed(self, data: bytes) -> bool:
        """Take a part of the body; return whether the client kept to its window."""
        if self._is_complete or self._is_gone:
            return True
        self._chunks.append(data)
        self.unread += len(data)
        self._received += len(data)
        if self._received >= _HELD_FROM:
            self.weigh()
        self._wake_reader()
        return self.unread <= _WINDOW + _CREDIT

    def feed_end(self) -> None:
        """The body is complete."""
        self.more_body = False
        self._wake_reader()

    def lose(self) -> None:
        """The client has reset the stream, or the connection is lost: cancel the application."""
        if self._is_gone:
            return
        self._is_gone = True
        if self.task is not None and not self._is_complete:
            self.task.cancel()
            if not self._has_begun:  # and now it never will
                self._end()
        self._wake_reader()
        self.wake()

    def forget_in_parser(self) -> None:
        """Free the parser's place of a stream that the client has reset."""
        if not self._is_gone:
            self._stream.reset(zttp.H2ErrorCode.CANCEL)

    def stop(self) -> None:
        """Let the application end the answer: the server stops."""
        if self.task is not None:
            self.task.cancel()

    def reset(self, code: int) -> None:
        """Reset the stream, and cancel the application."""
        if not self._is_gone and not self._protocol.transport.is_closing():
            self._stream.reset(code)
            self._protocol.flush_soon()
        self.lose()

    def wake(self) -> None:
        """Go on with writing."""
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
        protocol.note_answer()
        if self._received:
            self._received = 0
            if self.is_held:
                self.weigh()
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
            and size <= min(stream.send_window or 0, protocol.room(self))
            and not protocol.flow.write_paused
        ):
            stream.send_data(body)
        else:
            await self._send_pieces(memoryview(body))
        if self.is_held:
            self.weigh()

    async def _send_pieces(self, body: memoryview) -> None:
        """Send no more than the client permits, in pieces: streams take turns, and little waits in the connection.

        The parser would park the rest, and send parked data in an order that can leave some streams without any.
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
                protocol.leave_queue(self)
                protocol.flush()
        finally:
            protocol.leave_queue(self)

    async def _wait_for_room(self) -> int:
        """Wait until the stream may send; return how many bytes."""
        protocol = self._protocol
        while not self._is_gone:
            if protocol.flow.write_paused:
                self.weigh()
                await protocol.flow.drain()
                continue
            own, room = self._stream.send_window or 0, protocol.room(self)
            if own > 0 and room > 0:
                return min(own, room)
            if own > 0:
                protocol.enter_queue(self)
            else:
                protocol.leave_queue(self)
            await self._wait_for_credit(of_stream=own <= 0)
        return 0

    async def _complete(self) -> None:
        """The answer is complete: end the request, too."""
        self._is_complete = True
        if self.more_body and not self._is_gone:
            # The rest of the request is dropped. Some clients (curl 7) lose the answer if the stream is reset at once;
            # for gRPC's clients the trailers are the end of the call.
            if self._has_trailers:
                self._end_request()
            else:
                self._protocol.loop.call_later(LINGER_SECONDS, self._end_request)

    def _end_request(self) -> None:
        """Reset the stream of a client that still sends a request whose answer is complete."""
        if not (self._is_gone or self._protocol.transport.is_closing()) and self._stream.pending_bytes is not None:
            self._stream.reset(zttp.H2ErrorCode.NO_ERROR)
            self._protocol.flush_soon()

    async def _wait_for_credit(self, *, of_stream: bool) -> None:
        """Wait for the client's flow control."""
        protocol = self._protocol
        protocol.flush_soon()
        self.weigh()
        self._credit = protocol.loop.create_future()
        protocol.wait_for_credit(self, waits=of_stream)
        timer = protocol.loop.call_later(protocol.stalled_seconds, protocol.end_stalled, self)
        try:
            await self._credit
        finally:
            timer.cancel()
            self._credit = None
            protocol.wait_for_credit(self, waits=False)
