"""A TCP proxy between a client and the server, which can break connections."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from boardkeeper.conformance.shutdown_notices import Http2Notice, ShutdownNotice


class TcpProxy:
    """Listens at ``address`` and forwards each connection to the server.

    ``on_connect`` and ``on_disconnect`` are called with the local port of each connection to the server, by which the
    server can identify the client.
    """

    def __init__(
        self,
        target: str,
        on_connect: Callable[[int], None],
        on_disconnect: Callable[[int], None],
        create_notice: type[ShutdownNotice] = Http2Notice,
    ) -> None:
        self._target = target
        self._create_notice = create_notice
        self._notices: dict[asyncio.StreamWriter, ShutdownNotice] = {}
        self._on_connect, self._on_disconnect = on_connect, on_disconnect
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed_until = 0.0
        self.address = ""

    async def open(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Start to listen. Raises ``OSError`` if the port is not available."""
        self._server = await asyncio.start_server(self._accept, host, port)
        self.address = f"{host}:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        """Break all connections and stop listening."""
        self._server.close()
        self.disconnect()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def wait_until_unused(self) -> None:
        """Wait until no client is connected."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    def disconnect(self) -> None:
        """Break all connections without a notice, as a network failure does."""
        for writer in self._writers:
            writer.transport.abort()

    def announce_shutdown(self) -> None:
        """Announce on each connection that it accepts no new calls. Running calls continue."""
        for writer, notice in self._notices.items():
            writer.write(notice.announce())

    def go_down(self, seconds: float) -> None:
        """Break all connections, and reject new ones for some time."""
        self._closed_until = time.monotonic() + seconds
        self.disconnect()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if time.monotonic() < self._closed_until:
            writer.transport.abort()
            return
        task = asyncio.create_task(self._forward(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = self._target.rpartition(":")
        writers = [writer]
        local_port = 0
        try:
            server_reader, server_writer = await asyncio.open_connection(host, int(port))
            writers.append(server_writer)
            local_port = server_writer.get_extra_info("sockname")[1]
            self._on_connect(local_port)
            self._writers.update(writers)
            notice = self._notices[writer] = self._create_notice()
            responses = _copy(server_reader, writer, notice.forward)
            await asyncio.gather(_copy(reader, server_writer), responses, return_exceptions=True)
        finally:
            self._notices.pop(writer, None)
            self._writers.difference_update(writers)
            for each in writers:
                each.transport.abort()
            if local_port:
                self._on_disconnect(local_port)


async def _copy(
    source: asyncio.StreamReader, target: asyncio.StreamWriter, convert: Callable[[bytes], bytes] = bytes
) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(1 << 16):
            target.write(convert(data))
            await target.drain()
        if target.can_write_eof():
            target.write_eof()
            return
    target.close()
