"""Delivers the feed to one endpoint: each item at least once, and the items of each game in order.

An item that cannot be delivered becomes pending, with all later items of its game, and is tried again; other games are
not delayed. After the last try it is a dead letter, which is listed and can be sent again on request.
"""

from __future__ import annotations

import asyncio
import random
from collections import defaultdict
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from uuid import UUID

import structlog
from msgspec.structs import replace

from boardkeeper.service.feed.cursors import Place
from boardkeeper.service.feed.feed import Feed, FeedFilter
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.feed import BLANK, FeedRow
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.webhooks import (
    DeliveryRow,
    EndpointRow,
    SaveDeliveries,
    SetDisabled,
    TakeLease,
)
from boardkeeper.service.storage_reads import read
from boardkeeper.service.webhooks.retry_schedule import parse_retry_after, retry_delay
from boardkeeper.service.webhooks.sender import NotSentError, Sender
from boardkeeper.service.webhooks.signing import SecretSealer, message_body, message_id, signed_headers

ALL = "*"
"""The platform of an endpoint that receives the items of all games."""

LEASE = 45_000
"""The duration of a lease in milliseconds, much longer than the timeout of a try."""

MAX_PENDING = 500
"""With this many pending items, no more items are read from the feed."""

_RANDOM = random.Random()  # a private generator: the module-level one belongs to the host program
_RENEW_SECONDS = 10.0
_AT_ONCE = 8
"""The number of games whose items are sent at the same time."""

_GONE = 410
_log = structlog.get_logger()


class LeaseLostError(Exception):
    """Another process delivers to the endpoint now, or the endpoint was disabled or deleted."""


class Counts:
    """Numbers of delivered messages, failed tries and dead letters, for the metrics."""

    def __init__(self) -> None:
        self.delivered = 0
        self.failed = 0
        self.dead = 0


class Deliverer:
    """Delivers to one endpoint while this process has the lease.

    ``now`` returns milliseconds since 1970; pending items are checked every ``tick`` seconds.
    """

    def __init__(
        self,
        application: GameApplication,
        feed: Feed,
        endpoint: EndpointRow,
        owner: str,
        sender: Sender,
        counts: Counts,
        *,
        now: Callable[[], int],
        tick: float,
        random_number: Callable[[], float] = _RANDOM.random,
    ) -> None:
        self._application = application
        self._tables = application.database.webhooks
        self._feed = feed
        self._endpoint = endpoint
        self._id = endpoint.endpoint_id
        self._owner = owner
        self._sender = sender
        self._counts = counts
        self._now = now
        self._random_number = random_number
        self._tick = tick
        self._sealer = SecretSealer(application.database.key)
        self._renewed = float("-inf")
        self._last_number = endpoint.position
        self._pending: dict[int, DeliveryRow] = {}
        self._turns = asyncio.Semaphore(_AT_ONCE)

    @property
    def pending(self) -> int:
        """The number of pending items."""
        return len(self._pending)

    async def run(self) -> None:
        """Deliver until the lease is lost (:class:`LeaseLostError`)."""
        await self._renew()
        await self._read_pending()
        while True:
            try:
                async with aclosing(self._pages()) as pages:
                    async for rows, last_number in pages:
                        await self._renew()
                        if rows:
                            await self._deliver(rows, last_number)
                        elif last_number > self._last_number:
                            await self._save(last_number, (), ())
                        await self._read_pending()
                        await self._retry_pending()
            except ApiError as error:
                if error.reason != "FEED_CURSOR_EXPIRED":
                    raise
                ends = await read(self._application, self._application.database.feed.bounds)
                _log.error(
                    "a webhook missed items that were already deleted", endpoint=self._id, after=self._last_number
                )
                await self._save(ends.oldest - 1, (), ())

    async def _pages(self) -> AsyncGenerator[tuple[Sequence[FeedRow], int], None]:
        """Yield new items, and empty pages every ``tick`` seconds; only empty ones while too many items are pending."""
        endpoint = self._endpoint
        platform = None if endpoint.platform == ALL else endpoint.platform
        filter = FeedFilter(platform, endpoint.title, None, frozenset(endpoint.kinds))
        while True:
            following = self._feed.follow(Place(self._last_number), filter, self._tick)
            async with aclosing(following):
                async for items, reached in following:
                    yield [item.row for item in items], reached.number
                    if len(self._pending) >= MAX_PENDING:
                        break
            while len(self._pending) >= MAX_PENDING:
                await asyncio.sleep(self._tick)
                yield (), self._last_number

    # --- new items -----------------------------------------------------------------------------------------

    async def _deliver(self, rows: Sequence[FeedRow], last_number: int) -> None:
        games: Mapping[UUID, list[FeedRow]] = defaultdict(list)
        for row in rows:
            games[row.game].append(row)
        blocked = {it.game for it in self._pending.values()}
        failed_rows: list[DeliveryRow] = []
        async with asyncio.TaskGroup() as together:
            for game, items in games.items():
                together.create_task(self._deliver_game(items, failed_rows, is_blocked=game in blocked))
        await self._save(last_number, (), failed_rows)

    async def _deliver_game(self, rows: Sequence[FeedRow], failed_rows: list[DeliveryRow], *, is_blocked: bool) -> None:
        """Send the items of one game in order; after a failed item the others become pending too."""
        async with self._turns:
            for row in rows:
                if is_blocked:
                    failed_rows.append(DeliveryRow(self._id, row.number, row.game))
                    continue
                failed = await self._try(row, DeliveryRow(self._id, row.number, row.game))
                if failed is not None:
                    failed_rows.append(failed)
                    is_blocked = failed.dead_time is None

    # --- pending items ------------------------------------------------------------------------------------

    async def _read_pending(self) -> None:
        """Read the pending items from the database: a call may have made dead letters pending again."""
        rows = await read(
            self._application, partial(self._tables.deliveries, self._id, dead=False, limit=2 * MAX_PENDING)
        )
        self._pending = {row.number: row for row in rows}

    async def _retry_pending(self) -> None:
        """Retry the first pending item of each game if it is due, and then the items after it."""
        games: dict[UUID, list[DeliveryRow]] = defaultdict(list)
        for _, row in sorted(self._pending.items()):
            games[row.game].append(row)
        now = self._now()
        due = [rows for rows in games.values() if rows[0].next_time <= now]
        if due:
            async with asyncio.TaskGroup() as together:
                for rows in due:
                    together.create_task(self._retry_game(rows))

    async def _retry_game(self, rows: Sequence[DeliveryRow]) -> None:
        tables = self._application.database.feed
        async with self._turns:
            for waiting in rows:
                number = waiting.number
                found = await read(self._application, partial(tables.page, number - 1, number, 1))
                is_gone = not found or found[0].number != number or found[0].kind == BLANK
                failed = None if is_gone else await self._try(found[0], waiting)
                if failed is None:
                    await self._save(self._last_number, (number,), ())
                    continue
                await self._save(self._last_number, (), (failed,))
                if failed.dead_time is None:
                    return

    # --- one try --------------------------------------------------------------------------------------------

    async def _try(self, row: FeedRow, waiting: DeliveryRow) -> DeliveryRow | None:
        """Send an item; return the row of a failed try. Raises :class:`LeaseLostError`, also for ``410 Gone``."""
        await self._renew()
        endpoint, now = self._endpoint, self._now()
        content = message_body(row, self._feed.cursors.write(row.number, row.id))
        secrets = self._sealer.open(self._id, endpoint.secrets)
        signed = signed_headers(secrets, message_id(self._id, row.id), content, now)
        requested = 0
        try:
            answer = await self._sender.send(endpoint.url, signed, content)
        except NotSentError as error:
            problem = str(error)
        else:
            if 200 <= answer.status < 300:
                self._counts.delivered += 1
                return None
            if answer.status == _GONE:
                await self._store(SetDisabled(self._id, self._now(), "it answered 410 Gone"))
                raise LeaseLostError
            problem = f"it answered {answer.status}"
            requested = parse_retry_after(answer.retry_after, self._now())
        self._counts.failed += 1
        tries = waiting.tries + 1
        wait = retry_delay(tries, self._random_number, requested)
        if wait is None:
            self._counts.dead += 1
            return replace(waiting, tries=tries, dead_time=self._now(), problem=problem)
        return replace(waiting, tries=tries, next_time=self._now() + wait, problem=problem)

    # --- storing --------------------------------------------------------------------------------------------

    async def _save(self, last_number: int, done: Sequence[int], failed_rows: Sequence[DeliveryRow]) -> None:
        await self._store(SaveDeliveries(self._id, self._owner, last_number, tuple(done), tuple(failed_rows)))
        self._last_number = max(self._last_number, last_number)
        for number in done:
            self._pending.pop(number, None)
        self._pending |= {row.number: row for row in failed_rows if row.dead_time is None}

    async def _renew(self) -> None:
        """Renew the lease and read the endpoint. Raises :class:`LeaseLostError`."""
        now = asyncio.get_running_loop().time()
        if now - self._renewed > _RENEW_SECONDS:
            await self._store(TakeLease(self._id, self._owner, LEASE))
            self._renewed = now
        row = await read(self._application, partial(self._tables.endpoint, self._id))
        if row is None or row.owner != self._owner or row.disable_time is not None:
            raise LeaseLostError
        self._endpoint = row

    async def _store(self, change: Change) -> None:
        await asyncio.to_thread(self._application.writer.store, [change])
