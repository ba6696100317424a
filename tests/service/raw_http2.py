"""HTTP/2 connections that send exactly the bytes of a test."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import NamedTuple

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)
ACK = END_STREAM = 1
END_HEADERS = 4
NO_ERROR, PROTOCOL_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED, REFUSED_STREAM, CANCEL = 0, 1, 3, 5, 7, 8
INITIAL_WINDOW_SIZE = 4
"""The setting of this name."""

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
WATCH = b"/boardkeeper.v1.Games/WatchGame"


class Frame(NamedTuple):
    kind: int
    flags: int
    stream: int
    payload: bytes

    @property
    def code(self) -> int:
        """The error code of a RST_STREAM or GOAWAY frame."""
        return int.from_bytes(self.payload[-4:] if self.kind == RST_STREAM else self.payload[4:8])


class RawConnection:
    """One connection. Nothing is sent but what a test sends."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def open(cls, address: str) -> RawConnection:
        host, _, port = address.rpartition(":")
        return cls(*await asyncio.open_connection(host, int(port)))

    def greet(self, settings: Mapping[int, int] | None = None) -> None:
        """Send the preface and the settings."""
        self._writer.write(PREFACE)
        self.send(SETTINGS, settings_payload(settings or {}))

    def send(self, kind: int, payload: bytes = b"", *, flags: int = 0, stream: int = 0) -> None:
        self._writer.write(frame(kind, payload, flags=flags, stream=stream))

    def call(self, stream: int, *more: bytes, path: bytes = WATCH) -> None:
        """Send the headers of a call, followed by more header fields. The request's message is not sent."""
        self.send(HEADERS, call_headers(path) + b"".join(more), flags=END_HEADERS, stream=stream)

    def message(self, stream: int, message: bytes, *, flags: int = END_STREAM) -> None:
        """Send one gRPC message."""
        self.send(DATA, b"\0" + len(message).to_bytes(4) + message, flags=flags, stream=stream)

    async def write(self, data: bytes) -> None:
        """Send bytes, and wait until the system has taken nearly all of them. Raises ``OSError``."""
        self._writer.write(data)
        await self._writer.drain()

    async def read_frame(self) -> Frame:
        """Return the next frame. Raises ``EOFError`` or ``OSError`` at the end."""
        head = await self._reader.readexactly(9)
        payload = await self._reader.readexactly(int.from_bytes(head[:3]))
        return Frame(head[3], head[4], int.from_bytes(head[5:9]), payload)

    async def read_first(self, *kinds: int) -> Frame:
        """Return the next frame of one of these kinds."""
        while (found := await self.read_frame()).kind not in kinds:
            pass
        return found

    async def read_answer(self, stream: int) -> bytes:
        """Return the body of an answer once it is complete. Other streams must be silent."""
        body = b""
        while True:
            found = await self.read_first(DATA, HEADERS, RST_STREAM, GOAWAY)
            assert found.stream == stream, found
            assert found.kind != RST_STREAM, found.code
            if found.kind == DATA:
                body += found.payload
            if found.flags & END_STREAM:
                return body

    async def until_closed(self) -> list[int]:
        """Return the kinds of all frames until the server ends the connection."""
        kinds = []
        with contextlib.suppress(EOFError, OSError):
            while True:
                kinds.append((await self.read_frame()).kind)
        self.close()
        return kinds

    def close(self) -> None:
        self._writer.transport.abort()


def frame(kind: int, payload: bytes = b"", *, flags: int = 0, stream: int = 0) -> bytes:
    """Return one frame."""
    return len(payload).to_bytes(3) + bytes((kind, flags)) + stream.to_bytes(4) + payload


def settings_payload(settings: Mapping[int, int]) -> bytes:
    return b"".join(key.to_bytes(2) + value.to_bytes(4) for key, value in settings.items())


def literal(name: bytes, value: bytes, *, indexed: bool = False) -> bytes:
    """Return a header field as a literal; ``indexed`` adds it to the dynamic table (RFC 7541, 6.2)."""
    return (b"\x40" if indexed else b"\x00") + _length(name) + name + _length(value) + value


def _length(text: bytes) -> bytes:
    """Return the length of a string as an integer with a prefix of 7 bits (RFC 7541, 5.1)."""
    rest = len(text) - 127
    if rest < 0:
        return bytes((len(text),))
    encoded = bytearray((127,))
    while rest >= 128:
        encoded.append(rest % 128 + 128)
        rest //= 128
    encoded.append(rest)
    return bytes(encoded)


def call_headers(path: bytes = WATCH) -> bytes:
    """Return the header block of a call."""
    return b"".join(
        literal(name, value)
        for name, value in (
            (b":method", b"POST"),
            (b":scheme", b"http"),
            (b":path", path),
            (b":authority", b"localhost"),
            (b"te", b"trailers"),
            (b"content-type", b"application/grpc"),
        )
    )
