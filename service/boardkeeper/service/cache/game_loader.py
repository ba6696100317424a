"""Loading games from the event log. Callers that need the same game share one load."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from functools import partial
from uuid import UUID

from boardkeeper.service.cache.live_game import LiveGame
from boardkeeper.service.cache.visibility_history import VisibilityHistory
from boardkeeper.service.limits.clients import wait_for_work_budget
from boardkeeper.service.limits.fair_queue import FairQueue
from boardkeeper.service.observability.counters import Histogram
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage_reads import log_damage, read_game

_LOADS_AT_ONCE = 2


class _Loading:
    """A game that is being loaded, and the number of callers that wait for it."""

    __slots__ = ("has_started", "is_outdated", "task", "waiting")

    task: asyncio.Task[LiveGame]

    def __init__(self) -> None:
        self.waiting = 0
        self.has_started = False
        self.is_outdated = False


class GameLoader:
    """Loads games; ``add`` is called with each loaded game before its callers get it."""

    def __init__(self, application: GameApplication, add: Callable[[LiveGame], None]) -> None:
        self.seconds = Histogram()
        self._application = application
        self._add = add
        self._removed: dict[UUID, int] = {}
        self._loading: dict[UUID, _Loading] = {}
        self._queue = FairQueue(_LOADS_AT_ONCE)

    def __len__(self) -> int:
        return len(self._loading)

    def __contains__(self, game: UUID) -> bool:
        return game in self._loading

    async def load(self, game: UUID) -> LiveGame:
        """Read a game. Raises ``GAME_NOT_FOUND``, ``GAME_REMOVED`` or ``GAME_DAMAGED``."""
        if game not in self._loading:
            await wait_for_work_budget()
        loading = self._loading.get(game)
        if loading is None:
            loading = self._loading[game] = _Loading()
            loading.task = asyncio.create_task(self._load(game, loading))
            loading.task.add_done_callback(partial(self._finish, game, loading))
        loading.waiting += 1
        try:
            return await asyncio.shield(loading.task)  # other callers may wait for the same load
        finally:
            loading.waiting -= 1
            if not loading.waiting and not loading.has_started:  # all callers were cancelled
                self._end(game, loading)
                loading.task.cancel()

    def mark_outdated(self, game: UUID | None) -> None:
        """Report that a game, or all games (``None``), may have changed since a load that is running began."""
        for id, loading in self._loading.items():
            if game is None or id == game:
                loading.is_outdated = True

    def mark_removed(self, game: UUID, time: int) -> None:
        """Let all loads of a game fail that was removed at ``time`` (milliseconds since 1970)."""
        self._removed[game] = time

    async def _load(self, game: UUID, loading: _Loading) -> LiveGame:
        async with self._queue.turn(game, is_shared=True):
            loading.has_started = True
            start = time.perf_counter()
            live = await read_game(self._application, game, partial(self._read, game))
            seconds = time.perf_counter() - start
        if game in self._removed:  # during the load
            raise ApiError("GAME_REMOVED", game=game, time=self._removed[game])
        if live is None:
            raise ApiError("GAME_NOT_FOUND", game=game)
        self.seconds.observe(seconds)
        live.is_stale = live.needs_reload = loading.is_outdated
        self._add(live)
        return live

    def _read(self, game: UUID) -> LiveGame | None:
        checked = self._application.load_verified(game)
        if checked is None:
            time = self._application.game_tables.removal_time(game)
            if time is not None:
                raise ApiError("GAME_REMOVED", game=game, time=time)
            return None
        loaded, row, damage = checked
        if damage is not None:
            log_damage(game, damage)
        if loaded is None or row is None:
            raise ApiError("GAME_DAMAGED", version=damage.version if damage is not None else 1)
        rebuilt, events = loaded
        return LiveGame(rebuilt, row.seats, VisibilityHistory(events), damage)

    def _finish(self, game: UUID, loading: _Loading, task: asyncio.Task[LiveGame]) -> None:
        self._end(game, loading)
        if not task.cancelled():
            task.exception()  # mark it as retrieved: all callers may have been cancelled

    def _end(self, game: UUID, loading: _Loading) -> None:
        if self._loading.get(game) is loading:
            del self._loading[game]
