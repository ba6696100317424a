"""Whether anything can be stored, for who asks the health service."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from boardkeeper.service.storage.application import GameApplication

EVERY_SECONDS = 1.0

_log = structlog.get_logger()


class StorageHealth:
    """Looks after the storage of an application, and tells when it fails and when it works again.

    Whether it works is known from what was stored last. Only after something could not be stored, or as long as files
    are missing, it is tried out: the disk may have room again.
    """

    def __init__(self, application: GameApplication, tell: Callable[[bool], Awaitable[None]]) -> None:
        """``tell`` is awaited with whether anything can be stored, at each change."""
        self._application = application
        self._tell = tell
        self._works = True

    async def run(self) -> None:
        """Look after it for ever."""
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            try:
                await self.look()
            except Exception:  # noqa: BLE001  # the next look may go better
                _log.exception("looking after the storage failed")

    async def look(self) -> None:
        """See how it is now."""
        trouble = await asyncio.to_thread(self._application.try_storage)
        if (trouble is None) == self._works:
            return
        self._works = trouble is None
        if trouble is None:
            _log.info("storage works again")
        else:
            _log.error("storage fails, nothing is accepted", problem=str(trouble))
        await self._tell(self._works)
