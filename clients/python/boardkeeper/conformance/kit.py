"""The conformance kit: one server on a temporary database, and a connection for each client and scenario."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import grpc

from boardkeeper.conformance.observations import ClientExit
from boardkeeper.conformance.opponent import Opponent
from boardkeeper.conformance.scenarios import Scenario
from boardkeeper.conformance.session import Session, is_web
from boardkeeper.conformance.shutdown_notices import Http1Notice, Http2Notice, ShutdownNotice
from boardkeeper.conformance.tcp_proxy import TcpProxy
from boardkeeper.conformance.verdicts import Verdict, judge
from boardkeeper.service.config import Config
from boardkeeper.service.observability.logs import configure_logging
from boardkeeper.service.process.server import Service
from boardkeeper.service.transport.call import Context
from boardkeeper.service.transport.guard import Answer, Rpc

Client = Callable[[str, str], Awaitable[ClientExit]]
"""Runs a client with an address for gRPC and a URL for Connect (may be empty), until it exits."""

_EXIT_SECONDS = 5.0
"""The time that a client has to exit after the kit rejected it."""

_ConnectionId = tuple[bool, int]
"""A connection as the server sees it: whether it is one of Connect or gRPC-Web, and the client's port."""


class Kit:
    """A server to test clients with. :func:`open_kit` opens one."""

    def __init__(self, service: Service, sessions: dict[_ConnectionId, Session]) -> None:
        self._service = service
        self._sessions = sessions
        self._channel = grpc.aio.insecure_channel(service.address, options=[("grpc.enable_http_proxy", 0)])

    async def close(self) -> None:
        """Close the kit's own connection."""
        await self._channel.close()

    @asynccontextmanager
    async def session(self, scenario: Scenario, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[Session]:
        """Open a session for one client. Raises ``OSError`` if the port is not available."""
        session = Session(scenario, Opponent(self._channel))
        targets: list[tuple[str, type[ShutdownNotice]]] = [(self._service.address, Http2Notice)]
        if self._service.web_address:
            web = self._service.web_address.partition("//")[2].replace("localhost", "127.0.0.1")
            targets.append((web, Http1Notice))
        for target, notice in targets:
            args = (session, notice is Http1Notice)
            proxy = TcpProxy(target, partial(self._on_connect, *args), partial(self._on_disconnect, *args), notice)
            await proxy.open(host, port if not session.proxies else 0)
            session.proxies.append(proxy)
        try:
            yield session
        finally:
            await session.close()

    def _on_connect(self, session: Session, is_web: bool, port: int) -> None:
        self._sessions[is_web, port] = session

    def _on_disconnect(self, session: Session, is_web: bool, port: int) -> None:
        if self._sessions.get((is_web, port)) is session:  # another session may use the port already
            del self._sessions[is_web, port]

    async def run_client(self, scenario: Scenario, client: Client, limit: float = 60.0) -> Verdict:
        """Run a client in a scenario and judge it. A client that runs longer than ``limit`` seconds is stopped."""
        start = time.monotonic()
        async with self.session(scenario) as session:
            running = asyncio.ensure_future(client(session.address, session.web_address))
            try:
                await asyncio.wait([running], timeout=limit)
                if running.done():
                    session.observations.exit = running.result()
                else:
                    session.reject_client()
                    await asyncio.wait([running], timeout=_EXIT_SECONDS)
                    result = running.result() if running.done() else ClientExit(None, "")
                    session.observations.exit = ClientExit(None, result.out, result.err)
            finally:
                running.cancel()
                await asyncio.wait([running])  # its processes are killed first
        return judge(scenario, session.observations, time.monotonic() - start)


@asynccontextmanager
async def open_kit() -> AsyncIterator[Kit]:
    """Open a kit until the end of the block. Raises :class:`~boardkeeper.service.errors.StartupError`."""
    sessions: dict[_ConnectionId, Session] = {}

    def intercept(rpc: Rpc) -> Rpc:
        async def handle(request: Any, context: Context) -> Answer | None:
            port = int(str(context.peer()).rpartition(":")[2] or 0)
            session = sessions.get((is_web(context), port))
            if session is None:  # a call of the opponent
                return await rpc.handle(request, context)
            return await session.handle(rpc, request, context)

        return rpc._replace(handle=handle)

    with TemporaryDirectory(prefix="boardkeeper-conformance-") as folder:
        config = Config(database=str(Path(folder) / "kit.db"), listen="127.0.0.1:0", log="off", grace_seconds=1.0)
        configure_logging(config.log)
        service = Service(config, middleware=intercept)
        await service.start()
        try:
            kit = Kit(service, sessions)
            try:
                yield kit
            finally:
                await kit.close()
        finally:
            await asyncio.shield(service.stop())
