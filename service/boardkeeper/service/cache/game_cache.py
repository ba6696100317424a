"""Games in memory: read from the log when they are needed, dropped when they have not been used for a while."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import TypeVar
from uuid import UUID

from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.peer_sync import PeerSync
from boardkeeper.service.cache.visibility_history import VisibilityHistory
from boardkeeper.service.limits.clients import afford_work
from boardkeeper.service.limits.fair_queue import FairQueue
from boardkeeper.service.observability.counters import Histogram
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.rows import LobbyRow
from boardkeeper.service.storage_reads import log_damage, read, read_game

_T = TypeVar("_T")

_SETTLING_SECONDS = 1.0

_LOADS_AT_ONCE = 2


class GameLock:
    """An ``async with`` block that holds the lock of a game. Each command has one, so it is no generator."""

    __slots__ = ("_fresh", "_game", "_live", "_memory")

    def __init__(self, memory: GameCache, game: UUID, fresh: bool) -> None:
        self._memory = memory
        self._game = game
        self._fresh = fresh

    async def __aenter__(self) -> LiveGame:
        live = self._live = await self._memory.acquire(self._game, fresh=self._fresh)
        live.holder = self
        return live

    async def __aexit__(self, *error: object) -> None:
        live = self._live
        if live.holder is self:
            live.keep_locked()
            live.lock.release()


class GameCache:
    """The games of one application that are in memory.

    At most ``limit`` games stay in memory, of at most ``most_bytes`` bytes or so; the least recently used are dropped
    first. :meth:`sweep` drops games that have not been used for ``idle_seconds``. A game that is watched or locked
    stays.
    """

    def __init__(
        self,
        application: GameApplication,
        *,
        limit: int = 5_000,
        most_bytes: int = 512_000_000,
        idle_seconds: float = 900.0,
    ) -> None:
        self.application = application
        self.drained = asyncio.Event()
        self.limit = limit
        self.most_bytes = most_bytes
        self.bytes = 0
        self.load_seconds = Histogram()
        self._idle_seconds = idle_seconds
        # By the number of the id: UUIDs hash and compare in Python.
        self._games: OrderedDict[int, LiveGame] = OrderedDict()
        self._removed: dict[UUID, int] = {}
        self._loading: dict[UUID, _Loading] = {}
        self._loads = FairQueue(_LOADS_AT_ONCE)
        self.peer_sync = PeerSync(application, self)

    # --- games in memory ------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._games)

    @property
    def loading(self) -> int:
        """The number of games that are being read from the log or wait for that."""
        return len(self._loading)

    def watcher_lags(self) -> list[int]:
        """Return how many events each watcher of each game is behind."""
        return [events for live in self._games.values() for events in live.behind()]

    @property
    def draining(self) -> bool:
        """Whether no more commands are accepted."""
        return self.drained.is_set()

    def get_if_current(self, game: UUID) -> LiveGame | None:
        """Return a game if it is in memory and no other process may have changed it. This counts as using the game."""
        live = self._games.get(game.int)
        return None if live is None or self.peer_sync.is_stale(live) else self._use(live)

    def _use(self, live: LiveGame) -> LiveGame:
        self._games.move_to_end(live.id.int)
        live.used = time.monotonic()
        return live

    async def get(self, game: UUID) -> LiveGame:
        """Return a game, read from the log if it is not in memory. Raises ``GAME_NOT_FOUND``."""
        live = self._games.get(game.int)
        if live is not None and self.peer_sync.is_stale(live):
            await self.peer_sync.freshen(live)
            live = self._games.get(game.int)
        if live is not None:
            return self._use(live)
        if game not in self._loading:
            await afford_work()
        loading = self._loading.get(game)
        if loading is None:
            loading = self._loading[game] = _Loading()
            loading.task = asyncio.create_task(self._load(game, loading))
            loading.task.add_done_callback(partial(self._loaded, game, loading))
        loading.waiting += 1
        try:
            return await asyncio.shield(loading.task)  # other callers may wait for the same load
        finally:
            loading.waiting -= 1
            if not loading.waiting and not loading.begun:  # no caller waits for it any more
                self._end_loading(game, loading)
                loading.task.cancel()

    def lock(self, game: UUID, *, fresh: bool = False) -> GameLock:
        """Return the block that holds the lock of a game until it ends or hands it over (:meth:`LiveGame.keep_locked`).

        ``fresh`` reads what other processes have stored before.
        """
        return GameLock(self, game, fresh)

    def add(self, live: LiveGame) -> None:
        """Take a game into memory; drop other games if there are too many."""
        live.used = time.monotonic()
        before = self._games.get(live.id.int)
        self._games[live.id.int] = live
        self.bytes += live.size - (before.size if before is not None else 0)
        self._make_room(live)

    def _make_room(self, newest: LiveGame | None = None) -> None:
        """Drop idle games while there are too many, or they take too much memory."""
        for other in list(self._games.values()) if self._is_full else ():
            if not self._is_full:
                return
            if other.is_idle and other is not newest:
                self.drop(other)

    @property
    def _is_full(self) -> bool:
        return len(self._games) > self.limit or self.bytes > self.most_bytes

    async def reload_seats(self, game: UUID) -> None:
        """Read the seats of a game again if it is in memory or is being read."""
        if game.int in self._games or game in self._loading:
            async with self.lock(game) as live:
                await self.reload_seats_of(live)

    async def reload_seats_of(self, live: LiveGame) -> None:
        """Read the seats of a locked game again."""
        live.seats = await self.read_game(live.id, partial(self.application.game_tables.seats, live.id))

    def reload_if_loading(self, game: UUID | None) -> None:
        """Mark what is being read of a game, or of all games (``None``), as possibly outdated."""
        for id, loading in self._loading.items():
            if game is None or id == game:
                loading.is_doubtful = True

    def loaded_games(self) -> Iterable[LiveGame]:
        """The games in memory."""
        return self._games.values()

    def peek(self, game: UUID) -> LiveGame | None:
        """Return a game if it is in memory. This does not count as using the game."""
        return self._games.get(game.int)

    def drop(self, live: LiveGame) -> None:
        """Drop a game, even if it is in use."""
        live.drop()
        if self._games.get(live.id.int) is live:
            del self._games[live.id.int]
            self.bytes -= live.size

    def forget_removed(self, game: UUID, time: int) -> None:
        """Note that a game was removed for good, at that time (milliseconds since 1970)."""
        self._removed[game] = time
        self.application.damages.pop(game, None)
        self.application.delete_archived_events(game)
        live = self._games.get(game.int)
        if live is not None:
            self.drop(live)

    def sweep(self) -> None:
        """Drop games that have not been used for a while, and more if the other games have grown."""
        oldest = time.monotonic() - self._idle_seconds
        for live in [live for live in self._games.values() if live.used < oldest and live.is_idle]:
            self.drop(live)
        for live in self._games.values():  # they have grown
            live.size = live.estimate()
        self.bytes = sum(live.size for live in self._games.values())
        self._make_room()

    def drain(self) -> None:
        """Accept no more commands and wake every watcher."""
        self.drained.set()
        for live in self._games.values():
            live.wake()

    async def acquire(self, game: UUID, *, fresh: bool = False) -> LiveGame:
        """Return a game with its lock held; the caller releases the lock.

        ``fresh`` reads what other processes have stored before.
        """
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

    async def _load(self, game: UUID, loading: _Loading) -> LiveGame:
        async with self._loads.turn(game, for_all=True):
            loading.begun = True
            begun = time.perf_counter()
            live = await self.read_game(game, partial(self._read, game))
            took = time.perf_counter() - begun
        if game in self._removed:  # while it was read
            raise ApiError("GAME_REMOVED", game=game, time=self._removed[game])
        if live is None:
            raise ApiError("GAME_NOT_FOUND", game=game)
        self.load_seconds.note(took)
        live.is_stale = live.needs_reload = loading.is_doubtful
        self.add(live)
        return live

    def _read(self, game: UUID) -> LiveGame | None:
        checked = self.application.load_verified(game)
        if checked is None:
            time = self.application.game_tables.removal_time(game)
            if time is not None:
                raise ApiError("GAME_REMOVED", game=game, time=time)
            return None
        loaded, line, damage = checked
        if damage is not None:
            log_damage(game, damage)
        if loaded is None or line is None:
            raise ApiError("GAME_DAMAGED", version=damage.version if damage is not None else 1)
        rebuilt, events = loaded
        return LiveGame(rebuilt, line.seats, VisibilityHistory(events), damage)

    def _loaded(self, game: UUID, loading: _Loading, task: asyncio.Task[LiveGame]) -> None:
        self._end_loading(game, loading)
        if not task.cancelled():
            task.exception()  # retrieved here in case no caller waits any more

    def _end_loading(self, game: UUID, loading: _Loading) -> None:
        if self._loading.get(game) is loading:
            del self._loading[game]

    # --- reading --------------------------------------------------------------------------------------------

    def read(self, function: Callable[[], _T]) -> Awaitable[_T]:
        """Run a blocking read in a reader thread; see :func:`~boardkeeper.service.storage_reads.read`."""
        return read(self.application, function)

    def read_game(self, game: UUID, function: Callable[[], _T]) -> Awaitable[_T]:
        """Run a blocking read of one game; see :func:`~boardkeeper.service.storage_reads.read_game`."""
        return read_game(self.application, game, function)

    async def not_found_error(self, game: UUID) -> ApiError:
        """Return the error for a game that is not stored: it was removed, or never existed."""
        removed = await self.read(partial(self.application.game_tables.removal_time, game))
        if removed is None:
            return ApiError("GAME_NOT_FOUND", game=game)
        return ApiError("GAME_REMOVED", game=game, time=removed)

    async def wait_for_version(self, game: UUID, version: int | None, seconds: float) -> None:
        """Wait until a game has at least that version.

        Raises ``VERSION_OUT_OF_RANGE`` if it does not in time, ``SHUTTING_DOWN`` if the service stops first.
        """
        if version is None:
            return
        until = time.monotonic() + seconds
        while True:
            live = await self.get(game)
            if live.game.version >= version:
                return
            if self.peer_sync.is_enabled:
                await self.peer_sync.freshen(live)
                if live.is_dropped or live.game.version >= version:
                    continue
            left = until - time.monotonic()
            if self.draining:
                raise ApiError("SHUTTING_DOWN")
            if left <= 0 or live.damage is not None:  # a damaged game gets no more events
                raise beyond(live, version)
            await live.wait_for_change(left)

    async def _live_up_to(self, game: UUID, version: int) -> LiveGame:
        """Return a game, after looking for events of other processes if it does not have that version."""
        live = await self.get(game)
        if live.game.version < version and self.peer_sync.is_enabled:
            await self.peer_sync.freshen(live)
            live = await self.get(game)
        return live

    async def version(self, game: UUID, at_least: int) -> int:
        """Return the version of a game. Look for events of other processes if it is lower than ``at_least``."""
        return (await self._live_up_to(game, at_least)).game.version

    async def wait_for_versions(self, lines: Iterable[LobbyRow]) -> None:
        """Wait until the games in memory have the versions that these lines of the lobby have.

        Readers of the database see a commit a moment before the loop does. A client that is sent a version in that
        moment would get an error if it asked for this version.
        """
        for line in lines:
            live = self._games.get(line.game_id.int)
            if live is not None and self.peer_sync.is_enabled and live.game.version < line.version:
                live.is_stale = True  # another process may have stored events of it
            while live is not None and live.lock.locked() and not live.is_dropped and live.game.version < line.version:
                await live.wait_for_change(_SETTLING_SECONDS)

    async def live_at(self, game: UUID, version: int) -> LiveGame:
        """Return a game that has that version. Raises ``VERSION_OUT_OF_RANGE``."""
        live = await self._live_up_to(game, version)
        if not 1 <= version <= live.game.version:
            raise beyond(live, version)
        return live


class _Loading:
    """A game that is being read: how many callers wait for it, and whether its turn has come."""

    __slots__ = ("begun", "is_doubtful", "task", "waiting")

    task: asyncio.Task[LiveGame]

    def __init__(self) -> None:
        self.waiting = 0
        self.begun = False
        self.is_doubtful = False


def beyond(live: LiveGame, version: int) -> ApiError:
    """Return why a game does not have a version: it is damaged there or before, or it is not that far."""
    if live.damage is not None and version >= live.damage.version:
        return ApiError("GAME_DAMAGED", version=live.damage.version)
    return ApiError("VERSION_OUT_OF_RANGE", wanted=version, version=live.game.version)
