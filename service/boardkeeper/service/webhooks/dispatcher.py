"""Which endpoints this process delivers for: those that nobody else does."""

from __future__ import annotations

import asyncio
import random
import ssl
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING
from uuid import uuid4

import structlog

from boardkeeper.service.feed.feed import Feed
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.webhooks import EndLease, EndpointRow, TakeLease
from boardkeeper.service.storage_reads import read
from boardkeeper.service.webhooks.backlog import Waiting, measure

if TYPE_CHECKING:
    from boardkeeper.service.webhooks.delivery import Counts, Deliverer
    from boardkeeper.service.webhooks.sender import Sender

_LOOK_SECONDS = 2.0
_MEASURE_SECONDS = 15.0
_log = structlog.get_logger()


def missing() -> str:
    """Which package is missing that webhooks need; empty if none is."""
    return next((name for name in ("httpcore", "anyio", "standardwebhooks") if find_spec(name) is None), "")


def prepare() -> None:
    """Import what delivering needs, if it is installed."""
    if not missing():
        import_module("boardkeeper.service.webhooks.delivery")  # an extra of its own


class WebhookDispatcher:
    """Delivers for endpoints. ``now`` gives milliseconds since 1970."""

    def __init__(
        self,
        application: GameApplication,
        feed: Feed,
        *,
        insecure: bool = False,
        now: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        look_seconds: float = _LOOK_SECONDS,
        tick: float = 1.0,
        measure_seconds: float = _MEASURE_SECONDS,
    ) -> None:
        self.insecure = insecure
        self.owner = uuid4().hex
        self._application = application
        self._feed = feed
        self._now = now
        self._look_seconds = look_seconds
        self._tick = tick
        self._measure_seconds = measure_seconds
        self._measured = float("-inf")
        self.waiting = Waiting()
        """How far webhooks of all processes are behind, as it was when this one looked last."""
        self._is_told = False
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._deliverers: dict[str, Deliverer] = {}
        self._changed = asyncio.Event()
        self._chance = random.Random()
        self._trusted: ssl.SSLContext | None = None
        self._building = asyncio.Lock()
        self._counts: Counts | None = None
        if not missing():
            from boardkeeper.service.webhooks.delivery import Counts  # noqa: PLC0415  # an extra of its own

            self._counts = Counts()

    @property
    def counts(self) -> tuple[int, int, int]:
        """Messages delivered, tries that failed, and items that are dead since the start."""
        counts = self._counts
        return (counts.delivered, counts.failed, counts.dead) if counts is not None else (0, 0, 0)

    @property
    def endpoints(self) -> int:
        """For how many endpoints this process delivers."""
        return len(self._tasks)

    @property
    def aside(self) -> int:
        """How many items of these stand aside, to be tried again."""
        return sum(deliverer.aside for deliverer in self._deliverers.values())

    async def sender(self) -> Sender:
        """Return a sender for one endpoint. All senders of the process share one TLS context."""
        from boardkeeper.service.webhooks.sender import Sender  # noqa: PLC0415  # an extra of its own

        async with self._building:
            if self._trusted is None:  # in a thread: reading the system's certificates takes about 50 ms
                self._trusted = await asyncio.to_thread(ssl.create_default_context)
        return Sender(insecure=self.insecure, trusted=self._trusted)

    def changed(self) -> None:
        """Endpoints were made or changed here."""
        self._changed.set()

    async def run(self) -> None:
        """Take over what nobody delivers for, again and again; whoever cancels it ends the deliveries."""
        try:
            while True:
                try:
                    await self._look()
                except ApiError:  # the storage is away: the next look may go better
                    pass
                except Exception:  # noqa: BLE001  # or no webhook would be sent any more
                    _log.exception("looking after webhooks failed")
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._look_seconds * (0.8 + 0.4 * self._chance.random())):
                        await self._changed.wait()
                self._changed.clear()
        finally:
            await self._end()

    async def _look(self) -> None:
        rows = await read(self._application, self._application.database.webhooks.endpoints)
        await self._measure(rows)
        if self._counts is None:
            if rows and not self._is_told:
                _log.error("webhooks are not sent: pip install 'boardkeeper[webhooks]'", missing=missing())
                self._is_told = True
            return
        for row in rows:
            if row.disable_time is None and row.endpoint_id not in self._tasks:
                await self._take(row)

    async def _measure(self, rows: Sequence[EndpointRow]) -> None:
        present = asyncio.get_running_loop().time()
        if not rows:
            self.waiting = Waiting()
        elif present - self._measured >= self._measure_seconds:
            self.waiting = await read(self._application, partial(measure, self._application.database, self._now()))
            self._measured = present

    async def _take(self, row: EndpointRow) -> None:
        from boardkeeper.service.webhooks.delivery import LEASE  # noqa: PLC0415  # an extra of its own

        id, store = row.endpoint_id, self._application.writer.store
        await asyncio.to_thread(store, [TakeLease(id, self.owner, LEASE)])
        tables = self._application.database.webhooks
        held = await read(self._application, lambda: tables.endpoint(id))
        if held is not None and held.owner == self.owner and held.disable_time is None:
            self._tasks[id] = asyncio.create_task(self._deliver(held))

    async def _deliver(self, row: EndpointRow) -> None:
        from boardkeeper.service.webhooks.delivery import Deliverer, LeaseLostError  # noqa: PLC0415

        assert self._counts is not None
        try:
            sender = await self.sender()
            try:
                deliverer = Deliverer(
                    self._application, self._feed, row, self.owner, sender, self._counts, now=self._now, tick=self._tick
                )
                self._deliverers[row.endpoint_id] = deliverer
                await deliverer.run()
            finally:
                await sender.close()
        except* LeaseLostError:
            pass
        except* ApiError:
            pass  # the storage is away, or the service ends: whoever looks next takes over
        except* Exception:  # noqa: BLE001  # it is begun again
            _log.exception("delivering for a webhook failed", endpoint=row.endpoint_id)
        finally:
            del self._tasks[row.endpoint_id]
            self._deliverers.pop(row.endpoint_id, None)

    async def _end(self) -> None:
        """Stop, and let others go on at once."""
        ended = dict(self._tasks)
        for task in ended.values():
            task.cancel()
        if ended:
            await asyncio.wait(ended.values())
            changes = [EndLease(id, self.owner) for id in ended]
            with suppress(Exception):
                await asyncio.to_thread(self._application.writer.store, changes)
