"""The dispatcher of webhooks: it delivers to endpoints to which no other process delivers, and measures the backlog."""

from __future__ import annotations

import asyncio
import random
import ssl
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING
from uuid import uuid4

import structlog
from msgspec import Struct

from boardkeeper.service.feed.feed import Feed
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage.webhooks import EndLease, EndpointRow, TakeLease
from boardkeeper.service.storage_reads import read
from boardkeeper.service.wall_clock import wall_milliseconds

if TYPE_CHECKING:
    from boardkeeper.service.webhooks.delivery import Counts, Deliverer
    from boardkeeper.service.webhooks.sender import Sender

_SEARCH_SECONDS = 2.0
_MEASURE_SECONDS = 15.0
_log = structlog.get_logger()


class Backlog(Struct, frozen=True):
    """The messages that all processes together have not delivered yet, without those of disabled endpoints.

    ``dead`` is the number of dead letters, including those of disabled endpoints. The slowest endpoint is ``items`` of
    the feed behind; the oldest of them has waited for ``seconds``. The oldest item that failed, or that waits behind a
    failed item of its game, has waited for ``failed_seconds``.
    """

    dead: int = 0
    items: int = 0
    seconds: float = 0.0
    failed_seconds: float = 0.0


def measure_backlog(database: Database, now: int) -> Backlog:
    """Measure the backlog at a time (milliseconds since 1970). Blocks."""
    stored = database.webhooks.backlog()
    if stored.position is None:
        return Backlog(stored.dead)
    database.feed.number_outbox()  # without deliveries, the feed may have no other reader
    newest = database.feed.bounds().newest
    items, failed = max(newest - stored.position, 0), stored.oldest_pending

    def age(behind: int) -> float:
        found = database.feed.page(behind, newest, 1)
        return max(now - found[0].time, 0) / 1000 if found else 0.0

    return Backlog(stored.dead, items, age(stored.position), 0.0 if failed is None else age(failed - 1))


def find_missing_package() -> str:
    """Return the name of a missing package that webhooks need, or an empty string."""
    return next((name for name in ("httpcore", "anyio", "standardwebhooks") if find_spec(name) is None), "")


def import_extras() -> None:
    """Import the modules for deliveries, if their packages are installed."""
    if not find_missing_package():
        import_module("boardkeeper.service.webhooks.delivery")  # needs the packages of an extra


class WebhookDispatcher:
    """Delivers the feed to endpoints. ``now`` returns milliseconds since 1970."""

    def __init__(
        self,
        application: GameApplication,
        feed: Feed,
        *,
        insecure: bool = False,
        now: Callable[[], int] = wall_milliseconds,
        search_seconds: float = _SEARCH_SECONDS,
        tick: float = 1.0,
        measure_seconds: float = _MEASURE_SECONDS,
    ) -> None:
        self.insecure = insecure
        self.owner = uuid4().hex
        self._application = application
        self._feed = feed
        self._now = now
        self._search_seconds = search_seconds
        self._tick = tick
        self._measure_seconds = measure_seconds
        self._measured = float("-inf")
        self.backlog = Backlog()
        """The last measurement of the backlog of all processes."""
        self._has_reported_missing = False
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._deliverers: dict[str, Deliverer] = {}
        self._changed = asyncio.Event()
        self._chance = random.Random()
        self._trusted: ssl.SSLContext | None = None
        self._building = asyncio.Lock()
        self._counts: Counts | None = None
        if not find_missing_package():
            from boardkeeper.service.webhooks.delivery import Counts  # noqa: PLC0415  # needs the packages of an extra

            self._counts = Counts()

    @property
    def counts(self) -> tuple[int, int, int]:
        """The numbers of delivered messages, failed tries and dead letters since the start."""
        counts = self._counts
        return (counts.delivered, counts.failed, counts.dead) if counts is not None else (0, 0, 0)

    @property
    def endpoints(self) -> int:
        """The number of endpoints that this process delivers to."""
        return len(self._tasks)

    @property
    def pending(self) -> int:
        """The number of items that wait for another try, of the endpoints of this process."""
        return sum(deliverer.pending for deliverer in self._deliverers.values())

    async def sender(self) -> Sender:
        """Return a sender for one endpoint. All senders of the process share one TLS context."""
        from boardkeeper.service.webhooks.sender import Sender  # noqa: PLC0415  # needs the packages of an extra

        async with self._building:
            if self._trusted is None:  # in a thread: reading the system's certificates takes about 50 ms
                self._trusted = await asyncio.to_thread(ssl.create_default_context)
        return Sender(insecure=self.insecure, trusted=self._trusted)

    def search_now(self) -> None:
        """Search for endpoints at once. Call this after a change of an endpoint."""
        self._changed.set()

    async def run(self) -> None:
        """Search for endpoints to deliver to until cancelled, which also ends the deliveries."""
        try:
            while True:
                try:
                    await self._search()
                except ApiError:  # the storage is not available: the next search tries again
                    pass
                except Exception:  # noqa: BLE001  # the next search tries again
                    _log.exception("searching for webhooks to deliver failed")
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._search_seconds * (0.8 + 0.4 * self._chance.random())):
                        await self._changed.wait()
                self._changed.clear()
        finally:
            await self._end()

    async def _search(self) -> None:
        rows = await read(self._application, self._application.database.webhooks.endpoints)
        await self._measure(rows)
        if self._counts is None:
            if rows and not self._has_reported_missing:
                _log.error("webhooks are not sent: pip install 'boardkeeper[webhooks]'", missing=find_missing_package())
                self._has_reported_missing = True
            return
        for row in rows:
            if row.disable_time is None and row.endpoint_id not in self._tasks:
                await self._take(row)

    async def _measure(self, rows: Sequence[EndpointRow]) -> None:
        present = asyncio.get_running_loop().time()
        if not rows:
            self.backlog = Backlog()
        elif present - self._measured >= self._measure_seconds:
            self.backlog = await read(
                self._application, partial(measure_backlog, self._application.database, self._now())
            )
            self._measured = present

    async def _take(self, row: EndpointRow) -> None:
        from boardkeeper.service.webhooks.delivery import LEASE  # noqa: PLC0415  # needs the packages of an extra

        id, store = row.endpoint_id, self._application.writer.store
        await asyncio.to_thread(store, [TakeLease(id, self.owner, LEASE)])
        tables = self._application.database.webhooks
        current = await read(self._application, lambda: tables.endpoint(id))
        if current is not None and current.owner == self.owner and current.disable_time is None:
            self._tasks[id] = asyncio.create_task(self._deliver(current))

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
            pass  # the storage is not available, or the server stops: the next search tries again
        except* Exception:  # noqa: BLE001  # the next search starts it again
            _log.exception("delivering for a webhook failed", endpoint=row.endpoint_id)
        finally:
            del self._tasks[row.endpoint_id]
            self._deliverers.pop(row.endpoint_id, None)

    async def _end(self) -> None:
        """End the deliveries and release their leases, so that other processes can continue at once."""
        ended = dict(self._tasks)
        for task in ended.values():
            task.cancel()
        if ended:
            await asyncio.wait(ended.values())
            changes = [EndLease(id, self.owner) for id in ended]
            with suppress(Exception):
                await asyncio.to_thread(self._application.writer.store, changes)
