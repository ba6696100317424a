"""The event-sourced application: it appends events to a database and reads them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.persistence import (
    EventStore,
    InfrastructureFactory,
    Mapper,
    MapperDeserialisationError,
    PersistenceError,
)
from eventsourcing.utils import Environment
from msgspec import Struct
from msgspec.structs import replace

from boardkeeper.game.events import GameCreated, GameEnded, GameEvent
from boardkeeper.game.game import Game
from boardkeeper.service.storage import chain
from boardkeeper.service.storage.archive.folder import ArchiveFolder
from boardkeeper.service.storage.archive.log import ArchivedLog
from boardkeeper.service.storage.chain import ChainedRow, Damage, find_damage
from boardkeeper.service.storage.changes import GameProgress
from boardkeeper.service.storage.database import Database, Synchronous
from boardkeeper.service.storage.database_urls import open_database
from boardkeeper.service.storage.errors import (
    FilesLostError,
    is_damage,
    is_storage_error,
    is_unavailable,
    read_or_default,
)
from boardkeeper.service.storage.event_log import NEWEST
from boardkeeper.service.storage.feed import FeedItem
from boardkeeper.service.storage.mapper import GameEventMapper
from boardkeeper.service.storage.projections import build_lobby_row, different_fields
from boardkeeper.service.storage.rows import LobbyRow
from boardkeeper.service.storage.snapshots import SnapshotMapper
from boardkeeper.service.storage.sql import Change
from boardkeeper.service.storage.writer import DEFAULT_QUEUE_LIMIT, Append, FinalOutcome
from boardkeeper.table.dice import commitment
from boardkeeper.titlekit.title import Title
from boardkeeper.titlekit.title_guard import expect_readable, is_of_other_build

_T = TypeVar("_T")
_SINGLE_READ_SECONDS = 5.0
_READER_THREADS = 10
"""More than the server's limit of long reads, so that a short read always finds a free thread."""

LoadedGame = tuple[Game, list[GameEvent]]
"""A game and the events from which it was rebuilt."""


class VerifiedGame(NamedTuple):
    """A stored game after verification: the game up to any damage, its lobby row, and the damage.

    ``loaded`` or ``row`` is ``None`` if it cannot be read at all.
    """

    loaded: LoadedGame | None
    row: LobbyRow | None
    damage: Damage | None


TitleLookup = Callable[[str], Title]
"""Returns a title by its id. Raises ``KeyError``."""


class GameApplication(Application[UUID]):
    """Reads and appends the games of one database, which it owns from :meth:`open` to :meth:`close`.

    One event loop appends. ``damages`` are the games that are known to be damaged. ``last_backup`` is the time of the
    last known backup (milliseconds since 1970; 0: none).
    """

    name = "boardkeeper"
    is_snapshotting_enabled = True

    def __init__(
        self,
        database: Database,
        titles: TitleLookup,
        queue_limit: int = DEFAULT_QUEUE_LIMIT,
        archive: ArchiveFolder | None = None,
        missing: Callable[[str], Exception] = KeyError,
    ) -> None:
        """``missing`` creates the error for a stored game whose title is not in ``titles``."""
        self.database = database
        self.event_log = ArchivedLog(database.reader, database.log.writer, archive)
        self.game_tables = database.game_tables
        self._titles = titles
        self._missing = missing
        self._closed = False
        super().__init__()
        self.writer = self.event_log.writer
        self.writer.limit = queue_limit
        self.damages: dict[UUID, Damage] = {}
        self.last_backup = 0
        self._readers = ThreadPoolExecutor(_READER_THREADS, "boardkeeper-reader")

    @classmethod
    def open(
        cls,
        name: str | Path,
        titles: TitleLookup,
        *,
        synchronous: Synchronous = "FULL",
        queue_limit: int = DEFAULT_QUEUE_LIMIT,
        key_file: str | Path = "",
        notify: Literal["listen", "poll"] = "listen",
        archive: str | Path = "",
        missing: Callable[[str], Exception] = KeyError,
    ) -> GameApplication:
        """Open or create a database. Raises :class:`StartupError`, with nothing created.

        ``archive`` is the folder with the events of archived games.
        """
        folder = ArchiveFolder(Path(archive)) if archive else None
        database = open_database(name, synchronous=synchronous, key_file=key_file, notify=notify)
        return cls(database, titles, queue_limit, folder, missing)

    def discard(self) -> None:
        """Close the database and delete what :meth:`open` created. Call this only before the first write."""
        self._end()
        self.database.discard()

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        """Return the database's factory, with which the library creates its recorders."""
        return self.database.factory

    def construct_mapper(self) -> Mapper[UUID]:
        """Return our mapper, in place of the library's."""
        self.events_mapper = GameEventMapper(self._details)
        return self.events_mapper

    def construct_snapshot_store(self) -> EventStore[UUID]:
        """Return the library's snapshot store with our mapper, which signs snapshots."""
        self.snapshot_mapper = SnapshotMapper(self.database.key.derive("boardkeeper snapshots"))
        self.snapshot_recorder = self.factory.aggregate_recorder("snapshots")
        return self.factory.event_store(mapper=self.snapshot_mapper, recorder=self.snapshot_recorder)

    def find_title(self, id: str) -> Title | None:
        """Return a title; ``None`` if it is not installed."""
        try:
            return self._titles(id)
        except KeyError:
            return None

    def _details(self, title: str) -> Mapping[str, type[Struct]]:
        return self._title(title).events

    def _title(self, id: str) -> Title:
        title = self.find_title(id)
        if title is None:
            raise self._missing(id)
        return title

    def close(self) -> None:
        """Store what is queued and close the database."""
        if not self._closed:
            self._end()
            self.database.close()

    def _end(self) -> None:
        self._closed = True
        self.closing.set()
        self._readers.shutdown(cancel_futures=True)

    # --- appending ------------------------------------------------------------------------------------------

    def append(
        self,
        events: Sequence[GameEvent],
        finish: Callable[[FinalOutcome], None],
        *,
        changes: Sequence[Change] = (),
        progress: GameProgress | None = None,
        feed_items: Sequence[FeedItem] = (),
    ) -> None:
        """Store the events of one command, and everything else that it changes, in one transaction.

        ``finish`` is called on the event loop with the outcome. Raises ``OverloadedError`` if the queue is full; then
        nothing is stored.
        """
        self.writer.append(Append([*map(self.events_mapper.to_row, events)], changes, progress, feed_items), finish)

    def probe_storage(self) -> Exception | None:
        """Return the error that prevents storing now, if any; blocks. It writes only after a failure."""
        try:
            self.writer.probe(write=self.writer.blocked_count > 0)
        except PersistenceError as error:
            return error
        return None

    # --- reading: these block, so they run in reader threads ------------------------------------------------

    async def read(self, function: Callable[[], _T]) -> _T:
        """Run a blocking read in a reader thread. Raises ``FilesLostError`` if the database files are lost."""
        return await asyncio.wrap_future(self.submit_read(function))

    def submit_read(self, function: Callable[[], _T]) -> Future[_T]:
        """Start a blocking read in a reader thread. Raises as :meth:`read`."""
        if isinstance(self.writer.last_error, FilesLostError):  # it could read events that are not in the files
            raise self.writer.last_error
        return self._readers.submit(function)

    def game_events(
        self,
        game: UUID,
        *,
        after: int = 0,
        until: int | None = None,
        limit: int | None = None,
        max_bytes: int | None = None,
    ) -> list[GameEvent]:
        """Return the events of a game with ``after < version <= until``, at most ``limit`` events.

        It stops after the event with which the states reach ``max_bytes`` bytes. Event ``until`` must exist. Raises
        ``MapperDeserialisationError`` if an event is missing or unreadable.
        """
        rows = self.event_log.select_rows(game, after=after, until=until, limit=limit, max_bytes=max_bytes)
        expected = len(rows) if until is None else min(until - after, until if limit is None else limit)
        if max_bytes is not None and rows:
            expected = min(expected, len(rows))
        if [row[0] for row in rows] != list(range(after + 1, after + 1 + expected)):
            raise MapperDeserialisationError(f"events behind version {after} of game {game} are missing")
        return self.events_mapper.to_events(game, rows)

    def read_new_events(self, after: Mapping[UUID, int]) -> dict[UUID, list[GameEvent] | Exception]:
        """Return the events that other processes stored after the known version of each game.

        If the events of a game cannot be read, its value is an exception, for instance ``MapperDeserialisationError``
        if they do not continue from the known version. Errors that affect all games are raised.

        If the common query fails, each game is read alone, for a limited time: in a distributed database only the games
        of one node may be unreachable. The remaining games then have the error of the common query.
        """
        common_error: Exception | None = None
        stored: dict[UUID, list[ChainedRow]] = {}
        try:
            stored = self.event_log.select_tails(after)
        except Exception as error:  # noqa: BLE001  # each game is read alone below
            if is_unavailable(error):
                self.database.reader.fetch("SELECT 1", ())  # raises if the whole database is unreachable
            common_error = error.with_traceback(None)
        end = time.monotonic() + _SINGLE_READ_SECONDS
        found: dict[UUID, list[GameEvent] | Exception] = {}
        for game, version in after.items():
            if common_error is not None and time.monotonic() > end:
                found[game] = common_error
                continue
            try:
                rows = stored.get(game) or self.event_log.select_linked(game, version - 1, NEWEST)
                found[game] = self._tail(game, version, rows)
            except Exception as error:  # noqa: BLE001  # isolate the failure to this game
                found[game] = error.with_traceback(None)
        return found

    def _tail(self, game: UUID, after: int, stored: Sequence[ChainedRow]) -> list[GameEvent]:
        known, *rows = stored or [(0, "", b"", b"")]
        if known[0] != after or len(chain.undamaged_prefix(known[3], after, rows)) < len(rows):
            raise MapperDeserialisationError(f"game {game} does not continue from version {after}")
        return self.events_mapper.to_events(game, (row[:3] for row in rows))

    def load_game(self, game: UUID, *, until: int | None = None) -> Game | None:
        """Return a game rebuilt from the log, optionally at an older version; ``None`` if it does not exist."""
        events = self.game_events(game, until=until)
        if not events:
            return None
        title = self._title(getattr(events[0].detail, "title", ""))
        return Game.load(title, self.game_tables.dice_secret(game), events)

    def damage(self, game: UUID) -> Damage | None:
        """Return the damage of a game's hash chain, if any."""
        return self._verified_rows(game)[1]

    def verified_events(self, game: UUID) -> tuple[list[GameEvent], Damage | None]:
        """Return the events of a game that precede any damage, and the damage.

        Raises ``IncompatibleTitleError`` if they were stored by a version of the title that is not compatible with the
        installed one.
        """
        rows, damage = self._verified_rows(game)
        sound = rows if damage is None else rows[: damage.version - 1]
        return self.decode_events(game, sound), damage

    def decode_events(self, game: UUID, rows: Sequence[ChainedRow]) -> list[GameEvent]:
        """Decode undamaged rows of a game, from version 1 on. Raises as :meth:`verified_events`."""
        try:
            return self.events_mapper.to_events(game, (row[:3] for row in rows))
        except MapperDeserialisationError as error:
            (first,) = self.events_mapper.to_events(game, [rows[0][:3]])
            if isinstance(first.detail, GameCreated):
                expect_readable(self._title(first.detail.title), first.detail.title_build or "", str(error))
            raise

    def _verified_rows(self, game: UUID) -> tuple[list[ChainedRow], Damage | None]:
        """Return all rows of a game and their damage; add the damage to ``damages``.

        A removed game has neither rows nor damage.
        """
        rows, head, version = self.event_log.select_chain(game)
        damage = find_damage(game.hex, rows, head, version)
        if damage is not None and not rows and self.removal_time(game) is not None:
            return [], None  # removed meanwhile
        if damage is not None:
            self.damages[game] = damage
        return rows, damage

    def is_archived(self, game: UUID) -> bool:
        """Return whether a game's events are in the archive; false if the row is damaged."""
        return read_or_default(lambda: self.database.archive.archived(game) is not None, default=False)

    def delete_archived_events(self, game: UUID) -> None:
        """Start deleting the archived events of a removed game; ``boardkeeper archive`` deletes the rest."""
        with suppress(RuntimeError):  # the application is closed
            self._readers.submit(self.event_log.delete, game)

    def removal_time(self, game: UUID) -> int | None:
        """Return when a game was removed (milliseconds since 1970); ``None`` if it was not or the row is damaged."""
        return read_or_default(lambda: self.game_tables.removal_time(game), default=None)

    def load_verified(self, game: UUID) -> VerifiedGame | None:
        """Load a game and verify that its events, lobby row and dice secret match; ``None`` if it is unknown.

        All errors of the database and of decoders count as damage of this game, except that errors of an unavailable
        storage are raised.
        """
        before: Mapping[UUID, int] | None = None
        while True:
            try:
                checked = self._verify_game(game)
            except Exception as error:
                if not is_damage(error):
                    raise
                checked = VerifiedGame(None, None, Damage(1, str(error)))
            if checked is None or checked.damage is None:
                self.damages.pop(game, None)
                return checked
            # The game is read with several queries. If another process has changed it between them, read it again.
            now = self.event_log.versions((game,)) if self.database.is_shared else None
            if now == before:
                self.damages[game] = checked.damage
                return checked
            before = now

    def _verify_game(self, game: UUID) -> VerifiedGame | None:
        events, damage = self.verified_events(game)
        row = self.game_tables.lobby_row(game)
        if not events or row is None:
            if row is None and not self.event_log.select_rows(game, limit=1):
                return None
            return VerifiedGame(None, row, damage or Damage(1, "its lobby row is missing"))
        title = self._title(getattr(events[0].detail, "title", ""))
        secret = b"" if damage is not None else self.secret(game, events)  # a damaged game needs no dice
        rebuilt = Game.load(title, secret, events)
        if damage is None:
            expected = build_lobby_row(rebuilt, events, row.seats)
            if is_of_other_build(rebuilt.title):  # another version of the rules may score differently
                expected = replace(expected, standings=row.standings)
            fields = different_fields(row, expected)
            problem = f"its lobby row has another {fields[0].replace('_', ' ')}" if fields else ""
            if not secret:
                problem = "the secret of its dice is missing or is another one"
            if problem:
                damage = Damage(len(events) + 1, problem)
        return VerifiedGame((rebuilt, events), row, damage)

    def secret(self, game: UUID, events: Sequence[GameEvent]) -> bytes:
        """Return the dice secret of a game; empty if it is lost or wrong. ``events`` are all events of the game."""
        first, last = events[0].detail, events[-1].detail
        try:
            secret = bytes.fromhex(last.secret) if isinstance(last, GameEnded) else self.game_tables.dice_secret(game)
        except (KeyError, ValueError):
            return b""
        return secret if isinstance(first, GameCreated) and commitment(secret) == first.commitment else b""

    def diagnose(self, game: UUID, error: Exception) -> Damage | None:
        """Return the damage of a game that explains an error of a read; ``None`` if the game is not damaged."""
        checked = self.load_verified(game)
        if checked is not None and checked.damage is not None:
            return checked.damage
        return Damage(1, str(error)) if is_storage_error(error) else None
