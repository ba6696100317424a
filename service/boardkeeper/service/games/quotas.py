"""Quotas: how many games and bytes of imports a platform may store.

The transaction that stores a game counts its quotas, so they apply to all processes together. An exhausted quota is
remembered for some seconds, so that repeated requests cost no transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from boardkeeper.service.limits.clients import CURRENT_CLIENT, ClientLimiter
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
_REMEMBERED_MILLISECONDS = 10_000
"""The time after which an exhausted quota is read again."""

_HOUR_SECONDS = 3600.0
_MAX_PLATFORMS = 1_000


class Quotas:
    """The quotas of all platforms. ``clock`` returns milliseconds since 1970."""

    def __init__(self, application: GameApplication, clock: Callable[[], int]) -> None:
        self._application = application
        self._clock = clock
        self._exhausted: dict[tuple[str, str], tuple[int, int, int]] = {}

    def new_game_spends(self, changes: Iterable[Change]) -> list[SpendQuota]:
        """Return the quotas that a new game with these changes uses; none if no platform owns it.

        Raises ``LimitError`` if a quota was exhausted a moment ago.
        """
        platform = next((it.access.platform for it in changes if isinstance(it, SetGameOwner)), "")
        if not platform:
            return []
        return [self._spend(platform, GAMES_PER_DAY, 1), self._spend(platform, GAMES, 1)]

    def import_spends(self, platform: str, size: int) -> list[SpendQuota]:
        """Return the quota that the bytes of a record use. Raises as :meth:`new_game_spends` does."""
        return [self._spend(platform, IMPORT_BYTES_PER_DAY, size)] if platform else []

    async def check(self, spends: Sequence[SpendQuota]) -> None:
        """Raise ``LimitError`` if a quota does not allow ``spends``. Call this after a conflict of the append."""
        if not spends:
            return
        platform = spends[0].platform
        used = await read(self._application, partial(self._application.database.quotas.used, platform))
        for it in spends:
            if it.most is not None and used.get((it.what, it.period), 0) + it.amount > it.most:
                if len(self._exhausted) >= _MAX_PLATFORMS:
                    self._exhausted.clear()
                if used.get((it.what, it.period), 0) >= it.most:
                    self._exhausted[platform, it.what] = it.most, it.period, self._clock() + _REMEMBERED_MILLISECONDS
                raise self._limit_error(it.what, it.most, platform)

    def forget_exhausted(self) -> None:
        """Forget exhausted quotas, so that they are read again. Call this after a game was removed."""
        self._exhausted.clear()

    def _spend(self, platform: str, what: str, amount: int) -> SpendQuota:
        client, now = CURRENT_CLIENT.get(), self._clock()
        most = getattr(client.limits, what) if client is not None else None
        period = NO_PERIOD if what == GAMES else now // _DAY
        found = self._exhausted.get((platform, what))
        if found is not None and found[:2] == (most, period) and now < found[2]:
            raise self._limit_error(what, found[0], platform)
        return SpendQuota(platform, what, period, amount, most)

    def _limit_error(self, what: str, most: int, platform: str) -> LimitError:
        now = self._clock()
        wait = _HOUR_SECONDS if what == GAMES else (_DAY - now % _DAY) / 1000
        client: ClientLimiter | None = CURRENT_CLIENT.get()
        if client is not None:
            client.on_reached(what, PLATFORM)
        return LimitError(what, PLATFORM, platform, str(most), wait)
