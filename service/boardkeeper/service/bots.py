"""Bot seats: the service plays them itself, through the same door as everybody else.

Games in which a bot has to decide stand in one queue. A few workers take a game from its head, play one
decision and put the game at its tail if a bot has more to do, so a game of bots only takes turns with all
others.
"""

from __future__ import annotations

import asyncio
import hmac
from functools import partial
from uuid import UUID

import structlog

from boardkeeper.service.hub import Hub
from boardkeeper.service.live import LiveGame
from boardkeeper.service.refusals import GameDamagedError, Refusal, ShuttingDownError

KINDS = ("random", "sensible")
"""The bots that every title has."""

_WORKERS = 4
_RETRY_SECONDS = 1.0
_log = structlog.get_logger()


class Bots:
    """Plays the bot seats of a hub's games from :meth:`start` to :meth:`stop`."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._waiting: asyncio.Queue[UUID] = asyncio.Queue()
        self._queued: set[UUID] = set()
        self._workers: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Look after every game from now on, those of an earlier run of the service included."""
        self._hub.on_commit = self._notice
        self._workers = [asyncio.create_task(self._work(), name=f"bots-{at}") for at in range(_WORKERS)]
        self._workers.append(asyncio.create_task(self._find(), name="bots-find"))

    async def stop(self) -> None:
        """Decide nothing more."""
        self._hub.on_commit = None
        for worker in self._workers:
            worker.cancel()
        await asyncio.gather(*self._workers, return_exceptions=True)

    async def _find(self) -> None:
        """Have those games played on in which it was a bot's turn when the service ended, page by page."""
        application = self._hub.application
        after: int | None = 0
        try:
            while after is not None:
                games, after = await application.read(partial(application.companions.running_with_bots, after))
                for game in games:
                    self._enqueue(game)
        except Exception:  # noqa: BLE001  # the service goes on: a bot is found when somebody acts in its game
            _log.exception("looking for games in which bots decide failed")

    def _notice(self, live: LiveGame) -> None:
        if live.deciding_bot():
            self._enqueue(live.id)

    def _enqueue(self, game: UUID) -> None:
        if game not in self._queued:
            self._queued.add(game)
            self._waiting.put_nowait(game)

    async def _work(self) -> None:
        while True:
            game = await self._waiting.get()
            self._queued.discard(game)
            try:
                await self._play(game)
            except ShuttingDownError:
                return
            except GameDamagedError:
                pass  # nobody plays on; the log has said so when it was loaded
            except Refusal as refusal:
                _log.warning("bot refused", game=str(game), reason=refusal.reason, message=refusal.message)
                asyncio.get_running_loop().call_later(_RETRY_SECONDS, self._enqueue, game)
            except Exception:  # noqa: BLE001  # whatever a title's bot does, the other games go on
                _log.exception("bot failed", game=str(game))
            await asyncio.sleep(0)

    async def _play(self, game: UUID) -> None:
        """One decision of one bot seat, if there is any."""
        async with self._hub.holding(game) as live:
            play = live.game.play
            seat = live.deciding_bot()
            if not seat or play is None:
                return
            version = live.game.version
            chance = chance_of(live.game.bot_key(), version)
            legal = live.game.legal(seat)
            command = live.game.title.choose(live.game.bot(seat), play.board(seat), seat, legal, chance)
        await self._hub.submit(game, seat, [command], f"bot-{version}")


def chance_of(key: bytes, version: int) -> float:
    """What a bot is given as chance: in [0, 1), the same whenever the same decision is taken again.

    Only who knows the game's key for bots can tell beforehand; else all could work out what a bot plans in secret.
    """
    digest = hmac.digest(key, str(version).encode(), "sha256")[:8]
    return (int.from_bytes(digest, "big") >> 11) / (1 << 53)
