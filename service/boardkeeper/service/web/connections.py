"""Connections of HTTP/1.1, held to what one peer may take: parsing is `httptools`', patience and measure are ours.

A connection has one exchange at a time. What comes behind a request before that is answered, as nobody's browser sends
it, is not read: the connection closes after the answer, and the client asks again.
"""

from __future__ import annotations

import asyncio
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable
from email.utils import formatdate
from http import HTTPStatus
from typing import Any, cast
from urllib.parse import quote, unquote_to_bytes

import httptools
import structlog

from boardkeeper.service.limits.callers import BY_ADDRESS, BY_ALL
from boardkeeper.service.limits.crowds import Crowds
from boardkeeper.service.tallies import ConnectionTally

_log = structlog.get_logger("boardkeeper.web")

LARGEST_HEAD = 16 * 1024
"""Bytes of a request's line and headers: browsers send much of their own, and cookies of whatever ran on this host.

In a body so many may follow each other that are none of it: trailers, and what chunks tell of themselves.
"""

_HEAD_SECONDS = 20.0
"""How long a request's line and headers may take, and a connection on which nothing comes at first."""

_IDLE_SECONDS = 75.0
_LINGER_SECONDS = 1.0
"""How long the rest of a body is thrown away whose request was answered: else the answer were lost with it."""

_AFTER_AUTHORITY = re.compile(rb"[/?#]")
_MUCH = 64 * 1024
_SENT_AHEAD = 128 * 1024
"""Bytes that may lie with the system, sent and not yet read: beyond them it is the service that keeps what waits."""

_ASKED_FOR_LIFE = (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3))
"""Seconds after which a silent peer is asked whether it is there, and how often: not every system knows each."""

Headers = Iterable[tuple[str, str]]


class Rules:
    """What holds for all connections of a port, and those that there are."""

    def __init__(
        self,
        answer: Callable[[Exchange], Awaitable[None]],
        tally: ConnectionTally,
        crowds: Crowds,
        *,
        most: int,
        stalled_seconds: float,
    ) -> None:
        """``answer`` answers an exchange; a reader that takes nothing for ``stalled_seconds`` is cut off.

        There are ``most`` connections, of all together, and of one address what ``crowds`` let in.
        """
        self.tally = tally
        self.answer = answer
        self.most = most
        self.stalled_seconds = stalled_seconds
        self.open: dict[Connection, str | None] = {}
        self._crowds = crowds
        self.is_closing = False

    def take(self, connection: Connection, peer: str) -> bool:
        """Count a connection from that peer among those that there are, unless it is one too many."""
        if self.is_closing:
            return False
        if connection in self.open:
            return True
        address = self._crowds.address(peer)
        if len(self.open) >= self.most:
            self.tally.refused[BY_ALL] += 1
            return False
        if not self._crowds.enter(address):
            self.tally.refused[BY_ADDRESS] += 1
            return False
        self.open[connection] = address
        self.tally.open = len(self.open)
        return True

    def let_go(self, connection: Connection) -> None:
        """Count a connection no more."""
        if connection not in self.open:
            return
        self._crowds.leave(self.open.pop(connection))
        self.tally.open = len(self.open)


class Exchange:
    """One request and its answer.

    ``headers`` are in small letters and in the order in which they came; ``path`` is decoded, without the query.
    """

    def __init__(self, connection: Connection, method: str, target: bytes, headers: list[tuple[str, str]]) -> None:
        self._connection = connection
        self.method = method
        self.target = target
        self.path = unquote_to_bytes(target.partition(b"?")[0]).decode("utf-8", "replace")
        self.headers = headers
        self.task: asyncio.Task[None] | None = None
        self.keep_alive = True
        self.wants_to_go_on = False
        self.body_is_over = False
        self.is_begun = False
        self.is_over = False
        self._is_chunked = False
        self._body: list[bytes] = []
        self._buffered = 0
        self._waiting: asyncio.Future[None] | None = None

    def header(self, name: str) -> str:
        """The first header of that name, or nothing."""
        return next((value for key, value in self.headers if key == name), "")

    @property
    def connection(self) -> Connection:
        """Whose exchange it is."""
        return self._connection

    # --- the request's body ---------------------------------------------------------------------------------

    async def chunk(self) -> bytes:
        """The next bytes of the body; nothing at its end."""
        if self.wants_to_go_on and not self.is_begun:
            self.wants_to_go_on = False
            self._send(b"HTTP/1.1 100 Continue\r\n\r\n")
        while not self._body:
            if self.body_is_over:
                return b""
            self._waiting = asyncio.get_running_loop().create_future()
            try:
                await self._waiting
            finally:
                self._waiting = None
        data = b"".join(self._body)
        self._body.clear()
        self._buffered = 0
        self._connection.read_on()
        return data

    def feed(self, data: bytes) -> bool:
        """More of the body has come; tells whether it is enough for now."""
        self._body.append(data)
        self._buffered += len(data)
        self._wake()
        return self._buffered > _MUCH

    def feed_end(self) -> None:
        """The body has come as a whole."""
        self.body_is_over = True
        self._wake()

    def _wake(self) -> None:
        if self._waiting is not None and not self._waiting.done():
            self._waiting.set_result(None)

    # --- the answer -----------------------------------------------------------------------------------------

    def begin(self, status: int, headers: Headers, length: int | None = None) -> None:
        """Send the head of the answer; a body of unknown length comes in chunks."""
        self.is_begun = True
        if not self.body_is_over or self._connection.rules.is_closing:
            self.keep_alive = False
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", f"date: {formatdate(usegmt=True)}"]
        lines += [f"{name}: {_safe(value)}" for name, value in headers]
        if length is not None:
            if status not in (204, 304):
                lines.append(f"content-length: {length}")
        elif self._connection.is_old:
            self.keep_alive = False
        else:
            self._is_chunked = True
            lines.append("transfer-encoding: chunked")
        if not self.keep_alive:
            lines.append("connection: close")
        self._send("\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n")

    def write(self, data: bytes) -> None:
        """Send a part of the body."""
        if not data or self.method == "HEAD":
            return
        self._send(b"%x\r\n%b\r\n" % (len(data), data) if self._is_chunked else data)

    @property
    def is_full(self) -> bool:
        """Whether the reader has to read before more is written."""
        return self._connection.is_full

    async def drained(self) -> None:
        """Wait for the reader; who does not read for long is cut off, and the exchange cancelled."""
        await self._connection.drained()

    def end(self) -> None:
        """The answer is complete."""
        if self.is_over:
            return
        if self._is_chunked and self.method != "HEAD":
            self._send(b"0\r\n\r\n")
        self.is_over = True
        self._connection.exchange_is_over(self)

    async def answer(self, status: int, headers: Headers, body: bytes) -> None:
        """Answer with a body as a whole."""
        self.begin(status, headers, len(body))
        self.write(body)
        if self.is_full:
            await self.drained()
        self.end()

    def _send(self, data: bytes) -> None:
        if not self.is_over:
            self._connection.send(data)


class Connection(asyncio.Protocol):
    """One connection, from which requests come one after the other."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._loop = asyncio.get_running_loop()
        self._parser: Any = httptools.HttpRequestParser(self)
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._exchange: Exchange | None = None
        self._head = 0
        self._is_in_head = True
        self._is_deaf = False
        self._stays = False
        self._is_paused = False
        self._target = b""
        self._headers: list[tuple[str, str]] = []
        self._room: asyncio.Future[None] | None = None
        self.is_full = False
        self.is_old = False
        self.peer = ""

    # --- what the transport tells ---------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)
        self.peer = named(transport.get_extra_info("peername"))
        if not self.rules.take(self, self.peer):
            self._is_deaf = True
            self._transport.abort()
            return
        self._transport.set_write_buffer_limits(high=_MUCH)
        _set_up(transport.get_extra_info("socket"))
        self._after(_HEAD_SECONDS, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        self.rules.let_go(self)
        self._is_deaf = True
        self._after(0.0, None)
        self._have_room()
        exchange, self._exchange = self._exchange, None
        if exchange is not None and exchange.task is not None and not exchange.is_over:
            exchange.task.cancel()  # as gRPC does for a client that has gone

    def data_received(self, data: bytes) -> None:
        while data and not self._is_deaf:
            if self._is_in_head:  # no more of it is given to the parser than it may keep
                part, data = data[: LARGEST_HEAD - self._head], data[LARGEST_HEAD - self._head :]
                self._head += len(part)
            else:
                part, data = data, b""
                self._head += len(part)
            try:
                self._parser.feed_data(part)
            except httptools.HttpParserUpgrade as offered:
                data = part[offered.args[0] :] + data
                self._stay()
            except httptools.HttpParserError:
                self._refuse(400, "The request is not valid HTTP/1.1.")
            if self._head >= LARGEST_HEAD:
                self._refuse(431, f"The request line and headers must not exceed {LARGEST_HEAD:,} bytes.")

    def _stay(self) -> None:
        """Go on in HTTP/1.1 with who offers another protocol, too, as some clients do with each of their requests.

        For the parser such a request has no body. So another one is told what it would have known of that.
        """
        if self._is_deaf or self._exchange is None:
            return
        framing = [each for each in self._exchange.headers if each[0] in ("content-length", "transfer-encoding")]
        self._parser = httptools.HttpRequestParser(self)
        self._stays = True
        head = "".join(f"{name}: {value}\r\n" for name, value in framing)
        self._parser.feed_data(f"POST / HTTP/1.1\r\n{head}\r\n".encode("latin-1"))
        self._stays = False

    def eof_received(self) -> bool:
        return False

    def pause_writing(self) -> None:
        self.is_full = True

    def resume_writing(self) -> None:
        self._have_room()

    def _have_room(self) -> None:
        self.is_full = False
        if self._room is not None and not self._room.done():
            self._room.set_result(None)

    # --- what the parser tells ------------------------------------------------------------------------------

    def on_message_begin(self) -> None:
        if self._stays:
            return
        if self._exchange is not None:  # sent ahead of the answer
            self._exchange.keep_alive = False
            self._is_deaf = True
        if self._is_deaf:
            return
        self._target, self._headers = b"", []
        self._after(_HEAD_SECONDS, self._give_up)

    def on_url(self, url: bytes) -> None:
        if not self._is_deaf:
            self._target += url

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self._is_deaf and self._exchange is None:  # trailers mean nothing here
            self._headers.append((name.decode("latin-1").lower(), value.decode("latin-1").strip()))

    def on_headers_complete(self) -> None:
        if self._is_deaf or self._stays:
            return
        self._is_in_head, self._head = False, 0
        self._after(0.0, None)
        method, version = self._parser.get_method().decode("latin-1"), self._parser.get_http_version()
        self.is_old = version == "1.0"
        try:
            url = httptools.parse_url(self._target)
            target = (url.path or b"/") + (b"?" + url.query if url.query else b"")
        except httptools.HttpParserError:
            self._refuse(400, "The request target is not a valid URL.")
            return
        if version not in ("1.0", "1.1"):
            self._refuse(505, "Only HTTP/1.0 and HTTP/1.1 are supported.")
        elif method == "CONNECT":
            self._refuse(405, "CONNECT is not supported: this server is not a proxy.")
        elif not self._is_framed_plainly():
            self._refuse(501, "Transfer-Encoding must be chunked, in HTTP/1.1, or absent.")
        elif url.schema and not self._is_host(_AFTER_AUTHORITY.split(self._target.partition(b"://")[2], maxsplit=1)[0]):
            self._refuse(400, "The host in the request target differs from the Host header.")
        else:
            self._begin(method, target)

    def _is_framed_plainly(self) -> bool:
        """Whether a proxy in front cannot have seen another end of the body than the parser does."""
        codings = [value.lower() for name, value in self._headers if name == "transfer-encoding"]
        return not codings or (codings == ["chunked"] and not self.is_old)

    def _is_host(self, authority: bytes) -> bool:
        hosts = [value.lower() for name, value in self._headers if name == "host"]
        return hosts in ([], [authority.decode("latin-1").lower()])

    def _begin(self, method: str, target: bytes) -> None:
        exchange = Exchange(self, method, target, self._headers)
        exchange.keep_alive = not self.is_old and self._parser.should_keep_alive()
        exchange.wants_to_go_on = not self.is_old and exchange.header("expect").lower() == "100-continue"
        self._exchange = exchange
        exchange.task = self._loop.create_task(self._carry_out(exchange))

    def on_body(self, body: bytes) -> None:
        self._head = 0
        if not self._is_deaf and self._exchange is not None and self._exchange.feed(body):
            self._pause()

    def on_message_complete(self) -> None:
        if not self._is_deaf and self._exchange is not None and not self._parser.should_upgrade():
            self._exchange.feed_end()

    # --- exchanges ------------------------------------------------------------------------------------------

    async def _carry_out(self, exchange: Exchange) -> None:
        try:
            await self.rules.answer(exchange)
        except asyncio.CancelledError:
            pass  # the client has gone, or the service ends
        except Exception:  # noqa: BLE001  # the last resort of what is no call
            _log.exception("unexpected error", path=exchange.path)
            if not exchange.is_begun:
                await exchange.answer(
                    500, [("content-type", "text/plain")], b"Internal error: the server's log has the details.\n"
                )
        finally:
            if not exchange.is_over and self._transport is not None:
                self._transport.abort()  # half an answer must not pass for a whole one

    def exchange_is_over(self, exchange: Exchange) -> None:
        """The answer was written; go on with the next request, or close."""
        self._exchange = None
        if self._transport is None or self._transport.is_closing():
            return
        if exchange.keep_alive and not self.rules.is_closing:
            self._is_in_head, self._head = True, 0
            self._after(_IDLE_SECONDS, self._give_up)
            self.read_on()
        elif exchange.body_is_over:
            self._is_deaf = True
            self._close_soon()
        else:
            self._linger()

    def send(self, data: bytes) -> None:
        """Give the transport something to send."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    async def drained(self) -> None:
        """Wait until the reader has read most of what was sent."""
        while self.is_full:
            self._room = self._loop.create_future()
            timer = self._loop.call_later(self.rules.stalled_seconds, self._cut_off)
            try:
                await self._room
            finally:
                timer.cancel()
                self._room = None

    def _cut_off(self) -> None:
        _log.info("closed the connection of a slow reader", peer=self.peer, seconds=self.rules.stalled_seconds)
        if self._transport is not None:
            self._transport.abort()

    def read_on(self) -> None:
        """Read again what comes, if it was too much for a moment."""
        if self._is_paused and self._transport is not None and not self._transport.is_closing():
            self._is_paused = False
            self._transport.resume_reading()

    def _pause(self) -> None:
        if not self._is_paused and self._transport is not None:
            self._is_paused = True
            self._transport.pause_reading()

    @property
    def is_made(self) -> bool:
        """Whether requests could come from it already."""
        return self._transport is not None

    def close_if_idle(self) -> None:
        """Close it unless an answer is under way, which is the last one then."""
        if self._exchange is None:
            self._close_soon()

    def cut(self) -> None:
        """Close it, whatever is under way."""
        if self._transport is not None:
            self._transport.abort()

    def certificate(self) -> bytes:
        """The client's certificate in DER, as far as one was asked for and verified; else nothing."""
        tls = self._transport.get_extra_info("ssl_object") if self._transport is not None else None
        if isinstance(tls, ssl.SSLObject | ssl.SSLSocket):
            return tls.getpeercert(binary_form=True) or b""
        return b""

    # --- ends -----------------------------------------------------------------------------------------------

    def _refuse(self, status: int, text: str) -> None:
        """Answer what is no request that one could go on with, and close."""
        exchange = self._exchange
        if self._is_deaf:
            return
        if exchange is not None and (exchange.body_is_over or exchange.is_begun):
            self._is_deaf = True
            exchange.keep_alive = False
            if not exchange.body_is_over:
                self.cut()  # the rest of its body will never come
            return
        if exchange is not None and exchange.task is not None:
            exchange.is_over = True  # what it says from now on is not sent
            exchange.task.cancel()
            self._exchange = None
        head = f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\ncontent-type: text/plain; charset=utf-8\r\n"
        body = f"{text}\n"
        self.send(f"{head}content-length: {len(body)}\r\nconnection: close\r\n\r\n{body}".encode())
        self._linger()

    def _linger(self) -> None:
        """Throw away what still comes for a moment, so that the answer is not lost to a reset, and close then."""
        self._is_deaf = True
        self.read_on()
        self._after(_LINGER_SECONDS, self._close_soon)

    def _give_up(self) -> None:
        if self._exchange is None:
            self._close_soon()

    def _close_soon(self) -> None:
        if self._transport is None or self._transport.is_closing():
            return
        if self._transport.get_write_buffer_size():  # who does not read what is left does not keep the connection
            self._after(_HEAD_SECONDS, self.cut)
        self._transport.close()

    def _after(self, seconds: float, what: Callable[[], None] | None) -> None:
        """Do something in so many seconds, instead of what was to be done before."""
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_later(seconds, what) if what is not None else None


def _set_up(taken: Any) -> None:
    """Bound what the system keeps of what is sent, and notice peers that vanished as soon as gRPC does."""
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SENT_AHEAD)
    if taken.family not in (socket.AF_INET, socket.AF_INET6):
        return  # who vanishes from this machine is known to be gone
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _ASKED_FOR_LIFE:
        if hasattr(socket, option):
            taken.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)


def named(peer: Any) -> str:
    """A peer as gRPC names it."""
    if not isinstance(peer, tuple):
        return "unix:"
    host, port = str(peer[0]), peer[1]
    return f"ipv6:{quote(f'[{host}]', safe='')}:{port}" if ":" in host else f"ipv4:{host}:{port}"


def _safe(value: str) -> str:
    """The value of a header that can end no line."""
    return value.replace("\r", " ").replace("\n", " ")
