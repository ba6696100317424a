"""A webhook receiver on a real socket."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple

import msgspec
from tests.waiting import SECONDS


class WebhookMessage(NamedTuple):
    """A message: its path, its headers with lower-case names, and its body."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """The decoded body."""
        return msgspec.json.decode(self.body)


class Receiver:
    """A receiver. ``answer`` returns the status of the response to a message, such as ``200 OK``, and more headers."""

    def __init__(self) -> None:
        self.received: list[WebhookMessage] = []
        self.answer: Callable[[WebhookMessage], str | Awaitable[str]] = lambda _: "200 OK"
        self.port = 0
        self._arrived = asyncio.Condition()

    @property
    def url(self) -> str:
        """The URL of the receiver."""
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def ids(self) -> list[str]:
        """The ids of all received messages."""
        return [it.headers["webhook-id"] for it in self.received]

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition is true after a message."""
        async with asyncio.timeout(SECONDS), self._arrived:
            await self._arrived.wait_for(condition)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle one connection."""
        try:
            await self._answer_requests(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _answer_requests(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                request, *lines = head.decode().strip().split("\r\n")
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                message = WebhookMessage(request.split()[1], headers, body)
                answer = self.answer(message)
                status = answer if isinstance(answer, str) else await answer
                writer.write(f"HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n".encode())
                await writer.drain()
                async with self._arrived:
                    self.received.append(message)
                    self._arrived.notify_all()


@asynccontextmanager
async def run_receiver(certificate: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """Run a receiver on a free port."""
    receiver = Receiver()
    tasks: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(receiver.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0, ssl=certificate)
    receiver.port = server.sockets[0].getsockname()[1]
    try:
        yield receiver
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await server.wait_closed()
