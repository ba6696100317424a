"""Moving the events of games that have ended out of a database into files, and back.

A game's file is whole and on the disk before its rows go, in one transaction with the line that tells of it; so
whatever happens in between, the events are in the database, or in the file and known to be there. What was written in
vain is written again, to the same bytes. Games are taken one by one: who ends it loses nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
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
from boardkeeper.service.storage.rows import PAGE_SIZE, DamagedRowError, LobbyRow

_DAY = 24 * 3600 * 1000

Progress = Callable[[int, int], None]


class ArchiveFilter(Struct, frozen=True):
    """Which games are archived: such as ended so many days ago, of a title and of a platform if they are named."""

    days: float = 0
    title: str = ""
    platform: str | None = None


class ArchiveResult(Struct):
    """What was done: how many games and events went, and how many bytes they were in the database (their states).

    ``files`` is how many bytes they have in the archive, ``removed`` how many files of removed games went, and
    ``damages`` which games stayed because of what.
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
    progress: Progress = lambda _done, _of: None,
    now: int | None = None,
) -> ArchiveResult:
    """Archive games; a file must not be served meanwhile, a PostgreSQL may be. Raises :class:`StartupError`.

    ``progress`` is told how many games were looked at, of how many; ``now`` is in milliseconds since 1970.
    """
    files = ArchiveFolder(folder)
    database = open_existing(name, key_file)
    now = time.time_ns() // 1_000_000 if now is None else now
    done = ArchiveResult()
    try:
        of = database.game_tables.count_games()
        for number, line in enumerate(_ended_games(database, choice), 1):
            if line.update_time <= now - choice.days * _DAY and database.archive.archived(line.game_id) is None:
                _archive_game(database, files, line.game_id, now, done)
            progress(number, of)
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
    progress: Progress = lambda _done, _of: None,
) -> ArchiveResult:
    """Bring the events of games back into the database, all if none is named by its id or how that begins.

    Their files stay: a backup of the database may still need them. Raises :class:`StartupError`, and ``LookupError``
    if there is not exactly one archived game of a name.
    """
    files = ArchiveFolder(folder)
    database = open_existing(name, key_file)
    done = ArchiveResult()
    try:
        wanted = _games_with_prefixes(database.archive.archived_games(), games)
        for number, game in enumerate(wanted, 1):
            row = database.archive.archived(game)
            if row is None:  # another process was first
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
    """The lines of all games that have ended, newest first."""
    before: int | None = None
    while True:
        page = database.game_tables.games_by_number(ENDED, before, PAGE_SIZE)
        for _, game in page:
            try:
                line = database.game_tables.lobby_row(game, with_seats=False)
            except DamagedRowError:  # 'boardkeeper check' tells of it
                continue
            if line is None or choice.title not in ("", line.title):
                continue
            access = database.access.game_access(game) if choice.platform is not None else None
            if choice.platform is None or (access is not None and access.platform == choice.platform):
                yield line
        if len(page) < PAGE_SIZE:
            return
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
        return  # another one was first
    done.games += 1
    done.events += len(rows)
    done.bytes += sum(len(topic) + len(state) + len(link) for _, topic, state, link in rows)
    done.files += files.game_path(game).stat().st_size


def _games_with_prefixes(archived: list[UUID], names: list[str]) -> list[UUID]:
    if not names:
        return archived
    found: list[UUID] = []
    for name in names:
        beginning = name.replace("-", "").lower()
        fitting = [game for game in archived if game.hex.startswith(beginning)]
        if len(fitting) != 1:
            raise LookupError(f"{len(fitting) or 'no'} archived games have an id that begins with {name!r}")
        found += fitting
    return found
