"""Games in memory: read from the log when somebody asks for them, let go of when nobody has for a while."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial
from typing import TypeVar
from uuid import UUID

from boardkeeper.service.games.live import LiveGame
from boardkeeper.service.games.others import Others
from boardkeeper.service.games.veils import Veils
from boardkeeper.service.limits import work
from boardkeeper.service.reading.reads import log_damage, read, read_game
from boardkeeper.service.reading.turns import Turns
from boardkeeper.service.requests.refusals import (
    GameDamagedError,
    GameRemovedError,
    Refusal,
    ShuttingDownError,
    UnknownGameError,
    VersionOutOfRangeError,
)
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.rows import LobbyRow
from boardkeeper.service.tallies import Spread

_T = TypeVar("_T")

_SETTLING_SECONDS = 1.0

_LOADS_AT_ONCE = 2


class GamesInMemory:
    """Games in memory over one application.

    ``limit`` games stay in memory, and no more than take about ``most_bytes``; the least recently used go first. Those
    that nobody used for ``idle_seconds`` go at the next :meth:`sweep`. A game that is being watched or changed stays.
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
        self.load_seconds = Spread()
        self._idle_seconds = idle_seconds
        self._games: OrderedDict[int, LiveGame] = OrderedDict()  # by the id's number: UUIDs hash and compare in Python
        self._removed: dict[UUID, int] = {}
        self._loading: dict[UUID, _Loading] = {}
        self._loads = Turns(_LOADS_AT_ONCE)
        self.others = Others(application, self)

    # --- games in memory ------------------------------------------------------------------------------------

    def __len__(self) -> int:
        return len(self._games)

    @property
    def loading(self) -> int:
        """How many games are read from the log now, or wait for it."""
        return len(self._loading)

    def behind(self) -> list[int]:
        """How many events each watcher of each game is behind."""
        return [events for live in self._games.values() for events in live.behind()]

    @property
    def draining(self) -> bool:
        """Whether no more commands are accepted."""
        return self.drained.is_set()

    def at_hand(self, game: UUID) -> LiveGame | None:
        """Return a game if it is in memory and up to date, as far as is known. This counts as using the game."""
        live = self._games.get(game.int)
        if live is None or self.others.is_stale(live):
            return None
        self._games.move_to_end(game.int)
        live.used = time.monotonic()
        return live

    async def live(self, game: UUID) -> LiveGame:
        """Return a game, read from the log if it is not in memory. Raises ``UnknownGameError``."""
        live = self._games.get(game.int)
        if live is not None and self.others.is_stale(live):
            await self.others.freshen(live)
        # A game with free seats stays stale: its seats may be taken elsewhere at any time.
        live = self._games.get(game.int)
        if live is not None:
            self._games.move_to_end(game.int)
            live.used = time.monotonic()
            return live
        if game not in self._loading:
            await work.afford()
        loading = self._loading.get(game)
        if loading is None:
            loading = self._loading[game] = _Loading()
            loading.task = asyncio.create_task(self._load(game, loading))
            loading.task.add_done_callback(partial(self._loaded, game, loading))
        loading.waiting += 1
        try:
            return await asyncio.shield(loading.task)  # others may wait for the same load
        finally:
            loading.waiting -= 1
            if not loading.waiting and not loading.begun:  # nobody is left who wants it
                self._end_loading(game, loading)
                loading.task.cancel()

    @asynccontextmanager
    async def holding(self, game: UUID, *, fresh: bool = False) -> AsyncIterator[LiveGame]:
        """A live game with its lock held, for reading; ``fresh``: with all that other processes have stored."""
        live = await self.locked(game, fresh=fresh)
        try:
            yield live
        finally:
            live.lock.release()

    def add(self, live: LiveGame) -> None:
        """Take a game into memory; others go if there are too many."""
        live.used = time.monotonic()
        before = self._games.get(live.id.int)
        self._games[live.id.int] = live
        self.bytes += live.size - (before.size if before is not None else 0)
        self._make_room(live)

    def _make_room(self, newest: LiveGame | None = None) -> None:
        """Let go of idle games as long as there are too many, or they take too much."""
        for other in list(self._games.values()) if self._is_full else ():
            if not self._is_full:
                return
            if other.idle and other is not newest:
                self.drop(other)

    @property
    def _is_full(self) -> bool:
        return len(self._games) > self.limit or self.bytes > self.most_bytes

    async def reread_seats(self, game: UUID) -> None:
        """Have a game that is in memory, or is being read, know who has its seats now."""
        if game.int in self._games or game in self._loading:
            async with self.holding(game) as live:
                live.seats = await self.read_game(game, partial(self.application.companions.seats, game))

    def reload_if_loading(self, game: UUID | None) -> None:
        """What is being read of a game, or of all (``None``), may be old by now: once it is here, it is doubted."""
        for id, loading in self._loading.items():
            if game is None or id == game:
                loading.is_doubtful = True

    def resident(self) -> Iterable[LiveGame]:
        """The games in memory."""
        return self._games.values()

    def in_memory(self, game: UUID) -> LiveGame | None:
        """A game if it is in memory; it is not read for this."""
        return self._games.get(game.int)

    def drop(self, live: LiveGame) -> None:
        """Let go of a game, whoever uses it."""
        live.drop()
        if self._games.get(live.id.int) is live:
            del self._games[live.id.int]
            self.bytes -= live.size

    def forget(self, game: UUID, time: int) -> None:
        """A game was removed for good at that time (milliseconds since 1970)."""
        self._removed[game] = time
        self.application.damages.pop(game, None)
        self.application.forget_archived(game)
        live = self._games.get(game.int)
        if live is not None:
            self.drop(live)

    def sweep(self) -> None:
        """Let go of the games that nobody has used for a while, and of more if the others have grown."""
        oldest = time.monotonic() - self._idle_seconds
        for live in [live for live in self._games.values() if live.used < oldest and live.idle]:
            self.drop(live)
        for live in self._games.values():  # they have grown
            live.size = live.estimate()
        self.bytes = sum(live.size for live in self._games.values())
        self._make_room()

    def drain(self) -> None:
        """Accept no more commands and wake every watcher, to be told."""
        self.drained.set()
        for live in self._games.values():
            live.wake()

    async def locked(self, game: UUID, *, fresh: bool = False) -> LiveGame:
        """Return a game with its lock held; the caller releases the lock.

        ``fresh`` reads what other processes have stored before.
        """
        while True:
            live = self.at_hand(game) or await self.live(game)
            await live.lock.acquire()
            if (live.may_be_behind or fresh) and not live.dropped:
                try:
                    await self.others.catch_up(live)
                except BaseException:
                    live.lock.release()
                    raise
            if not live.dropped:
                return live
            live.lock.release()

    async def _load(self, game: UUID, loading: _Loading) -> LiveGame:
        async with self._loads.turn(game, for_all=True):
            loading.begun = True
            begun = time.perf_counter()
            live = await self.read_game(game, partial(self._read, game))
            took = time.perf_counter() - begun
        if game in self._removed:  # while it was read
            raise GameRemovedError(game, self._removed[game])
        if live is None:
            raise UnknownGameError(game)
        self.load_seconds.note(took)
        live.stale = live.doubtful = loading.is_doubtful
        self.add(live)
        return live

    def _read(self, game: UUID) -> LiveGame | None:
        checked = self.application.load_checked(game)
        if checked is None:
            time = self.application.companions.removed(game)
            if time is not None:
                raise GameRemovedError(game, time)
            return None
        loaded, line, damage = checked
        if damage is not None:
            log_damage(game, damage)
        if loaded is None or line is None:
            raise GameDamagedError(damage.version if damage is not None else 1)
        rebuilt, events = loaded
        return LiveGame(rebuilt, line.seats, Veils(events), damage)

    def _loaded(self, game: UUID, loading: _Loading, task: asyncio.Task[LiveGame]) -> None:
        self._end_loading(game, loading)
        if not task.cancelled():
            task.exception()  # whoever waits gets it; nobody may be waiting any more

    def _end_loading(self, game: UUID, loading: _Loading) -> None:
        if self._loading.get(game) is loading:
            del self._loading[game]

    # --- reading --------------------------------------------------------------------------------------------

    def read(self, function: Callable[[], _T]) -> Awaitable[_T]:
        """Run a blocking read in a reader thread; see :func:`~boardkeeper.service.reading.reads.read`."""
        return read(self.application, function)

    def read_game(self, game: UUID, function: Callable[[], _T]) -> Awaitable[_T]:
        """Run a blocking read of one game; see :func:`~boardkeeper.service.reading.reads.read_game`."""
        return read_game(self.application, game, function)

    async def missing(self, game: UUID) -> Refusal:
        """What to say of a game that is not here: whether it was removed, or never was."""
        removed = await self.read(partial(self.application.companions.removed, game))
        return UnknownGameError(game) if removed is None else GameRemovedError(game, removed)

    async def reach(self, game: UUID, version: int | None, seconds: float) -> None:
        """Wait until a game has at least that version.

        Raises ``VersionOutOfRangeError`` if it does not in time, ``ShuttingDownError`` if the service ends first.
        """
        if version is None:
            return
        until = time.monotonic() + seconds
        while True:
            live = await self.live(game)
            if live.game.version >= version:
                return
            if self.others.are_possible:
                await self.others.freshen(live)
                if live.dropped or live.game.version >= version:
                    continue
            left = until - time.monotonic()
            if self.draining:
                raise ShuttingDownError
            if left <= 0 or live.damage is not None:  # nothing more comes of a damaged game
                raise beyond(live, version)
            await live.changed(left)

    async def version(self, game: UUID, at_least: int) -> int:
        """Return the version of a game. Look for events of other processes if it is lower than ``at_least``."""
        live = await self.live(game)
        if live.game.version < at_least and self.others.are_possible:
            await self.others.freshen(live)
            live = await self.live(game)
        return live.game.version

    async def settled(self, lines: Iterable[LobbyRow]) -> None:
        """Wait until the games in memory count what these lines of the lobby say already.

        A commit is there for readers of the database a moment before the loop hears of it. Whoever was told a version
        in that moment would be refused it as one that there is not.
        """
        for line in lines:
            live = self._games.get(line.game_id.int)
            if live is not None and self.others.are_possible and live.game.version < line.version:
                live.stale = True  # another process may have gone on with it
            while live is not None and live.lock.locked() and not live.dropped and live.game.version < line.version:
                await live.changed(_SETTLING_SECONDS)

    async def live_at(self, game: UUID, version: int) -> LiveGame:
        """The live game of that id, which has that version. Raises ``VersionOutOfRangeError``."""
        live = await self.live(game)
        if version > live.game.version and self.others.are_possible:
            await self.others.freshen(live)
            live = await self.live(game)
        if not 1 <= version <= live.game.version:
            raise beyond(live, version)
        return live


class _Loading:
    """A game that is being read: how many wait for it, and whether its turn has come."""

    __slots__ = ("begun", "is_doubtful", "task", "waiting")

    task: asyncio.Task[LiveGame]

    def __init__(self) -> None:
        self.waiting = 0
        self.begun = False
        self.is_doubtful = False


def beyond(live: LiveGame, version: int) -> Refusal:
    """Why a game has no such version: it is damaged from there or before, or has not got so far."""
    if live.damage is not None and version >= live.damage.version:
        return GameDamagedError(live.damage.version)
    return VersionOutOfRangeError(version, live.game.version)
