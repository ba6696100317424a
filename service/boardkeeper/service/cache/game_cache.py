"""A cache of games: it loads them on demand and evicts them if there are too many, or if they are large or unused."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import TypeVar
from uuid import UUID

from boardkeeper.service.cache.game_loader import GameLoader
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.peer_sync import PeerSync
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage_reads import read, read_game

_T = TypeVar("_T")


class GameLock:
    """The context manager of :meth:`GameCache.lock`. A generator function would be slower."""

    __slots__ = ("_cache", "_fresh", "_game", "_live")

    def __init__(self, cache: GameCache, game: UUID, fresh: bool) -> None:
        self._cache = cache
        self._game = game
        self._fresh = fresh

    async def __aenter__(self) -> LiveGame:
        live = self._live = await self._cache.acquire(self._game, fresh=self._fresh)
        live.holder = self
        return live

    async def __aexit__(self, *error: object) -> None:
        live = self._live
        if live.holder is self:
            live.keep_locked()
            live.lock.release()


class GameCache:
    """The games of one application that are in memory.

    It holds at most ``limit`` games of about ``max_bytes`` bytes in total and evicts the least recently used first.
    :meth:`sweep` evicts games that were not used for ``idle_seconds``. Watched and locked games are never evicted.
    """

    def __init__(
        self,
        application: GameApplication,
        *,
        limit: int = 5_000,
        max_bytes: int = 512_000_000,
        idle_seconds: float = 900.0,
    ) -> None:
        self.application = application
        self.drained = asyncio.Event()
        self.limit = limit
        self.max_bytes = max_bytes
        self.bytes = 0
        self._idle_seconds = idle_seconds
        # Keys are the integers of the ids: UUIDs hash and compare in Python.
        self._games: OrderedDict[int, LiveGame] = OrderedDict()
        self.loader = GameLoader(application, self.add)
        self.peer_sync = PeerSync(application, self)

    # --- games in memory ------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._games)

    def watcher_lags(self) -> list[int]:
        """Return how many events each watcher of each game is behind."""
        return [lag for live in self._games.values() for lag in live.watchers.lags(live.game.version)]

    def loaded_games(self) -> Iterable[LiveGame]:
        """Return all games in memory."""
        return self._games.values()

    def peek(self, game: UUID) -> LiveGame | None:
        """Return a game if it is in memory, without counting this as a use."""
        return self._games.get(game.int)

    def get_if_current(self, game: UUID) -> LiveGame | None:
        """Return a game if it is in memory and no other process can have changed it; otherwise ``None``."""
        live = self._games.get(game.int)
        return None if live is None or self.peer_sync.is_stale(live) else self._use(live)

    async def get(self, game: UUID) -> LiveGame:
        """Return a game, loaded if necessary. Raises ``GAME_NOT_FOUND``, ``GAME_REMOVED`` or ``GAME_DAMAGED``."""
        live = self._games.get(game.int)
        if live is not None and self.peer_sync.is_stale(live):
            await self.peer_sync.refresh(live)
            live = self._games.get(game.int)
        return await self.loader.load(game) if live is None else self._use(live)

    def _use(self, live: LiveGame) -> LiveGame:
        self._games.move_to_end(live.id.int)
        live.used = time.monotonic()
        return live

    def add(self, live: LiveGame) -> None:
        """Add a game; evict others if there are too many."""
        live.used = time.monotonic()
        replaced = self._games.get(live.id.int)
        self._games[live.id.int] = live
        self.bytes += live.size - (replaced.size if replaced is not None else 0)
        self._evict(live)

    def _evict(self, newest: LiveGame | None = None) -> None:
        """Drop idle games while there are too many or they use too much memory."""
        for other in list(self._games.values()) if self._is_full else ():
            if not self._is_full:
                return
            if other.is_idle and other is not newest:
                self.drop(other)

    @property
    def _is_full(self) -> bool:
        return len(self._games) > self.limit or self.bytes > self.max_bytes

    def drop(self, live: LiveGame) -> None:
        """Drop a game, even if it is in use."""
        live.drop()
        if self._games.get(live.id.int) is live:
            del self._games[live.id.int]
            self.bytes -= live.size

    def forget_removed(self, game: UUID, time: int) -> None:
        """Drop all data of a game that was removed at that time (milliseconds since 1970)."""
        self.loader.mark_removed(game, time)
        self.application.damages.pop(game, None)
        self.application.delete_archived_events(game)
        live = self._games.get(game.int)
        if live is not None:
            self.drop(live)

    def sweep(self) -> None:
        """Drop games that are idle for too long. Estimate the sizes of the others again, and evict games if needed."""
        oldest = time.monotonic() - self._idle_seconds
        for live in [live for live in self._games.values() if live.used < oldest and live.is_idle]:
            self.drop(live)
        for live in self._games.values():
            live.size = live.estimate_size()
        self.bytes = sum(live.size for live in self._games.values())
        self._evict()

    @property
    def draining(self) -> bool:
        """Return whether the server shuts down and accepts no more commands."""
        return self.drained.is_set()

    def drain(self) -> None:
        """Accept no more commands and wake every watcher."""
        self.drained.set()
        for live in self._games.values():
            live.watchers.wake()

    # --- locks ----------------------------------------------------------------------------------------------

    def lock(self, game: UUID, *, fresh: bool = False) -> GameLock:
        """Return a context manager that locks a game and provides it.

        With ``fresh``, it first reads events of other processes. At the end of the block it releases the lock, unless
        the block called :meth:`LiveGame.keep_locked`.
        """
        return GameLock(self, game, fresh)

    async def acquire(self, game: UUID, *, fresh: bool = False) -> LiveGame:
        """Return a game with its lock held; the caller releases the lock. See :meth:`lock`."""
        while True:
            live = self.get_if_current(game) or await self.get(game)
            await live.lock.acquire()
            if (live.may_be_behind or fresh) and not live.is_dropped:
                try:
                    await self.peer_sync.catch_up(live)
                except BaseException:
                    live.lock.release()
                    raise
            if not live.is_dropped:
                return live
            live.lock.release()

    # --- reading --------------------------------------------------------------------------------------------

    def read(self, function: Callable[[], _T]) -> Awaitable[_T]:
        """Run a blocking read in a reader thread; see :func:`~boardkeeper.service.storage_reads.read`."""
        return read(self.application, function)

    def read_game(self, game: UUID, function: Callable[[], _T]) -> Awaitable[_T]:
        """Run a blocking read of one game; see :func:`~boardkeeper.service.storage_reads.read_game`."""
        return read_game(self.application, game, function)

    async def reload_seats_if_loaded(self, game: UUID) -> None:
        """Read the seats of a game again if it is in memory or is being read."""
        if game.int in self._games or game in self.loader:
            async with self.lock(game) as live:
                await self.reload_seats(live)

    async def reload_seats(self, live: LiveGame) -> None:
        """Read the seats of a locked game again."""
        live.seats = await self.read_game(live.id, partial(self.application.game_tables.seats, live.id))
