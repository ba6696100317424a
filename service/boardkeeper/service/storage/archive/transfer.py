"""Moving the events of ended games from a database to the archive and back.

A game's file is complete and synced to disk before one transaction deletes its events and inserts its row in
``archived_games``. After an interruption, the same file is written again. Each game has its own transaction, so the
command can be interrupted at any time.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from eventsourcing.persistence import PersistenceError
from msgspec import Struct

from boardkeeper.game.game import ENDED
from boardkeeper.service.errors import StartupError, reason
from boardkeeper.service.storage.archive.folder import ArchiveError, ArchiveFolder
from boardkeeper.service.storage.archive.tables import ArchiveGame, UnarchiveGame
from boardkeeper.service.storage.chain import Damage, find_damage
from boardkeeper.service.storage.database import Database
from boardkeeper.service.storage.database_urls import open_existing
from boardkeeper.service.storage.reports import ProgressCallback, ignore_progress
from boardkeeper.service.storage.rows import DamagedRowError, LobbyRow

_DAY = 24 * 3600 * 1000


class ArchiveFilter(Struct, frozen=True):
    """A selection of games that ended at least ``days`` ago, optionally of one title or platform."""

    days: float = 0
    title: str = ""
    platform: str | None = None


class ArchiveResult(Struct):
    """The result of archiving or restoring.

    ``bytes`` is the size of the events in the database, ``files`` their size in the archive. ``removed`` counts deleted
    files of removed games; ``damages`` are the games that were skipped, with the reason.
    """

    games: int = 0
    events: int = 0
    bytes: int = 0
    files: int = 0
    removed: int = 0
    damages: dict[UUID, Damage] = {}


def archive(
    name: str | Path,
    folder: Path,
    choice: ArchiveFilter,
    key_file: Path | None = None,
    progress: ProgressCallback = ignore_progress,
    now: int | None = None,
) -> ArchiveResult:
    """Archive games. A SQLite file must not be in use, a PostgreSQL database may be. Raises :class:`StartupError`.

    ``progress`` receives the number of games that were examined; ``now`` is in milliseconds since 1970.
    """
    files = ArchiveFolder(folder)
    database = open_existing(name, key_file)
    now = time.time_ns() // 1_000_000 if now is None else now
    done = ArchiveResult()
    try:
        total = database.game_tables.count_games()
        for number, row in enumerate(_ended_games(database, choice), 1):
            if row.update_time <= now - choice.days * _DAY and database.archive.archived(row.game_id) is None:
                _archive_game(database, files, row.game_id, now, done)
            progress(number, total)
        for tombstone in database.game_tables.tombstones():
            done.removed += files.remove(tombstone.game_id)
    except OSError as error:
        raise StartupError(f"archiving {database.name} stopped at {error.filename}: {reason(error)}") from error
    except PersistenceError as error:
        raise StartupError(f"archiving {database.name} stopped: {error}; run the command again to continue") from error
    finally:
        database.close()
    return done


def unarchive(
    name: str | Path,
    folder: Path,
    games: list[str],
    key_file: Path | None = None,
    progress: ProgressCallback = ignore_progress,
) -> ArchiveResult:
    """Restore the events of archived games: of all, or of those whose ids begin with ``games``.

    The files remain, because a backup of the database may still need them. Raises :class:`StartupError`, and
    ``LookupError`` if a prefix does not match exactly one archived game.
    """
    files = ArchiveFolder(folder)
    database = open_existing(name, key_file)
    done = ArchiveResult()
    try:
        wanted = _games_with_prefixes(database.archive.archived_games(), games)
        for number, game in enumerate(wanted, 1):
            row = database.archive.archived(game)
            if row is None:  # another process restored it
                continue
            try:
                rows = files.read(row)
            except ArchiveError as error:
                done.damages[game] = Damage(1, str(error))
                continue
            database.log.writer.store([UnarchiveGame(game, rows)])
            done.games += 1
            done.events += len(rows)
            progress(number, len(wanted))
    except PersistenceError as error:
        raise StartupError(
            f"restoring games to {database.name} stopped: {error}; run the command again to continue"
        ) from error
    finally:
        database.close()
    return done


def _ended_games(database: Database, choice: ArchiveFilter) -> Iterator[LobbyRow]:
    """Yield the lobby rows of the ended games that match the filter, newest first.

    The rows of seats are not read, so that a game with damaged ones can be archived.
    """
    before: int | None = None
    while page := database.game_tables.games_by_number(ENDED, before):
        for _, game in page:
            try:
                row = database.game_tables.lobby_row(game, with_seats=False)
            except DamagedRowError:  # `boardkeeper check` reports it
                continue
            if row is None or choice.title not in ("", row.title):
                continue
            access = database.access.game_access(game) if choice.platform is not None else None
            if choice.platform is None or (access is not None and access.platform == choice.platform):
                yield row
        before = page[-1][0]


def _archive_game(database: Database, files: ArchiveFolder, game: UUID, now: int, done: ArchiveResult) -> None:
    rows, head, version = database.log.select_chain(game)
    damage = find_damage(game.hex, rows, head, version)
    if damage is not None:
        done.damages[game] = damage
        return
    try:
        row = files.write(game, rows, database.key, now)
    except ArchiveError as error:
        done.damages[game] = Damage(1, error.problem)
        return
    try:
        database.log.writer.store([ArchiveGame(row)])
    except PersistenceError:
        if database.archive.archived(game) is None:
            raise
        return  # another process archived it
    done.games += 1
    done.events += len(rows)
    done.bytes += sum(len(topic) + len(state) + len(link) for _, topic, state, link in rows)
    done.files += files.game_path(game).stat().st_size


def _games_with_prefixes(archived: list[UUID], names: list[str]) -> list[UUID]:
    if not names:
        return archived
    found: list[UUID] = []
    for name in names:
        prefix = name.replace("-", "").lower()
        matches = [game for game in archived if game.hex.startswith(prefix)]
        if len(matches) != 1:
            raise LookupError(f"{len(matches) or 'no'} archived games have an id that begins with {name!r}")
        found += matches
    return found
