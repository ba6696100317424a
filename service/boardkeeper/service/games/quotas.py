"""Quotas: what a platform may use that lasts, counted with the games themselves.

Whoever makes a game counts it in the same transaction, so it holds for all processes together. What is found to be used
up is kept in mind for a moment: asking again and again costs the others nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from boardkeeper.service.limits.clients import CALLER, ClientLimiter
from boardkeeper.service.limits.limits import QUOTAS
from boardkeeper.service.requests.errors import LimitError
from boardkeeper.service.storage.access import SetGameOwner
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage.quotas import NO_PERIOD, SpendQuota
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage_reads import read

GAMES_PER_DAY, IMPORT_BYTES_PER_DAY, GAMES = QUOTAS
PLATFORM = "platform"
_DAY = 86_400_000
_KEPT_IN_MIND = 10_000
"""So many milliseconds after it was found, it is asked anew whether it is used up."""

_HOUR_SECONDS = 3600.0
_MOST_PLATFORMS = 1_000


class Quotas:
    """Of one service; ``clock`` gives milliseconds since 1970."""

    def __init__(self, application: GameApplication, clock: Callable[[], int]) -> None:
        self._application = application
        self._clock = clock
        self._used_up: dict[tuple[str, str], tuple[int, int, int]] = {}

    def of_new_game(self, changes: Iterable[Change]) -> list[SpendQuota]:
        """What a game counts for that begins with these changes; nothing if it is nobody's.

        Raises ``LimitError`` for what was found to be used up a moment ago.
        """
        platform = next((it.access.platform for it in changes if isinstance(it, SetGameOwner)), "")
        if not platform:
            return []
        return [self._spend(platform, GAMES_PER_DAY, 1), self._spend(platform, GAMES, 1)]

    def of_import(self, platform: str, size: int) -> list[SpendQuota]:
        """What the bytes of a record count for; raises as :meth:`of_new_game` does."""
        return [self._spend(platform, IMPORT_BYTES_PER_DAY, size)] if platform else []

    async def check(self, spends: Sequence[SpendQuota]) -> None:
        """Raises ``LimitError`` if a quota does not allow these; for who was told that something was in the way."""
        if not spends:
            return
        platform = spends[0].platform
        used = await read(self._application, partial(self._application.database.quotas.used, platform))
        for it in spends:
            if it.most is not None and used.get((it.what, it.period), 0) + it.amount > it.most:
                if len(self._used_up) >= _MOST_PLATFORMS:
                    self._used_up.clear()
                if used.get((it.what, it.period), 0) >= it.most:
                    self._used_up[platform, it.what] = it.most, it.period, self._clock() + _KEPT_IN_MIND
                raise self._refusal(it.what, it.most, platform)

    def forget_exhausted(self) -> None:
        """There may be room again."""
        self._used_up.clear()

    def _spend(self, platform: str, what: str, amount: int) -> SpendQuota:
        caller, now = CALLER.get(), self._clock()
        most = getattr(caller.terms, what) if caller is not None else None
        period = NO_PERIOD if what == GAMES else now // _DAY
        found = self._used_up.get((platform, what))
        if found is not None and found[:2] == (most, period) and now < found[2]:
            raise self._refusal(what, found[0], platform)
        return SpendQuota(platform, what, period, amount, most)

    def _refusal(self, what: str, most: int, platform: str) -> LimitError:
        now = self._clock()
        wait = _HOUR_SECONDS if what == GAMES else (_DAY - now % _DAY) / 1000
        caller: ClientLimiter | None = CALLER.get()
        if caller is not None:
            caller.note(what, PLATFORM)
        return LimitError(what, PLATFORM, platform, str(most), wait)
