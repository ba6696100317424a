"""One request over ASGI and its answer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Sequence
from email.utils import formatdate
from typing import Any

from boardkeeper.service.transport.asgi import Receive, Scope, Send

Headers = Iterable[tuple[str, str]]


class Exchange:
    """One request and its answer. Names of ``headers`` are in lower case; ``path`` is decoded, without query."""

    __slots__ = ("_body_is_over", "_first", "_receive", "_send", "headers", "is_begun", "method", "path", "scope")

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.scope = scope
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.headers: Sequence[tuple[bytes, bytes]] = scope["headers"]
        self._first: dict[bytes, bytes] = dict(reversed(self.headers))
        self.is_begun = False
        self._receive = receive
        self._send = send
        self._body_is_over = False

    @property
    def version(self) -> str:
        """The version of HTTP: ``1.0``, ``1.1`` or ``2``."""
        return str(self.scope["http_version"])

    def header(self, name: str) -> str:
        """Return the first header with a name, or an empty string."""
        return self.raw_header(name.encode()).decode("latin-1")

    def raw_header(self, name: bytes) -> bytes:
        """Return the first header with a name as bytes, or empty bytes. Faster than :meth:`header`."""
        return self._first.get(name, b"")

    async def chunk(self) -> bytes:
        """Return the next bytes of the body; no bytes at its end. Cancels the call if the client has disconnected."""
        while not self._body_is_over:
            message = await self._receive()
            if message["type"] != "http.request":
                raise asyncio.CancelledError
            self._body_is_over = not message.get("more_body", False)
            if message["body"]:
                return message["body"]  # type: ignore[no-any-return]
        return b""

    async def begin(self, status: int, headers: Headers, length: int | None = None) -> None:
        """Send the head of the answer; the length of its body can be unknown."""
        self.is_begun = True
        lines = [(b"date", _date())]
        lines += [(name.encode(), _encode_value(value)) for name, value in headers]
        if length is not None and status not in (204, 304):
            lines.append((b"content-length", b"%d" % length))
        await self._send({"type": "http.response.start", "status": status, "headers": lines})

    async def begin_with_trailers(self, headers: Sequence[tuple[bytes, bytes]]) -> None:
        """Send the head of an answer that :meth:`end_with_trailers` ends."""
        self.is_begun = True
        await self._send({"type": "http.response.start", "status": 200, "headers": headers, "trailers": True})

    async def end_with_trailers(self, data: bytes, trailers: Sequence[tuple[bytes, bytes]]) -> None:
        """Send the last part of the body, and the trailers."""
        await self._send({"type": "http.response.body", "body": data, "more_body": False})
        await self._send({"type": "http.response.trailers", "headers": trailers, "more_trailers": False})

    async def write(self, data: bytes) -> None:
        """Send a part of the body; wait while the client does not read."""
        await self._send({"type": "http.response.body", "body": data, "more_body": True})

    async def end(self, data: bytes = b"") -> None:
        """Send the last part of the body."""
        await self._send({"type": "http.response.body", "body": data, "more_body": False})

    async def answer(self, status: int, headers: Headers, body: bytes) -> None:
        """Answer with a complete body."""
        await self.begin(status, headers, len(body))
        await self.end(b"" if self.method == "HEAD" else body)


_dates: tuple[int, bytes] = (0, b"")


def _date() -> bytes:
    """Return the value of the ``date`` header, which changes once a second."""
    global _dates  # noqa: PLW0603  # one value for the process
    now = int(time.time())
    if _dates[0] != now:
        _dates = now, formatdate(now, usegmt=True).encode()
    return _dates[1]


def _encode_value(value: Any) -> bytes:
    """Encode the value of a header, without line breaks."""
    return value.replace("\r", " ").replace("\n", " ").encode("latin-1", "replace")  # type: ignore[no-any-return]
