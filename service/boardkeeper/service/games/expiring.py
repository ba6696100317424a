"""Clocks that have run out: the service says so itself, for nobody else may be there.

Every process looks for them, and any may be first: the guard of the append makes it once. For a while after a process
has started, or has missed the storage, it declares nothing and takes late commands: whoever could not act while the
service was away is not to lose by that (*grace*).
"""

from __future__ import annotations

import asyncio
from uuid import UUID

import structlog

from boardkeeper.service.games.acting import Acting
from boardkeeper.service.requests.refusals import GameDamagedError, GameRemovedError, Refusal, ShuttingDownError

GRACE = 30_000
"""Milliseconds."""

_LOOK_SECONDS = 1.0
_AT_ONCE = 50
_log = structlog.get_logger()


class Expiring:
    """Declares what clocks have run out. ``declared`` counts them."""

    def __init__(self, acting: Acting, *, grace: int = GRACE) -> None:
        self._acting = acting
        self._hub = acting.hub
        self._grace = grace
        self._beyond: set[UUID] = set()
        """Games that cannot be read: nobody plays them on."""
        self.declared = 0
        self.be_lenient()

    def be_lenient(self) -> None:
        """From now on nothing expires for a while."""
        self._acting.expiries_count_from = self._acting.clock() + self._grace

    async def run(self) -> None:
        """Look every second, for ever."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            try:
                await self.look()
            except ShuttingDownError:
                return
            except Refusal:
                self.be_lenient()
            except Exception:  # noqa: BLE001  # the next look may go better
                _log.exception("looking for clocks that have run out failed")
                self.be_lenient()

    async def look(self) -> None:
        """Declare what has run out by now; raises ``Refusal`` if the storage is away."""
        now = self._acting.clock()
        if now < self._acting.expiries_count_from:
            return
        find = self._hub.application.database.expiries.expired
        most = _AT_ONCE + len(self._beyond)
        for game in await self._hub.read(lambda: find(now, most)):
            if game not in self._beyond:
                await self._declare(game, now)

    async def _declare(self, game: UUID, now: int) -> None:
        try:
            async with self._hub.holding(game, fresh=True) as live:
                clocks = live.game.clocks
                expired = clocks.expired(now) if clocks is not None else []
                version = live.game.version
            for seat in expired[:1]:  # what comes of it may end the game
                self.declared += not (await self._acting.expire(game, seat, version)).repeated
            if not expired:
                await self._acting.correct_expiry(game)
        except (GameDamagedError, GameRemovedError):
            self._beyond.add(game)
        except (ShuttingDownError, asyncio.CancelledError):
            raise
        except Refusal as refusal:  # somebody has acted in this moment, or the storage is away: the next look tells
            _log.info("clock not declared", game=str(game), reason=refusal.reason)
