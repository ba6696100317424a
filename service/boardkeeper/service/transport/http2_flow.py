"""Flow control of HTTP/2: the bytes that the parser receives and sends, and the order in which streams send."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import zttp

if TYPE_CHECKING:
    from boardkeeper.service.transport.http2_stream import Stream

LAST_STREAM = 2**31 - 1
_RST_STREAM, _WINDOW_UPDATE = 3, 8
_HEAD_BYTES, _RST_BYTES = 9, 13
_PREFACE_BYTES = 24


class ResetFilter:
    """Removes the frames with which a client resets streams from the bytes for the parser.

    The parser closes a connection after 256 resets. A client that cancels many calls at once sends them before it can
    know that the connection retires, so the parser must not get them.
    """

    def __init__(self) -> None:
        self._partial = b""
        self._rest = _PREFACE_BYTES
        """Bytes of the current frame that have not arrived."""

    def split(self, data: bytes) -> Iterator[tuple[bytes, int]]:
        """Yield the bytes for the parser, and the number of a stream that the client resets after them, or 0."""
        if self._partial:
            data, self._partial = self._partial + data, b""
        at, start, size = self._rest, 0, len(data)
        while at + _HEAD_BYTES <= size:
            end = at + _HEAD_BYTES + int.from_bytes(data[at : at + 3])
            if data[at + 3] == _RST_STREAM and end - at == _RST_BYTES:
                if end > size:
                    break
                yield data[start:at], int.from_bytes(data[at + 5 : at + 9]) & LAST_STREAM
                start = end
            at = end
        if at < size:  # an incomplete head, or an incomplete reset
            self._partial = data[at:]
            self._rest = 0
            yield data[start:at], 0
        else:
            self._rest = at - size
            yield data[start:], 0


def withhold_credit(data: bytes, streams: Mapping[int, Stream]) -> Iterator[bytes]:
    """Yield the frames to send without credit for request bodies that the application has not read.

    The parser grants credit for what it has parsed. The application grants it when it reads: :func:`credit_frame`.
    """
    at, start = 0, 0
    while at < len(data):
        end = at + _HEAD_BYTES + int.from_bytes(data[at : at + 3])
        if data[at + 3] == _WINDOW_UPDATE:
            stream = streams.get(int.from_bytes(data[at + 5 : at + 9]))
            if stream is not None and stream.unread:
                yield data[start:at]
                stream.withheld += int.from_bytes(data[at + 9 : at + 13])
                start = end
        at = end
    yield data[start:]


def credit_frame(stream: int, size: int) -> bytes:
    """Return the frame that lets the client send ``size`` more bytes of a stream."""
    return b"\0\0\x04" + bytes((_WINDOW_UPDATE, 0)) + stream.to_bytes(4) + size.to_bytes(4)


class SendQueue:
    """The streams of a connection that wait until the client's flow control lets them send."""

    def __init__(self, conn: zttp.H2Connection) -> None:
        self._conn = conn
        self._blocked: dict[int, Stream] = {}
        """Streams whose own window is empty."""
        self._queue: dict[int, Stream] = {}
        """Streams that wait for the window of the connection, in order."""

    def set_blocked(self, stream: Stream, *, is_blocked: bool) -> None:
        """Set whether a stream waits for its own window."""
        if is_blocked:
            self._blocked[stream.id] = stream
        else:
            self._blocked.pop(stream.id, None)

    def room(self, stream: Stream) -> int:
        """Return how many bytes the window of the connection has for a stream: 0 while other streams are first."""
        return self._conn.send_window if not self._queue or next(iter(self._queue.values())) is stream else 0

    def enter(self, stream: Stream) -> None:
        """Wait in turn for the window of the connection."""
        self._queue.setdefault(stream.id, stream)

    def leave(self, stream: Stream) -> None:
        """Let the next stream send."""
        if self._queue.pop(stream.id, None) is not None:
            self._wake_first()

    def add_credit(self, number: int) -> None:
        """Wake a stream whose window has grown, or the first of the queue if the connection's has (0)."""
        if not number:
            self._wake_first()
        elif (stream := self._blocked.get(number)) is not None:
            stream.wake()

    def add_credit_for_all(self) -> None:
        """Wake all streams: new settings can enlarge the windows of all."""
        for stream in self._blocked.values():
            stream.wake()
        self._wake_first()

    def _wake_first(self) -> None:
        if self._queue and self._conn.send_window > 0:
            next(iter(self._queue.values())).wake()
