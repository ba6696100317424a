"""A cache of all API keys, with the hashes of their secrets.

A wrong key costs no read of the database. While calls use keys, the cache reads them again, so all processes reject a
revoked key within seconds.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial

import structlog

from boardkeeper.service.auth import key_management, key_secrets
from boardkeeper.service.requests.errors import ApiError
from boardkeeper.service.storage.access import KeyRow, RecordKeyUse
from boardkeeper.service.storage.application import GameApplication
from boardkeeper.service.storage_reads import read
from boardkeeper.service.wall_clock import wall_milliseconds

FRESH_SECONDS = 1.0
"""The age in seconds from which the cache reads the keys again in the background."""

MAX_AGE_SECONDS = 4.0
"""The age in seconds from which calls wait until the cache has read the keys again."""

_HOUR = 3_600_000
_ID_AT = len(key_secrets.PREFIX)
_log = structlog.get_logger()


class KeyCache:
    """Finds valid keys. ``now`` returns milliseconds since 1970, ``clock`` monotonic seconds."""

    def __init__(
        self,
        application: GameApplication,
        *,
        now: Callable[[], int] = wall_milliseconds,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._application = application
        self._now = now
        self._clock = clock
        self._read_at = float("-inf")
        self._by_id: Mapping[str, KeyRow] = {}
        self._by_certificate: Mapping[str, KeyRow] = {}
        self._reading: asyncio.Task[None] | None = None
        self._used: dict[str, int] = {}

    async def find_by_secret(self, secret: str) -> KeyRow:
        """Return the key that a client sent. Raises ``KEY_WRONG`` or ``KEY_ENDED``."""
        await self._refresh_if_old()
        row = self._by_id.get(secret[_ID_AT : secret.find("_", _ID_AT)])
        if (
            row is None
            or row.secret_hash is None
            or not hmac.compare_digest(key_secrets.hash_key(secret), row.secret_hash)
        ):
            raise ApiError("KEY_WRONG")
        return self._use(row)

    async def find_by_certificate(self, names: Callable[[], Iterable[str]]) -> KeyRow | None:
        """Return the key for the first name of a client's certificate that has one, or ``None``.

        Raises ``KEY_ENDED``.
        """
        await self._refresh_if_old()
        if not self._by_certificate:
            return None
        rows = (self._by_certificate.get(name) for name in names())
        row = next((row for row in rows if row is not None), None)
        return None if row is None else self._use(row)

    async def check_valid(self, row: KeyRow) -> None:
        """Raise ``KEY_ENDED`` if a key is no longer valid."""
        await self._refresh_if_old()
        self._use(self._by_id.get(row.key_id, row))

    async def refresh(self) -> None:
        """Read all keys now."""
        while self._reading is not None:
            await asyncio.wait([self._reading])  # this read may have begun before a change
        await asyncio.shield(self._begin())  # other calls can wait for the same task

    def _use(self, row: KeyRow) -> KeyRow:
        now = self._now()
        if not key_management.is_valid(row, now):
            raise ApiError("KEY_ENDED", key=row.key_id)
        hour = now - now % _HOUR
        if (row.use_time or 0) < hour:
            self._used[row.key_id] = now
        return row

    async def _refresh_if_old(self) -> None:
        age = self._clock() - self._read_at
        if age > FRESH_SECONDS:
            task = self._reading or self._begin()
            if age > MAX_AGE_SECONDS:
                await asyncio.shield(task)

    def _begin(self) -> asyncio.Task[None]:
        task = self._reading = asyncio.create_task(self._read())
        task.add_done_callback(self._done)
        return task

    async def _read(self) -> None:
        begun = self._clock()
        used, self._used = self._used, {}
        if used:
            await self._store_use(used)
        rows = await read(self._application, self._application.database.access.all_keys)
        self._by_id = {row.key_id: row for row in rows}
        self._by_certificate = {row.certificate: row for row in rows if row.certificate and row.revoke_time is None}
        self._read_at = begun

    async def _store_use(self, used: Mapping[str, int]) -> None:
        change = RecordKeyUse(tuple(sorted(used)), max(used.values()))
        try:
            await asyncio.to_thread(partial(self._application.writer.store, [change]))
        except Exception as error:  # noqa: BLE001  # calls do not depend on the stored time
            _log.warning("when keys were used could not be stored", problem=type(error).__name__)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._reading = None
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, ApiError):
            _log.error("the keys cannot be read", problem=type(error).__name__)
