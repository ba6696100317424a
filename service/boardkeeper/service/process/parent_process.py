"""Links of this process to the process that started it: a process manager such as systemd, or the supervisor.

A worker and its supervisor use two pipes. In the first, the worker reports that it is ready. The worker reads from the
second, which reaches its end of file when the supervisor has ended, even after ``kill -9``.
"""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress
from typing import Self

from msgspec import Struct

READY = "READY=1"
STOPPING = "STOPPING=1"


def notify_manager(state: str) -> None:
    """Send a state to the socket in ``NOTIFY_SOCKET`` (systemd's ``Type=notify``), if there is one."""
    path = os.environ.get("NOTIFY_SOCKET", "")
    if path[:1] not in {"/", "@"} or not hasattr(socket, "AF_UNIX"):
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as connection:
        connection.connect("\0" + path[1:] if path.startswith("@") else path)
        connection.sendall(state.encode())


class WorkerLink(Struct, frozen=True):
    """The two file descriptors of a worker: it writes to ``ready`` and reads from ``life``."""

    ready: int
    life: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse the text of :meth:`__str__`. Raises ``ValueError``."""
        ready, life = text.split(":")
        return cls(int(ready), int(life))

    def __str__(self) -> str:
        return f"{self.ready}:{self.life}"

    def report_ready(self) -> None:
        """Report that the worker serves."""
        os.write(self.ready, b".")
        os.close(self.ready)

    def watch(self, stop: asyncio.Event) -> None:
        """Set ``stop`` when the supervisor has ended. Call this on the event loop."""
        loop = asyncio.get_running_loop()

        def on_end() -> None:
            loop.remove_reader(self.life)
            stop.set()

        loop.add_reader(self.life, on_end)
