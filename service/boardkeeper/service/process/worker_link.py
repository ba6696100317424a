"""What ties a worker to the process that looks after it: it says when it is ready, and ends when that process is gone.

Both go through pipes. What a worker inherits of the one is its writing end, closed by whatever ends the worker; of the
other its reading end, which is at its end as soon as nobody is left who could write, also after a ``kill -9``.
"""

from __future__ import annotations

import asyncio
import os
from typing import Self

from msgspec import Struct


class WorkerLink(Struct, frozen=True):
    """The two ends that a worker has, as file descriptors."""

    ready: int
    life: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """What :meth:`__str__` gives; raises ``ValueError``."""
        ready, life = text.split(":")
        return cls(int(ready), int(life))

    def __str__(self) -> str:
        return f"{self.ready}:{self.life}"

    def report_ready(self) -> None:
        """The worker serves from now on."""
        os.write(self.ready, b".")
        os.close(self.ready)

    def watch(self, stop: asyncio.Event) -> None:
        """Set ``stop`` once the other process is gone; for the event loop's thread."""
        loop = asyncio.get_running_loop()

        def ended() -> None:
            loop.remove_reader(self.life)
            stop.set()

        loop.add_reader(self.life, ended)
