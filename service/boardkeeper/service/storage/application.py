"""The event-sourced application: everything that is read from a database of games or appended to it."""

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
"""Threads for reading: more than there are turns at long work, so that there is always one for a short read."""

LoadedGame = tuple[Game, list[GameEvent]]
"""A game and the events that it was rebuilt from."""


class VerifiedGame(NamedTuple):
    """What is stored of a game: the game as far as it holds, its line in the lobby, and what is wrong.

    Of a game that cannot be read at all there is no ``loaded``, or no ``line``.
    """

    loaded: LoadedGame | None
    line: LobbyRow | None
    damage: Damage | None


TitleLookup = Callable[[str], Title]
"""Gives a title by its id; raises ``KeyError``."""


class GameApplication(Application[UUID]):
    """Games in one database, which is this application's from :meth:`open` to :meth:`close`.

    One event loop appends to it. ``damages`` has those games that are known to be damaged, and ``last_backup`` is when
    the last backup was made that is known of (milliseconds since 1970, 0: none).
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
        """``missing`` makes the error for a stored game of a title that ``titles`` does not have."""
        self.database = database
        self.event_log = ArchivedLog(database.log, database.archive, archive)
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
        """Open or make a database; raises :class:`StartupError` if that is not possible, with nothing made.

        ``archive`` is the folder with the events of games that were archived.
        """
        folder = ArchiveFolder(Path(archive)) if archive else None
        database = open_database(name, synchronous=synchronous, key_file=key_file, notify=notify)
        return cls(database, titles, queue_limit, folder, missing)

    def discard(self) -> None:
        """Close, and leave nothing behind of what :meth:`open` has made. For who has stored nothing yet."""
        self._end()
        self.database.discard()

    def construct_factory(self, env: Environment) -> InfrastructureFactory[Any]:
        """The database's factory: the library makes its parts with it."""
        return self.database.factory

    def construct_mapper(self) -> Mapper[UUID]:
        """Our mapper instead of the library's."""
        self.events_mapper = GameEventMapper(self._details)
        return self.events_mapper

    def construct_snapshot_store(self) -> EventStore[UUID]:
        """The library's store of snapshots with our mapper, which seals them."""
        self.snapshot_mapper = SnapshotMapper(self.database.key.derive("boardkeeper snapshots"))
        self.snapshot_recorder = self.factory.aggregate_recorder("snapshots")
        return self.factory.event_store(mapper=self.snapshot_mapper, recorder=self.snapshot_recorder)

    def find_title(self, id: str) -> Title | None:
        """Return the rules and words of a title; ``None`` for one that is not installed."""
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
        """Store what is queued and let go of the database."""
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
        news: Sequence[FeedItem] = (),
    ) -> None:
        """Store the events of one command with what belongs to them; ``finish`` runs on the loop once they are durable.

        Raises ``OverloadedError`` with nothing stored if too much is waiting.
        """
        self.writer.append(Append([*map(self.events_mapper.to_row, events)], changes, progress, news), finish)

    def probe_storage(self) -> Exception | None:
        """Return what prevents storing now; blocks. Store a probe only if something failed or is blocked."""
        try:
            self.writer.probe(write=self.writer.blocked_count > 0)
        except PersistenceError as error:
            return error
        return None

    # --- reading: these block, so they run in reader threads ------------------------------------------------

    async def read(self, function: Callable[[], _T]) -> _T:
        """Run a blocking read in a reader thread. Raises ``FilesLostError`` once the files of the database are lost."""
        return await asyncio.wrap_future(self.begin(function))

    def begin(self, function: Callable[[], _T]) -> Future[_T]:
        """Begin a blocking read in a reader thread, which goes on whoever waits for it. Raises as :meth:`read`."""
        if isinstance(self.writer.last_error, FilesLostError):  # its rows may not be stored
            raise self.writer.last_error
        return self._readers.submit(function)

    def game_events(
        self,
        game: UUID,
        *,
        after: int = 0,
        until: int | None = None,
        limit: int | None = None,
        most_bytes: int | None = None,
    ) -> list[GameEvent]:
        """The events of a game with ``after < version <= until``; no more once there are ``most_bytes`` of them.

        Whoever says ``until`` knows that it is there. Raises ``MapperDeserialisationError`` if they are not all there.
        """
        rows = self.event_log.select_rows(game, after=after, until=until, limit=limit, most_bytes=most_bytes)
        expected = len(rows) if until is None else min(until - after, until if limit is None else limit)
        if most_bytes is not None and rows:
            expected = min(expected, len(rows))
        if [row[0] for row in rows] != list(range(after + 1, after + 1 + expected)):
            raise MapperDeserialisationError(f"events behind version {after} of game {game} are missing")
        return self.events_mapper.to_events(game, rows)

    def tails(self, after: Mapping[UUID, int]) -> dict[UUID, list[GameEvent] | Exception]:
        """The events that others stored of games behind versions that are known here; often there are none.

        In place of those of a game is what is wrong with it alone: ``MapperDeserialisationError`` if what is stored
        does not go on from there. Raises what keeps all of them from being read.

        If they cannot be read together, each game is read alone, for a limited time: in a distributed database only
        the games of one machine may be out of reach. The games that are left then have the error of reading together.
        """
        together: Exception | None = None
        stored: dict[UUID, list[ChainedRow]] = {}
        try:
            stored = self.event_log.select_tails(after)
        except Exception as error:  # noqa: BLE001  # each is read alone
            if is_unavailable(error):
                self.database.reader.fetch("SELECT 1", ())  # raises if the database itself does not answer
            together = error.with_traceback(None)
        end = time.monotonic() + _SINGLE_READ_SECONDS
        found: dict[UUID, list[GameEvent] | Exception] = {}
        for game, version in after.items():
            if together is not None and time.monotonic() > end:
                found[game] = together
                continue
            try:
                rows = stored.get(game) or self.event_log.select_linked(game, version - 1, NEWEST)
                found[game] = self._tail(game, version, rows)
            except Exception as error:  # noqa: BLE001  # the others are none the worse
                found[game] = error.with_traceback(None)
        return found

    def _tail(self, game: UUID, after: int, stored: Sequence[ChainedRow]) -> list[GameEvent]:
        known, *rows = stored or [(0, "", b"", b"")]
        if known[0] != after or len(chain.undamaged_prefix(known[3], after, rows)) < len(rows):
            raise MapperDeserialisationError(f"game {game} does not continue from version {after}")
        return self.events_mapper.to_events(game, (row[:3] for row in rows))

    def load_game(self, game: UUID, *, until: int | None = None) -> Game | None:
        """A game rebuilt from the log, also as it was at a past version; ``None`` if there is none."""
        events = self.game_events(game, until=until)
        if not events:
            return None
        title = self._title(getattr(events[0].detail, "title", ""))
        return Game.load(title, self.game_tables.dice_secret(game), events)

    def damage(self, game: UUID) -> Damage | None:
        """What is wrong with a game's rows, if anything is, by their chain."""
        return self._chain(game)[1]

    def verified_events(self, game: UUID) -> tuple[list[GameEvent], Damage | None]:
        """Those events of a game that come before any damage, and what is damaged.

        Raises ``IncompatibleTitleError`` if another version of the title's package has stored them.
        """
        rows, damage = self._chain(game)
        sound = rows if damage is None else rows[: damage.version - 1]
        return self.decode_events(game, sound), damage

    def decode_events(self, game: UUID, rows: Sequence[ChainedRow]) -> list[GameEvent]:
        """The events of a game from rows that are not damaged, the first one included; raises as above."""
        try:
            return self.events_mapper.to_events(game, (row[:3] for row in rows))
        except MapperDeserialisationError as error:
            (first,) = self.events_mapper.to_events(game, [rows[0][:3]])
            if isinstance(first.detail, GameCreated):
                expect_readable(self._title(first.detail.title), first.detail.title_build or "", str(error))
            raise

    def _chain(self, game: UUID) -> tuple[list[ChainedRow], Damage | None]:
        """All rows of a game and what is wrong with them, which ``damages`` keeps for the lobby.

        Of a game that was removed there are none, and nothing is wrong.
        """
        rows, head, version = self.event_log.select_chain(game)
        damage = find_damage(game.hex, rows, head, version)
        if damage is not None and not rows and self.removed(game) is not None:
            return [], None  # removed meanwhile
        if damage is not None:
            self.damages[game] = damage
        return rows, damage

    def is_archived(self, game: UUID) -> bool:
        """Whether a game's events are in the archive; false if the file is damaged there."""
        return read_or_default(lambda: self.database.archive.archived(game) is not None, default=False)

    def delete_archived_events(self, game: UUID) -> None:
        """A game was removed: its events go from the archive, too, soon. ``boardkeeper archive`` finds what is left."""
        with suppress(RuntimeError):  # nothing is begun any more
            self._readers.submit(self.event_log.forget, game)

    def removed(self, game: UUID) -> int | None:
        """When a game was removed (milliseconds since 1970); ``None`` if it was not, or the file is damaged there."""
        return read_or_default(lambda: self.game_tables.removal_time(game), default=None)

    def load_verified(self, game: UUID) -> VerifiedGame | None:
        """A game as far as what is stored of it holds, and what is damaged; ``None`` if nothing is known of it.

        Its events, its line in the lobby and the secret of its dice have to fit each other. Whatever SQLite or a
        decoder finds is damage of this game alone. Raises what goes wrong for another reason.
        """
        before: Mapping[UUID, int] | None = None
        while True:
            try:
                checked = self._load_checked(game)
            except Exception as error:
                if not is_damage(error):
                    raise
                checked = VerifiedGame(None, None, Damage(1, str(error)))
            if checked is None or checked.damage is None:
                self.damages.pop(game, None)
                return checked
            # It is read in pieces. In a shared database others may have continued it between them: read again.
            now = self.event_log.versions((game,)) if self.database.is_shared else None
            if now == before:
                self.damages[game] = checked.damage
                return checked
            before = now

    def _load_checked(self, game: UUID) -> VerifiedGame | None:
        events, damage = self.verified_events(game)
        line = self.game_tables.lobby_row(game)
        if not events or line is None:
            nothing = line is None and not self.event_log.select_rows(game, limit=1)
            return (
                None if nothing else VerifiedGame(None, line, damage or Damage(1, "its line in the lobby is missing"))
            )
        title = self._title(getattr(events[0].detail, "title", ""))
        secret = b"" if damage is not None else self.secret(game, events)  # a damaged game never draws
        rebuilt = Game.load(title, secret, events)
        if damage is None:
            right = build_lobby_row(rebuilt, events, line.seats)
            if is_of_other_build(rebuilt.title):  # its rules may score otherwise
                right = replace(right, standings=line.standings)
            fields = different_fields(line, right)
            problem = f"its line in the lobby has another {fields[0].replace('_', ' ')}" if fields else ""
            if not secret:
                problem = "the secret of its dice is missing or is another one"
            if problem:
                damage = Damage(len(events) + 1, problem)
        return VerifiedGame((rebuilt, events), line, damage)

    def secret(self, game: UUID, events: Sequence[GameEvent]) -> bytes:
        """The secret of a game's dice, given all its events; empty if it is lost."""
        first, last = events[0].detail, events[-1].detail
        try:
            secret = bytes.fromhex(last.secret) if isinstance(last, GameEnded) else self.game_tables.dice_secret(game)
        except (KeyError, ValueError):
            return b""
        return secret if isinstance(first, GameCreated) and commitment(secret) == first.commitment else b""

    def diagnose(self, game: UUID, error: Exception) -> Damage | None:
        """What damage of a game may have led to an error while it was read; ``None`` if the error has other reasons."""
        checked = self.load_verified(game)
        if checked is not None and checked.damage is not None:
            return checked.damage
        return Damage(1, str(error)) if is_storage_error(error) else None
