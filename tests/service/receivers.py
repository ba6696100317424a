"""Somebody who receives webhooks, on a real socket."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any, NamedTuple

import msgspec
from tests.waiting import SECONDS


class WebhookMessage(NamedTuple):
    """A message: its path, headers (with small letters) and body."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """What the body says."""
        return msgspec.json.decode(self.body)


class Receiver:
    """``answer`` says what is answered to a message: a status line's end and more headers, as in ``200 OK``."""

    def __init__(self) -> None:
        self.received: list[WebhookMessage] = []
        self.answer: Callable[[WebhookMessage], str | Awaitable[str]] = lambda _: "200 OK"
        self.port = 0
        self._came = asyncio.Condition()

    @property
    def url(self) -> str:
        """Where it is."""
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def ids(self) -> list[str]:
        """The ids of all messages."""
        return [it.headers["webhook-id"] for it in self.received]

    async def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait until something holds after a message."""
        async with asyncio.timeout(SECONDS), self._came:
            await self._came.wait_for(condition)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection."""
        try:
            await self._converse(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                request, *lines = head.decode().strip().split("\r\n")
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines)}
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                message = WebhookMessage(request.split()[1], headers, body)
                answer = self.answer(message)
                told = answer if isinstance(answer, str) else await answer
                writer.write(f"HTTP/1.1 {told}\r\ncontent-length: 0\r\n\r\n".encode())
                await writer.drain()
                async with self._came:
                    self.received.append(message)
                    self._came.notify_all()


@asynccontextmanager
async def run_receiver(certificate: ssl.SSLContext | None = None) -> AsyncIterator[Receiver]:
    """A receiver on a free port of this machine."""
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
