"""The registry of games: the current state of each game, its history, and streams of its events.

All methods return committed data only, because a command holds the lock of its game until its commit
(:mod:`~boardkeeper.service.games.command_handler`).
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import aclosing, suppress
from functools import partial
from uuid import UUID

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import ENDED, Game
from boardkeeper.game.timeline import GameAtVersion
from boardkeeper.service.cache.committed_events import CommittedEvent, to_committed
from boardkeeper.service.cache.game_cache import GameCache
from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.snapshots import Snapshots
from boardkeeper.service.cache.timelines import Timelines
from boardkeeper.service.limits.clients import BY_GAME, CURRENT_CLIENT, ClientLimiter
from boardkeeper.service.limits.fair_queue import FairQueue
from boardkeeper.service.requests.errors import ApiError, LimitError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.rows import LobbyRow
from boardkeeper.service.storage_reads import MAX_PAGE_BYTES

PAGE = 64
"""The number of events that a stream reads from the log at a time if it is behind."""

_HISTORY_READS_AT_ONCE = 2
_MAX_FAILURES = 1_000
_COMMIT_SECONDS = 1.0

Runs = Sequence[tuple[int, int]]
"""Ranges of versions: the first and the last version of each."""


class GameRegistry(GameCache):
    """All games of one application: the cache, extended by history and streams.

    It inherits from the cache because all callers use both, and history and streams start from the game in memory.
    """

    def __init__(
        self,
        application: GameApplication,
        *,
        limit: int = 5_000,
        max_bytes: int = 512_000_000,
        idle_seconds: float = 900.0,
        max_watchers: int = 2_000,
    ) -> None:
        """``max_watchers`` is the limit per game; for the other arguments see :class:`GameCache`."""
        super().__init__(application, limit=limit, max_bytes=max_bytes, idle_seconds=idle_seconds)
        self.history_queue = FairQueue(_HISTORY_READS_AT_ONCE)
        """The queue for long reads, such as those of history. Its subjects are games."""
        self.snapshots = Snapshots(application)
        self.timelines = Timelines(application, self.snapshots)
        self._max_watchers = max_watchers
        self._failures: OrderedDict[UUID, Exception] = OrderedDict()

    def forget_removed(self, game: UUID, time: int) -> None:
        """Drop all data of a game that was removed at that time (milliseconds since 1970)."""
        super().forget_removed(game, time)
        self.snapshots.forget(game)
        self._failures.pop(game, None)

    def report_failure(self, game: UUID, error: Exception) -> None:
        """Send the error that stopped a game of bots to its watchers."""
        self._failures[game] = error.with_traceback(None)
        if len(self._failures) > _MAX_FAILURES:
            self._failures.popitem(last=False)
        live = self.peek(game)
        if live is not None:
            live.watchers.wake()

    async def not_found_error(self, game: UUID) -> ApiError:
        """Return ``GAME_REMOVED`` or ``GAME_NOT_FOUND`` for a game that is not stored."""
        removed = await self.read(partial(self.application.game_tables.removal_time, game))
        if removed is None:
            return ApiError("GAME_NOT_FOUND", game=game)
        return ApiError("GAME_REMOVED", game=game, time=removed)

    # --- versions -------------------------------------------------------------------------------------------

    async def version(self, game: UUID, at_least: int) -> int:
        """Return the version of a game. If it is below ``at_least``, read events of other processes first."""
        return (await self._get_up_to(game, at_least)).game.version

    async def _get_up_to(self, game: UUID, version: int) -> LiveGame:
        live = await self.get(game)
        if live.game.version < version and self.peer_sync.is_enabled:
            await self.peer_sync.refresh(live)
            live = await self.get(game)
        return live

    async def _get_at_version(self, game: UUID, version: int) -> LiveGame:
        """Return a game. Raises ``VERSION_OUT_OF_RANGE`` or ``GAME_DAMAGED`` if it does not have the version."""
        live = await self._get_up_to(game, version)
        if not 1 <= version <= live.game.version:
            raise _version_error(live, version)
        return live

    async def wait_for_version(self, game: UUID, version: int | None, seconds: float) -> None:
        """Wait until a game has at least a version; ``None`` returns at once.

        Raises ``VERSION_OUT_OF_RANGE`` after ``seconds``, ``GAME_DAMAGED``, or ``SHUTTING_DOWN``.
        """
        if version is None:
            return
        until = time.monotonic() + seconds
        while True:
            live = await self.get(game)
            if live.game.version >= version:
                return
            if self.peer_sync.is_enabled:
                await self.peer_sync.refresh(live)
                if live.is_dropped or live.game.version >= version:
                    continue
            left = until - time.monotonic()
            if self.draining:
                raise ApiError("SHUTTING_DOWN")
            if left <= 0 or live.damage is not None:  # a damaged game gets no more events
                raise _version_error(live, version)
            await live.watchers.wait(left)

    async def wait_for_versions(self, rows: Iterable[LobbyRow]) -> None:
        """Wait until the games in memory have the versions of these lobby rows.

        Readers of the database see a commit slightly before the event loop processes it. Without the wait, a client
        could request a version that it has just received and get ``VERSION_OUT_OF_RANGE``.
        """
        for row in rows:
            live = self._games.get(row.game_id.int)
            if live is not None and self.peer_sync.is_enabled and live.game.version < row.version:
                live.is_stale = True  # another process may have stored the events
            while live is not None and live.lock.locked() and not live.is_dropped and live.game.version < row.version:
                await live.watchers.wait(_COMMIT_SECONDS)

    # --- history --------------------------------------------------------------------------------------------

    async def read_stored(self, live: LiveGame, runs: Runs) -> Sequence[GameEvent]:
        """Read the events of a game with the versions in ``runs`` from the log."""
        return await self.read_game(live.id, partial(self._read_runs, live.id, runs)) if runs else ()

    def _read_runs(self, game: UUID, runs: Runs) -> list[GameEvent]:
        read = self.application.game_events
        return [event for first, last in runs for event in read(game, after=first - 1, until=last)]

    async def read_events(self, game: UUID, after: int, limit: int) -> list[CommittedEvent]:
        """Read a page of committed events from the log: at most ``limit`` events and ``MAX_PAGE_BYTES`` bytes.

        The caller must hold a turn of :attr:`history_queue`.
        """
        live = await self.get(game)
        if after >= live.game.version:
            return []
        read = partial(self.application.game_events, game, after=after, until=live.game.version)
        events = await self.read_game(game, partial(read, limit=limit, max_bytes=MAX_PAGE_BYTES))
        if not events:
            return []
        first, last = events[0].originator_version, events[-1].originator_version
        if live.game.status == ENDED:  # nothing is hidden in an ended game
            return to_committed(live.visibility_history, events)
        # Which viewers may know a command's id depends on all of its events, but the page may contain only some.
        start = live.game.seen.first_of(first)
        end = live.game.end_of_command(last)
        earlier = await self.read_stored(live, [(start, first - 1)] if start < first else ())
        later = await self.read_stored(live, [(last + 1, end)] if last < end else ())
        committed = to_committed(live.visibility_history, [*earlier, *events, *later])
        return committed[len(earlier) : len(earlier) + len(events)]

    async def moment_at(self, game: UUID, version: int) -> GameAtVersion:
        """Return a game as it was at a version. The caller may change the returned object."""
        live = await self._get_at_version(game, version)
        async with self.history_queue.turn(game):
            return await self.timelines.at(live, version)

    async def load_at(self, game: UUID, version: int) -> Game:
        """Load a game as it was at a version. The caller may decide commands in the returned object."""
        await self._get_at_version(game, version)
        async with self.history_queue.turn(game):
            past = await self.read_game(game, partial(self.application.load_game, game, until=version))
        if past is None:
            raise ApiError("GAME_NOT_FOUND", game=game)
        return past

    async def load_fork_point(self, game: UUID, version: int) -> Game:
        """Load a game as it was after the command that the version belongs to, as :meth:`load_at` does."""
        live = await self._get_at_version(game, version)
        return await self.load_at(game, live.game.end_of_command(version))

    # --- streams --------------------------------------------------------------------------------------------

    async def follow(self, game: UUID, after: int, heartbeat: float) -> AsyncGenerator[Sequence[CommittedEvent], None]:
        """Yield the events after a version as they are committed, without gaps, until the game has ended.

        Yields an empty sequence after each ``heartbeat`` seconds without events. A slow reader needs no buffer: it
        reads missed events from the log. Raises ``VERSION_OUT_OF_RANGE``; ``SHUTTING_DOWN``; ``GAME_DAMAGED`` after the
        last undamaged event; the error that stopped a game of bots; and at once ``LimitError`` if the game or the
        client has too many watchers.
        """
        # There are many watchers, and most of them only wait. To save memory, each is a single generator, without a
        # reference to events that it has sent.
        client = self._count_watcher(await self._get_at_version(game, max(after, 1)))
        version = after
        try:
            while True:
                live = await self._get_at_version(game, max(version, 1))
                watcher = live.watchers.add(version)
                try:
                    while not live.is_dropped:
                        if version < live.game.version:
                            events = live.watchers.recent_after(version) or await self._read_missed(game, version)
                            yield events
                            version = watcher.version = events[-1].event.originator_version
                            del events
                        elif live.damage is not None:
                            raise _version_error(live, version + 1)
                        elif live.game.status == ENDED:
                            return
                        elif game in self._failures:
                            raise self._failures[game].with_traceback(None)
                        elif self.draining:
                            raise ApiError("SHUTTING_DOWN")
                        elif not await live.watchers.wait(heartbeat):
                            yield ()
                finally:
                    live.watchers.remove(watcher)
        finally:
            if client is not None:
                client.watchers -= 1

    async def watch_until_version(self, game: UUID, version: int, seconds: float, *, after: int) -> None:
        """Wait until a game reaches a version or ends, at most ``seconds``. This counts as watching the game.

        ``after`` is a version that the game has. Raises as :meth:`follow` does.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), aclosing(self.follow(game, after, seconds)) as stream:
                async for events in stream:
                    if events and events[-1].event.originator_version >= version:
                        return

    def _count_watcher(self, live: LiveGame) -> ClientLimiter | None:
        """Count a watcher for its client and return the client. Raises ``LimitError``."""
        client = CURRENT_CLIENT.get()
        if len(live.watchers) >= self._max_watchers:
            if client is not None:
                client.on_reached("watchers", BY_GAME)
            raise LimitError("watchers", BY_GAME, live.id_text, str(self._max_watchers), 1.0)
        if client is not None:
            client.watch()
        return client

    async def _read_missed(self, game: UUID, version: int) -> Sequence[CommittedEvent]:
        async with self.history_queue.turn(game):
            return await self.read_events(game, version, PAGE)


def _version_error(live: LiveGame, version: int) -> ApiError:
    """Return the error for a version that a game does not have."""
    if live.damage is not None and version >= live.damage.version:
        return ApiError("GAME_DAMAGED", version=live.damage.version)
    return ApiError("VERSION_OUT_OF_RANGE", wanted=version, version=live.game.version)
