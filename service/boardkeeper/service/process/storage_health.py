"""Whether anything can be stored, for who asks the health service."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from eventsourcing.persistence import OperationalError

from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.tasks import repeat

EVERY_SECONDS = 1.0
STALLED_SECONDS = 3.0
"""Storage fails if a commit, or trying out the storage, takes longer."""

_log = structlog.get_logger()


class StorageHealth:
    """Watches the storage of an application, and reports when it fails and when it works again.

    The last append shows whether the storage works. A probe is stored only after an append has failed, or while files
    are missing, because the disk may have space again. Storage also fails if a commit takes longer than
    ``STALLED_SECONDS``. One blocked game is no failure while the other games are stored: metrics and the log report it.
    """

    def __init__(self, application: GameApplication, tell: Callable[[bool], Awaitable[None]]) -> None:
        """``tell`` is awaited with whether anything can be stored, at each change."""
        self._application = application
        self._tell = tell
        self._works = True
        self._trying: asyncio.Future[Exception | None] | None = None

    async def run(self) -> None:
        """Check the storage every second."""
        await repeat(EVERY_SECONDS, self.look, "checking the storage failed")

    async def look(self) -> None:
        """See how it is now."""
        trouble = await self._trouble()
        if (trouble is None) == self._works:
            return
        self._works = trouble is None
        if trouble is None:
            _log.info("storage works again")
        else:
            _log.error("storage fails, nothing is accepted", problem=str(trouble))
        await self._tell(self._works)

    async def _trouble(self) -> Exception | None:
        seconds = self._application.writer.batch_seconds
        if seconds > STALLED_SECONDS:
            return OperationalError(f"a commit has not ended for {seconds:.0f} seconds")
        if self._trying is None:
            self._trying = asyncio.ensure_future(asyncio.to_thread(self._application.probe_storage))
        done, _ = await asyncio.wait({self._trying}, timeout=STALLED_SECONDS)
        if not done:
            return OperationalError(f"the storage has not answered for {STALLED_SECONDS:g} seconds")
        trying, self._trying = self._trying, None
        return trying.result()
