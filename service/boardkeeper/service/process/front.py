"""The front of a server: its listening sockets, and draining when it stops."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import grpc

from boardkeeper.service.config import Config
from boardkeeper.service.limits.admission import Admission
from boardkeeper.service.observability.counters import CallCounters
from boardkeeper.service.process.rpcs import Rpcs
from boardkeeper.service.transport.application import Application
from boardkeeper.service.transport.connections import Connections
from boardkeeper.service.transport.grpcio_server import bind_grpcio, channel_options, grpc_handler
from boardkeeper.service.transport.http2 import MAX_CALLS
from boardkeeper.service.transport.listeners import Listener, close
from boardkeeper.service.transport.origins import Origins
from boardkeeper.service.transport.static_files import StaticFiles
from boardkeeper.service.transport.tls import Certificates, log_security
from boardkeeper.service.transport.web_application import WebApplication

_POLL_SECONDS = 0.02
_FLUSH_SECONDS = 1.0

_STALL_FACTOR = 2.0
"""The multiple of ``slow_reader_seconds`` after which a connection without reads is closed.

A client that reads again earlier gets an error.
"""

_CONNECTION_SECONDS = 300.0
"""If processes share a port, a connection accepts new calls for this time, so that clients spread over them."""


class Front:
    """The listening sockets of a server: :meth:`bind`, :meth:`open` and :meth:`close` them in this order.

    After :meth:`bind`, ``address`` is the address for gRPC clients, and ``web_address`` the URL for browsers, empty
    without a web client.
    """

    def __init__(self, config: Config, calls: CallCounters, *, has_web: bool, shares_port: bool) -> None:
        self._config = config
        self._calls = calls
        self._has_web = has_web
        self._shares_port = shares_port
        self._listeners: list[Listener] = []
        self._grpcio: grpc.aio.Server | None = None
        self._certificates: Certificates | None = None
        self.connections: Connections | None = None
        self.address = ""
        self.web_address = ""

    @property
    def addresses(self) -> list[str]:
        """All addresses without repetitions; ``address`` is the last one."""
        return list(dict.fromkeys([*(listener.address for listener in self._listeners), self.address]))

    @property
    def public_address(self) -> str:
        """The address for commands on this machine: a URL if the server uses TLS."""
        is_secure = self._certificates is not None and not self.address.startswith("unix:")
        return f"https://{self.address}" if is_secure else self.address

    def bind(self, certificates: Certificates | None) -> None:
        """Bind all addresses; the server accepts no connection yet. Raises :class:`StartupError`."""
        config = self._config
        self._certificates = certificates
        for endpoint in config.front_endpoints:
            self._listeners.append(Listener(endpoint, certificates, shares_port=self._shares_port))
        self.address = self._listeners[-1].address
        if self._has_web:
            self.web_address = self._listeners[0].url
        if config.grpcio_endpoint is not None:
            options = channel_options(config.connections, shares_port=self._shares_port)
            self._grpcio = grpc.aio.server(options=options, maximum_concurrent_rpcs=MAX_CALLS)
            self.address = bind_grpcio(self._grpcio, config.grpcio_endpoint, certificates)
        log_security(config, certificates)

    async def open(self, rpcs: Rpcs, admission: Admission, accepts_calls: Callable[[], bool]) -> None:
        """Accept calls on all addresses. ``accepts_calls`` returns what the readiness page reports."""
        config, certificates = self._config, self._certificates
        site = None
        if self._has_web:
            files = await asyncio.to_thread(StaticFiles)
            origins = Origins(config.web_origin, local=all(each.is_local for each in config.front_endpoints))
            site = WebApplication(rpcs.own, origins, files, accepts_calls, self._calls)
        self.connections = Connections(
            Application(rpcs.all, site, self._calls),
            self._calls.web,
            admission.connections_per_address,
            most=config.connections,
            stall_timeout=_STALL_FACTOR * config.slow_reader_seconds,
            most_seconds=_CONNECTION_SECONDS if self._shares_port else None,
            asks_certificates=certificates is not None and certificates.client_ca is not None,
        )
        for listener in self._listeners:
            listener.listen(self.connections)
        if self._grpcio is not None:
            self._grpcio.add_generic_rpc_handlers((grpc_handler(rpcs.all, self._calls),))
            await self._grpcio.start()

    async def close(self, seconds: float) -> None:
        """Accept no new calls; open ones have ``seconds`` to end."""
        listeners, self._listeners = self._listeners, []
        server, self._grpcio = self._grpcio, None
        ends = [server.stop(seconds or None)] if server is not None else []
        if self.connections is not None:
            ends.append(close(listeners, self.connections, seconds))
        else:
            for listener in listeners:
                listener.close()
        await asyncio.gather(*ends)


async def wait_until_idle(calls: CallCounters, at_least: float, at_most: float) -> float:
    """Wait until no call is open; return the seconds to allow for sending the last answers.

    The wait takes between ``at_least`` and ``at_most`` seconds. The port stays open during the wait, so that load
    balancers see the health status and clients get an error that explains the shutdown.
    """
    loop = asyncio.get_running_loop()
    start = loop.time()
    while (passed := loop.time() - start) < at_least or (calls.open and passed < at_most):  # noqa: ASYNC110
        await asyncio.sleep(_POLL_SECONDS)
    return 0.0 if calls.open else _FLUSH_SECONDS
