"""The open connections of the server, and the limits for all of them together."""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import structlog
import uvicorn
import zttp
from uvicorn.protocols.http.auto_zttp_impl import AutoZttpProtocol
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.server import ServerState

from boardkeeper.service.limits.clients import BY_ADDRESS, BY_ALL
from boardkeeper.service.limits.connections_per_address import ConnectionsPerAddress
from boardkeeper.service.observability.counters import ConnectionCounters
from boardkeeper.service.transport.asgi import Receive, Scope, Send

log = structlog.get_logger("boardkeeper.front")

_SEND_BUFFER = 128 * 1024
"""Bytes that the kernel buffers for a client that does not read, before the server waits."""

_WRITE_LIMIT = 64 * 1024

MAX_MEMORY_BYTES = 32 * 1024 * 1024
"""The maximum number of bytes of incomplete messages and unread answers, of all streams together."""

_KEEP_ALIVE = (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3))
"""The kernel probes a silent client after 30 s; some systems lack some of these options."""

App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Slot:
    """One connection in the count of open connections. :meth:`release` can be called more than once."""

    __slots__ = ("_address", "_connections")

    def __init__(self, connections: Connections, address: str | None) -> None:
        self._connections: Connections | None = connections
        self._address = address

    def release(self) -> None:
        """Stop counting the connection."""
        connections, self._connections = self._connections, None
        if connections is not None:
            connections.leave(self._address)


class StreamMemory:
    """The memory of streams that wait for their clients: incomplete messages and unread answers.

    While all streams together have more than ``most`` bytes, it resets the oldest stream of the connection with the
    most bytes.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._sizes: dict[Any, dict[Any, int]] = {}
        self.bytes = 0

    def set_size(self, connection: Any, stream: Any, size: int) -> None:
        """Set how many bytes a stream has in memory; the limit can end it with ``stream.reset()``."""
        streams = self._sizes.setdefault(connection, {})
        self.bytes += size - streams.pop(stream, 0)
        if size:
            streams[stream] = size  # at the end: the first stream has waited longest
        elif not streams:
            del self._sizes[connection]
        while self.bytes > self._most:
            heaviest = max(self._sizes, key=lambda it: sum(self._sizes[it].values()))
            oldest = next(iter(self._sizes[heaviest]))
            log.info("reset a stream: too much memory waits for clients", peer=heaviest.client, bytes=self.bytes)
            self.set_size(heaviest, oldest, 0)
            oldest.reset(zttp.H2ErrorCode.ENHANCE_YOUR_CALM)


class Connections:
    """The open connections. ``app`` answers their requests."""

    def __init__(
        self,
        app: App,
        counters: ConnectionCounters,
        per_address: ConnectionsPerAddress,
        *,
        most: int,
        stall_timeout: float,
        most_seconds: float | None,
        asks_certificates: bool,
    ) -> None:
        """At most ``most`` connections are open, and for each address as many as ``per_address`` permits.

        The server resets a stream whose client reads nothing for ``stall_timeout`` seconds. A connection with HTTP/2
        accepts new calls for ``most_seconds``.
        """
        self.app = app
        self.stall_timeout = stall_timeout
        self.most_seconds = most_seconds
        self.asks_certificates = asks_certificates
        self.is_closing = False
        self.open: set[Any] = set()
        """The protocols of the open connections: each has ``shutdown()``, ``stop()`` and ``abort()``."""
        self.calls = 0
        """The number of open requests over HTTP/2."""
        self.memory = StreamMemory(MAX_MEMORY_BYTES)
        self.state = ServerState()
        self.config = uvicorn.Config(
            app, http=AutoZttpProtocol, ws="none", lifespan="off", log_config=None, access_log=False,
            proxy_headers=False, server_header=False, date_header=False,
        )  # fmt: skip
        self.config.load()
        logging.getLogger("uvicorn.error").disabled = True  # the protocols log through structlog
        self._counters = counters
        self._per_address = per_address
        self._most = most
        self._number = 0

    def enter(self, peer: str) -> Slot | None:
        """Return a slot for a connection from ``peer``, or ``None`` if a limit is reached."""
        address = self._per_address.address(peer)
        if self.is_closing:
            return None
        if self._number >= self._most:
            self._counters.rejected[BY_ALL] += 1
            return None
        if not self._per_address.enter(address):
            self._counters.rejected[BY_ADDRESS] += 1
            return None
        self._number += 1
        self._counters.open = self._number
        return Slot(self, address)

    def leave(self, address: str | None) -> None:
        """Count the end of a connection from ``address``."""
        self._number -= 1
        self._counters.open = self._number
        self._per_address.leave(address)

    @property
    def number(self) -> int:
        """The number of open connections, including those in their TLS handshake."""
        return self._number

    def configure(self, transport: asyncio.Transport) -> None:
        """Limit the buffers of a connection, and let the kernel probe silent clients."""
        transport.set_write_buffer_limits(high=_WRITE_LIMIT)
        sock = transport.get_extra_info("socket")
        if sock is None:
            return
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        if sock.family not in (socket.AF_INET, socket.AF_INET6):
            return
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in _KEEP_ALIVE:
            if hasattr(socket, option):
                sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)

    def certificate(self, transport: asyncio.Transport) -> bytes:
        """Return the client's verified certificate in DER form; empty without mutual TLS."""
        if not self.asks_certificates:
            return b""
        tls = transport.get_extra_info("ssl_object")
        return b"" if tls is None else tls.getpeercert(binary_form=True) or b""


class Connection:
    """A mixin for uvicorn's protocols: counts the connection, and closes it if its client stops reading."""

    client: tuple[str, int] | None
    flow: FlowControl
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport

    def __init__(self, connections: Connections, slot: Slot) -> None:
        super().__init__(connections.config, connections.state, {})  # type: ignore[call-arg]  # uvicorn's protocol
        self.all_connections = connections
        self._slot = slot
        self._stall: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Add the connection to the open ones."""
        self.all_connections.open.add(self)
        super().connection_made(transport)  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection."""
        self.all_connections.open.discard(self)
        self._slot.release()
        self._end_stall_timer()
        super().connection_lost(exc)  # type: ignore[misc]

    def pause_writing(self) -> None:
        """Wait for the client, at most for ``stall_timeout``. The transport calls this when its buffer is full."""
        self.flow.pause_writing()
        self._stall = self.loop.call_later(self.all_connections.stall_timeout, self._close_stalled)

    def resume_writing(self) -> None:
        """Continue. The transport calls this when the client has read."""
        self._end_stall_timer()
        self.flow.resume_writing()
        self.flow.resume_reading()

    def _end_stall_timer(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def abort(self) -> None:
        """Close the connection at once."""
        self.transport.abort()

    def stop(self) -> None:
        """End the open calls, and close the connection."""
        self.abort()

    def _close_stalled(self) -> None:
        log.info("closed the connection of a slow reader", peer=self.client, seconds=self.all_connections.stall_timeout)
        self.abort()
