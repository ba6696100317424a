"""Helpers for asyncio: wait for a change, and repeat work."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

_log = structlog.get_logger()


class Waiters:
    """Coroutines of one event loop that wait for a change."""

    __slots__ = ("_waiting",)

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def __len__(self) -> int:
        return len(self._waiting)

    async def wait(self, seconds: float) -> bool:
        """Wait for :meth:`wake` for at most ``seconds``; return whether it was called."""
        loop = asyncio.get_running_loop()
        change: asyncio.Future[None] = loop.create_future()
        timeout = loop.call_later(seconds, _resolve, change)
        self._waiting.add(change)
        try:
            await change
        finally:
            timeout.cancel()
            was_woken = change not in self._waiting
            self._waiting.discard(change)
        return was_woken

    def wake(self) -> None:
        """Wake all waiting coroutines."""
        if self._waiting:
            waiting, self._waiting = self._waiting, set()
            for change in waiting:
                _resolve(change)


def _resolve(change: asyncio.Future[None]) -> None:
    if not change.done():
        change.set_result(None)


async def repeat(seconds: float, work: Callable[[], Awaitable[object]], failure: str) -> None:
    """Call ``work`` until cancelled, with pauses of ``seconds``. If it fails, log ``failure`` and continue."""
    while True:
        try:
            await work()
        except Exception as error:  # noqa: BLE001  # it can succeed the next time
            _log.warning(failure, problem=str(error), exc_info=error)
        await asyncio.sleep(seconds)
