"""Expired clocks: the server declares them, because no player may be connected.

Every process searches for them; the check of the version at the append lets only one process succeed. For a while after
a process has started, was paused, or could not reach the storage, and after the reference clock has jumped, the process
declares no expiry and accepts late commands, so that players who could not act do not lose time (*grace period*).
"""

from __future__ import annotations

import asyncio
from uuid import UUID

import structlog

from boardkeeper.game.seat_actions import ExpireSeat
from boardkeeper.service.games.command_handler import CommandHandler
from boardkeeper.service.games.game_clock import GRACE, GameClock
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.titlekit.title_guard import TitleFailedError

_SEARCH_SECONDS = 1.0
_AT_ONCE = 50
_log = structlog.get_logger()


class ClockExpiry:
    """Declares expired clocks. ``declared`` counts them."""

    def __init__(self, handler: CommandHandler, clock: GameClock | None = None, *, grace: int = GRACE) -> None:
        """``clock`` is the clock of ``handler`` if it has to follow the clock of the database."""
        self._handler = handler
        self._clock = clock
        self._registry = handler.registry
        self._grace = grace
        self._unplayable: set[UUID] = set()
        """Games that cannot continue, for example because they are damaged."""
        self._declaring: set[UUID] = set()
        self._is_reading = False
        self.declared = 0
        self.begin_grace()
        if clock is not None:
            clock.on_disturbance = self.begin_grace

    def begin_grace(self) -> None:
        """Begin a grace period."""
        self._handler.decider.grace_until = self._handler.clock() + self._grace

    async def run(self) -> None:
        """Search every second until the server shuts down.

        A search that waits for a game does not delay the next one.
        """
        async with asyncio.TaskGroup() as searches:
            while not self._registry.draining:
                await asyncio.sleep(_SEARCH_SECONDS)
                if self._clock is not None:
                    self._clock.tick()
                if not self._is_reading:
                    search = searches.create_task(self._search_safely())
                    await asyncio.wait({search}, timeout=_SEARCH_SECONDS)

    async def _search_safely(self) -> None:
        try:
            await self.search()
        except ApiError as error:
            if error.reason != "SHUTTING_DOWN":
                self.begin_grace()
        except Exception:  # noqa: BLE001  # the next search tries again
            _log.exception("searching for expired clocks failed")
            self.begin_grace()

    async def search(self) -> None:
        """Declare the clocks that have expired. Raises ``ApiError`` if the storage is not available."""
        self._is_reading = True
        try:
            await self._follow_database_clock()
            now = self._handler.clock()
            if now < self._handler.decider.grace_until:
                return
            find = self._registry.application.database.expiries.expired
            most = _AT_ONCE + len(self._unplayable) + len(self._declaring)
            found = await self._registry.read(lambda: find(now, most))
        finally:
            self._is_reading = False
        for game in found:
            if game in self._unplayable or game in self._declaring:
                continue
            self._declaring.add(game)
            try:
                await self._declare(game, now)
            finally:
                self._declaring.discard(game)

    async def _follow_database_clock(self) -> None:
        """Have the game clock follow the clock of the database."""
        if self._clock is not None:
            requested_at = self._clock.steady()
            self._clock.follow(
                await self._registry.read(self._registry.application.database.expiries.now), requested_at
            )

    async def _declare(self, game: UUID, now: int) -> None:
        try:
            async with self._registry.lock(game, fresh=True) as live:
                clocks = live.game.clocks
                expired = clocks.expired(now) if clocks is not None else []
                version = live.game.version
            for seat in expired[:1]:  # the first expiry may end the game
                outcome = await self._handler.act(game, seat, ExpireSeat(), f"time-{version}", version)
                self.declared += not outcome.repeated
            if not expired:
                await self._handler.changes.correct_stored_expiry(game)
        except TitleFailedError:  # a failing title must not stop the clocks of other games
            _log.exception("clock not declared", game=str(game))
            self._unplayable.add(game)
        except ApiError as error:
            if error.reason == "SHUTTING_DOWN":
                raise
            if error.reason in ("GAME_DAMAGED", "GAME_REMOVED", "TITLE_INCOMPATIBLE"):
                self._unplayable.add(game)
            else:  # a seat has just acted, or the storage is not available: the next search tries again
                _log.info("clock not declared", game=str(game), reason=error.reason)
