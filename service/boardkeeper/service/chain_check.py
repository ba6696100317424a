"""The check of all games' chains after a start, in the background."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from uuid import UUID

import structlog

from boardkeeper.game.game import ENDED, OPEN, RUNNING
from boardkeeper.service.hub import log_damage
from boardkeeper.service.storage.application import GameApplication

_log = structlog.get_logger()

_PAGE = 200
_SHARE = 4
"""For each second of checking, so many seconds of rest: a start must not slow the players down."""


class ChainCheck:
    """Checks each game that is in a file when it is opened: unfinished games first, in each kind the newest first.

    One game at a time is in memory, and a game that is damaged is only told of: whoever plays it is told again when it
    is loaded. ``checked`` and ``damaged`` count games.
    """

    def __init__(self, application: GameApplication) -> None:
        self.checked = 0
        self.damaged: list[UUID] = []
        self._application = application

    async def run(self) -> None:
        """Check all games, then say so."""
        for status in (RUNNING, OPEN, ENDED):
            before: int | None = None
            while True:
                find = partial(self._application.companions.games, before=before, limit=_PAGE, status=status)
                rows = await self._application.read(find)
                for row in rows:
                    await self._check(row.game_id)
                if len(rows) < _PAGE:
                    break
                before = rows[-1].number
        if self.checked:
            _log.info("chains checked", games=self.checked, damaged=len(self.damaged))

    async def _check(self, game: UUID) -> None:
        begun = time.perf_counter()
        damage = await self._application.read(partial(self._application.damage, game))
        self.checked += 1
        if damage is not None:
            self.damaged.append(game)
            log_damage(game, damage)
        await asyncio.sleep(_SHARE * (time.perf_counter() - begun))
