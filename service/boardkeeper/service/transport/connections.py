"""The open connections of the front, and the limits that hold for all of them."""

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
"""Bytes that the kernel buffers for a peer that does not read; beyond them the server waits."""

_WRITE_LIMIT = 64 * 1024

MOST_HELD = 32 * 1024 * 1024
"""Bytes of incomplete messages and unread answers of all streams together."""

_KEEP_ALIVE = (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 5), ("TCP_KEEPCNT", 3))
"""The kernel probes a silent peer after 30 s; not every system knows each option."""

App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Slot:
    """The place of one connection among those that are open; :meth:`release` may be called more than once."""

    __slots__ = ("_address", "_connections")

    def __init__(self, connections: Connections, address: str | None) -> None:
        self._connections: Connections | None = connections
        self._address = address

    def release(self) -> None:
        """Count the connection no more."""
        connections, self._connections = self._connections, None
        if connections is not None:
            connections.leave(self._address)


class Held:
    """What streams keep in memory until their clients send the rest of a message, or read an answer.

    Above ``most`` bytes of all streams, the connection that has the most loses those that have waited longest.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._of: dict[Any, dict[Any, int]] = {}
        self.bytes = 0

    def hold(self, connection: Any, stream: Any, size: int) -> None:
        """Set the bytes of a stream; ``stream.reset()`` ends it."""
        streams = self._of.setdefault(connection, {})
        self.bytes += size - streams.pop(stream, 0)
        if size:
            streams[stream] = size  # at the end: it has waited least
        elif not streams:
            del self._of[connection]
        while self.bytes > self._most:
            heaviest = max(self._of, key=lambda it: sum(self._of[it].values()))
            oldest = next(iter(self._of[heaviest]))
            log.info("reset a stream: clients keep too much waiting", peer=heaviest.client, bytes=self.bytes)
            self.hold(heaviest, oldest, 0)
            oldest.reset(zttp.H2ErrorCode.ENHANCE_YOUR_CALM)


class Connections:
    """The connections of the front. ``app`` answers their requests."""

    def __init__(
        self,
        app: App,
        counters: ConnectionCounters,
        crowds: ConnectionsPerAddress,
        *,
        most: int,
        stalled_seconds: float,
        most_seconds: float | None,
        asks_certificates: bool,
    ) -> None:
        """At most ``most`` connections are open, and of one address as many as ``crowds`` permits.

        The server resets a stream whose client reads nothing for ``stalled_seconds``. A connection of HTTP/2 takes
        new calls for ``most_seconds``.
        """
        self.app = app
        self.stalled_seconds = stalled_seconds
        self.most_seconds = most_seconds
        self.asks_certificates = asks_certificates
        self.is_closing = False
        self.open: set[Any] = set()
        """The protocols of the open connections: each has ``shutdown()``, ``stop()`` and ``abort()``."""
        self.calls = 0
        """The number of requests over HTTP/2 that are open."""
        self.held = Held(MOST_HELD)
        self.state = ServerState()
        self.config = uvicorn.Config(
            app, http=AutoZttpProtocol, ws="none", lifespan="off", log_config=None, access_log=False,
            proxy_headers=False, server_header=False, date_header=False,
        )  # fmt: skip
        self.config.load()
        logging.getLogger("uvicorn.error").disabled = True  # the protocols log through structlog
        self._counters = counters
        self._crowds = crowds
        self._most = most
        self._number = 0

    def enter(self, peer: str) -> Slot | None:
        """Return a slot for a connection from ``peer``, ``None`` if there are too many."""
        address = self._crowds.address(peer)
        if self.is_closing:
            return None
        if self._number >= self._most:
            self._counters.rejected[BY_ALL] += 1
            return None
        if not self._crowds.enter(address):
            self._counters.rejected[BY_ADDRESS] += 1
            return None
        self._number += 1
        self._counters.open = self._number
        return Slot(self, address)

    def leave(self, address: str | None) -> None:
        """Count one connection from ``address`` less."""
        self._number -= 1
        self._counters.open = self._number
        self._crowds.leave(address)

    @property
    def number(self) -> int:
        """The number of open connections, those in their TLS handshake included."""
        return self._number

    def set_up(self, transport: asyncio.Transport) -> None:
        """Limit the buffers of a connection, and let the kernel notice peers that vanished."""
        transport.set_write_buffer_limits(high=_WRITE_LIMIT)
        taken = transport.get_extra_info("socket")
        if taken is None:
            return
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER)
        if taken.family not in (socket.AF_INET, socket.AF_INET6):
            return
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in _KEEP_ALIVE:
            if hasattr(socket, option):
                taken.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)

    def certificate(self, transport: asyncio.Transport) -> bytes:
        """Return the client's verified certificate in DER, empty without mutual TLS."""
        if not self.asks_certificates:
            return b""
        tls = transport.get_extra_info("ssl_object")
        return b"" if tls is None else tls.getpeercert(binary_form=True) or b""


class Connection:
    """A mixin for uvicorn's protocols: one of the open connections, closed if its client reads nothing."""

    client: tuple[str, int] | None
    flow: FlowControl
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport

    def __init__(self, connections: Connections, slot: Slot) -> None:
        super().__init__(connections.config, connections.state, {})  # type: ignore[call-arg]  # uvicorn's protocol
        self._all = connections
        self._slot = slot
        self._stall: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:
        """Enter the open connections."""
        self._all.open.add(self)
        super().connection_made(transport)  # type: ignore[misc]

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave them."""
        self._all.open.discard(self)
        self._slot.release()
        self._end_stall_timer()
        super().connection_lost(exc)  # type: ignore[misc]

    def pause_writing(self) -> None:
        """Wait for the client, at most for ``stalled_seconds``: the transport calls this when its buffer is full."""
        self.flow.pause_writing()
        self._stall = self.loop.call_later(self._all.stalled_seconds, self._end_stall)

    def resume_writing(self) -> None:
        """Continue: the client has read."""
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
        """End the calls that are open, and close the connection."""
        self.abort()

    def _end_stall(self) -> None:
        log.info("closed the connection of a slow reader", peer=self.client, seconds=self._all.stalled_seconds)
        self.abort()
