"""Following the feed: what is new is read once in each process, and told to all who follow from there.

Hints say when to look: an append of this process, or what others tell. They may be lost, late or doubled, because what
is told is read from the database, from one number to the next, and others' items are looked for every second besides.
Who is further behind than what is kept in memory reads from the database himself.
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
"""So many items are kept in memory."""

_POLL_SECONDS = 1.0
_PAUSE_SECONDS = 0.005
"""What comes within this time is read together: at a thousand commands a second that is much less work."""

_TIDY_SECONDS = 3600.0
_DAY = 86_400_000

_T = TypeVar("_T")
_log = structlog.get_logger()


class Wanted(NamedTuple):
    """What somebody follows: the games of a platform, of nobody (empty) or all (``None``); empty is any."""

    platform: str | None
    title: str = ""
    game: UUID | None = None
    kinds: frozenset[str] = frozenset()

    def has(self, row: FeedRow) -> bool:
        """Whether an item is among it."""
        return (
            row.kind != BLANK
            and (self.platform is None or row.platform == self.platform)
            and (not self.title or row.title == self.title)
            and (self.game is None or row.game == self.game)
            and (not self.kinds or row.kind in self.kinds)
        )


class Item:
    """An item at hand; ``encoded`` is what servicers have made of it for all who get it."""

    __slots__ = ("encoded", "row")

    def __init__(self, row: FeedRow) -> None:
        self.row = row
        self.encoded = b""


class Follower:
    """Somebody who follows, and behind which number he is."""

    __slots__ = ("position",)

    def __init__(self, position: int) -> None:
        self.position = position


Page = tuple[Sequence[Item], Place]
"""Items, none as a sign of life, and behind which place whoever has them is then."""


class Feed:
    """The feed of one database, for one process. ``draining`` tells whether the service ends."""

    def __init__(self, application: GameApplication, draining: Callable[[], bool] = lambda: False) -> None:
        self.cursors = Cursors(application.database.key)
        self._application = application
        self._tables = application.database.feed
        self._draining = draining
        self._newest = Place(0)
        self._recent: deque[Item] = deque(maxlen=RECENT)
        self._lives = 0
        self._followers: set[Follower] = set()
        self._waiters = Waiters()
        self._looking = asyncio.Lock()
        self._hinted = asyncio.Event()

    # --- hints ----------------------------------------------------------------------------------------------

    def wake(self) -> None:
        """Something new was stored here."""
        self._hinted.set()

    def hear(self, news: PeerChanges) -> None:
        """Others did something."""
        if news.has_feed_items or news.has_gap or news.changed_games:
            self._hinted.set()

    def drain(self) -> None:
        """Wake everybody, to be told that the service ends."""
        self._waiters.wake()

    # --- following ------------------------------------------------------------------------------------------

    @property
    def followers(self) -> int:
        """How many follow."""
        return len(self._followers)

    @property
    def lag(self) -> int:
        """So many items the last of all who follow is behind."""
        return max((self._newest.number - it.position for it in self._followers), default=0)

    async def begin(self, cursor: str, *, from_now: bool = False) -> Place:
        """Where to begin: behind a cursor, with what comes next, or with the oldest that is kept.

        Raises ``FEED_CURSOR_EXPIRED`` or ``FEED_CURSOR_LOST``, which also what is no cursor is.
        """
        if not cursor:
            _, ends = await self._read(lambda: (self._tables.number_outbox(), self._tables.bounds()))
            return (
                Place(ends.newest, ends.newest_id[:8]) if from_now and ends.newest else Place(max(ends.oldest - 1, 0))
            )
        try:
            place = self.cursors.read(cursor)
        except CursorError as error:
            raise ApiError("FEED_CURSOR_LOST") from error
        id, ends = await self._read(lambda: (self._tables.item_id(place.number), self._tables.bounds()))
        if not place.is_checked:
            if place.number > ends.newest:
                raise ApiError("FEED_CURSOR_LOST")
        elif id and not place.fits(id):
            raise ApiError("FEED_CURSOR_LOST")
        elif id:
            return place
        elif place.number >= ends.oldest:
            raise ApiError("FEED_CURSOR_LOST")
        if place.number < ends.oldest - 1 or place.is_checked:
            raise ApiError("FEED_CURSOR_EXPIRED")
        return place

    async def follow(self, place: Place, wanted: Wanted, heartbeat: float) -> AsyncGenerator[Page, None]:
        """What is wanted behind a place, then what comes, each item once and in order.

        Yields no items as a sign of life after ``heartbeat`` seconds in which nothing came. Raises
        ``SHUTTING_DOWN``, ``FEED_CURSOR_EXPIRED`` for who did not read for so long that what comes next is gone,
        and ``FEED_CURSOR_LOST`` if the database was set back: both go on with a cursor where that is possible.
        """
        follower = Follower(place.number)
        if not self._followers:
            self._lives += 1  # nobody has kept up with what is in memory
            self._recent.clear()
            self._newest = Place(0)
        self._followers.add(follower)
        try:
            life = self._lives
            await self._look()
            due = time.monotonic() + heartbeat
            while True:
                if life != self._lives:
                    raise ApiError("FEED_CURSOR_LOST")
                items: Sequence[Item] = ()
                if place.number < self._newest.number:
                    items, place = await self._next(place, wanted)
                    follower.position = place.number
                elif self._draining():
                    raise ApiError("SHUTTING_DOWN")
                else:
                    await self._waiters.wait(due - time.monotonic())
                if items or time.monotonic() >= due:
                    yield items, place
                    due = time.monotonic() + heartbeat
        finally:
            self._followers.discard(follower)

    async def _next(self, place: Place, wanted: Wanted) -> Page:
        newest = self._newest
        recent = self._recent
        if recent and recent[0].row.number <= place.number + 1:
            begins = place.number + 1 - recent[0].row.number
            rows = list(islice(recent, begins, begins + PAGE))
            return [item for item in rows if wanted.has(item.row)], _behind(rows[-1].row)
        found, ends = await self._read(partial(self._page, place.number, newest.number, wanted))
        if ends.oldest > place.number + 1:
            raise ApiError("FEED_CURSOR_EXPIRED")
        reached = _behind(found[-1]) if len(found) == PAGE else newest
        return [Item(row) for row in found if wanted.has(row)], reached

    def _page(self, after: int, until: int, wanted: Wanted) -> tuple[list[FeedRow], FeedBounds]:
        rows = self._tables.page(after, until, PAGE, platform=wanted.platform, game=wanted.game)
        return rows, self._tables.bounds()  # afterwards: if nothing was gone then, nothing was before

    # --- looking --------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Look for what is new, for ever, as long as somebody follows."""
        while True:
            try:
                async with asyncio.timeout(_POLL_SECONDS if self._application.database.is_shared else None):
                    await self._hinted.wait()
            except TimeoutError:
                pass
            else:
                await asyncio.sleep(_PAUSE_SECONDS)
            self._hinted.clear()
            if not self._followers:
                continue
            try:
                await self._look()
            except ApiError:  # the storage is away: the next look may go better
                await asyncio.sleep(_POLL_SECONDS)
                self._hinted.set()
            except Exception:  # noqa: BLE001  # the next look may go better
                _log.exception("looking for news failed")
                await asyncio.sleep(_POLL_SECONDS)

    async def _look(self) -> None:
        """Read what is new into memory."""
        async with self._looking:
            while True:
                before = self._newest
                rows, newest = await self._read(partial(self._read_on, before))
                if newest is None:  # it was set back, as after a failover to a standby that lagged behind
                    _log.error("the feed was set back", number=before.number)
                    self._lives += 1
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

    def _read_on(self, before: Place) -> tuple[list[FeedRow], Place | None]:
        """What comes behind a place, and the place behind that; none if the place itself is not there any more."""
        self._tables.number_outbox()
        ends = self._tables.bounds()
        if not before.number:  # from now on: what was before is read by who asks for it
            return [], Place(ends.newest, ends.newest_id[:8]) if ends.newest else before
        rows = self._tables.page(before.number - 1, ends.newest, PAGE + 1)
        if not rows or rows[0].number != before.number or not before.fits(rows[0].id):
            return [], None
        del rows[0]
        return rows, _behind(rows[-1]) if rows else before

    async def _read(self, function: Callable[[], _T]) -> _T:
        return await read(self._application, function)

    # --- what is old ----------------------------------------------------------------------------------------

    async def tidy(self, days: float, clock: Callable[[], int]) -> None:
        """Let items go that are older than that, every hour. ``clock`` gives milliseconds since 1970."""
        await repeat(
            _TIDY_SECONDS, lambda: self.prune(clock() - round(days * _DAY)), "old items of the feed were not removed"
        )

    async def prune(self, before: int) -> None:
        """Let items go that were stored before a time (milliseconds since 1970), up to the first that was not.

        Reads as all do, on threads that closing the database waits for.
        """
        store = self._application.writer.store
        more = True
        while more:
            number, more = await self._read(partial(self._first_kept, before))
            if number:
                await asyncio.to_thread(store, [PruneFeed(number)])

    def _first_kept(self, before: int) -> tuple[int, bool]:
        """The number from which on items are kept, as far as one page shows, 0: all are; and whether more may go."""
        self._tables.number_outbox()
        rows = self._tables.page(0, self._tables.bounds().newest, PAGE)
        old = next((at for at, row in enumerate(rows) if row.time >= before), len(rows))
        return (rows[old - 1].number + 1 if old else 0), old == PAGE


def _behind(row: FeedRow) -> Place:
    return Place(row.number, row.id[:8])
