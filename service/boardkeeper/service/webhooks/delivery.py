"""Delivering the feed to one endpoint, at least once each and in the feed's order for each game.

An item that cannot be delivered stands aside, with all later ones of its game behind it, and is tried again; those of
other games go on. After the last try it is dead: listed, and sent again if somebody says so.
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
from boardkeeper.service.feed.feed import Feed, Wanted
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
from boardkeeper.service.webhooks.retry_schedule import asked_wait, delay
from boardkeeper.service.webhooks.sender import NotSentError, Sender
from boardkeeper.service.webhooks.signing import Safe, body, headers, message_id

ALL = "*"
"""The platform of an endpoint that is told of all games."""

LEASE = 45_000
"""Milliseconds; much longer than a try may take."""

MOST_ASIDE = 500
"""So many items may stand aside; then nothing more is taken from the feed, which keeps it."""

_CHANCE = random.Random()  # the numbers of the module are those of the program that we run in
_RENEW_SECONDS = 10.0
_AT_ONCE = 8
"""Games that are told of at the same time."""

_GONE = 410
_log = structlog.get_logger()


class LeaseLostError(Exception):
    """Somebody else delivers for the endpoint now, or nobody shall."""


class Counts:
    """What was done, for the metrics."""

    def __init__(self) -> None:
        self.delivered = 0
        self.failed = 0
        self.dead = 0


class Deliverer:
    """Delivers for one endpoint as long as it has the lease.

    ``now`` gives milliseconds since 1970; every ``tick`` seconds it looks what is due.
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
        chance: Callable[[], float] = _CHANCE.random,
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
        self._chance = chance
        self._tick = tick
        self._safe = Safe(application.database.key)
        self._renewed = float("-inf")
        self._position = endpoint.position
        self._aside: dict[int, DeliveryRow] = {}
        self._turns = asyncio.Semaphore(_AT_ONCE)

    @property
    def aside(self) -> int:
        """How many items stand aside."""
        return len(self._aside)

    async def run(self) -> None:
        """Deliver until the lease is lost (:class:`LeaseLostError`)."""
        await self._renew()
        await self._look_aside()
        while True:
            try:
                async with aclosing(self._pages()) as pages:
                    async for rows, position in pages:
                        await self._renew()
                        if rows:
                            await self._deliver(rows, position)
                        elif position > self._position:
                            await self._keep(position, (), ())
                        await self._look_aside()
                        await self._try_again()
            except ApiError as error:
                if error.reason != "FEED_CURSOR_EXPIRED":
                    raise
                ends = await read(self._application, self._application.database.feed.bounds)
                _log.error("a webhook missed what is not kept any more", endpoint=self._id, after=self._position)
                await self._keep(ends.oldest - 1, (), ())

    async def _pages(self) -> AsyncGenerator[tuple[Sequence[FeedRow], int], None]:
        """What is new, and a sign of life now and then; while too much stands aside only that."""
        endpoint = self._endpoint
        platform = None if endpoint.platform == ALL else endpoint.platform
        wanted = Wanted(platform, endpoint.title, None, frozenset(endpoint.kinds))
        while True:
            following = self._feed.follow(Place(self._position), wanted, self._tick)
            async with aclosing(following):
                async for items, reached in following:
                    yield [item.row for item in items], reached.number
                    if len(self._aside) >= MOST_ASIDE:
                        break
            while len(self._aside) >= MOST_ASIDE:
                await asyncio.sleep(self._tick)
                yield (), self._position

    # --- what is new ----------------------------------------------------------------------------------------

    async def _deliver(self, rows: Sequence[FeedRow], position: int) -> None:
        games: Mapping[UUID, list[FeedRow]] = defaultdict(list)
        for row in rows:
            games[row.game].append(row)
        blocked = {it.game for it in self._aside.values()}
        put: list[DeliveryRow] = []
        async with asyncio.TaskGroup() as together:
            for game, items in games.items():
                together.create_task(self._deliver_game(items, put, is_blocked=game in blocked))
        await self._keep(position, (), put)

    async def _deliver_game(self, rows: Sequence[FeedRow], put: list[DeliveryRow], *, is_blocked: bool) -> None:
        """The items of one game in their order; behind one that fails the others stand aside, too."""
        async with self._turns:
            for row in rows:
                if is_blocked:
                    put.append(DeliveryRow(self._id, row.number, row.game))
                    continue
                failed = await self._try(row, DeliveryRow(self._id, row.number, row.game))
                if failed is not None:
                    put.append(failed)
                    is_blocked = failed.dead_time is None

    # --- what stands aside ----------------------------------------------------------------------------------

    async def _look_aside(self) -> None:
        """What the database has: somebody may have said that dead items are to be sent again."""
        rows = await read(
            self._application, partial(self._tables.deliveries, self._id, dead=False, limit=2 * MOST_ASIDE)
        )
        self._aside = {row.number: row for row in rows}

    async def _try_again(self) -> None:
        """The first item of each game that stands aside, if it is due, and those behind it once it is delivered."""
        games: dict[UUID, list[DeliveryRow]] = defaultdict(list)
        for _, row in sorted(self._aside.items()):
            games[row.game].append(row)
        now = self._now()
        due = [rows for rows in games.values() if rows[0].next_time <= now]
        if due:
            async with asyncio.TaskGroup() as together:
                for rows in due:
                    together.create_task(self._try_game_again(rows))

    async def _try_game_again(self, rows: Sequence[DeliveryRow]) -> None:
        tables = self._application.database.feed
        async with self._turns:
            for waiting in rows:
                number = waiting.number
                found = await read(self._application, partial(tables.page, number - 1, number, 1))
                is_gone = not found or found[0].number != number or found[0].kind == BLANK
                failed = None if is_gone else await self._try(found[0], waiting)
                if failed is None:
                    await self._keep(self._position, (number,), ())
                    continue
                await self._keep(self._position, (), (failed,))
                if failed.dead_time is None:
                    return

    # --- one try --------------------------------------------------------------------------------------------

    async def _try(self, row: FeedRow, waiting: DeliveryRow) -> DeliveryRow | None:
        """Send an item; gives what stands aside if that failed. Raises :class:`LeaseLostError` where it is unwanted."""
        await self._renew()
        endpoint, now = self._endpoint, self._now()
        content = body(row, self._feed.cursors.write(row.number, row.id))
        secrets = self._safe.open(self._id, endpoint.secrets)
        signed = headers(secrets, message_id(self._id, row.id), content, now)
        asked = 0
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
            asked = asked_wait(answer.retry_after, self._now())
        self._counts.failed += 1
        tries = waiting.tries + 1
        wait = delay(tries, self._chance, asked)
        if wait is None:
            self._counts.dead += 1
            return replace(waiting, tries=tries, dead_time=self._now(), problem=problem)
        return replace(waiting, tries=tries, next_time=self._now() + wait, problem=problem)

    # --- keeping --------------------------------------------------------------------------------------------

    async def _keep(self, position: int, done: Sequence[int], put: Sequence[DeliveryRow]) -> None:
        await self._store(SaveDeliveries(self._id, self._owner, position, tuple(done), tuple(put)))
        self._position = max(self._position, position)
        for number in done:
            self._aside.pop(number, None)
        self._aside |= {row.number: row for row in put if row.dead_time is None}

    async def _renew(self) -> None:
        """Hold the lease, and see what the endpoint is now; raises :class:`LeaseLostError`."""
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
