"""Notices that a connection accepts no new calls, while the server still answers the running ones."""

from __future__ import annotations

from typing import Protocol

_HEAD_BYTES = 9
_HEADERS, _PUSH_PROMISE, _GOAWAY, _CONTINUATION = 1, 5, 7, 9
_END_HEADERS = 4
_ANY_STREAM = 0x7FFFFFFF


class ShutdownNotice(Protocol):
    """Inserts a notice into the data from the server to the client on one connection."""

    def announce(self) -> bytes:
        """Request the notice, and return the bytes to send at once."""

    def forward(self, data: bytes) -> bytes:
        """Return the bytes to send for data of the server."""


class Http2Notice:
    """A GOAWAY frame that ends no stream, as gRPC servers send it first."""

    def __init__(self) -> None:
        self._is_due = False
        self._buffer = b""
        self._can_insert = False  # not before the first frame, and not between the frames of a header block

    def announce(self) -> bytes:
        """See :meth:`ShutdownNotice.announce`."""
        self._is_due = True
        return self._frame() if self._can_insert else b""

    def forward(self, data: bytes) -> bytes:
        """See :meth:`ShutdownNotice.forward`. Only whole frames are sent, so that the notice never splits a frame."""
        self._buffer += data
        sent = bytearray()
        while len(self._buffer) >= _HEAD_BYTES:
            size = _HEAD_BYTES + int.from_bytes(self._buffer[:3], "big")
            if len(self._buffer) < size:
                break
            kind, flags = self._buffer[3], self._buffer[4]
            sent += self._buffer[:size]
            self._buffer = self._buffer[size:]
            self._can_insert = kind not in (_HEADERS, _PUSH_PROMISE, _CONTINUATION) or bool(flags & _END_HEADERS)
            if self._is_due and self._can_insert:
                sent += self._frame()
        return bytes(sent)

    def _frame(self) -> bytes:
        self._is_due = False
        payload = _ANY_STREAM.to_bytes(4, "big") + bytes(4)  # no error
        return len(payload).to_bytes(3, "big") + bytes([_GOAWAY, 0]) + bytes(4) + payload


class Http1Notice:
    """The header ``connection: close`` in the next response."""

    def __init__(self) -> None:
        self._is_due = False

    def announce(self) -> bytes:
        """See :meth:`ShutdownNotice.announce`."""
        self._is_due = True
        return b""

    def forward(self, data: bytes) -> bytes:
        """See :meth:`ShutdownNotice.forward`. Requests are not pipelined, so ``data`` starts with a response."""
        if not self._is_due or not data.startswith(b"HTTP/1.1 "):
            return data
        self._is_due = False
        line, _, rest = data.partition(b"\r\n")
        return line + b"\r\nconnection: close\r\n" + rest
