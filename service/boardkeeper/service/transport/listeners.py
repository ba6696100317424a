"""Listeners: the addresses of the server, and the acceptance and the end of connections."""

from __future__ import annotations

import asyncio
import socket

from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.transport.asgi import peer_name
from boardkeeper.service.transport.connections import Connections, Slot, log
from boardkeeper.service.transport.http1 import NewConnection
from boardkeeper.service.transport.tls import Certificates

_BACKLOG = 1024
_RECEIVE_BUFFER = 64 * 1024
"""Bytes that the kernel receives before the server reads them: about the window of a stream."""
_HANDSHAKE_SECONDS = 20.0
_SHUTDOWN_SECONDS = 2.0
_PAUSE_SECONDS = 1.0
_POLL_SECONDS = 0.02
_STOP_SECONDS = 1.0
"""The time that cancelled calls have to end at shutdown."""

_WILDCARDS = frozenset({"127.0.0.1", "::1", "0.0.0.0", "::"})


class Listener:
    """One address, with TLS if the server has certificates and the address is not a Unix socket."""

    def __init__(self, endpoint: Endpoint, certificates: Certificates | None, *, shares_port: bool) -> None:
        """Bind the address, without accepting connections. Raises :class:`StartupError`."""
        self._handshakes: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None
        self._certificates = certificates if endpoint.path is None else None
        self._socket = endpoint.bind(shares_port=shares_port, receive_buffer=_RECEIVE_BUFFER)
        self._path = endpoint.path
        self._endpoint = endpoint
        try:
            self._socket.listen(_BACKLOG)  # now, to report a port in use at the start
        except OSError as error:
            self.close()
            raise endpoint.cannot_listen(error) from error
        self._socket.setblocking(False)

    @property
    def address(self) -> str:
        """The address for gRPC clients: ``HOST:PORT`` or ``unix:PATH``."""
        return self._endpoint.at(self._port)

    @property
    def url(self) -> str:
        """The address for browsers: a URL, or ``unix:PATH``."""
        if self._endpoint.path is not None:
            return str(self._endpoint)
        host = self._endpoint.host
        name = "localhost" if host.strip("[]") in _WILDCARDS else host
        return f"{'http' if self._certificates is None else 'https'}://{name}:{self._port}"

    @property
    def _port(self) -> int:
        return 0 if self._endpoint.path is not None else int(self._socket.getsockname()[1])

    def listen(self, connections: Connections) -> None:
        """Start accepting connections."""
        self._task = asyncio.create_task(self._accept(connections))

    def close(self) -> None:
        """Stop accepting connections, and end open handshakes."""
        if self._path is not None:  # before closing the socket: afterwards another process can use the name
            self._path.unlink(missing_ok=True)
            self._path = None
        if self._task is None:
            self._socket.close()
            return
        for task in (self._task, *self._handshakes):
            task.cancel()

    async def _accept(self, connections: Connections) -> None:
        loop = asyncio.get_running_loop()
        try:
            while True:
                try:
                    sock, peer = await loop.sock_accept(self._socket)
                except ConnectionError:
                    continue  # the client has disconnected
                except OSError as error:
                    log.warning("cannot accept connections", why=error.strerror)  # for example too many open files
                    await asyncio.sleep(_PAUSE_SECONDS)
                    continue
                slot = connections.enter(peer_name(peer))
                if slot is None:
                    sock.close()
                    continue
                protocol = NewConnection(connections, slot)
                task = loop.create_task(self._open(protocol, slot, sock))
                self._handshakes.add(task)
                task.add_done_callback(self._handshakes.discard)
        finally:
            self._socket.close()

    async def _open(self, protocol: NewConnection, slot: Slot, sock: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        try:
            if self._certificates is None:
                await loop.connect_accepted_socket(lambda: protocol, sock)
            else:
                await loop.connect_accepted_socket(
                    lambda: protocol,
                    sock,
                    ssl=self._certificates.context(),
                    ssl_handshake_timeout=_HANDSHAKE_SECONDS,
                    ssl_shutdown_timeout=_SHUTDOWN_SECONDS,
                )
        except OSError:
            pass  # the client has disconnected, or its TLS is unusable
        finally:
            if not protocol.is_connected:
                slot.release()


async def close(listeners: list[Listener], connections: Connections, seconds: float) -> None:
    """Close all listeners and connections; open calls have ``seconds`` to end."""
    for listener in listeners:
        listener.close()
    connections.is_closing = True
    for protocol in list(connections.open):
        protocol.shutdown()
    await _wait_until_closed(connections, seconds)
    for protocol in list(connections.open):
        protocol.stop()
    await _wait_until_closed(connections, _STOP_SECONDS)
    for protocol in list(connections.open):
        protocol.abort()
    await asyncio.sleep(0)


async def _wait_until_closed(connections: Connections, seconds: float) -> None:
    """Wait until all connections are closed, at most for ``seconds``."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while connections.open and loop.time() < until:  # noqa: ASYNC110  # connections close in callbacks
        await asyncio.sleep(_POLL_SECONDS)
