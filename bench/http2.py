"""A cheap HTTP/2 client for gRPC loads, on plain sockets and one thread.

The clients of a measurement share the machine's cores with the measured server, so each microsecond of a client lowers
the server's rate. A call of grpcio's Python client costs 200 µs and more; a call of this one costs about 10 µs,
because requests are prepared: the header block is encoded once, and of the message only the command id changes.

The client sends what gRPC's own clients send, with HPACK's dynamic table. It does not decode response headers: a call
has succeeded if it has an answer. Servers that limit the size of the header table or the number of streams below what
a measurement needs raise :class:`UnsupportedServerError`.
"""

from __future__ import annotations

import select
import socket
import struct
import time
from collections.abc import Callable, Sequence

DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, ACK, END_HEADERS = 1, 1, 4
_HEADER_TABLE_SIZE, _ENABLE_PUSH, _MAX_CONCURRENT_STREAMS, _INITIAL_WINDOW_SIZE = 1, 2, 3, 4
_LARGEST_WINDOW = 2**31 - 1
_TABLE_BYTES = 4096
_STATIC_ENTRIES = 61
_STATIC_INDEXES = {(":method", "POST"): 3, (":scheme", "http"): 6}
_FRAME = struct.Struct(">BHBBI")
_READ_BYTES = 1 << 18

Headers = Sequence[tuple[str, str]]


class UnsupportedServerError(RuntimeError):
    """The server's limits are too low for this client."""


class CallFailedError(RuntimeError):
    """A call ended without an answer, or the server closed the connection."""


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """Encode an HTTP/2 frame."""
    return _FRAME.pack(len(payload) >> 16, len(payload) & 0xFFFF, kind, flags, stream) + payload


def preface() -> bytes:
    """Return the first bytes of a client, with the largest flow-control windows."""
    settings = struct.pack(">HIHI", _ENABLE_PUSH, 0, _INITIAL_WINDOW_SIZE, _LARGEST_WINDOW)
    window = (_LARGEST_WINDOW - 65_535).to_bytes(4)
    return b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(SETTINGS, 0, 0, settings) + frame(WINDOW_UPDATE, 0, 0, window)


def grpc_headers(path: str, authority: str, metadata: Headers = ()) -> Headers:
    """Return the request headers that gRPC's clients send."""
    return (
        (":method", "POST"),
        (":scheme", "http"),
        (":path", path),
        (":authority", authority),
        ("content-type", "application/grpc"),
        ("te", "trailers"),
        ("grpc-accept-encoding", "identity, deflate, gzip"),
        ("user-agent", "grpc-python-asyncio/1.80.0 grpc-c/53.0.0 (linux; chttp2)"),
        *metadata,
    )


def grpc_message(message: bytes) -> bytes:
    """Return a message with gRPC's prefix."""
    return b"\0" + len(message).to_bytes(4) + message


class HeaderEncoder:
    """HPACK without Huffman codes. Every field is added to the dynamic table, so a repeated field takes one byte."""

    newest = bytes((0x80 | _STATIC_ENTRIES + 1,))
    """The code of the field that was added last."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self._bytes = 0

    @property
    def added(self) -> int:
        """The number of fields in the dynamic table. While it is the same, the same headers have the same block."""
        return len(self._numbers)

    def encode(self, headers: Headers) -> bytes:
        """Encode fields as a header block, which must be sent next."""
        return b"".join(map(self._field, headers))

    def _field(self, field: tuple[str, str]) -> bytes:
        if (index := _STATIC_INDEXES.get(field)) is not None:
            return _integer(0x80, 7, index)
        if (number := self._numbers.get(field)) is not None:
            return _integer(0x80, 7, _STATIC_ENTRIES + len(self._numbers) - number)
        self._bytes += sum(map(len, field)) + 32
        if self._bytes > _TABLE_BYTES:
            raise UnsupportedServerError("the headers of one connection's clients exceed the dynamic table")
        self._numbers[field] = len(self._numbers)
        return b"\x40" + b"".join(map(_string, field))


def literal_header(name: str, value: str) -> bytes:
    """Encode a header field that is not added to the dynamic table."""
    return b"\x10" + _string(name) + _string(value)


def _string(text: str) -> bytes:
    return _integer(0, 7, len(text)) + text.encode()


def _integer(pattern: int, bits: int, value: int) -> bytes:
    most = (1 << bits) - 1
    if value < most:
        return bytes((pattern | value,))
    encoded, value = bytearray((pattern | most,)), value - most
    while value > 127:
        encoded.append(value & 127 | 128)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


class Stream:
    """The answers on one stream: ``on_message`` is called with each message, ``on_end`` at the end of the stream."""

    def __init__(self, on_message: Callable[[bytes], None], on_end: Callable[[], None]) -> None:
        self.on_message = on_message
        self.on_end = on_end
        self._partial = b""

    def receive(self, data: bytes) -> None:
        """Split the data of one frame into messages."""
        data = self._partial + data if self._partial else data
        at = 0
        while len(data) - at >= 5:
            end = at + 5 + int.from_bytes(data[at + 1 : at + 5])
            if end > len(data):
                break
            self.on_message(data[at + 5 : end])
            at = end
        self._partial = data[at:]


class Connection:
    """One connection: it sends frames and passes received messages to their streams.

    :meth:`flush` sends the frames of many calls with one system call.
    """

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition(":")
        self.address = address
        self.headers = HeaderEncoder()
        self.socket = socket.create_connection((host, int(port)), 20)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._out: list[bytes] = [preface()]
        self._partial = b""
        self._streams: dict[int, Stream] = {}
        self._next_stream = 1
        self._window = 65_535
        self._unacknowledged = 0
        self._most_streams = _LARGEST_WINDOW
        self.is_closing = False
        self.is_closed = False
        self._is_ready = False
        self.flush()
        while not self._is_ready:
            self.receive()
        self.flush()

    def close(self) -> None:
        """Close the socket; the server sees the end of all streams."""
        self.socket.close()

    @property
    def is_idle(self) -> bool:
        """Whether the connection has no open stream."""
        return not self._streams

    def fileno(self) -> int:
        """The file descriptor, for selectors."""
        return self.socket.fileno()

    def open(self, block: bytes, data: bytes, stream: Stream, *, is_last: bool = True) -> int:
        """Begin a call with its headers and its first message; ``is_last`` if the client sends no more messages."""
        if len(self._streams) >= self._most_streams:
            raise UnsupportedServerError(f"the server allows only {self._most_streams} streams on a connection")
        number = self._next_stream
        self._next_stream += 2
        self._streams[number] = stream
        size = len(block)
        self._out.append(_FRAME.pack(size >> 16, size & 0xFFFF, HEADERS, END_HEADERS, number) + block)
        self.send(number, data, is_last=is_last)
        return number

    def send(self, number: int, data: bytes, *, is_last: bool = False) -> None:
        """Send a message on a stream."""
        size = len(data)
        self._window -= size
        if self._window < 0:
            raise UnsupportedServerError("the server does not renew the flow-control window of the connection")
        self._out.append(_FRAME.pack(size >> 16, size & 0xFFFF, DATA, int(is_last), number) + data)

    def flush(self) -> None:
        """Send all pending frames."""
        if self._out:
            self.socket.sendall(b"".join(self._out))
            self._out.clear()

    def receive(self) -> None:
        """Read once from the socket and handle all complete frames. Raises :class:`CallFailedError` at its end."""
        received = self.socket.recv(_READ_BYTES)
        if not received:
            if self.is_closing and not self._streams:
                self.is_closed = True
                return
            raise CallFailedError("the server closed the connection")
        data = self._partial + received if self._partial else received
        at, size = 0, len(data)
        unpack, streams = _FRAME.unpack_from, self._streams
        while size - at >= 9:
            high, low, kind, flags, number = unpack(data, at)
            end = at + 9 + (high << 16 | low)
            if end > size:
                break
            if kind == DATA:
                if (stream := streams.get(number)) is not None:
                    stream.receive(data[at + 9 : end])
                self._unacknowledged += end - at - 9
            elif kind != HEADERS and kind != RST_STREAM:
                self._control(kind, flags, number, data[at + 9 : end])
            if ((flags & END_STREAM and kind <= HEADERS) or kind == RST_STREAM) and number in streams:
                streams.pop(number).on_end()
            at = end
        self._partial = data[at:]
        if self._unacknowledged > 1 << 29:
            self._out.append(frame(WINDOW_UPDATE, 0, 0, self._unacknowledged.to_bytes(4)))
            self._unacknowledged = 0

    def _control(self, kind: int, flags: int, number: int, payload: bytes) -> None:
        if kind == SETTINGS and not flags & ACK:
            for at in range(0, len(payload), 6):
                setting, value = struct.unpack_from(">HI", payload, at)
                if setting == _MAX_CONCURRENT_STREAMS:
                    self._most_streams = value
                elif setting == _HEADER_TABLE_SIZE and value < _TABLE_BYTES:
                    raise UnsupportedServerError(f"the server allows only {value} bytes of header table")
            self._out.append(frame(SETTINGS, ACK, 0, b""))
            self._is_ready = True
        elif kind == PING and not flags & ACK:
            self._out.append(frame(PING, ACK, 0, payload))
        elif kind == WINDOW_UPDATE and number == 0:
            self._window += int.from_bytes(payload)
        elif kind == GOAWAY:
            if error := int.from_bytes(payload[4:8]):
                raise CallFailedError(
                    f"the server sent GOAWAY with error {error} {payload[8:].decode(errors='replace')}"
                )
            self.is_closing = True


class Channel:
    """A connection that is replaced as soon as the server announces that it will close it, as in gRPC's clients."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.connections = [Connection(address)]

    def connection(self) -> Connection:
        """The connection for the next call."""
        if self.connections[-1].is_closing:
            self.connections.append(Connection(self.address))
        return self.connections[-1]

    def drop_closed(self) -> None:
        """Close replaced connections that have no open stream."""
        for connection in self.connections[:-1]:
            if connection.is_idle:
                connection.close()
                self.connections.remove(connection)


class Loop:
    """Serves several channels in one thread."""

    def __init__(self, channels: Sequence[Channel]) -> None:
        self.channels = channels

    def run_once(self, timeout: float | None = None) -> None:
        """Send pending frames, wait for at most ``timeout`` seconds, and handle what arrives."""
        connections = self.flush()
        for connection in select.select(connections, [], [], timeout)[
            0
        ]:  # other selectors round the timeout to milliseconds
            connection.receive()

    def flush(self) -> list[Connection]:
        """Send pending frames, and return all connections."""
        connections = []
        for channel in self.channels:
            if len(channel.connections) > 1:
                channel.drop_closed()
            connections += [each for each in channel.connections if not each.is_closed]
        for connection in connections:
            connection.flush()
        return connections

    def run_until(self, is_done: Callable[[], bool], seconds: float) -> None:
        """Run until a condition holds. Raises :class:`TimeoutError` after ``seconds``."""
        until = time.perf_counter() + seconds
        while not is_done():
            if time.perf_counter() > until:
                raise TimeoutError("the server did not answer in time")
            self.run_once(0.2)
        self.flush()

    def close(self) -> None:
        """Close all connections."""
        for channel in self.channels:
            for connection in channel.connections:
                connection.close()
