"""The hub: every game that is in memory, for whoever reads it, watches it or acts on it.

Games are read from the log when somebody asks for them, and let go of when nobody has for a while. What is read here
was committed: who changes a game holds its lock until then (:mod:`~boardkeeper.service.games.acting`).
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from itertools import islice
from typing import TypeVar
from uuid import UUID

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import ENDED, Game
from boardkeeper.game.timeline import Moment
from boardkeeper.service.games.live import CommittedEvent, LiveGame, veiled
from boardkeeper.service.games.others import Others
from boardkeeper.service.games.past import Past
from boardkeeper.service.games.snapshots import Snapshots
from boardkeeper.service.games.veils import Veils
from boardkeeper.service.reading.reads import LARGEST_PAGE, log_damage, read, read_game
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

PAGE = 200
"""How many events are read from the log at once for somebody who is behind."""

_LOADS_AT_ONCE = 2
_HISTORY_AT_ONCE = 2

Runs = Sequence[tuple[int, int]]
"""Versions that follow each other, as the first and the last of each run."""


class Hub:
    """Games in memory over one application.

    ``limit`` games stay in memory, the least recently used go first; those that nobody used for
    ``idle_seconds`` go at the next :meth:`sweep`.
    """

    def __init__(self, application: GameApplication, *, limit: int = 5_000, idle_seconds: float = 900.0) -> None:
        self.application = application
        self.drained = asyncio.Event()
        self.limit = limit
        self.load_seconds = Spread()
        self._idle_seconds = idle_seconds
        self._games: OrderedDict[int, LiveGame] = OrderedDict()  # by the id's number: UUIDs hash and compare in Python
        self._removed: dict[UUID, int] = {}
        self._loading: dict[UUID, _Loading] = {}
        self._loads = Turns(_LOADS_AT_ONCE)
        self.history = Turns(_HISTORY_AT_ONCE)
        """Turns at what takes more than a short read, by game."""
        self.snapshots = Snapshots(application)
        self._past = Past(application, self.snapshots)
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

    async def live(self, game: UUID) -> LiveGame:
        """The live game of that id, read from the log if need be. Raises ``UnknownGameError``."""
        live = self._games.get(game.int)
        if live is not None and self.others.is_stale(live):
            await self.others.freshen(live)
            live = self._games.get(game.int)
        if live is not None:
            self._games.move_to_end(game.int)
            live.used = time.monotonic()
            return live
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
    async def holding(self, game: UUID) -> AsyncIterator[LiveGame]:
        """A live game with its lock held, for reading."""
        live = await self.locked(game)
        try:
            yield live
        finally:
            live.lock.release()

    def add(self, live: LiveGame) -> None:
        """Take a game into memory; others go if there are too many."""
        live.used = time.monotonic()
        self._games[live.id.int] = live
        if len(self._games) > self.limit:
            excess = len(self._games) - self.limit
            idle = (other for other in self._games.values() if other.idle and other is not live)
            for other in list(islice(idle, excess)):
                self.drop(other)

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

    def forget(self, game: UUID, time: int) -> None:
        """A game was removed for good at that time (milliseconds since 1970)."""
        self._removed[game] = time
        self.snapshots.forget(game)
        self.application.damages.pop(game, None)
        live = self._games.get(game.int)
        if live is not None:
            self.drop(live)

    def sweep(self) -> None:
        """Let go of the games that nobody has used for a while."""
        oldest = time.monotonic() - self._idle_seconds
        for live in [live for live in self._games.values() if live.used < oldest and live.idle]:
            self.drop(live)

    def drain(self) -> None:
        """Accept no more commands and wake every watcher, to be told."""
        self.drained.set()
        for live in self._games.values():
            live.wake()

    async def locked(self, game: UUID) -> LiveGame:
        """A live game with its lock held, for who acts on it; whoever has it releases the lock."""
        while True:
            live = await self.live(game)
            await live.lock.acquire()
            if live.stale and not live.dropped:
                try:
                    await self.others.catch_up(live)
                except BaseException:
                    live.lock.release()
                    raise
            if not live.dropped:
                return live
            live.lock.release()

    async def _load(self, game: UUID, loading: _Loading) -> LiveGame:
        async with self._loads.turn(game):
            loading.begun = True
            begun = time.perf_counter()
            live = await self.read_game(game, partial(self._read, game))
            took = time.perf_counter() - begun
        if game in self._removed:  # while it was read
            raise GameRemovedError(game, self._removed[game])
        if live is None:
            raise UnknownGameError(game)
        self.load_seconds.note(took)
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

    async def read(self, function: Callable[[], _T]) -> _T:
        """Run a blocking read in a reader thread; what is wrong with the storage is a refusal."""
        return await read(self.application, function)

    async def read_game(self, game: UUID, function: Callable[[], _T]) -> _T:
        """Run a blocking read of one game; raises ``GameDamagedError`` if it fails because the game is damaged."""
        return await read_game(self.application, game, function)

    async def stored(self, live: LiveGame, runs: Runs) -> Sequence[GameEvent]:
        """The events of a game at these versions, from the log."""
        return await self.read_game(live.id, partial(self._read_runs, live.id, runs)) if runs else ()

    def _read_runs(self, game: UUID, runs: Runs) -> list[GameEvent]:
        read = self.application.game_events
        return [event for first, last in runs for event in read(game, after=first - 1, until=last)]

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
                raise _beyond(live, version)
            await live.changed(left)

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

    async def events(self, game: UUID, after: int, limit: int) -> list[CommittedEvent]:
        """A page of committed events from the log, shorter if they are large; for who has a turn at :attr:`history`."""
        live = await self.live(game)
        if after >= live.game.version:
            return []
        events = await self.read_game(
            game,
            partial(
                self.application.game_events,
                game,
                after=after,
                until=live.game.version,
                limit=limit,
                most_bytes=LARGEST_PAGE,
            ),
        )
        if not events:
            return []
        first, last = events[0].originator_version, events[-1].originator_version
        if live.game.status == ENDED:  # there everything is open
            return veiled(live.veils, events)
        # The page may cut a command into pieces, but who may know its id all of its events tell.
        begins = live.game.seen.first_of(first)
        ends = live.game.seen.next_after(last, live.game.version + 1)
        earlier = await self.stored(live, [(begins, first - 1)] if begins < first else ())
        later = await self.stored(live, [(last + 1, ends - 1)] if last + 1 < ends else ())
        return veiled(live.veils, [*earlier, *events, *later])[len(earlier) : len(earlier) + len(events)]

    async def at(self, game: UUID, version: int) -> Moment:
        """How a game stood at a version; nobody else has this object."""
        live = await self._live_at(game, version)
        async with self.history.turn(game):
            return await self._past.at(live, version)

    async def past(self, game: UUID, version: int) -> Game:
        """A game as it was at a version, with all that it takes to go on; nobody else has this object."""
        await self._live_at(game, version)
        async with self.history.turn(game):
            past = await self.read_game(game, partial(self.application.load_game, game, until=version))
        if past is None:
            raise UnknownGameError(game)
        return past

    async def fork_point(self, game: UUID, version: int) -> Game:
        """A game as :meth:`past` gives it, at the end of the command that the version belongs to."""
        live = await self._live_at(game, version)
        return await self.past(game, live.game.seen.next_after(version, live.game.version + 1) - 1)

    async def _live_at(self, game: UUID, version: int) -> LiveGame:
        """The live game of that id, which has that version. Raises ``VersionOutOfRangeError``."""
        live = await self.live(game)
        if version > live.game.version and self.others.are_possible:
            await self.others.freshen(live)
            live = await self.live(game)
        if not 1 <= version <= live.game.version:
            raise _beyond(live, version)
        return live

    async def follow(self, game: UUID, after: int, heartbeat: float) -> AsyncGenerator[Sequence[CommittedEvent], None]:
        """The events after a version as they are committed, without gaps, until the game has ended.

        Yields an empty sequence as a sign of life when nothing happened for ``heartbeat`` seconds. A
        follower keeps nothing but its position: a slow one costs nothing, and reads from the log what it has
        missed. Raises ``VersionOutOfRangeError``, ``ShuttingDownError``, or ``GameDamagedError`` after the last event
        that can be trusted.
        """
        position = after
        while True:
            live = await self._live_at(game, max(position, 1))
            with live.watched(position) as watcher:
                while not live.dropped:
                    if position < live.game.version:
                        events = live.recent_after(position) or await self._behind(game, position)
                        yield events
                        position = watcher.position = events[-1].event.originator_version
                    elif live.damage is not None:
                        raise _beyond(live, position + 1)
                    elif live.game.status == ENDED:
                        return
                    elif self.draining:
                        raise ShuttingDownError
                    elif not await live.changed(heartbeat):
                        yield ()

    async def _behind(self, game: UUID, position: int) -> Sequence[CommittedEvent]:
        """What somebody who is behind reads next."""
        async with self.history.turn(game):
            return await self.events(game, position, PAGE)


class _Loading:
    """A game that is being read: how many wait for it, and whether its turn has come."""

    __slots__ = ("begun", "task", "waiting")

    task: asyncio.Task[LiveGame]

    def __init__(self) -> None:
        self.waiting = 0
        self.begun = False


def _beyond(live: LiveGame, version: int) -> Refusal:
    """Why a game has no such version: it is damaged from there or before, or has not got so far."""
    if live.damage is not None and version >= live.damage.version:
        return GameDamagedError(live.damage.version)
    return VersionOutOfRangeError(version, live.game.version)
