"""The kit itself: one service on a temporary file, and a line to it for each client and scenario."""

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

from boardkeeper.conformance.front import Front
from boardkeeper.conformance.goodbyes import ByHttp1, ByHttp2, Goodbye
from boardkeeper.conformance.judging import Verdict, judge
from boardkeeper.conformance.partner import Partner
from boardkeeper.conformance.scenarios import Scenario
from boardkeeper.conformance.session import Session, is_web
from boardkeeper.conformance.sightings import Ran
from boardkeeper.service.config import Config
from boardkeeper.service.observability.logs import configure_logging
from boardkeeper.service.process.server import Service
from boardkeeper.service.transport.call import Context
from boardkeeper.service.transport.guard import Answer, Rpc

Client = Callable[[str, str], Awaitable[Ran]]
"""A client that is run: it is given an address for gRPC and a URL for Connect (empty: there is none)."""

_TO_LEAVE = 5.0
"""So many seconds somebody has to end who was sent away."""


_Line = tuple[bool, int]
"""A connection as the service sees it: whether its calls are those of Connect or gRPC-Web, and the client's port."""


class Kit:
    """A service that clients are tried with; :func:`kit` opens one."""

    def __init__(self, service: Service, sessions: dict[_Line, Session]) -> None:
        self._service = service
        self._sessions = sessions
        self._channel = grpc.aio.insecure_channel(service.address, options=[("grpc.enable_http_proxy", 0)])

    async def close(self) -> None:
        """Give the line of its own back."""
        await self._channel.close()

    @asynccontextmanager
    async def session(self, scenario: Scenario, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[Session]:
        """A line for one client in that scenario. Raises ``OSError`` where that port cannot be had."""
        session = Session(scenario, Partner(self._channel))
        targets: list[tuple[str, type[Goodbye]]] = [(self._service.address, ByHttp2)]
        if self._service.web_address:
            web = self._service.web_address.partition("//")[2].replace("localhost", "127.0.0.1")
            targets.append((web, ByHttp1))
        for target, goodbye in targets:
            at = (session, goodbye is ByHttp1)
            front = Front(target, partial(self._entered, *at), partial(self._left, *at), goodbye)
            await front.open(host, port if not session.fronts else 0)
            session.fronts.append(front)
        try:
            yield session
        finally:
            await session.close()

    def _entered(self, session: Session, by_web: bool, own: int) -> None:
        self._sessions[by_web, own] = session

    def _left(self, session: Session, by_web: bool, own: int) -> None:
        if self._sessions.get((by_web, own)) is session:  # a port is free as soon as it is closed
            del self._sessions[by_web, own]

    async def tried(self, scenario: Scenario, client: Client, limit: float = 60.0) -> Verdict:
        """Run a client in a scenario, and judge it; whoever has not ended after ``limit`` seconds is sent away."""
        began = time.monotonic()
        async with self.session(scenario) as session:
            running = asyncio.ensure_future(client(session.address, session.web_address))
            try:
                await asyncio.wait([running], timeout=limit)
                if running.done():
                    session.seen.ran = running.result()
                else:
                    session.send_away()
                    await asyncio.wait([running], timeout=_TO_LEAVE)
                    said = running.result() if running.done() else Ran(None, "")
                    session.seen.ran = Ran(None, said.out, said.err)
            finally:
                running.cancel()
                await asyncio.wait([running])  # what it has started is ended first
        return judge(scenario, session.seen, time.monotonic() - began)


@asynccontextmanager
async def kit() -> AsyncIterator[Kit]:
    """A kit until the end of the block. Raises :class:`~boardkeeper.service.errors.StartupError`."""
    sessions: dict[_Line, Session] = {}

    def between(rpc: Rpc) -> Rpc:
        async def handle(request: Any, context: Context) -> Answer | None:
            port = int(str(context.peer()).rpartition(":")[2] or 0)
            session = sessions.get((is_web(context), port))
            if session is None:  # the partner's
                return await rpc.handle(request, context)
            return await session.handle(rpc, request, context)

        return rpc._replace(handle=handle)

    with TemporaryDirectory(prefix="boardkeeper-conformance-") as folder:
        config = Config(database=str(Path(folder) / "kit.db"), listen="127.0.0.1:0", log="off", grace_seconds=1.0)
        configure_logging(config.log)
        service = Service(config, between=between)
        await service.start()
        try:
            it = Kit(service, sessions)
            try:
                yield it
            finally:
                await it.close()
        finally:
            await asyncio.shield(service.stop())
