"""The health of the storage, for the health service."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import structlog
from eventsourcing.persistence import OperationalError

from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.tasks import repeat

EVERY_SECONDS = 1.0
STALLED_SECONDS = 3.0
"""The storage fails if a commit or a probe takes longer."""

_log = structlog.get_logger()


class StorageHealth:
    """Watches the storage of an application, and reports when it fails and when it works again.

    The last append shows whether the storage works. A probe is stored only after an append has failed, or while files
    are missing, because the disk may have space again. Storage also fails if a commit takes longer than
    ``STALLED_SECONDS``. One blocked game is no failure while the other games are stored: metrics and the log report it.
    """

    def __init__(self, application: GameApplication, report: Callable[[bool], Awaitable[None]]) -> None:
        """``report`` is awaited at each change with whether data can be stored."""
        self._application = application
        self._report = report
        self._works = True
        self._probe: asyncio.Future[Exception | None] | None = None

    async def run(self) -> None:
        """Check the storage every second."""
        await repeat(EVERY_SECONDS, self.check, "checking the storage failed")

    async def check(self) -> None:
        """Check the storage now and report a change."""
        error = await self._find_error()
        if (error is None) == self._works:
            return
        self._works = error is None
        if error is None:
            _log.info("storage works again")
        else:
            _log.error("storage fails, nothing is accepted", problem=str(error))
        await self._report(self._works)

    async def _find_error(self) -> Exception | None:
        seconds = self._application.writer.batch_seconds
        if seconds > STALLED_SECONDS:
            return OperationalError(f"a commit has not ended for {seconds:.0f} seconds")
        if self._probe is None:
            self._probe = asyncio.ensure_future(asyncio.to_thread(self._application.probe_storage))
        done, _ = await asyncio.wait({self._probe}, timeout=STALLED_SECONDS)
        if not done:
            return OperationalError(f"the storage has not answered for {STALLED_SECONDS:g} seconds")
        probe, self._probe = self._probe, None
        return probe.result()
