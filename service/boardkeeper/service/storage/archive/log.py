"""The event log including the events of archived games."""

from __future__ import annotations

import threading
from collections import OrderedDict
from uuid import UUID

import structlog

from boardkeeper.service.storage.archive.folder import ArchiveError, ArchiveFolder
from boardkeeper.service.storage.archive.tables import ArchivedRow, ArchiveTables
from boardkeeper.service.storage.chain import ChainedRow
from boardkeeper.service.storage.event_log import EventLog, EventRow
from boardkeeper.service.storage.sql import Reader
from boardkeeper.service.storage.writer import Writer

_CACHE_BYTES = 32 << 20
"""The maximum size of cached archived games. With the cache, paging through a game reads its file only once."""

_log = structlog.get_logger()


class ArchivedLog(EventLog):
    """An event log that reads the archive if a game has no events in the database.

    Reading an archived game raises :class:`ArchiveError` if there is no archive folder or the file is missing, changed
    or unreadable; ``failures`` counts these errors.
    """

    def __init__(self, reader: Reader, writer: Writer, folder: ArchiveFolder | None) -> None:
        super().__init__(reader, writer)
        self.failures = 0
        self.folder = folder
        self._tables = ArchiveTables(reader)
        self._lock = threading.Lock()
        self._cache: OrderedDict[UUID, tuple[ArchivedRow, list[ChainedRow]]] = OrderedDict()
        self._bytes = 0

    def select_rows(
        self,
        game: UUID,
        *,
        after: int = 0,
        until: int | None = None,
        limit: int | None = None,
        max_bytes: int | None = None,
    ) -> list[EventRow]:
        found = super().select_rows(game, after=after, until=until, limit=limit, max_bytes=max_bytes)
        if found:
            return found
        archived = self._load_archived(game)
        if archived is None:  # the game may have been restored meanwhile
            return super().select_rows(game, after=after, until=until, limit=limit, max_bytes=max_bytes)
        rows: list[EventRow] = []
        for version, topic, state, _ in _slice_rows(archived, after, until)[:limit]:
            rows.append((version, topic, state))
            if max_bytes is not None:
                max_bytes -= len(state)
                if max_bytes <= 0:
                    break
        return rows

    def select_chain(self, game: UUID) -> tuple[list[ChainedRow], object, object]:
        rows, head, version = super().select_chain(game)
        if rows or not version:
            return rows, head, version
        archived = self._load_archived(game)
        return super().select_chain(game) if archived is None else (archived, head, version)

    def select_linked(self, game: UUID, after: int, until: int) -> list[ChainedRow]:
        found = super().select_linked(game, after, until)
        if found:
            return found
        archived = self._load_archived(game)
        return super().select_linked(game, after, until) if archived is None else _slice_rows(archived, after, until)

    def delete(self, game: UUID) -> None:
        """Delete a removed game from the cache and the archive. Errors are logged."""
        with self._lock:
            self._evict(game)
        if self.folder is not None:
            try:
                self.folder.remove(game)
            except (OSError, ArchiveError) as error:
                _log.error("a removed game is still in the archive", game=str(game), problem=str(error))

    def _load_archived(self, game: UUID) -> list[ChainedRow] | None:
        row = self._tables.archived(game)
        if row is None:
            return None
        with self._lock:
            cached = self._cache.get(game)
            if cached is not None and cached[0] == row:
                self._cache.move_to_end(game)
                return cached[1]
        try:
            if self.folder is None:
                raise ArchiveError(game, "the service was started without --archive")
            rows = self.folder.read(row)
        except ArchiveError as error:
            self.failures += 1
            _log.error("archived game cannot be read", game=str(game), problem=str(error))
            raise
        with self._lock:
            self._evict(game)
            self._cache[game] = row, rows
            self._bytes += row.size
            while self._bytes > _CACHE_BYTES and len(self._cache) > 1:
                self._evict(next(iter(self._cache)))
        return rows

    def _evict(self, game: UUID) -> None:
        cached = self._cache.pop(game, None)
        if cached is not None:
            self._bytes -= cached[0].size


def _slice_rows(rows: list[ChainedRow], after: int, until: int | None) -> list[ChainedRow]:
    """Return the rows with ``after < version <= until``; ``rows`` has every version from 1 on."""
    return rows[max(after, 0) : until]
