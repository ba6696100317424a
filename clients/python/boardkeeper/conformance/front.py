"""Where a client comes in: a port of its own that passes everything on, and hangs up when it is told to."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable

from boardkeeper.conformance.goodbyes import ByHttp2, Goodbye


class Front:
    """Listens at ``address`` and passes each connection on to a service.

    ``entered`` is told the port that a connection comes from there, as the service sees it, ``left`` when it is gone.
    """

    def __init__(
        self, target: str, entered: Callable[[int], None], left: Callable[[int], None], goodbye: type[Goodbye] = ByHttp2
    ) -> None:
        self._target = target
        self._goodbye = goodbye
        self._goodbyes: dict[asyncio.StreamWriter, Goodbye] = {}
        self._entered, self._left = entered, left
        self._open: set[asyncio.StreamWriter] = set()
        self._passing: set[asyncio.Task[None]] = set()
        self._away_until = 0.0
        self.address = ""

    async def open(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Begin to listen. Raises ``OSError`` where that port cannot be had."""
        self._server = await asyncio.start_server(self._come, host, port)
        self.address = f"{host}:{self._server.sockets[0].getsockname()[1]}"

    async def close(self) -> None:
        """Hang up and listen no more."""
        self._server.close()
        self.hang_up()
        for task in self._passing:
            task.cancel()
        await asyncio.gather(*self._passing, return_exceptions=True)

    async def emptied(self) -> None:
        """Wait until nobody is connected."""
        while self._passing:
            await asyncio.wait(self._passing)

    def hang_up(self) -> None:
        """End all connections at once and without a word, as a network does."""
        for end in self._open:
            end.transport.abort()

    def say_goodbye(self) -> None:
        """Say on each connection that it takes no more calls; what is under way there goes on, and others may come."""
        for end, goodbye in self._goodbyes.items():
            end.write(goodbye.say())

    def go_away(self, seconds: float) -> None:
        """Hang up at once, and on everybody who comes within so long."""
        self._away_until = time.monotonic() + seconds
        self.hang_up()

    def _come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if time.monotonic() < self._away_until:
            writer.transport.abort()
            return
        task = asyncio.create_task(self._pass_on(reader, writer))
        self._passing.add(task)
        task.add_done_callback(self._passing.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, _, port = self._target.rpartition(":")
        ends = [writer]
        own = 0
        try:
            inner, outer = await asyncio.open_connection(host, int(port))
            ends.append(outer)
            own = outer.get_extra_info("sockname")[1]
            self._entered(own)
            self._open.update(ends)
            goodbye = self._goodbyes[writer] = self._goodbye()
            back = _pass(inner, writer, goodbye.pass_on)
            await asyncio.gather(_pass(reader, outer), back, return_exceptions=True)
        finally:
            self._goodbyes.pop(writer, None)
            self._open.difference_update(ends)
            for end in ends:
                end.transport.abort()
            if own:
                self._left(own)


async def _pass(
    source: asyncio.StreamReader, target: asyncio.StreamWriter, passed: Callable[[bytes], bytes] = bytes
) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(1 << 16):
            target.write(passed(data))
            await target.drain()
        if target.can_write_eof():
            target.write_eof()
            return
    target.close()
