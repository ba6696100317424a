"""The check of all games' chains after a start, in the background."""

from __future__ import annotations

import asyncio
import time
from functools import partial
from itertools import islice
from uuid import UUID

import structlog

from boardkeeper.game.game import ENDED, OPEN, RUNNING
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.chain import Damage
from boardkeeper.service.storage.rows import PAGE_SIZE
from boardkeeper.service.storage_reads import log_damage

_log = structlog.get_logger()

_SHOWN = 5
"""The number of damaged games that the summary names."""

_PAUSE_FACTOR = 4
"""The pause after each check, as a multiple of its duration: the check must not slow down players."""


class ChainCheck:
    """Checks all games of a database: games in progress first, then open ones, then ended ones, the newest first.

    A damaged game is only reported; it is detected again when it is loaded. ``checked`` counts games, ``damaged``
    contains the first damaged event of each damaged game.
    """

    def __init__(self, application: GameApplication) -> None:
        self.checked = 0
        self.damaged: dict[UUID, Damage] = {}
        self._application = application

    async def run(self) -> None:
        """Check all games and log the result."""
        for status in (RUNNING, OPEN, ENDED):
            before: int | None = None
            while True:
                page = await self._application.read(
                    partial(self._application.game_tables.games_by_number, status, before, PAGE_SIZE)
                )
                for _, game in page:
                    await self._check(game)
                if len(page) < PAGE_SIZE:
                    break
                before = page[-1][0]
        if self.damaged:
            _log.error("chains checked", games=self.checked, damaged=len(self.damaged))
        elif self.checked:
            _log.info("chains checked", games=self.checked, damaged=0)

    def summary(self, database: str) -> str:
        """Return a sentence about the damaged games for the operator, or an empty string."""
        if not self.damaged:
            return ""
        shown = [f"{game} from event {damage.version} on" for game, damage in islice(self.damaged.items(), _SHOWN)]
        if len(self.damaged) > _SHOWN:
            shown.append(f"{len(self.damaged) - _SHOWN} more")
        return (
            f"{len(self.damaged)} of {self.checked} games are damaged: {', '.join(shown)}. They are read-only and"
            f" served up to that event. For details run: boardkeeper check --db {database}"
        )

    async def _check(self, game: UUID) -> None:
        begun = time.perf_counter()
        if await self._application.read(partial(self._application.is_archived, game)):
            return  # each read of an archived game is verified
        damage = await self._application.read(partial(self._application.damage, game))
        self.checked += 1
        if damage is not None:
            self.damaged[game] = damage
            log_damage(game, damage)
        await asyncio.sleep(_PAUSE_FACTOR * (time.perf_counter() - begun))
