"""Streams of the feed: each process reads new items once and sends them to all its followers.

Appends of this process and notifications of other processes trigger a read. Notifications may be lost, late or
duplicated; therefore items are read by their consecutive numbers, and a shared database is also polled every second. A
follower that needs items that are no longer in memory reads from the database.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeVar
from uuid import UUID

import structlog

from boardkeeper.service.feed.cursors import CursorError, Cursors, Place
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.database import PeerChanges
from boardkeeper.service.storage.feed import BLANK, FeedBounds, FeedRow, PruneFeed
from boardkeeper.service.storage_reads import read
from boardkeeper.service.tasks import Waiters, repeat

PAGE = 500
RECENT = 4_000
"""The number of items in memory."""

_POLL_SECONDS = 1.0
_BATCH_SECONDS = 0.005
"""The delay before a read, so that it returns several items. This saves much work at 1,000 commands per second."""

_PRUNE_SECONDS = 3600.0
_DAY = 86_400_000

_T = TypeVar("_T")
_log = structlog.get_logger()


class FeedFilter(NamedTuple):
    """The items that a follower wants.

    ``platform`` is empty for games without a platform, ``None`` for all games. Other empty fields match everything.
    """

    platform: str | None
    title: str = ""
    game: UUID | None = None
    kinds: frozenset[str] = frozenset()

    def matches(self, row: FeedRow) -> bool:
        """Return whether an item is wanted."""
        return (
            row.kind != BLANK
            and (self.platform is None or row.platform == self.platform)
            and (not self.title or row.title == self.title)
            and (self.game is None or row.game == self.game)
            and (not self.kinds or row.kind in self.kinds)
        )


class Item:
    """An item in memory; ``encoded`` caches the message of the RPC for all its receivers."""

    __slots__ = ("encoded", "row")

    def __init__(self, row: FeedRow) -> None:
        self.row = row
        self.encoded = b""


class Follower:
    """A stream of the feed. ``number`` is the last item that it has processed."""

    __slots__ = ("number",)

    def __init__(self, number: int) -> None:
        self.number = number


Page = tuple[Sequence[Item], Place]
"""Items, and the place after them. A page without items is a heartbeat."""


class Feed:
    """The feed of one database, in one process. ``draining`` returns whether the server shuts down."""

    def __init__(self, application: GameApplication, draining: Callable[[], bool] = lambda: False) -> None:
        self.cursors = Cursors(application.database.key)
        self._application = application
        self._tables = application.database.feed
        self._draining = draining
        self._newest = Place(0)
        self._recent: deque[Item] = deque(maxlen=RECENT)
        self._generation = 0
        self._followers: set[Follower] = set()
        self._waiters = Waiters()
        self._reading = asyncio.Lock()
        self._has_news = asyncio.Event()

    # --- wake-ups -------------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Trigger a read, because this process has stored new items."""
        self._has_news.set()

    def receive(self, changes: PeerChanges) -> None:
        """Process a notification of changes by other processes."""
        if changes.has_feed_items or changes.has_gap or changes.changed_games:
            self._has_news.set()

    def drain(self) -> None:
        """Wake all followers, which then get ``SHUTTING_DOWN``."""
        self._waiters.wake()

    # --- following ------------------------------------------------------------------------------------------

    @property
    def followers(self) -> int:
        """The number of followers."""
        return len(self._followers)

    @property
    def lag(self) -> int:
        """The number of items that the slowest follower is behind."""
        return max((self._newest.number - it.number for it in self._followers), default=0)

    async def find_start(self, cursor: str, *, from_now: bool = False) -> Place:
        """Return the start of a stream: after a cursor, after the newest item, or before the oldest stored one.

        Raises ``FEED_CURSOR_EXPIRED`` if items after the cursor were deleted, and ``FEED_CURSOR_LOST`` for an invalid
        cursor or one of another database.
        """
        if not cursor:
            _, bounds = await self._read(lambda: (self._tables.number_outbox(), self._tables.bounds()))
            return (
                Place(bounds.newest, bounds.newest_id[:8])
                if from_now and bounds.newest
                else Place(max(bounds.oldest - 1, 0))
            )
        try:
            place = self.cursors.read(cursor)
        except CursorError as error:
            raise ApiError("FEED_CURSOR_LOST") from error
        id, bounds = await self._read(lambda: (self._tables.item_id(place.number), self._tables.bounds()))
        if not place.has_id:
            if place.number > bounds.newest:
                raise ApiError("FEED_CURSOR_LOST")
        elif id and not place.matches(id):
            raise ApiError("FEED_CURSOR_LOST")
        elif id:
            return place
        elif place.number >= bounds.oldest:
            raise ApiError("FEED_CURSOR_LOST")
        if place.number < bounds.oldest - 1 or place.has_id:
            raise ApiError("FEED_CURSOR_EXPIRED")
        return place

    async def follow(self, place: Place, filter: FeedFilter, heartbeat: float) -> AsyncGenerator[Page, None]:
        """Yield the wanted items after a place, then new ones, each once and in order.

        Yields an empty page after ``heartbeat`` seconds without items. Raises ``SHUTTING_DOWN``;
        ``FEED_CURSOR_EXPIRED`` if the reader was so slow that its next item was deleted; ``FEED_CURSOR_LOST`` if the
        database was restored to an earlier state.
        """
        follower = Follower(place.number)
        if not self._followers:
            self._generation += 1  # the items in memory are outdated
            self._recent.clear()
            self._newest = Place(0)
        self._followers.add(follower)
        try:
            generation = self._generation
            await self._read_new()
            due = time.monotonic() + heartbeat
            while True:
                if generation != self._generation:
                    raise ApiError("FEED_CURSOR_LOST")
                items: Sequence[Item] = ()
                if place.number < self._newest.number:
                    items, place = await self._next(place, filter)
                    follower.number = place.number
                elif self._draining():
                    raise ApiError("SHUTTING_DOWN")
                else:
                    await self._waiters.wait(due - time.monotonic())
                if items or time.monotonic() >= due:
                    yield items, place
                    due = time.monotonic() + heartbeat
        finally:
            self._followers.discard(follower)

    async def _next(self, place: Place, filter: FeedFilter) -> Page:
        newest = self._newest
        recent = self._recent
        if recent and recent[0].row.number <= place.number + 1:
            begins = place.number + 1 - recent[0].row.number
            rows = list(islice(recent, begins, begins + PAGE))
            return [item for item in rows if filter.matches(item.row)], _place_after(rows[-1].row)
        found, bounds = await self._read(partial(self._page, place.number, newest.number, filter))
        if bounds.oldest > place.number + 1:
            raise ApiError("FEED_CURSOR_EXPIRED")
        reached = _place_after(found[-1]) if len(found) == PAGE else newest
        return [Item(row) for row in found if filter.matches(row)], reached

    def _page(self, after: int, until: int, filter: FeedFilter) -> tuple[list[FeedRow], FeedBounds]:
        rows = self._tables.page(after, until, PAGE, platform=filter.platform, game=filter.game)
        return rows, self._tables.bounds()  # read last, to notice items that were deleted during the query

    # --- reading --------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Read new items while there are followers, until cancelled."""
        while True:
            try:
                async with asyncio.timeout(_POLL_SECONDS if self._application.database.is_shared else None):
                    await self._has_news.wait()
            except TimeoutError:
                pass
            else:
                await asyncio.sleep(_BATCH_SECONDS)
            self._has_news.clear()
            if not self._followers:
                continue
            try:
                await self._read_new()
            except ApiError:  # storage unavailable: retry on the next poll
                await asyncio.sleep(_POLL_SECONDS)
                self._has_news.set()
            except Exception:  # noqa: BLE001  # the next poll tries again
                _log.exception("reading new feed items failed")
                await asyncio.sleep(_POLL_SECONDS)

    async def _read_new(self) -> None:
        """Read new items into memory and wake the followers."""
        async with self._reading:
            while True:
                before = self._newest
                rows, newest = await self._read(partial(self._read_after, before))
                if newest is None:  # for example after a failover to a standby that lagged behind
                    _log.error("the feed was set back", number=before.number)
                    self._generation += 1
                    self._recent.clear()
                    self._newest = Place(0)
                    self._waiters.wake()
                    continue
                if newest != before:
                    if not rows or rows[0].number != before.number + 1:
                        self._recent.clear()
                    self._recent += map(Item, rows)
                    self._newest = newest
                    self._waiters.wake()
                if len(rows) < PAGE:
                    return

    def _read_after(self, before: Place) -> tuple[list[FeedRow], Place | None]:
        """Return the items after a place and the place after them, or ``None`` if the place no longer exists."""
        self._tables.number_outbox()
        bounds = self._tables.bounds()
        if not before.number:  # begin now: followers read earlier items themselves
            return [], Place(bounds.newest, bounds.newest_id[:8]) if bounds.newest else before
        rows = self._tables.page(before.number - 1, bounds.newest, PAGE + 1)
        if not rows or rows[0].number != before.number or not before.matches(rows[0].id):
            return [], None
        del rows[0]
        return rows, _place_after(rows[-1]) if rows else before

    async def _read(self, function: Callable[[], _T]) -> _T:
        return await read(self._application, function)

    # --- pruning -------------------------------------------------------------------------------------------

    async def prune_regularly(self, days: float, clock: Callable[[], int]) -> None:
        """Delete items older than ``days``, every hour until cancelled. ``clock`` returns milliseconds since 1970."""
        await repeat(
            _PRUNE_SECONDS, lambda: self.prune(clock() - round(days * _DAY)), "old items of the feed were not removed"
        )

    async def prune(self, before: int) -> None:
        """Delete the items before the first one that was stored at or after a time (milliseconds since 1970)."""
        store = self._application.writer.store
        more = True
        while more:
            number, more = await self._read(partial(self._first_remaining, before))
            if number:
                await asyncio.to_thread(store, [PruneFeed(number)])

    def _first_remaining(self, before: int) -> tuple[int, bool]:
        """Examine the oldest page of items.

        Return the number of the first item that is not old (0: no item is old), and whether the next page may also
        contain old items.
        """
        self._tables.number_outbox()
        rows = self._tables.page(0, self._tables.bounds().newest, PAGE)
        old = next((at for at, row in enumerate(rows) if row.time >= before), len(rows))
        return (rows[old - 1].number + 1 if old else 0), old == PAGE


def _place_after(row: FeedRow) -> Place:
    return Place(row.number, row.id[:8])
