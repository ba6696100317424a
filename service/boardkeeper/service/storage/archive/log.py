"""The stored events of all games, also of those whose events are in the archive."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Collection, Mapping
from uuid import UUID

import structlog

from boardkeeper.service.storage.archive.folder import ArchiveError, ArchiveFolder
from boardkeeper.service.storage.archive.tables import ArchivedRow, ArchiveTables
from boardkeeper.service.storage.chain import ChainedRow
from boardkeeper.service.storage.event_log import EventLog, EventRow
from boardkeeper.service.storage.writer import Writer

_CACHE_BYTES = 32 << 20
"""So many bytes of archived games are kept as they were read: who pages through one reads it once."""

_log = structlog.get_logger()


class ArchivedLog:
    """An :class:`~boardkeeper.service.storage.database.EventLog` that looks into the archive where no events are.

    Whoever reads an archived game whose file is missing, was changed or cannot be read is told :class:`ArchiveError`,
    and ``failures`` counts it. So is everybody where no folder is known.
    """

    def __init__(self, log: EventLog, tables: ArchiveTables, folder: ArchiveFolder | None) -> None:
        self.failures = 0
        self.folder = folder
        self._log = log
        self._tables = tables
        self._lock = threading.Lock()
        self._kept: OrderedDict[UUID, tuple[ArchivedRow, list[ChainedRow]]] = OrderedDict()
        self._bytes = 0

    @property
    def writer(self) -> Writer:
        """What writes events, of games that are not archived."""
        return self._log.writer

    def select_rows(
        self,
        game: UUID,
        *,
        after: int = 0,
        until: int | None = None,
        limit: int | None = None,
        most_bytes: int | None = None,
    ) -> list[EventRow]:
        """The stored events of one game with ``after < version <= until``, oldest first, as bare rows."""
        found = self._log.select_rows(game, after=after, until=until, limit=limit, most_bytes=most_bytes)
        if found:
            return found
        archived = self._archived(game)
        if archived is None:  # it may have come back since
            return self._log.select_rows(game, after=after, until=until, limit=limit, most_bytes=most_bytes)
        rows: list[EventRow] = []
        for version, topic, state, _ in _slice_rows(archived, after, until)[:limit]:
            rows.append((version, topic, state))
            if most_bytes is not None:
                most_bytes -= len(state)
                if most_bytes <= 0:
                    break
        return rows

    def select_chain(self, game: UUID) -> tuple[list[ChainedRow], object, object]:
        """All stored events of a game with their links, and the head of its chain with its version."""
        rows, head, version = self._log.select_chain(game)
        if rows or not version:
            return rows, head, version
        archived = self._archived(game)
        return self._log.select_chain(game) if archived is None else (archived, head, version)

    def select_linked(self, game: UUID, after: int, until: int) -> list[ChainedRow]:
        """The stored events of a game with ``after < version <= until`` and their links."""
        found = self._log.select_linked(game, after, until)
        if found:
            return found
        archived = self._archived(game)
        return self._log.select_linked(game, after, until) if archived is None else _slice_rows(archived, after, until)

    def select_tails(self, after: Mapping[UUID, int]) -> dict[UUID, list[ChainedRow]]:
        """The stored events of each of these games with ``after <= version`` and their links; none of archived ones.

        What is read of an archive may take long or fail, for one game: :meth:`select_linked` does that.
        """
        return self._log.select_tails(after)

    def select_link(self, game: UUID, version: int) -> bytes:
        """The link of one stored event; empty if it is not there or has none."""
        link = next((row[3] for row in self.select_linked(game, version - 1, version)), None)
        return link if isinstance(link, bytes) else b""

    def versions(self, games: Collection[UUID]) -> dict[UUID, int]:
        """The newest versions of those of these games that are there."""
        return self._log.versions(games)

    def forget(self, game: UUID) -> None:
        """Let go of what is kept of a game, and of its file: it was removed."""
        with self._lock:
            self._drop(game)
        if self.folder is not None:
            try:
                self.folder.remove(game)
            except (OSError, ArchiveError) as error:
                _log.error("a removed game is still in the archive", game=str(game), problem=str(error))

    def _archived(self, game: UUID) -> list[ChainedRow] | None:
        line = self._tables.archived(game)
        if line is None:
            return None
        with self._lock:
            kept = self._kept.get(game)
            if kept is not None and kept[0] == line:
                self._kept.move_to_end(game)
                return kept[1]
        try:
            if self.folder is None:
                raise ArchiveError(game, "the service was started without --archive")
            rows = self.folder.read(line)
        except ArchiveError as error:
            self.failures += 1
            _log.error("archived game cannot be read", game=str(game), problem=str(error))
            raise
        with self._lock:
            self._drop(game)
            self._kept[game] = line, rows
            self._bytes += line.size
            while self._bytes > _CACHE_BYTES and len(self._kept) > 1:
                self._drop(next(iter(self._kept)))
        return rows

    def _drop(self, game: UUID) -> None:
        kept = self._kept.pop(game, None)
        if kept is not None:
            self._bytes -= kept[0].size


def _slice_rows(rows: list[ChainedRow], after: int, until: int | None) -> list[ChainedRow]:
    """Rows from the first version on have no gaps: their chain was checked."""
    return rows[max(after, 0) : until]
