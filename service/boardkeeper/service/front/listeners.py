"""The addresses on which the front listens, and accepting their connections."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from pathlib import Path

from boardkeeper.service.config.endpoints import Endpoint
from boardkeeper.service.edge.asgi import peer_name
from boardkeeper.service.edge.listening import make_room
from boardkeeper.service.edge.tls import Certificates
from boardkeeper.service.errors import SettingError, StartupError
from boardkeeper.service.front.connections import Connections, log
from boardkeeper.service.front.http1 import FirstBytes
from boardkeeper.service.front.tls import Contexts

_BACKLOG = 1024
_RECEIVE_BUFFER = 64 * 1024
"""Bytes that the kernel takes from a peer before the server reads them: about as many as a stream's window."""
_HANDSHAKE_SECONDS = 20.0
_SHUTDOWN_SECONDS = 2.0
_PAUSE_SECONDS = 1.0
_POLL_SECONDS = 0.02
_STOP_SECONDS = 1.0
"""How long the server may take to send the status of the calls that it ends."""

_WILDCARDS = frozenset({"127.0.0.1", "::1", "0.0.0.0", "::"})


class Listener:
    """One address, with TLS if there are certificates and it is no Unix socket."""

    def __init__(self, endpoint: Endpoint, certificates: Certificates | None, *, shares_port: bool) -> None:
        """Bind the address; the server accepts no connection yet. Raises :class:`StartupError`."""
        self._contexts = Contexts(certificates) if certificates is not None and endpoint.path is None else None
        self._path: Path | None = None
        self._socket = self._bound(endpoint, shares_port=shares_port)
        self._endpoint = endpoint
        self._handshakes: set[asyncio.Task[None]] = set()
        self._task: asyncio.Task[None] | None = None

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
        return f"{'http' if self._contexts is None else 'https'}://{name}:{self._port}"

    @property
    def _port(self) -> int:
        return 0 if self._endpoint.path is not None else int(self._socket.getsockname()[1])

    def listen(self, connections: Connections) -> None:
        """Accept connections from now on."""
        self._task = asyncio.create_task(self._accept(connections))
        if self._contexts is None and not self._endpoint.is_local:
            log.warning("traffic is not encrypted", address=self.address, why="--insecure")

    def close(self) -> None:
        """Accept no more connections, and end the handshakes under way."""
        if self._path is not None:  # before the socket is closed: afterwards the name may be another process's
            self._path.unlink(missing_ok=True)
            self._path = None
        if self._task is None:
            self._socket.close()
            return
        for task in (self._task, *self._handshakes):
            task.cancel()

    def _bound(self, endpoint: Endpoint, *, shares_port: bool) -> socket.socket:
        if endpoint.path is not None:
            make_room(endpoint.path)
            family, where = socket.AF_UNIX, str(endpoint.path)
        taken: socket.socket | None = None
        try:
            if endpoint.path is None:
                family, _, _, _, where = socket.getaddrinfo(  # type: ignore[assignment]
                    endpoint.host.strip("[]"), endpoint.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
                )[0]
            taken = socket.socket(family)
            if endpoint.path is None and os.name == "posix":  # elsewhere it would let others take the port, too
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if endpoint.path is None and shares_port:
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _RECEIVE_BUFFER)
            taken.bind(where)
            self._path = endpoint.path
            taken.listen(_BACKLOG)  # or a busy port would be found out too late
            taken.setblocking(False)
        except OSError as error:
            if taken is not None:
                taken.close()
            raise _cannot_listen(endpoint, error) from error
        return taken

    async def _accept(self, connections: Connections) -> None:
        loop = asyncio.get_running_loop()
        try:
            while True:
                try:
                    taken, peer = await loop.sock_accept(self._socket)
                except ConnectionError:
                    continue  # it went before it was accepted
                except OSError as error:
                    log.warning("cannot accept connections", why=error.strerror)  # for example too many open files
                    await asyncio.sleep(_PAUSE_SECONDS)
                    continue
                slot = connections.enter(peer_name(peer))
                if slot is None:
                    taken.close()
                    continue
                protocol = FirstBytes(connections, slot)
                task = loop.create_task(self._open(protocol, taken))
                self._handshakes.add(task)
                task.add_done_callback(self._handshakes.discard)
        finally:
            self._socket.close()

    async def _open(self, protocol: FirstBytes, taken: socket.socket) -> None:
        loop = asyncio.get_running_loop()
        try:
            if self._contexts is None:
                await loop.connect_accepted_socket(lambda: protocol, taken)
            else:
                await loop.connect_accepted_socket(
                    lambda: protocol,
                    taken,
                    ssl=self._contexts.current(),
                    ssl_handshake_timeout=_HANDSHAKE_SECONDS,
                    ssl_shutdown_timeout=_SHUTDOWN_SECONDS,
                )
        except OSError:
            pass  # the peer has gone, or speaks no TLS that the server accepts
        finally:
            if not protocol.is_made:
                protocol.release()


async def close(listeners: list[Listener], connections: Connections, seconds: float) -> None:
    """Accept no more connections; calls that are open have ``seconds`` to end."""
    for listener in listeners:
        listener.close()
    connections.is_closing = True
    for protocol in list(connections.open):
        protocol.shutdown()
    await _are_closed(connections, seconds)
    for protocol in list(connections.open):
        protocol.stop()
    await _are_closed(connections, _STOP_SECONDS)
    for protocol in list(connections.open):
        protocol.abort()
    await asyncio.sleep(0)


async def _are_closed(connections: Connections, seconds: float) -> None:
    """Wait until all connections are closed, at most for ``seconds``."""
    loop = asyncio.get_running_loop()
    until = loop.time() + seconds
    while connections.open and loop.time() < until:  # noqa: ASYNC110  # connections close in callbacks
        await asyncio.sleep(_POLL_SECONDS)


def _cannot_listen(endpoint: Endpoint, error: OSError) -> StartupError:
    if endpoint.path is not None:
        return SettingError(f"cannot listen on {endpoint}: {error.strerror or error}")
    if error.errno == errno.EADDRINUSE:
        why = "the port is in use"
    elif error.errno == errno.EADDRNOTAVAIL:
        why = "the address is not one of this machine"
    else:
        why = error.strerror or str(error)
    return SettingError(f"cannot listen on {endpoint}: {why}; choose another with --listen or --grpc-listen")
