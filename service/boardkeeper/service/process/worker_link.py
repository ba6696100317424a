"""The link between a worker and its supervisor: the worker reports that it is ready, and stops if the supervisor ends.

Both use pipes. The worker has the writing end of the first pipe, and the reading end of the second one, which reaches
its end of file when the supervisor has ended, also after ``kill -9``.
"""

from __future__ import annotations

import asyncio
import os
from typing import Self

from msgspec import Struct


class WorkerLink(Struct, frozen=True):
    """The two file descriptors of a worker."""

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

        def ended() -> None:
            loop.remove_reader(self.life)
            stop.set()

        loop.add_reader(self.life, ended)
