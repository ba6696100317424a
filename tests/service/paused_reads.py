"""Reads that wait until a test lets them end."""

from __future__ import annotations

import asyncio


class PausedReads:
    def __init__(self) -> None:
        self.begun, self.may_end, self.was_cancelled = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def wait(self, *_: object) -> None:
        self.begun.set()
        try:
            await self.may_end.wait()
        except asyncio.CancelledError:
            self.was_cancelled.set()
            raise
