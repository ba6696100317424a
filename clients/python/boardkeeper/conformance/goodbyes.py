"""How a service says on a connection that it takes no more calls there, while it answers those that are under way."""

from __future__ import annotations

from typing import Protocol

_HEAD = 9
_HEADERS, _PUSH_PROMISE, _GOAWAY, _CONTINUATION = 1, 5, 7, 9
_END_HEADERS = 4
_ANY_STREAM = 0x7FFFFFFF


class Goodbye(Protocol):
    """What goes from a service to a client on one connection, and a goodbye in it once it is due."""

    def say(self) -> bytes:
        """It is due: what is to be sent for it at once."""

    def pass_on(self, data: bytes) -> bytes:
        """What is to be sent when the service sends that."""


class ByHttp2:
    """With a frame GOAWAY, as gRPC's servers begin it: all streams that are open, and that come meanwhile, may end."""

    def __init__(self) -> None:
        self._due = False
        self._held = b""
        self._may_speak = False  # not before the first frame, nor amid headers that come in several frames

    def say(self) -> bytes:
        """The frame, or nothing if it has to wait."""
        self._due = True
        return self._frame() if self._may_speak else b""

    def pass_on(self, data: bytes) -> bytes:
        """Whole frames only: so a goodbye never falls into one."""
        self._held += data
        sent = bytearray()
        while len(self._held) >= _HEAD:
            size = _HEAD + int.from_bytes(self._held[:3], "big")
            if len(self._held) < size:
                break
            kind, flags = self._held[3], self._held[4]
            sent += self._held[:size]
            self._held = self._held[size:]
            self._may_speak = kind not in (_HEADERS, _PUSH_PROMISE, _CONTINUATION) or bool(flags & _END_HEADERS)
            if self._due and self._may_speak:
                sent += self._frame()
        return bytes(sent)

    def _frame(self) -> bytes:
        self._due = False
        payload = _ANY_STREAM.to_bytes(4, "big") + bytes(4)  # without an error
        return len(payload).to_bytes(3, "big") + bytes([_GOAWAY, 0]) + bytes(4) + payload


class ByHttp1:
    """With a header: the connection closes after the next answer."""

    def __init__(self) -> None:
        self._due = False

    def say(self) -> bytes:
        """Nothing comes before that answer."""
        self._due = True
        return b""

    def pass_on(self, data: bytes) -> bytes:
        """An answer begins where something begins that is sent: the service takes one question at a time."""
        if not self._due or not data.startswith(b"HTTP/1.1 "):
            return data
        self._due = False
        line, _, rest = data.partition(b"\r\n")
        return line + b"\r\nconnection: close\r\n" + rest
