"""HTTP/1.1: uvicorn's protocol with timeouts, cancellation and limits; and the choice of the protocol."""

from __future__ import annotations

import asyncio
from typing import Any
from urllib.parse import unquote

import zttp
from uvicorn.protocols.http.auto_zttp_impl import AutoZttpProtocol
from uvicorn.protocols.http.zttp_impl import ZttpProtocol

from boardkeeper.service.transport.asgi import CERTIFICATE, Receive, Scope, Send, answer_text, text_headers
from boardkeeper.service.transport.connections import Connection, Connections, Slot, log
from boardkeeper.service.transport.http2 import Http2Protocol

HEAD_SECONDS = 20.0
"""The timeout of the line and headers of a request, and of the first bytes of a connection."""

IDLE_SECONDS = 75.0
"""The time for which a connection stays open between requests."""

LINGER_SECONDS = 1.0
"""The time for which the server reads the rest of an answered request, so that the client receives the answer."""

_TLS_RECORD = b"\x16"
_NO_TLS = (
    b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\ncontent-length: 32\r\n\r\nThis address does not speak TLS.\n"
)
"""The answer to a client that begins with a TLS handshake; OpenSSL reports it as a wrong version number."""

_TOO_LARGE = "size limit"
"""A part of the parser's error for a head that is too large."""


class Http1Protocol(Connection, ZttpProtocol):
    """One connection with HTTP/1.1."""

    def __init__(self, connections: Connections, slot: Slot) -> None:
        super().__init__(connections, slot)
        self._task: asyncio.Task[None] | None = None
        self._head_timer: asyncio.TimerHandle | None = None
        self._certificate = b""
        self._ignores_input = False
        self.app = self._answer  # uvicorn calls it for each request
        self.timeout_keep_alive: float = IDLE_SECONDS  # type: ignore[assignment]  # whole seconds in uvicorn

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.all_connections.configure(transport)
        self._certificate = self.all_connections.certificate(transport)
        self._start_head_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        for timer in (self._head_timer, self.timeout_keep_alive_task):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)
        if self._task is not None:
            self._task.cancel()

    def data_received(self, data: bytes) -> None:
        if self._ignores_input:
            return
        self._unset_keepalive_if_required()
        if self._head_timer is None and self._is_idle:
            self._start_head_timer()
        try:
            self.handle_events(self.conn.receive_event(data))
        except UnicodeDecodeError:  # uvicorn decodes the path as ASCII
            self._reject(400, "The request target must be ASCII.")
        except zttp.RemoteProtocolError as error:
            if _TOO_LARGE in str(error):
                self._reject(431, "The request line, the headers or the framing of the body are too large.")
            else:
                self._reject(400, "The request is not valid HTTP/1.1.")
        if not self._is_idle and self._head_timer is not None:
            self._head_timer.cancel()
            self._head_timer = None
        if self.flow.write_paused:
            self.flow.pause_reading()

    def _reject(self, status: int, text: str) -> None:
        """Answer a request that cannot be parsed, and close the connection."""
        if self.transport.is_closing():
            return
        if not self._is_idle:
            if self.cycle.response_started:
                self.abort()  # the answer cannot be completed
                return
            self.cycle.disconnected = True  # uvicorn drops all later messages of the application
            if self._task is not None:
                self._task.cancel()
        body = f"{text}\n".encode()
        self.conn.send_response(status, [*text_headers(body), (b"connection", b"close")])
        self.conn.send_data(body)
        self.conn.end_message()
        self.transport.write(self.conn.data_to_send())
        self._ignores_input = True
        self.loop.call_later(LINGER_SECONDS, self.transport.close)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.cycle.response_complete and self.cycle.more_body and not self.transport.is_closing():
            self._unset_keepalive_if_required()
            self._start_head_timer()

    @property
    def _is_idle(self) -> bool:
        """Whether the server is sending no answer now."""
        cycle: Any = self.cycle  # None before the first request
        return cycle is None or cycle.response_complete

    def _start_head_timer(self) -> None:
        cycle: Any = self.cycle
        is_body = cycle is not None and cycle.more_body  # the rest of an answered request
        self._head_timer = self.loop.call_later(LINGER_SECONDS if is_body else HEAD_SECONDS, self.abort)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; cancel it when the client disconnects."""
        self._task = asyncio.current_task()
        if self._certificate:
            scope["extensions"] = {CERTIFICATE: self._certificate}
        try:
            if (error := _check_request(scope)) is not None:
                await answer_text(send, *error, (b"connection", b"close"))
                return
            await self.all_connections.app(scope, receive, send)
        except asyncio.CancelledError:
            if not (self._ignores_input or self.transport.is_closing()):
                self.abort()
        except Exception:
            log.exception("unexpected error", path=scope["path"])
            raise
        finally:
            self._task = None

    def stop(self) -> None:
        """End the open answer, and close the connection."""
        if self._task is None:
            self.abort()
        else:
            self._task.cancel()

    def _unsupported_upgrade_warning(self) -> None:
        """Answer the request in HTTP/1.1, without uvicorn's warning."""


def _check_request(scope: Scope) -> tuple[int, str] | None:
    """Check what the parser accepts but the server does not; return the status and text of an error.

    Replace a URL as request target by its path.
    """
    headers = scope["headers"]
    codings = [value.lower() for name, value in headers if name == b"transfer-encoding"]
    if codings and (codings != [b"chunked"] or scope["http_version"] == "1.0"):
        return 501, "Transfer-Encoding must be chunked, in HTTP/1.1, or absent.\n"
    if scope["method"] == "CONNECT":
        return 405, "CONNECT is not supported: this server is not a proxy.\n"
    raw = scope["raw_path"]
    if raw.startswith(b"/"):
        return None
    scheme, separator, rest = raw.partition(b"://")
    if not separator or scheme.lower() not in (b"http", b"https"):
        return 400, "The request target is not a valid URL.\n"
    authority, _, path = rest.partition(b"/")
    if [value.lower() for name, value in headers if name == b"host"] not in ([], [authority.lower()]):
        return 400, "The host in the request target differs from the Host header.\n"
    scope["raw_path"] = b"/" + path
    scope["path"] = unquote(scope["raw_path"].decode("ascii"))
    return None


class NewConnection(Connection, AutoZttpProtocol):
    """A new connection: TLS (ALPN) or its first bytes select the version of HTTP."""

    def __init__(self, connections: Connections, slot: Slot) -> None:
        super().__init__(connections, slot)
        self.is_connected = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.is_connected = True
        super().connection_made(transport)
        if self.timeout_task is not None:
            self.timeout_task.cancel()
            self.timeout_task = self.loop.call_later(HEAD_SECONDS, self.abort)

    def data_received(self, data: bytes) -> None:
        if not self.buffer and data.startswith(_TLS_RECORD):
            self.transport.write(_NO_TLS)
            self.transport.close()
            return
        super().data_received(data)

    def _switch(self, http2: bool, initial_data: bytes = b"") -> None:
        self.all_connections.open.discard(self)
        protocol: Any = (Http2Protocol if http2 else Http1Protocol)(self.all_connections, self._slot)
        self.transport.set_protocol(protocol)
        protocol.connection_made(self.transport)
        if initial_data:
            protocol.data_received(initial_data)
