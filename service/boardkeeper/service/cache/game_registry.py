"""The hub: every game, for whoever reads it, watches it or acts on it, as it is and as it was.

What is read here was committed: who changes a game holds its lock until then
(:mod:`~boardkeeper.service.games.command_handler`).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from functools import partial
from uuid import UUID

from boardkeeper.game.events import GameEvent
from boardkeeper.game.game import ENDED, Game
from boardkeeper.game.timeline import GameAtVersion
from boardkeeper.service.cache.game_cache import GameCache, beyond
from boardkeeper.service.cache.live_game import CommittedEvent, LiveGame, to_committed
from boardkeeper.service.cache.snapshots import Past, Snapshots
from boardkeeper.service.limits.clients import BY_GAME, CALLER, ClientLimiter
from boardkeeper.service.limits.fair_queue import FairQueue
from boardkeeper.service.requests.errors import ApiError, LimitError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage_reads import LARGEST_PAGE

PAGE = 64
"""How many events are read from the log at once for somebody who is behind."""

_HISTORY_AT_ONCE = 2
_MOST_FAILURES = 1_000

Runs = Sequence[tuple[int, int]]
"""Versions that follow each other, as the first and the last of each run."""


class GameRegistry(GameCache):
    """The games of one application, with all that has happened in them; see :class:`GameCache`."""

    def __init__(
        self,
        application: GameApplication,
        *,
        limit: int = 5_000,
        most_bytes: int = 512_000_000,
        idle_seconds: float = 900.0,
        most_watchers: int = 2_000,
    ) -> None:
        """``most_watchers`` may watch one game at the same time."""
        super().__init__(application, limit=limit, most_bytes=most_bytes, idle_seconds=idle_seconds)
        self.history_queue = FairQueue(_HISTORY_AT_ONCE)
        """Turns at what takes more than a short read, by game."""
        self.snapshots = Snapshots(application)
        self._most_watchers = most_watchers
        self._past = Past(application, self.snapshots)
        self._failures: OrderedDict[UUID, Exception] = OrderedDict()

    def forget_removed(self, game: UUID, time: int) -> None:
        """A game was removed for good at that time (milliseconds since 1970)."""
        super().forget_removed(game, time)
        self.snapshots.forget(game)
        self._failures.pop(game, None)

    def report_failure(self, game: UUID, error: Exception) -> None:
        """Report to the watchers of a game of bots that it does not continue because of this error."""
        self._failures[game] = error.with_traceback(None)
        if len(self._failures) > _MOST_FAILURES:
            self._failures.popitem(last=False)
        live = self.peek(game)
        if live is not None:
            live.wake()

    @property
    def snapshots_bytes(self) -> int:
        """What snapshots of pasts take in memory."""
        return self._past.size

    async def read_stored(self, live: LiveGame, runs: Runs) -> Sequence[GameEvent]:
        """The events of a game at these versions, from the log."""
        return await self.read_game(live.id, partial(self._read_runs, live.id, runs)) if runs else ()

    def _read_runs(self, game: UUID, runs: Runs) -> list[GameEvent]:
        read = self.application.game_events
        return [event for first, last in runs for event in read(game, after=first - 1, until=last)]

    async def read_events(self, game: UUID, after: int, limit: int) -> list[CommittedEvent]:
        """Return a page of committed events from the log. The caller must hold a turn of :attr:`history_queue`."""
        live = await self.get(game)
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
            return to_committed(live.visibility_history, events)
        # The page may cut a command into pieces, but who may know its id all of its events tell.
        begins = live.game.seen.first_of(first)
        ends = live.game.end_of_command(last)
        earlier = await self.read_stored(live, [(begins, first - 1)] if begins < first else ())
        later = await self.read_stored(live, [(last + 1, ends)] if last < ends else ())
        return to_committed(live.visibility_history, [*earlier, *events, *later])[
            len(earlier) : len(earlier) + len(events)
        ]

    async def moment_at(self, game: UUID, version: int) -> GameAtVersion:
        """How a game stood at a version; nobody else has this object."""
        live = await self.live_at(game, version)
        async with self.history_queue.turn(game):
            return await self._past.at(live, version)

    async def load_at(self, game: UUID, version: int) -> Game:
        """A game as it was at a version, with all that it takes to go on; nobody else has this object."""
        await self.live_at(game, version)
        async with self.history_queue.turn(game):
            past = await self.read_game(game, partial(self.application.load_game, game, until=version))
        if past is None:
            raise ApiError("GAME_NOT_FOUND", game=game)
        return past

    async def load_fork_point(self, game: UUID, version: int) -> Game:
        """A game as :meth:`load_at` gives it, at the end of the command that the version belongs to."""
        live = await self.live_at(game, version)
        return await self.load_at(game, live.game.end_of_command(version))

    async def follow(self, game: UUID, after: int, heartbeat: float) -> AsyncGenerator[Sequence[CommittedEvent], None]:
        """The events after a version as they are committed, without gaps, until the game has ended.

        Yields an empty sequence as a sign of life when nothing happened for ``heartbeat`` seconds. A
        follower keeps nothing but its position: a slow one costs nothing, and reads from the log what it has
        missed. Raises ``VERSION_OUT_OF_RANGE``, ``SHUTTING_DOWN``, or ``GAME_DAMAGED`` after the last event
        that can be trusted; the error of a bot because of which a game of bots does not continue; ``LimitError`` at
        once, if the game or the caller has too many.
        """
        # One generator without anything around it, which keeps nothing of what was sent: most watchers only wait, and
        # there are very many of them.
        caller = self._count(await self.live_at(game, max(after, 1)))
        position = after
        try:
            while True:
                live = await self.live_at(game, max(position, 1))
                watcher = live.add_watcher(position)
                try:
                    while not live.is_dropped:
                        if position < live.game.version:
                            events = live.recent_events_after(position) or await self._behind(game, position)
                            yield events
                            position = watcher.position = events[-1].event.originator_version
                            del events
                        elif live.damage is not None:
                            raise beyond(live, position + 1)
                        elif live.game.status == ENDED:
                            return
                        elif game in self._failures:
                            raise self._failures[game].with_traceback(None)
                        elif self.draining:
                            raise ApiError("SHUTTING_DOWN")
                        elif not await live.wait_for_change(heartbeat):
                            yield ()
                finally:
                    live.remove_watcher(watcher)
        finally:
            if caller is not None:
                caller.watchers -= 1

    async def watch_until_version(self, game: UUID, version: int, seconds: float, *, after: int) -> None:
        """Wait until a game reaches a version or ends, but no longer than ``seconds``; counts as watching the game.

        ``after`` is a lower version that the game has. Raises as :meth:`follow` does.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), aclosing(self.follow(game, after, seconds)) as following:
                async for events in following:
                    if events and events[-1].event.originator_version >= version:
                        return

    def _count(self, live: LiveGame) -> ClientLimiter | None:
        """One more watches a game; gives the caller who does, and raises ``LimitError`` if there are too many."""
        caller = CALLER.get()
        if live.watchers >= self._most_watchers:
            if caller is not None:
                caller.note("watchers", BY_GAME)
            raise LimitError("watchers", BY_GAME, live.id_text, str(self._most_watchers), 1.0)
        if caller is not None:
            caller.watch()
        return caller

    async def _behind(self, game: UUID, position: int) -> Sequence[CommittedEvent]:
        """What somebody who is behind reads next."""
        async with self.history_queue.turn(game):
            return await self.read_events(game, position, PAGE)
